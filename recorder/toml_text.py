"""TOML that people write: a fault is named with the file, the line, and what helps."""

import re
import tomllib
from typing import Any

from recorder.domain.errors import NotationError

_CURLED = "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_QUOTED = re.compile(r"""\"((?:[^\"\\]|\\.)*)\"|'[^']*'|#.*""")
_PATH = re.compile(r"[A-Za-z]:\\(?!\\)|(?:[^\\]|\\[^bfrt])*\\[bfrt]")
"""A backslash that begins another sign in double quotes, as in the path `C:\\record`."""
_REMEDIES = (
    ("Cannot declare", "for several sections of one name write [[name]]"),
    ("Cannot overwrite", "a key stands once in a section"),
    ("Unclosed array", "a comma or ] is missing"),
    ("Unescaped", "write a path in single quotes or with /"),
)


def toml_of(text: str, shown: str) -> dict[str, Any]:
    """What a TOML text says; ``shown`` is how its file is named in a fault.

    NotationError where it is no TOML. Whether its keys are known is for the caller.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if any(_PATH.match(found[1] or "") for found in _QUOTED.finditer(line)):
            wanted = "write a path in single quotes or with /"
            raise NotationError(f"{shown}: not TOML: a backslash (at line {number}); {wanted}")
    try:
        # Some editors put a mark before the first letter, which is no part of the text.
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as err:
        raise NotationError(f"{shown}: not TOML: {err}{_remedy(text, str(err))}") from err


def _remedy(text: str, fault: str) -> str:
    """What helps against usual mistakes that TOML's own reader has no words for."""
    found = re.search(r"at line (\d+)", fault)
    lines = text.splitlines()[: int(found[1])] if found else text.splitlines()
    if lines and set(lines[-1]) & set(_CURLED):
        return '; write straight quotes, "so"'
    open_line = next((line for line in reversed(lines) if "=" in line and "{" in line), "")
    if open_line.count("{") > open_line.count("}"):
        return "; what stands between { and } must be on one line"
    return next((f"; {remedy}" for said, remedy in _REMEDIES if said in fault), "")
