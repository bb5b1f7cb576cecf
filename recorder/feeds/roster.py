"""A list of people as it is pasted: names with ratings, numbers of federations, divisions.

A table whose first row names its columns (`name`, `rating`, `division`, `id`), or a line for each
player: `Ashdown, Vera 1905`, `12. Vera Ashdown AA012345 1905`, `Brok, Ilse:XT006003 1840`. A line
`Division B` begins another division. A rating list fills in what the lines leave out.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from recorder.domain.event.divisions import Event
from recorder.domain.event.following import division_name
from recorder.domain.notices import CodedText, coded
from recorder.feeds.rating_list import IDENT, RatingList
from recorder.texts import TextError

MOST_LISTED_LINES = 2_000
_COLUMNS = {
    "name": ("name", "player", "full name"),
    "rating": ("rating", "rtg", "current rating"),
    "division": ("division", "div"),
    "ident": ("id", "ident", "member", "member id", "naspa id", "wespa id", "cross-tables id"),
}
_HEADING = re.compile(r"(?:division|div)\s*:?\s+(\S.*?)\s*:?$", re.IGNORECASE)
_ORDINAL = re.compile(r"^\s*(?:\d+[.):]\s*|#\s*\d+\s+)")
_BETWEEN = re.compile(r"\t|\s{2,}|;|\s+|,(?=\s*\S*\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterEntry:
    """A person of a list; ``doubt`` is why they are left out, ``note`` what to look at."""

    division: str
    name: str
    rating: int = 0
    ident: str = ""
    doubt: CodedText | None = None
    note: CodedText | None = None


def read_roster(
    text: str, division: str, event: Event, ratings: RatingList | None = None
) -> list[RosterEntry]:
    """The people of a pasted list, in its order, held against those who are entered already.

    NotationError where a table cannot be taken apart.
    """
    lines = [line.strip() for line in text.splitlines()[:MOST_LISTED_LINES] if line.strip()]
    header = _header(lines[0]) if lines else None
    found = _of_table(lines, header) if header else _of_lines(lines)
    try:
        entries = [
            replace(entry, division=division_name(entry.division or division)) for entry in found
        ]
    except csv.Error as err:
        raise TextError("roster_no_table", why=str(err)) from err
    if ratings is not None:
        entries = [_rated(entry, ratings) for entry in entries]
    return [*_doubted(entries, event)]


def _rated(entry: RosterEntry, ratings: RatingList) -> RosterEntry:
    """With rating and id from a list; what the line says itself holds."""
    found = ratings.find(entry.name, entry.ident)
    if len(found) != 1:
        several = ", ".join(f"{known.ident or '?'} ({known.rating})" for known in found[:5])
        note = coded("several_rated", several=several) if found else coded("not_rated")
        return replace(entry, note=note)
    (known,) = found
    differs = entry.rating and known.rating and entry.rating != known.rating
    return replace(
        entry,
        rating=entry.rating or known.rating,
        ident=entry.ident or known.ident,
        note=coded("rated", rating=known.rating) if differs else None,
    )


def _header(line: str) -> dict[str, int] | None:
    """The columns of a table by what they hold; None where the first row names none."""
    cells = [" ".join(cell.casefold().split()) for cell in re.split(r"[\t;,]", line)]
    found = {
        field: next((n for n, cell in enumerate(cells) if cell in names), -1)
        for field, names in _COLUMNS.items()
    }
    return found if found["name"] >= 0 else None


def _of_table(lines: list[str], columns: dict[str, int]) -> Iterator[RosterEntry]:
    delimiter = max("\t;,", key=lines[0].count)
    for row in csv.reader(lines[1:], delimiter=delimiter):
        cells = {
            field: row[place].strip() if 0 <= place < len(row) else ""
            for field, place in columns.items()
        }
        rating = cells["rating"]
        yield RosterEntry(
            division=cells["division"], name=cells["name"], ident=cells["ident"],
            rating=int(rating) if rating.isdecimal() and len(rating) <= 4 else 0,
        )  # fmt: skip


def _of_lines(lines: list[str]) -> Iterator[RosterEntry]:
    division = ""
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            division = heading[1]
        else:
            yield _of_line(line, division)


def _of_line(line: str, division: str) -> RosterEntry:
    """Of the words at the end the rating and the number of a federation; the rest is the name."""
    text = _ORDINAL.sub("", line)
    words = [word for word in _BETWEEN.split(text.replace(":", " ")) if word]
    rating, ident = 0, ""
    name = list(words)
    while len(name) > 1:
        word = name[-1].strip(",")
        if IDENT.fullmatch(word) and not ident:
            ident = word
        elif word.isdecimal() and len(word) <= 4 and not rating:
            rating = int(word)
        else:
            break
        name.pop()
    return RosterEntry(
        division=division, name=" ".join(name).strip(" ,"), rating=rating, ident=ident
    )


def _doubted(entries: list[RosterEntry], event: Event) -> Iterator[RosterEntry]:
    known: dict[str, str] = {}
    for division in event.divisions:
        for player in division.players:
            known |= dict.fromkeys(_marks(player.name, player.ident), division.name)
    for entry in entries:
        marks = _marks(entry.name, entry.ident)
        there = next((known[mark] for mark in marks if mark in known), None)
        doubt = None if there is None else coded("plays_already", division=there)
        for mark in marks:
            known.setdefault(mark, entry.division)
        yield replace(entry, doubt=doubt if entry.name else coded("no_name"))


def _marks(name: str, ident: str) -> list[str]:
    """What nobody else has: a name, and an id."""
    return [name.casefold(), *([ident] if ident else [])]
