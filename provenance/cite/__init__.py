"""The use case that makes a citation of a place: found, read, and read back before anybody sees it."""
