"""Markdown -> elements."""
