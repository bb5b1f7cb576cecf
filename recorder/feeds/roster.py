"""A list of people as it is pasted: names with ratings, numbers of federations, divisions.

A line for each player: `Ashdown, Vera 1905`, `12. Vera Ashdown AA012345 1905`, `Brok, Ilse:XT006003
1840`; or a table with a row that names its columns (`name`, `rating`, `division`, `id`). A line
`Division B` begins another division. A rating list fills in what the lines leave out.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from recorder.domain.event.divisions import Event
from recorder.domain.event.following import division_name
from recorder.domain.notices import CodedText, coded
from recorder.feeds.rating_list import IDENT, RatingList
from recorder.texts import TextError

MOST_LISTED_LINES = 2_000
_COLUMNS = {
    "name": ("name", "player", "full name", "spieler", "spielerin", "teilnehmer"),
    "given": ("first name", "given name", "first", "vorname"),
    "surname": ("last name", "family name", "surname", "last", "nachname", "familienname"),
    "rating": ("rating", "rtg", "current rating", "wertung", "wertungszahl", "elo"),
    "division": ("division", "div", "gruppe", "klasse"),
    "ident": (
        "id", "ident", "member", "member id", "naspa id", "wespa id", "cross-tables id",
        "mitglied", "mitgliedsnummer",
    ),
}  # fmt: skip
_HEADING = re.compile(
    r"(?:(?:division|gruppe|klasse)\s*:?\s+(\S.*?)|div\.?\s*:?\s+(\S+?))\s*:?$", re.IGNORECASE
)
_DASHES = "-\u2013\u2014|"
_BULLET = re.compile(rf"^\s*[{_DASHES}*•]\s+")
_NUMBER_FIRST = re.compile(r"^\s*(?:#\s*)?(\d+)(?:[.):]\s*|\s+)(?=\D)")
_BETWEEN = re.compile(r"\t|\s{2,}|;|\s+|,(?=\s*\S*\d)")
_RATING = re.compile(r"[(\[]?(\d{1,4}|\d[.,']\d{3})(?:[.,](\d{1,2}))?[*?pP]?[)\]]?")
"""A whole number or one with decimals, perhaps provisional (`1905*`, `1905P`), or with 1,000s."""
_RATING_DIGITS = 4


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

    NotationError where a table cannot be taken apart, or there are too many lines.
    """
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_LISTED_LINES:
        raise TextError("roster_too_many", most=MOST_LISTED_LINES)
    entries = [
        replace(entry, division=division_name(entry.division or division))
        for entry in _listed(lines)
    ]
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
        note=coded("rated", rating=known.rating) if differs else entry.note,
    )


def _listed(lines: list[str]) -> Iterator[RosterEntry]:
    """Of every line the person, by the columns of the table it is in, or by its words."""
    division, table = "", None
    for number, line in enumerate(lines, start=1):
        heading = _HEADING.match(line.strip())
        header = _Table.named(line, alone=number == 1)
        if heading:
            division = heading[1] or heading[2]
        elif header is not None:
            table = header
        elif line.strip(" \t|-:+=;,") or (not table and line.strip()):
            yield _of_line(line, division) if table is None else table.entry(line, number, division)


@dataclass(frozen=True, slots=True)
class _Table:
    """Where the columns of a table are, by what they hold, and what is between them."""

    columns: Mapping[str, int]
    delimiter: str

    @staticmethod
    def named(line: str, *, alone: bool) -> "_Table | None":
        """By the row that names them; ``alone``: a name may be all that it has."""
        delimiter = max("\t;,|", key=line.count)
        cells = [
            " ".join(cell.strip('" ').casefold().split())
            for cell in line.strip().strip("|").split(delimiter)
        ]
        found = {
            field: next((n for n, cell in enumerate(cells) if cell in names), -1)
            for field, names in _COLUMNS.items()
        }
        columns = {field: place for field, place in found.items() if place >= 0}
        has_name = "name" in columns or {"given", "surname"} <= columns.keys()
        return _Table(columns, delimiter) if has_name and (alone or len(columns) > 1) else None

    def entry(self, line: str, number: int, division: str) -> RosterEntry:
        """The person of a row; NotationError where a quotation mark has no end."""
        line = line.strip("|") if self.delimiter == "|" else line
        try:
            row = next(
                csv.reader([line], delimiter=self.delimiter, strict=line.count('"') % 2 == 1)
            )
        except csv.Error as err:
            raise TextError("roster_no_table", line=number) from err
        cells = {
            field: row[place].strip() if place < len(row) else ""
            for field, place in self.columns.items()
        }
        rating = _rating_of(cells.get("rating", ""))
        unread = rating is None and any(map(str.isdecimal, cells.get("rating", "")))
        name, given = cells.get("surname") or cells.get("name", ""), cells.get("given", "")
        return RosterEntry(
            division=cells.get("division") or division,
            name=", ".join(filter(None, (name, given))),
            rating=rating or 0,
            ident=cells.get("ident", ""),
            note=coded("rating_unread", rating=cells["rating"]) if unread else None,
        )


def _rating_of(word: str) -> int | None:
    """The rating that a word is, rounded; None where it is none."""
    found = _RATING.fullmatch(word)
    if found is None:
        return None
    whole = re.sub(r"\D", "", found[1])
    return round(float(f"{int(whole)}.{found[2] or 0}"))


def _of_line(line: str, division: str) -> RosterEntry:
    """Of the words at the ends the rating and the number of a federation; the rest is the name."""
    text = _BULLET.sub("", line)
    first = _NUMBER_FIRST.match(text)
    text = text[first.end() :] if first else text
    name = [word for word in _BETWEEN.split(text.replace(":", " ")) if word]
    rating, ident = 0, ""
    if len(name) > 1 and IDENT.fullmatch(name[0]):
        ident = name.pop(0)
    while len(name) > 1:
        word = name[-1].strip(",")
        read = _rating_of(word)
        if IDENT.fullmatch(word) and not ident:
            ident = word
        elif read is not None and not rating:
            rating = read
        elif word.strip(_DASHES):
            break
        name.pop()
    if first and not rating and len(first[1]) == _RATING_DIGITS:
        rating = int(first[1])
    called = " ".join(name).strip(" ,")
    note = coded("figures_in_name") if any(map(str.isdecimal, called)) else None
    return RosterEntry(division=division, name=called, rating=rating, ident=ident, note=note)


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
    """What nobody else has: a name, surname first or last, and an id."""
    surname, _, given = name.casefold().partition(",")
    return [f"{given.strip()} {surname.strip()}".strip(), *([ident] if ident else [])]
