"""What is printed of an event: pairings, standings, score cards, wall chart, slips, prizes.

One division and one round of it, as the event stands; what is not known is left to be written in.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

from recorder.domain.event.divisions import BYE, Event, EventDivision, EventGame, EventPlayer
from recorder.domain.event.highs import HighWord, high_games, high_words, prizes_of
from recorder.domain.event.placing import placings, results_of
from recorder.domain.event.seating import first_in_front
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.event.standings import credited
from recorder.printing.listed import LEFT_MM, RIGHT_MM, Column, figures, headed, list_sheets
from recorder.printing.page import HEIGHT_MM, WIDTH_MM, CutLine, Page, PageText, TextAnchor
from recorder.printing.qr_code import qr_code
from recorder.printing.typeface import fitted, width_mm
from recorder.texts import say_printed as say


class EventSheet(StrEnum):
    """What can be printed of a round of a division."""

    BY_NAME = "pairings-by-name"
    BY_TABLE = "pairings-by-table"
    STANDINGS = "standings"
    CARDS = "score-cards"
    WALL_CHART = "wall-chart"
    SLIPS = "result-slips"
    PRIZES = "prizes"


def event_sheets(
    sheet: EventSheet,
    event: Event,
    division: EventDivision,
    round_: int,
    rules: Rules,
    words: Sequence[HighWord] = (),
) -> tuple[Page, ...]:
    """The sheets of a division: pairings and slips of a round, the rest as it is after it.

    ``rules`` are those of the division, for its places; ``words``: plays of the recorded games.
    """
    known = _Known(event, division, round_, rules)
    known.words = words
    return tuple(_SHEETS[sheet](known))


def newest_round(sheet: EventSheet, division: EventDivision) -> int:
    """The round that is printed unless another is named: the last paired, or the last scored."""
    of_pairings = sheet in (EventSheet.BY_NAME, EventSheet.BY_TABLE, EventSheet.SLIPS)
    return division.paired_rounds if of_pairings else division.scored_rounds


class _Known:
    """A division up to a round, with its games and margins by round and player."""

    def __init__(self, event: Event, division: EventDivision, round_: int, rules: Rules) -> None:
        self.event, self.division, self.round = event, division, round_
        self.rules = rules
        self.words: Sequence[HighWord] = ()
        self.about = ", ".join(filter(None, (event.name, event.date)))
        self.games = [game for game in division.games if game.round == round_]
        self.game_of = {(game.round, n): game for game in division.games for n in game.players}
        self._counted = {
            (of_round, int(player)): (won, margin)
            for of_round, player, won, margin in credited(rules, results_of(division, round_))
        }

    def title(self, what: str) -> str:
        return say("title", division=self.division.name, what=what)

    def sums(self, player: EventPlayer) -> dict[int, tuple[str, str, str]]:
        """For each round that counts: its spread, then spread and wins so far, as in standings."""
        brought, found = player.brought, {}
        total = brought.spread if brought else 0
        wins = Fraction(brought.wins) if brought else Fraction(0)
        for round_ in range(1, self.round + 1):
            total += player.in_round(round_).penalty
            if (round_, player.number) not in self._counted:
                continue
            won, margin = self._counted[round_, player.number]
            total, wins = total + margin, wins + won
            found[round_] = (_signed(margin), _signed(total), _halves(wins))
        return found

    def line(self, player: EventPlayer, round_: int) -> "_CardLine":
        seen = player.in_round(round_)
        if seen.opponent is None:
            return ("", "", "", "", "")
        if seen.opponent == BYE:
            return ("", "", say("no_opponent"), "", "")
        other = self.division.by_number.get(seen.opponent)
        moves = {1: say("first"), 2: say("second")}.get(seen.start or 0, "")
        opponent = f"{seen.opponent} {other.spoken if other else ''}".strip()
        table = str(seen.table or "")
        game = self.game_of.get((round_, player.number))
        if round_ > self.round or game is None or not game.played:
            return (table, moves, opponent, "", "")
        if game.scores is None:
            return (table, "", opponent, say("not"), say("played"))
        own, their = game.scores if game.players[0] == player.number else game.scores[::-1]
        return (table, moves, opponent, str(own), str(their))


_CardLine = tuple[str, str, str, str, str]
"""Table, who moves first, opponent, own score, the other's."""


def _signed(points: int) -> str:
    """With its sign; a minus is one (U+2212) where people read it."""
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def _halves(count: Fraction) -> str:
    whole, half = divmod(count, 1)
    return f"{whole or ''}½" if half else str(whole)


def alphabetical(name: str) -> tuple[str, str]:
    """Where a name stands in a list: by its letters without their marks, then by the marks.

    Łukasz stands between Lucas and Lund, Øvrebø among the Os, as readers of most languages look.
    """
    plain = unicodedata.normalize("NFD", name.casefold().translate(_STROKED))
    return "".join(c for c in plain if not unicodedata.combining(c)), name


_STROKED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters whose stroke is no mark of Unicode's."""


def _by_name(known: _Known) -> list[Page]:
    """Every player with table and opponent, to be found by name."""
    division, round_ = known.division, known.round
    rows = []
    for player in sorted(division.players, key=lambda player: alphabetical(player.name)):
        game = known.game_of.get((round_, player.number))
        if game is None:
            if player.in_round(round_).opponent == BYE and player.takes_part(round_):
                rows.append((player.name, "", say("no_opponent"), ""))
            continue
        first, second = first_in_front(game)
        other = division.player(second if first == player.number else first)
        moves = say("first" if first == player.number else "second")
        starts = "" if game.start is None else moves
        rows.append((player.name, str(game.table or ""), other.spoken, starts))
    columns = (
        Column(say("player"), LEFT_MM), figures(say("table"), 92),
        Column(say("opponent"), 97), Column(say("moves"), 174),
    )  # fmt: skip
    return list_sheets(known.title(say("by_name", round=round_)), known.about, columns, rows)


def _by_table(known: _Known) -> list[Page]:
    """Every table with who moves first, and room for the scores."""
    division, rows = known.division, []
    for game in known.games:
        first, second = first_in_front(game)
        scores = ("____", "____")
        if game.played:
            counted = [f"({_signed(margin)})" for margin in game.margins or ()]
            points = [*map(str, game.scores or ())]
            own, other = (
                " ".join((*points[seat : seat + 1], *counted[seat : seat + 1])) for seat in (0, 1)
            )
            scores = (own, other) if first == game.players[0] else (other, own)
        names = (f"{n} {division.player(n).spoken}" for n in (first, second))
        rows.append((str(game.table or ""), next(names), scores[0], next(names), scores[1]))
    columns = (
        figures(say("table"), 25), Column(say("goes_first"), 30),
        figures(say("score"), 110), Column(say("goes_second"), 115),
        figures(say("score"), RIGHT_MM),
    )  # fmt: skip
    return list_sheets(known.title(say("by_table", round=known.round)), known.about, columns, rows)


def _standings(known: _Known) -> list[Page]:
    rows = [
        (
            say("left") if row.left else str(row.rank),
            f"{row.number} {known.division.player(row.number).spoken}", _halves(row.wins),
            _halves(row.losses), _signed(row.spread), str(row.rating or ""),
        )
        for row in placings(known.rules, known.division, known.round)
    ]  # fmt: skip
    columns = (
        figures(say("place"), 25), Column(say("player"), 29),
        figures(say("wins"), 135), figures(say("losses"), 149),
        figures(say("spread"), 172), figures(say("rating"), RIGHT_MM),
    )  # fmt: skip
    what = say("standings_after" if known.round else "players", round=known.round)
    return list_sheets(known.title(what), known.about, columns, rows)


_HIGHS = ("game", "loss", "win", "total")
_HIGH_GAMES = 3


def _prizes(known: _Known) -> list[Page]:
    """Who has which prize as it is, and the games that prizes are given for."""
    division, rows = known.division, []
    places = {row.number: row for row in placings(known.rules, division, known.round)}
    for prize in prizes_of(division, known.rules, known.round):
        row = places[prize.number]
        code = "class_place" if prize.prize_class else "nth_place"
        what = say(code, number=prize.prize_class, place=prize.place)
        record = f"{_halves(row.wins)}-{_halves(row.losses)} {_signed(row.spread)}"
        rows.append((what, division.player(prize.number).spoken, record))
    for kind in _HIGHS:
        for game in high_games(division, kind, _HIGH_GAMES, known.round):
            against = division.player(game.other).spoken
            scores = f"{game.score}-{game.other_score}"
            result = say("high_result", scores=scores, name=against, round=game.round)
            title = say(f"high_{kind}")
            rows.append((title, division.player(game.number).spoken, result))
    words = [word for word in known.words if word.round <= known.round]
    for word in high_words(words, division, _HIGH_GAMES):
        player = division.find(word.number)
        name = "" if player is None else player.spoken
        said = say("word_for", word=word.word, score=word.score, round=word.round)
        rows.append((say("high_word"), name, said))
    columns = (
        Column(say("prize"), LEFT_MM),
        Column(say("player"), 55),
        Column("", 110),
    )
    what = say("prizes_after", round=known.round)
    return list_sheets(known.title(what), known.about, columns, rows)


_CARD_ROWS = 15
"""Rounds of a card that leaves room for a second one on the sheet."""
_CARD_PITCH = 7.0


def _cards(known: _Known) -> Iterator[Page]:
    """A card for each player, filled in up to a round; two on a sheet where rounds are few."""
    division = known.division
    rounds = max(division.last_round or 0, division.paired_rounds, known.round, 1)
    places = (0.0, HEIGHT_MM / 2) if rounds <= _CARD_ROWS else (0.0,)
    players = division.players
    for start in range(0, len(players), len(places)):
        page = Page(known.title(say("score_cards")))
        for top, player in zip(places, players[start : start + len(places)], strict=False):
            _add_card(page, top, known, player, rounds)
        if len(places) > 1:
            page.lines.append(CutLine(0, HEIGHT_MM / 2, WIDTH_MM, HEIGHT_MM / 2))
        yield page


_CARD = (
    figures("round", 26), figures("table", 40), Column("moves", 45), Column("opponent", 62),
    figures("own", 135), figures("other", 151), figures("spread", 167), figures("total", 181),
    figures("wins", RIGHT_MM),
)  # fmt: skip
"""The columns of a card, by the codes of their titles."""


def _add_card(page: Page, top: float, known: _Known, player: EventPlayer, rounds: int) -> None:
    name = fitted(f"{player.number} {player.spoken}", 6.5, RIGHT_MM - LEFT_MM)
    page.words.append(PageText(LEFT_MM, top + 17, name, 6.5))
    under = f"{say('division', division=known.division.name)}  {known.about}"
    page.words.append(PageText(LEFT_MM, top + 23, fitted(under, 3.6, 170), 3.6))
    for column in _CARD:
        page.words.append(PageText(column.at, top + 30, say(column.title), 3.0, column.anchor))
    room = HEIGHT_MM / 2 if rounds <= _CARD_ROWS else HEIGHT_MM
    pitch = min(_CARD_PITCH, (room - 40) / rounds)
    sums = known.sums(player)
    for round_ in range(1, rounds + 1):
        y = top + 31.5 + pitch * round_
        page.lines.append(CutLine(LEFT_MM, y, RIGHT_MM, y, dashed=False))
        row = (str(round_), *known.line(player, round_), *sums.get(round_, ("", "", "")))
        for column, text in zip(_CARD, row, strict=True):
            shown = fitted(text, 3.6, 56) if column.title == "opponent" else text
            page.words.append(PageText(column.at, y - 1.6, shown, 3.6, column.anchor))


_CHART_TYPE = 5.0
"""Millimetres: read from two metres."""
_CHART_TOP, _CHART_NAME, _CHART_GAP = 46.0, 52.0, 3.0
_CHART_ROOM = HEIGHT_MM - 20 - _CHART_TOP
_LEAST_CELLS = ("99: 500-500", "0 +100 #10")
"""How wide a cell is at least: what is written in by hand needs its room."""
_Cells = Mapping[tuple[int, int], tuple[str, str]]
"""By round and player: opponent and scores, then wins, spread and place."""


def _wall_chart(known: _Known) -> Iterator[Page]:
    """Everybody by number, round by round; as many sheets as it takes to be read from afar."""
    players, last = known.division.players, max(known.division.last_round or 0, known.round, 1)
    cells = dict(_chart_cells(known))
    texts = {*_LEAST_CELLS, *(text for cell in cells.values() for text in cell)}
    widest = max(width_mm(text, 1.0) for text in texts)
    room = RIGHT_MM - LEFT_MM - _CHART_NAME
    rounds_each = _even(last, max(1, int(room / (widest * _CHART_TYPE + _CHART_GAP))))
    rows_each = _even(len(players), int(_CHART_ROOM / (2.7 * _CHART_TYPE)))
    wide, high = (room / rounds_each - _CHART_GAP) / widest, _CHART_ROOM / rows_each / 2.7
    size = min(1.3 * _CHART_TYPE, wide, high)
    for begins in range(1, last + 1, rounds_each):
        rounds = range(begins, min(begins + rounds_each, last + 1))
        for start in range(0, max(1, len(players)), rows_each):
            part = players[start : start + rows_each]
            code = "rounds_to" if len(rounds) > 1 else "one_round"
            what = say(code, first=rounds[0], last=rounds[-1])
            page = headed(known.title(what), known.about)
            _add_chart(page, part, rounds, cells, size, room / rounds_each)
            yield page


def _even(count: int, most: int) -> int:
    """How many of ``count`` are on each sheet where ``most`` fit, no sheet left nearly empty."""
    return -(-count // -(-count // most)) if count else 1


def _add_chart(
    page: Page, players: Sequence[EventPlayer], rounds: range, cells: _Cells, size: float,
    width: float,
) -> None:  # fmt: skip
    left, pitch = LEFT_MM + _CHART_NAME, min(_CHART_ROOM / max(len(players), 1), 4 * size)
    for place, round_ in enumerate(rounds):
        x = left + width * (place + 0.5)
        page.words.append(PageText(x, _CHART_TOP - 1.5, str(round_), size, "middle"))
    page.lines.append(CutLine(LEFT_MM, _CHART_TOP, RIGHT_MM, _CHART_TOP, dashed=False))
    for row, player in enumerate(players, start=1):
        y = _CHART_TOP + pitch * row
        page.lines.append(CutLine(LEFT_MM, y, RIGHT_MM, y, dashed=False))
        name = _in_two(f"{player.number} {player.spoken}", size, _CHART_NAME - _CHART_GAP)
        columns: list[tuple[float, TextAnchor, tuple[str, str]]] = [(LEFT_MM, "start", name)]
        for place, round_ in enumerate(rounds):
            cell = cells.get((round_, player.number), ("", ""))
            columns.append((left + width * (place + 0.5), "middle", cell))
        for x, anchor, lines in columns:
            for above, text in zip((1, 0), lines, strict=True):
                at = y - (pitch - 2.1 * size) / 2 - 1.2 * size * above - 0.1 * size
                page.words.append(PageText(x, at, text, size, anchor))
    for place in range(len(rounds) + 1):
        x = left + width * place
        ends = _CHART_TOP + pitch * len(players)
        page.lines.append(CutLine(x, _CHART_TOP - 1.2 * size, x, ends, dashed=False))


def _in_two(text: str, size: float, most_mm: float) -> tuple[str, str]:
    """The text in one line or two, each as much as fits."""
    first, *rest = text.split()
    while rest and width_mm(f"{first} {rest[0]}", size) <= most_mm:
        first = f"{first} {rest.pop(0)}"
    return fitted(first, size, most_mm), fitted(" ".join(rest), size, most_mm)


def _chart_cells(known: _Known) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
    ranks = {
        (round_, row.number): f" #{row.rank}"
        for round_ in range(1, known.round + 1)
        for row in placings(known.rules, known.division, round_)
        if not row.left
    }
    for player in known.division.players:
        for round_, (_, total, wins) in known.sums(player).items():
            *_, own, their = known.line(player, round_)
            opponent = player.in_round(round_).opponent
            scores = f"{own} {their}" if own == say("not") else f"{own}-{their}"
            seen = f"{opponent}: {scores}" if opponent else say("none")
            rank = ranks.get((round_, player.number), "")
            yield (round_, player.number), (seen, f"{wins} {total}{rank}")


_SLIPS = 4
_SLIP_MM = HEIGHT_MM / _SLIPS


def _slips(known: _Known) -> Iterator[Page]:
    """A slip for each game, to be filled in and signed by both; four on a sheet to be cut."""
    games = known.games
    for start in range(0, max(1, len(games)), _SLIPS):
        page = Page(known.title(say("slips_of", round=known.round)))
        for place, game in enumerate(games[start : start + _SLIPS]):
            _add_slip(page, _SLIP_MM * place, known, game)
        for place in range(1, _SLIPS):
            page.lines.append(CutLine(0, _SLIP_MM * place, WIDTH_MM, _SLIP_MM * place))
        yield page


def _add_slip(page: Page, top: float, known: _Known, game: EventGame) -> None:
    division = known.division
    values = {"round": game.round, "table": game.table or "__", "division": division.name}
    head = say("slip_head", **values)
    page.words.append(PageText(LEFT_MM, top + 12, head, 5))
    about = fitted(known.about, 3.4, 70)
    page.words.append(PageText(RIGHT_MM, top + 12, about, 3.4, "end"))
    for place, number in enumerate(first_in_front(game)):
        y = top + 28 + 15 * place
        name = f"{number} {division.player(number).spoken}"
        page.words.append(PageText(LEFT_MM, y, fitted(name, 4.6, 82), 4.6))
        moves = say("goes_first") if place == 0 and game.start is not None else ""
        page.words.append(PageText(LEFT_MM, y + 4.6, moves, 3.0))
        page.lines.append(CutLine(100, y + 2, 125, y + 2, dashed=False))
        page.words.append(PageText(100, y + 5.4, say("score"), 2.8))
        page.lines.append(CutLine(130, y + 2, RIGHT_MM, y + 2, dashed=False))
        page.words.append(PageText(130, y + 5.4, say("signed"), 2.8))
    page.words.append(PageText(LEFT_MM, top + 62, say("winner"), 3.4))
    page.lines.append(CutLine(30, top + 62, 95, top + 62, dashed=False))
    page.words.append(PageText(100, top + 62, say("spread"), 3.4))
    page.lines.append(CutLine(114, top + 62, 140, top + 62, dashed=False))


_Maker = Callable[[_Known], "Sequence[Page] | Iterator[Page]"]
_SHEETS: dict[EventSheet, _Maker] = {
    EventSheet.BY_NAME: _by_name,
    EventSheet.BY_TABLE: _by_table,
    EventSheet.STANDINGS: _standings,
    EventSheet.CARDS: _cards,
    EventSheet.WALL_CHART: _wall_chart,
    EventSheet.SLIPS: _slips,
    EventSheet.PRIZES: _prizes,
}


_CARDS = (2, 4)
"""Cards across and down a sheet."""


def code_cards(addresses: Mapping[str, str], says: tuple[str, str]) -> tuple[Page, ...]:
    """A card with the code of each address under its title, eight on a sheet to be cut."""
    across, down = _CARDS
    width, height = WIDTH_MM / across, HEIGHT_MM / down
    pages: list[Page] = []
    for place, (title, address) in enumerate(addresses.items()):
        row, column = divmod(place % (across * down), across)
        if not row and not column:
            pages.append(Page(say("codes")))
        page, x, y = pages[-1], width * column, height * row
        page.words.append(PageText(x + 8, y + 16, title, 8))
        for line, words in enumerate(says):
            page.words.append(PageText(x + 8, y + 26 + 6 * line, words, 4))
        page.boxes += qr_code(address, x + width - 58, y + 14, 48)
        page.lines.append(CutLine(x, y + height, x + width, y + height))
        page.lines.append(CutLine(x + width, y, x + width, y + height))
    return tuple(pages)
