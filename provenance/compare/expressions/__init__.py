"""Expressions that documents cite, found in the code of a file."""
