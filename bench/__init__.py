"""What prov costs, measured against what people would do without it: `python -m bench`."""

import sys
from pathlib import Path

# The HTTP server that repositories are served from is the tests' own.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
