"""With every text worded otherwise the programs do the same: no program reads prose."""

from collections.abc import Iterator
from typing import Any

import pytest

import recorder.texts
from recorder.log.port import Row
from recorder.projections.timeline import Timeline
from recorder.table.notices import told_aloud
from tests.folded import broadcast_frame
from tests.recorder.log.test_golden_logs import game_recorder_of, golden

pytestmark = pytest.mark.slow  # folds a whole log twice

__all__ = ["golden"]

_MARK = "\N{CURRENCY SIGN}"
_PROSE = {"text", "manner", "why", "title", "evidence", "open_questions"} | {
    "act",
    "actor",
    "questions",
    "facts_said",
}
"""Keys of the director's items under which there is a text for people."""


@pytest.fixture
def reworded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load = recorder.texts._load

    def worded(language: str) -> dict[str, dict[str, str]]:
        return {
            section: {
                code: f"{_MARK}{section}.{code} {_values(text)}{_MARK}"
                for code, text in texts.items()
            }
            for section, texts in load(language).items()
        }

    monkeypatch.setattr(recorder.texts, "_load", worded)
    recorder.texts._catalogue.cache_clear()
    yield
    monkeypatch.undo()
    recorder.texts._catalogue.cache_clear()


def _values(text: str) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(recorder.texts.values_of(text)))


def seen(rows: list[Row]) -> dict[str, Any]:
    """What log, director and public get of a record."""
    story = Timeline(rows[0].table)
    for row in rows:
        story.advance(row)
    news = game_recorder_of(rows).pending_rows(rows[-1].at + 1)
    return {
        "rows": [(row.kind, row.body, row.refs) for row in news],
        "items": story.items(),
        "procedures": story.procedures(),
        "standing": story.standing(),
        "aloud": [told_aloud(row) is not None for row in rows],
        "public": broadcast_frame(rows),
    }


@pytest.fixture
def plain(golden: tuple[list[Row], Any]) -> dict[str, Any]:
    """As it is worded in English."""
    return seen(golden[0])


def test_other_words_change_nothing_but_the_texts(
    golden: tuple[list[Row], Any], plain: dict[str, Any], reworded: None
) -> None:
    """Rows of the log and public pages alike to the letter; of the director's, all but texts."""
    other = seen(golden[0])
    changed = list(_differences(plain, other, ""))
    assert {path.split(".")[1] for path, _ in changed} <= {"items", "procedures", "standing"}
    assert {path.rsplit(".", 1)[1] for path, _ in changed} <= _PROSE
    assert all(_MARK in text for _, text in changed)
    assert len(changed) > 100


def _differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key, value in one.items():
            yield from _differences(value, other[key], f"{path}.{key}")
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        assert len(one) == len(other), path
        for value, beside in zip(one, other, strict=True):
            yield from _differences(value, beside, path)
    elif one != other:
        yield path, str(other)
