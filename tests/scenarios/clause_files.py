"""The scenarios of the rules at the table, their headers, and the list of what does not hold yet.

``open.toml`` is strict: what is on it must fail, what is not must hold. ``pixels.toml`` says how
some of them went through rendered pictures.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
OPEN = FOLDER / "open.toml"
PIXELS = FOLDER / "pixels.toml"
UNSORTED = "not sorted yet"
"""The cause under which ``make scenarios`` lists what it found failing; the test refuses it."""
_HEAD = """\
# The scenarios that do not hold yet, by cause: file, rule sets, what stands there instead.
# One that is listed and holds fails the test, and so does one that fails and is not listed.
# `make scenarios` takes off what holds and adds what does not; causes are named by people.
"""

_PIXELS_HEAD = """\
# Scenarios as they went through rendered pictures and a clock's bytes: file, rule set, and what
# stood there instead, empty where all of it held. Written by `make scenarios PIXELS=1`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFile:
    """A scenario and what its header says. ``sets`` are the rule sets it is played under."""

    path: Path
    clause: int
    title: str
    sets: tuple[str, ...]
    is_for_pixels: bool
    senseless: str

    @property
    def name(self) -> str:
        return self.path.name


Play = tuple[str, str]
"""The name of a file, and a rule set."""


@dataclass(frozen=True, slots=True)
class OpenPlay:
    """A play that does not hold yet: why, and what its first line at fault found instead."""

    cause: str
    instead: str


@cache
def clause_files() -> tuple[ClauseFile, ...]:
    """All scenarios of clauses, in the order of their names."""
    return tuple(map(_clause_file, sorted(FOLDER.glob("*.scn"))))


def _clause_file(path: Path) -> ClauseFile:
    head: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        name, _, value = line.removeprefix("#").strip().partition(":")
        head.setdefault(name, value.strip())
    number, _, title = head["clause"].partition(" ")
    return ClauseFile(
        path=path,
        clause=int(number),
        title=title,
        sets=tuple(head["sets"].split()),
        is_for_pixels="pixels" in head,
        senseless=head.get("senseless", ""),
    )


def all_plays() -> tuple[Play, ...]:
    """Every file with every rule set of its header."""
    return tuple((one.name, rules) for one in clause_files() for rules in one.sets)


def read_open(path: Path = OPEN) -> dict[Play, OpenPlay]:
    found: dict[Play, OpenPlay] = {}
    for cause in tomllib.loads(path.read_text(encoding="utf-8")).get("cause", []):
        for line in cause["open"]:
            for rules in line["sets"].split():
                found[line["file"], rules] = OpenPlay(cause["what"], line["instead"])
    return found


def write_open(listed: Mapping[Play, OpenPlay], path: Path = OPEN) -> None:
    """Write the list: the biggest cause first, a line for the sets of a file that fail alike."""
    causes = dict.fromkeys(one.cause for one in listed.values())
    groups = {what: [p for p in listed if listed[p].cause == what] for what in causes}
    parts = [_HEAD]
    for what, plays in sorted(groups.items(), key=lambda one: (-len(one[1]), one[0])):
        lines = "\n".join(f"  {line}," for line in _lines(plays, listed))
        parts.append(f"[[cause]]\nwhat = {_quoted(what)}\nopen = [\n{lines}\n]\n")
    path.write_text("\n".join(parts), encoding="utf-8")


def _lines(plays: Iterable[Play], listed: Mapping[Play, OpenPlay]) -> list[str]:
    alike: dict[tuple[str, str], list[str]] = {}
    for name, rules in sorted(plays, key=all_plays().index):
        alike.setdefault((name, listed[name, rules].instead), []).append(rules)
    fields = [(name, " ".join(sets), instead) for (name, instead), sets in alike.items()]
    return [
        f"{{file = {_quoted(name)}, sets = {_quoted(sets)}, instead = {_quoted(instead)}}}"
        for name, sets, instead in fields
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def read_pixels() -> dict[Play, str]:
    """What stood there instead, by file and rule set; empty where all of it held."""
    listed = tomllib.loads(PIXELS.read_text(encoding="utf-8"))["play"]
    return {(line["file"], line["set"]): line["instead"] for line in listed}


def write_pixels(played: Mapping[Play, str]) -> None:
    """Write the list, by the names of the files."""
    lines = [
        f"  {{file = {_quoted(name)}, set = {_quoted(rules)}, instead = {_quoted(fault)}}},"
        for (name, rules), fault in sorted(played.items())
    ]
    text = "\n".join([f"{_PIXELS_HEAD}play = [", *lines, "]"])
    PIXELS.write_text(f"{text}\n", encoding="utf-8")
