"""Drift: where cited code is at another revision."""
