"""prov installed from its source into environments of other programs, without network.

What prov depends on is not installed a second time: the packages of the running environment are lent to it by
PYTHONPATH, all but those that an environment has of its own and prov itself.
"""

from __future__ import annotations

import shutil
import sysconfig
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
    "pip",
    "setuptools",
    "wheel",
    "_distutils",
    "distutils",
    "prov_verify",
    "_prov_verify",
    "provenance",
    "__",
)


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
    lent = folder / "lent"
    lent.mkdir(parents=True)
    for name in ("purelib", "platlib"):
        for package in Path(sysconfig.get_path(name)).iterdir():
            if not package.name.startswith(_KEPT_BACK) and not (lent / package.name).exists():
                (lent / package.name).symlink_to(package)
    return {
        "PYTHONPATH": str(lent),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_COMPILE": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads the variable as the option's opposite: there is no isolation
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_CACHE_DIR": str(folder / "pip"),
        "VIRTUALENV_NO_DOWNLOAD": "1",
        "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
        "VIRTUALENV_OVERRIDE_APP_DATA": str(folder / "virtualenv"),
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
    }
