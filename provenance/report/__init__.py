"""Evidence -> text, one file a format."""
