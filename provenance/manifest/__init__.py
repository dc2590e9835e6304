"""Manifests: YAML -> citations, and back. An error carries file, line and column.

The form of the files is the table in `provenance.manifest.fields`, which the loader and the JSON Schema read.
"""

from provenance.manifest.expecting import Expecting, expecting
from provenance.manifest.load import parse
from provenance.manifest.repin import Repin, Repinned, repin
from provenance.manifest.schema import schema
from provenance.manifest.write import render

__all__ = ["Expecting", "Repin", "Repinned", "expecting", "parse", "render", "repin", "schema"]
