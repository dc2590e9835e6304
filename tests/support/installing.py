"""prov installed from its source into environments of other programs, without network.

What prov depends on is not installed a second time: the packages of the running environment are lent to it, all but
those that an environment has of its own and prov itself.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHIPPED = (
    "LICENSE",
    "NOTICE",
    "README.md",
    "pyproject.toml",
    "provenance",
    "ci",
    "action.yml",
    ".pre-commit-hooks.yaml",
)
"""What an installation, a hook or an action needs of a checkout."""

_KEPT_BACK = (
    "setuptools",
    "wheel",
    "_distutils",
    "distutils",
    "prov_verify",
    "_prov_verify",
    "provenance",
    "__",
)
_HAS_PIP = find_spec("pip") is not None
"""Whether the running environment has one to lend: then no other is unpacked, which takes seconds."""


def source(folder: Path) -> Path:
    """A copy of what is in this checkout, as a user would have it."""
    folder.mkdir(parents=True)
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, folder / name)
    return folder


def offline(folder: Path) -> dict[str, str]:
    """Variables with which pip, virtualenv and pre-commit install prov from its source and ask nobody.

    Args:
        folder: an empty one, for what they keep.
    """
    return {
        "PYTHONPATH": str(_lent(folder / "lent")),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_COMPILE": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads the variable as the option's opposite: there is no isolation
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_CACHE_DIR": str(folder / "pip"),
        "VIRTUALENV_NO_DOWNLOAD": "1",
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
        "VIRTUALENV_OVERRIDE_APP_DATA": str(folder / "virtualenv"),
        **({"VIRTUALENV_NO_SEED": "1"} if _HAS_PIP else {}),
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
    }


def lender(file: Path, lent: str) -> Path:
    """Write a Python that is the running one, but for the environments that its `-m venv` makes: they are lent to.

    Args:
        file: where it is to be.
        lent: what `offline` has for PYTHONPATH.
    """
    python = shlex.quote(sys.executable)
    file.write_text(
        f"""\
#!/bin/sh
[ "$2" = venv ] || exec {python} "$@"
shift 2
{python} -m venv {"--without-pip" if _HAS_PIP else ""} "$@" || exit
for folder; do :; done
for packages in "$folder"/lib/python*/site-packages; do
  echo {shlex.quote(lent)} >"$packages/lent.pth"
done
""",
        encoding="utf-8",
    )
    file.chmod(0o755)
    return file


def _lent(folder: Path) -> Path:
    folder.mkdir(parents=True)
    kept_back = _KEPT_BACK if _HAS_PIP else (*_KEPT_BACK, "pip")
    for name in ("purelib", "platlib"):
        for package in Path(sysconfig.get_path(name)).iterdir():
            if not package.name.startswith(kept_back) and not (folder / package.name).exists():
                (folder / package.name).symlink_to(package)
    return folder
