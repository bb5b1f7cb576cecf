"""Which build of Tilecast this is. The number stands here; everything else takes it from here."""

import subprocess
from functools import cache
from pathlib import Path

VERSION = "0.2.0.dev0"
"""The release, or with ``.devN`` what will become it (CONTRIBUTING, "Release")."""
_TREE = Path(__file__).parents[1]


@cache
def build_version() -> str:
    """The version of the program that runs, as people can report it.

    From a checkout with the commit, and whether files were changed since: ``0.1.0+g1a2b3c4`` or
    ``0.1.0+g1a2b3c4.changed``; what was installed from a wheel has the number alone.
    """
    if not (_TREE / ".git").exists():
        return VERSION
    asked = ["git", "describe", "--always", "--exclude=*", "--dirty=.changed", "--abbrev=7"]
    try:
        done = subprocess.run(  # noqa: S603  # our own command line
            asked, cwd=_TREE, capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return VERSION  # no git here, or a checkout that belongs to somebody else
    return f"{VERSION}+g{done.stdout.strip()}"
