"""An event as a table for spreadsheets: a row for each player, four columns for each round.

Columns: division, number, name, rating, absence; then for round 1 ``opponent 1``, ``score 1``,
``start 1``, ``table 1`` and so on; ``penalty 1`` and ``margin 1``, what counts in place of the
scores' difference, where there are any. Read back without loss of what these hold.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event, EventDivision, EventPlayer, PlayerRound
from recorder.feeds.fault import FeedFault
from recorder.feeds.tourney_js import MOST_ROUNDS, Feed, whole_number

_ABOUT = ("division", "number", "name", "rating", "absence")
_OF_ROUND = ("opponent", "score", "start", "table", "penalty", "margin")
_SPARED = ("penalty", "margin")
_ROUND_COLUMN = re.compile(r"(opponent|score|start|table|penalty|margin)\s*(\d+)")


def read_csv(text: str) -> Feed:
    """An event from a table; NotationError when it lacks the columns that are needed."""
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    columns = [" ".join(word.casefold().split()) for word in next(rows, [])]
    if "name" not in columns:
        raise NotationError(
            "has no column `name` in its first row: the columns are " + ", ".join(_ABOUT)
            + ", opponent 1, score 1, start 1, table 1 ..."
        )  # fmt: skip
    faults: list[FeedFault] = []
    divisions: dict[str, list[EventPlayer]] = {}
    try:
        for line, row in enumerate(rows, start=2):
            if any(cell.strip() for cell in row):
                # A row that ends early says nothing in the columns that it lacks.
                cells = dict(zip_longest(columns, (cell.strip() for cell in row[: len(columns)])))
                named = {column: cell or "" for column, cell in cells.items()}
                division = _as_it_was(named.get("division", "")) or "A"
                players = divisions.setdefault(division, [])
                players.append(_Row(named, line, len(players) + 1, faults).player())
    except csv.Error as err:
        raise NotationError(f"is no table after line {rows.line_num}: {err}") from err
    made = (EventDivision(name=name, players=tuple(them)) for name, them in divisions.items())
    return Feed(event=Event(divisions=tuple(made)), faults=faults)


class _Row:
    """A row of the table; cells that should hold a number and do not become faults."""

    def __init__(
        self, cells: Mapping[str, str], line: int, place: int, faults: list[FeedFault]
    ) -> None:
        self._cells = cells
        self._line = line
        self._place = place
        self._faults = faults

    def player(self) -> EventPlayer:
        return EventPlayer(
            number=self._whole("number") or self._place,
            name=_as_it_was(self._cells["name"]) or f"player {self._place}",
            rating=self._whole("rating"),
            absence_margin=self._whole("absence"),
            rounds=tuple(self._rounds()),
        )

    def _rounds(self) -> Iterator[PlayerRound]:
        filled = [
            int(match[2])
            for column, cell in self._cells.items()
            if cell and (match := _ROUND_COLUMN.fullmatch(column))
        ]
        for round_ in range(1, min(max(filled, default=0), MOST_ROUNDS) + 1):
            start = self._whole(f"start {round_}")
            yield PlayerRound(
                opponent=self._whole(f"opponent {round_}"),
                score=self._whole(f"score {round_}"),
                start=start if start in (1, 2) else None,
                table=self._whole(f"table {round_}"),
                penalty=self._whole(f"penalty {round_}") or 0,
                margin=self._whole(f"margin {round_}"),
            )

    def _whole(self, column: str) -> int | None:
        cell = self._cells.get(column, "")
        number = whole_number(cell)
        if cell and number is None:
            message = f"{column} is {cell!r}, which is no whole number"
            self._faults.append(
                FeedFault(
                    code="not_a_number", message=message, line=self._line,
                    division=self._cells.get("division") or "A", name=self._cells["name"],
                    player=self._place,
                )
            )  # fmt: skip
        return number


def write_csv(event: Event) -> str:
    """An event as a table."""
    rounds = max(
        (len(player.rounds) for division in event.divisions for player in division.players),
        default=0,
    )
    lines = [seen for d in event.divisions for player in d.players for seen in player.rounds]
    said = {kind for kind in _SPARED if any(getattr(seen, kind) not in (0, None) for seen in lines)}
    kinds = [kind for kind in _OF_ROUND if kind not in _SPARED or kind in said]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_ABOUT, *(f"{kind} {n}" for n in range(1, rounds + 1) for kind in kinds)])
    for division in event.divisions:
        for player in division.players:
            writer.writerow(_written(division, player, rounds, kinds))
    return file.getvalue()


_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def _as_text(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; what is written so is read as it was."""
    return f"'{text}" if _FORMULA.match(text) else text


def _as_it_was(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def _written(
    division: EventDivision, player: EventPlayer, rounds: int, kinds: Sequence[str]
) -> list[object]:
    cells: list[object] = [
        *(_as_text(division.name), player.number, _as_text(player.name)),
        *(player.rating, player.absence_margin),
    ]
    for round_ in range(1, rounds + 1):
        seen = player.in_round(round_)
        cells += [getattr(seen, kind) for kind in kinds]
    return cells
