"""An event as a table for spreadsheets: a row for each player, four columns for each round.

Columns: division, number, name, rating, absence; then for round 1 ``opponent 1``, ``score 1``,
``start 1``, ``table 1`` and so on; ``penalty 1`` and ``margin 1``, what counts in place of the
scores' difference, where there are any; and behind ``absence`` what only some events have:
``rounds``, how many there are, ``spread cap``, and what a player brought along as ``wins before``,
``losses before`` and ``spread before``. Read back without loss of what these hold.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import (
    Event,
    EventDivision,
    EventPlayer,
    InitialRecord,
    PlayerRound,
)
from recorder.feeds.fault import FeedFault
from recorder.feeds.tourney_js import MOST_ROUNDS, Feed, whole_number

_ABOUT = ("division", "number", "name", "rating", "absence")
_BROUGHT = ("wins before", "losses before", "spread before")
_OF_ROUND = ("opponent", "score", "start", "table", "penalty", "margin")
_SPARED = ("penalty", "margin")
_COUNT = re.compile(r"\d{1,4}([.]\d)?")
_ROUND_COLUMN = re.compile(r"(opponent|score|start|table|penalty|margin) ?0*(\d+)")


def read_csv(text: str) -> Feed:
    """An event from a table; NotationError when it does not have the columns that are needed."""
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        columns = [_column(word) for word in next(rows, [])]
    except csv.Error as err:
        raise NotationError(f"is not a table, from its first line on: {err}") from err
    if "name" not in columns:
        raise NotationError(
            "has no column `name` in its first row: the columns are " + ", ".join(_ABOUT)
            + ", opponent 1, score 1, start 1, table 1 ..."
        )  # fmt: skip
    faults = [*_of_columns(columns)]
    divisions: dict[str, dict[int, EventPlayer]] = {}
    places: Counter[str] = Counter()
    twice: list[tuple[str, EventPlayer, _Row]] = []
    settings: dict[tuple[str, str], int | None] = {}
    try:
        for line, row in enumerate(rows, start=2):
            if any(cell.strip() for cell in row):
                # A row that ends early says nothing in the columns that it lacks.
                cells = dict(zip_longest(columns, (cell.strip() for cell in row[: len(columns)])))
                named = {column: cell or "" for column, cell in cells.items()}
                division = _as_it_was(named.get("division", "")) or "A"
                players = divisions.setdefault(division, {})
                places[division] += 1
                made_of = _Row(named, line, places[division], faults)
                player = made_of.player()
                if player.number in players:
                    twice.append((division, player, made_of))
                else:
                    players[player.number] = player
                for column in ("rounds", "spread cap"):
                    settings[division, column] = made_of.whole(column)
    except csv.Error as err:
        raise NotationError(f"is not a table after line {rows.line_num}: {err}") from err
    for division, player, made_of in twice:  # behind all numbers that a row has for itself
        free = max(divisions[division]) + 1
        made_of.fault(
            "number_twice", f"another player has number {player.number}: called {free} here"
        )
        divisions[division][free] = replace(player, number=free)
    made = (
        EventDivision(
            name=name,
            players=tuple(them.values()),
            last_round=settings.get((name, "rounds")) or None,
            spread_cap=settings.get((name, "spread cap")) or None,
        )
        for name, them in divisions.items()
    )
    return Feed(event=Event(divisions=tuple(made)), faults=faults)


def _column(title: str) -> str:
    """A column by its title, however it is spaced: `Score_1` and `score1` are `score 1`."""
    words = " ".join(title.casefold().replace("_", " ").split())
    found = _ROUND_COLUMN.fullmatch(words)
    return f"{found[1]} {found[2]}" if found else words


def _of_columns(columns: Sequence[str]) -> Iterator[FeedFault]:
    """Columns that nothing here reads, and those that are there twice."""
    known = {*_ABOUT, *_SETTINGS}
    for place, column in enumerate(columns):
        if column and column not in known and not _ROUND_COLUMN.fullmatch(column):
            message = f"column {column!r} is not read"
            yield FeedFault(code="column_unknown", message=message, line=1, warning=True)
        elif column and column in columns[:place]:
            message = f"column {column!r} is there twice: the last one is read"
            yield FeedFault(code="column_twice", message=message, line=1)


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
            number=self.whole("number") or self._place,
            name=_as_it_was(self._cells["name"]) or f"player {self._place}",
            rating=self.whole("rating"),
            absence_margin=self.whole("absence"),
            rounds=tuple(self._rounds()),
            brought=self._brought(),
        )

    def _rounds(self) -> Iterator[PlayerRound]:
        filled = [
            int(match[2])
            for column, cell in self._cells.items()
            if cell and (match := _ROUND_COLUMN.fullmatch(column))
        ]
        for round_ in range(1, min(max(filled, default=0), MOST_ROUNDS) + 1):
            start = self.whole(f"start {round_}")
            yield PlayerRound(
                opponent=self.whole(f"opponent {round_}"),
                score=self.whole(f"score {round_}"),
                start=start if start in (1, 2) else None,
                table=self.whole(f"table {round_}"),
                penalty=self.whole(f"penalty {round_}") or 0,
                margin=self.whole(f"margin {round_}"),
            )

    def _brought(self) -> InitialRecord | None:
        """What the player has from before; halves are wins and losses too."""
        cells = [self._cells.get(column, "") for column in _BROUGHT]
        if not any(cells):
            return None
        counts = [float(cell) if _COUNT.fullmatch(cell) else 0.0 for cell in cells[:2]]
        return InitialRecord(wins=counts[0], losses=counts[1], spread=self.whole(_BROUGHT[2]) or 0)

    def whole(self, column: str) -> int | None:
        """A cell's whole number; None where it is empty or, which becomes a fault, none."""
        cell = self._cells.get(column, "")
        number = whole_number(cell)
        if cell and number is None:
            message = f"{column} is {cell!r}, which is not a whole number"
            self.fault("not_a_number", message)
        return number

    def fault(self, code: str, message: str) -> None:
        """Name something that is wrong with the row."""
        self._faults.append(
            FeedFault(
                code=code, message=message, line=self._line,
                division=self._cells.get("division") or "A", name=self._cells["name"],
                player=self._place,
            )
        )  # fmt: skip


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
    about = [{**_settings(d), **_record(p)} for d in event.divisions for p in d.players]
    spared = [name for name in _SETTINGS if any(row[name] is not None for row in about)]
    of_rounds = (f"{kind} {n}" for n in range(1, rounds + 1) for kind in kinds)
    writer.writerow([*_ABOUT, *spared, *of_rounds])
    rows = ((division, player) for division in event.divisions for player in division.players)
    for (division, player), known in zip(rows, about, strict=True):
        settled = [known[name] for name in spared]
        writer.writerow(_written(division, player, settled, rounds, kinds))
    return file.getvalue()


_SETTINGS = ("rounds", "spread cap", *_BROUGHT)


def _settings(division: EventDivision) -> dict[str, object]:
    return {"rounds": division.last_round, "spread cap": division.spread_cap}


def _record(player: EventPlayer) -> dict[str, object]:
    brought = player.brought
    values = (brought.wins, brought.losses, brought.spread) if brought else (None,) * 3
    return dict(zip(_BROUGHT, values, strict=True))


_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def text_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; what is written so is read as it was."""
    return f"'{text}" if _FORMULA.match(text) else text


def _as_it_was(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def _written(
    division: EventDivision,
    player: EventPlayer,
    settled: Sequence[object],
    rounds: int,
    kinds: Sequence[str],
) -> list[object]:
    cells: list[object] = [
        *(text_cell(division.name), player.number, text_cell(player.name)),
        *(player.rating, player.absence_margin, *settled),
    ]
    for round_ in range(1, rounds + 1):
        seen = player.in_round(round_)
        cells += [getattr(seen, kind) for kind in kinds]
    return cells
