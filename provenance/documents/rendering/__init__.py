"""HTML of a page -> its text, as a reader of the page sees it."""
