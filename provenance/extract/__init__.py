"""Content -> lines and symbols."""
