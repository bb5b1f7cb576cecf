"""All worked cases of the rulebook: ``test_rule_case[A1]`` and so on."""

import importlib
from pathlib import Path

import pytest

from tests.rules.case_book import CASES, EXPECTED, MOST_SKIPPED

for _module in sorted(Path(__file__).parent.glob("cases_*.py")):
    importlib.import_module(f"tests.rules.cases.{_module.stem}")


@pytest.mark.parametrize("number", EXPECTED)
def test_rule_case(number: str) -> None:
    """What the program makes of a case is what the rulebook says."""
    assert number in CASES, f"no test of case {number}"
    if CASES[number].skipped:
        pytest.skip(CASES[number].skipped)
    CASES[number].check()


def test_few_cases_cannot_be_automated() -> None:
    assert sum(bool(one.skipped) for one in CASES.values()) <= MOST_SKIPPED
