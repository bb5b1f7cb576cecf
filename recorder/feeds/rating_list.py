"""Rating lists as they are published, and who somebody is in one.

Read are the players of cross-tables and of WESPA's list as JSON (`{"players": [...]}`), WESPA's
`latest.txt`, and tables with tabs, commas or semicolons, as NASPA's `current.txt` is.
"""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from recorder.declared.json_objects import parse_json
from recorder.texts import TextError

IDENT = re.compile(r"[A-Z]{1,3}\d{4,8}")
"""A player's id: AA000123 at NASPA, XT006003 at cross-tables, W0005 at WESPA."""
MOST_RATING = 9_999
_CUT = 20
"""Characters of a name in `latest.txt`."""
_LATEST = re.compile(r".{4} .{3} (.{20})\s+\d+\s+(\d+)\s+\d{8}\s")
_RATING_TITLES = ("rating", "rtg", "current rating")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPlayer:
    """Somebody of a rating list; ``rating`` 0 and ``ident`` "" are not known."""

    name: str
    rating: int = 0
    ident: str = ""


class RatingList:
    """The players of a list, to be found by id or name."""

    def __init__(self, players: Iterable[RatedPlayer]) -> None:
        self._by_ident: dict[str, RatedPlayer] = {}
        self._by_name: dict[str, list[RatedPlayer]] = defaultdict(list)
        for player in players:
            if player.ident:
                self._by_ident[player.ident] = player
            self._by_name[_key(player.name)].append(player)

    def __len__(self) -> int:
        return sum(map(len, self._by_name.values()))

    def find(self, name: str, ident: str = "") -> Sequence[RatedPlayer]:
        """Everybody who may be meant: by id the one, by name all who are called that.

        Surname first or last, accents and points make no difference.
        """
        if ident in self._by_ident:
            return [self._by_ident[ident]]
        surname, comma, given = name.partition(",")
        spoken = f"{given.strip()} {surname}" if comma else name
        return self._by_name.get(_key(name)) or self._by_name.get(_key(spoken[:_CUT])) or []


def _key(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(sorted(re.findall(r"\w+", letters.replace("'", ""))))


def read_rating_list(text: str, *, collins: bool = False) -> RatingList:
    """A rating list; NotationError where nobody is rated in it.

    ``collins``: of two ratings that a list has that for Collins words.
    """
    if text.lstrip()[:1] in ("{", "["):
        players = [*_of_json(text, collins=collins)]
    else:
        try:
            players = [*_of_text(text)]
        except csv.Error as err:
            raise TextError("ratings_no_table", why=str(err)) from err
    if not any(player.rating or player.ident for player in players):
        raise TextError("no_ratings")
    return RatingList(players)


def _of_json(text: str, *, collins: bool) -> Iterator[RatedPlayer]:
    try:
        found = parse_json(text)
    except ValueError as err:
        raise TextError("ratings_no_json", why=str(err)) from err
    listed = found.get("players") if isinstance(found, dict) else found
    listed = listed if isinstance(listed, list) else []
    entries = [entry for entry in listed if isinstance(entry, dict)]
    # Cross-tables writes its ids as text, and ratings of both word lists; WESPA's list neither.
    is_cross_tables = any("twlrating" in e or isinstance(e.get("playerid"), str) for e in entries)
    form = "XT{:06}" if is_cross_tables else "W{:04}"
    which = "twlrating" if is_cross_tables and not collins else "cswrating"
    for entry in entries:
        name, number = entry.get("name"), _whole(entry.get("playerid"))
        if isinstance(name, str) and name.strip():
            ident = form.format(number) if number else ""
            yield RatedPlayer(name=name.strip(), rating=_rating(entry.get(which)), ident=ident)


def _whole(value: Any) -> int:
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _rating(value: Any) -> int:
    found = _whole(value)
    return found if found <= MOST_RATING else 0


def _of_text(text: str) -> Iterator[RatedPlayer]:
    lines = [line for line in text.splitlines() if line.strip() and line[0] != "#"]
    latest = [match for match in map(_LATEST.match, lines) if match]
    if latest:
        for match in latest:
            yield RatedPlayer(name=match[1].strip(), rating=_rating(match[2]))
        return
    delimiter = max("\t;,", key="\n".join(lines[:50]).count)
    column = -1
    for cells in csv.reader(lines, delimiter=delimiter):
        titles = [cell.strip().casefold() for cell in cells]
        if column < 0 and any(title in _RATING_TITLES for title in titles):
            column = next(n for n, title in enumerate(titles) if title in _RATING_TITLES)
        else:
            yield from _of_cells([cell.strip() for cell in cells], column)


def _of_cells(cells: Sequence[str], column: int) -> Iterator[RatedPlayer]:
    """The longest text is the name; without titles the rating is the first number behind it."""
    idents = [cell for cell in cells if IDENT.fullmatch(cell)]
    texts = [n for n, cell in enumerate(cells) if re.search(r"[^\W\d]", cell)]
    names = [n for n in texts if cells[n] not in idents]
    if names:
        place = max(names, key=lambda n: len(cells[n]))
        numbers = [cell for cell in cells[place + 1 :] if cell.isdecimal()]
        given = cells[column] if 0 <= column < len(cells) else next(iter(numbers), "")
        ident = idents[0] if idents else ""
        yield RatedPlayer(name=cells[place], rating=_rating(given), ident=ident)
