"""Entries of data files beside what a document says they are."""
