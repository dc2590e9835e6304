"""prov: check that the code a document quotes is the code it cites."""

__version__ = "0.1.0"
