"""The page on procedures names what the program has, and only what it has."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from recorder.domain.rules.blanks.slip import DesignationStatus
from recorder.domain.rules.placement.layings import IllegalKind
from recorder.rulesets import declared_settings
from recorder.rulesets.reference import subjects
from tests.documents import document

ROOT = Path(__file__).parents[2]
DOMAIN = ROOT / "recorder" / "domain"
PAGE = document("procedures")
PARAMETERS = {**declared_settings(), **subjects()}
NAMED = sorted(set(re.findall(r"`([a-z_]+)\.([a-z_]+)`", PAGE)))


@pytest.mark.parametrize("word", [*IllegalKind, *DesignationStatus])
def test_kinds_and_statuses_are_explained(word: str) -> None:
    """Each has a row of its own."""
    assert re.search(rf"^\| `{word}` \| \S", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("module", "name"), NAMED, ids=[".".join(pair) for pair in NAMED])
def test_functions_that_are_named_exist(module: str, name: str) -> None:
    """``module.function`` of the rules, or a parameter's name."""
    if f"{module}.{name}" in PARAMETERS:
        return
    (file,) = [*DOMAIN.glob(f"rules/**/{module}.py")] or DOMAIN.glob(f"*/**/{module}.py")
    room = ".".join(file.relative_to(DOMAIN).with_suffix("").parts)
    assert callable(getattr(import_module(f"recorder.domain.{room}"), name))
