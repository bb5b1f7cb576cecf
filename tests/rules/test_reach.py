"""What is right on paper can be reached from the table: the rules are no library for themselves."""

import pytest

from tests.rules.reach import LEAST_PERCENT, PAGE, Share, percent, shares

pytestmark = pytest.mark.whole_tree  # reads every function of the rules


@pytest.fixture(scope="module")
def found() -> dict[str, Share]:
    return shares()


def test_all_lines_of_the_rules_are_reached_from_the_commands(
    found: dict[str, Share],
) -> None:
    """What is not is in docs/reach.md, with its name: wire it, or delete it."""
    assert percent(found) >= LEAST_PERCENT


def test_no_module_of_the_rules_is_there_for_tests_alone(found: dict[str, Share]) -> None:
    """Each has something that a command leads to."""
    assert [name for name, share in found.items() if share.lines and not share.reached] == []


def test_the_page_names_every_module(found: dict[str, Share]) -> None:
    """If not: make reach."""
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in found if f"| `{name}` |" not in text] == []
