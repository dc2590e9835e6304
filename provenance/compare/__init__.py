"""Pure decisions: a quote and a file's lines -> a judgement."""

from provenance.compare.invisible import invisible
from provenance.compare.judge import judge, matches

__all__ = ["invisible", "judge", "matches"]
