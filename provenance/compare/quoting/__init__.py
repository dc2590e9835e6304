"""Which block of a document is the quote of which link. Begin with `pairing`."""
