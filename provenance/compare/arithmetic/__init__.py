"""Arithmetic that documents show: calculations worked out exactly, and what is stated of one quantity."""
