"""Entries of JSON, YAML and TOML files, found by JSON pointer."""
