"""Which language a file is in, and what its grammar tells of symbols and tokens.

This is the seam where grammars plug in: a line in `table`, a record in a module beside it, and a distribution that has
the grammar. A file in no language that stands there has lines, and no symbols.
"""

from __future__ import annotations

from provenance.extract.languages.language import Language, Quoting
from provenance.extract.languages.python import PYTHON
from provenance.extract.languages.table import NAMES, Languages, all_languages, language_of, note_of

__all__ = ["NAMES", "PYTHON", "Language", "Languages", "Quoting", "all_languages", "language_of", "note_of"]
