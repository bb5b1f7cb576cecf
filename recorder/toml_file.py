"""Settings files that people write: every mistake is named with the place and what is allowed."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError


def load_toml(path: Path, example: str) -> dict[str, Any]:
    """The content of a file; ``example`` is the command that prints one.

    NotationError when it is missing or no TOML. Whether its keys are known is for the caller.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such file; see an example with: {example}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise NotationError(f"{path}: not TOML: {err}") from err


def section(
    document: Mapping[str, Any], name: str, keys: tuple[str, ...], where: object
) -> Mapping[str, Any]:
    """The section ``[name]``, empty when it is not there; only ``keys`` are allowed in it."""
    found = document.get(name, {})
    if not isinstance(found, dict):
        raise NotationError(f"{where}: {name} must be a section [{name}]")
    allow(found, keys, f"{where} [{name}]")
    return found


def allow(found: Mapping[str, Any], keys: tuple[str, ...], where: object) -> None:
    """NotationError for a key that is not among ``keys``."""
    for key in found:
        if key not in keys:
            raise NotationError(f"{where}: unknown key {key!r}; allowed: {', '.join(keys)}")
