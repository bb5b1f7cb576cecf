"""The text of a scenario becomes set-up, happenings and expectations, each with its line.

Whatever cannot be read is named with its file, its line, and what can stand there instead. Reads
text only: whether a tile is there to be taken, ``table_top`` says.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from recorder.declared.near_names import meant
from recorder.domain.errors import NotationError
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.steps import Happening, ScenarioError, Setup
from recorder.lab.scenario.text.expectation_grammar import read_expectation
from recorder.lab.scenario.text.happening_grammar import HAPPENING_LINES, time_passes
from recorder.lab.scenario.text.setup_grammar import SETUP_LINES, overruled, setup_rules
from recorder.lab.scenario.text.who_lays import with_players
from recorder.lab.scenario.text.words import LineWords
from recorder.tilesets import load_tile_set


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something: its number in the file, its text, and what it says."""

    number: int
    text: str
    what: Happening | Expectation


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file as read. ``name`` is how messages call it."""

    name: str
    setup: Setup
    lines: tuple[Line, ...]


def read_scenario(path: Path, rules: str = "") -> Scenario:
    """The scenario in a file. ScenarioError names the line at fault; OSError as usual.

    ``rules`` overrules the set that the file names.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as err:
        raise ScenarioError(str(path), 0, f"is not UTF-8 text: {err}") from err
    return parse_scenario(text, str(path), rules, path.parent)


def parse_scenario(text: str, name: str, rules: str = "", folder: Path = Path()) -> Scenario:
    """The scenario that a text describes; ``folder`` is where a file of rules that it names lies.

    ScenarioError names the line at fault.
    """
    setup, lines = Setup(folder=folder), list[Line]()
    rules_at = 0
    for number, whole in enumerate(text.splitlines(), 1):
        line = _without_comment(whole)
        if not line:
            continue
        try:
            words = LineWords(line, load_tile_set(setup.tiles))
            if words.verb in SETUP_LINES:
                words.next()
                if lines:
                    first = lines[0].number
                    words.fail(f"{words.verb} belongs above what happens (line {first})")
                setup = SETUP_LINES[words.verb](setup, words)
                rules_at = number if words.verb in ("rules", "override", "confirm") else rules_at
            else:
                lines.append(Line(number, line, _said(words)))
        except NotationError as fault:
            raise ScenarioError(name, number, str(fault)) from fault
    if rules:
        setup = overruled(setup, rules)
    try:
        setup_rules(setup)
    except NotationError as fault:
        raise ScenarioError(name, rules_at, str(fault)) from fault
    said = with_players([line.what for line in lines], setup.first)
    pairs = zip(lines, said, strict=True)
    return Scenario(name, setup, tuple(replace(line, what=what) for line, what in pairs))


def _without_comment(line: str) -> str:
    """A line as far as it says something; a ``#`` inside the quotes of an order is no comment."""
    quoted = False
    for at, sign in enumerate(line):
        if sign == '"' and (at == 0 or line[at - 1] != "\\"):
            quoted = not quoted
        elif sign == "#" and not quoted:
            return line[:at].strip()
    return line.strip()


def _said(words: LineWords) -> Happening | Expectation:
    if words.verb.startswith("+"):
        return time_passes(words)
    if words.verb == "expect":
        words.next()
        return read_expectation(words)
    reader = HAPPENING_LINES.get(words.verb)
    if reader is None:
        near = meant(words.verb, [*SETUP_LINES, *HAPPENING_LINES, "expect"])
        known = ", ".join((*SETUP_LINES, *HAPPENING_LINES, "expect", "+SECONDS"))
        raise NotationError(f"{words.verb!r} begins no line{near}; a line begins with {known}")
    words.next()
    happening = reader(words)
    words.end()
    return happening
