"""The evidence database: its schema, and the one class that reads and writes it."""
