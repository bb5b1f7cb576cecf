"""The forms in which results go to rating offices and other programs, as liwords writes them.

TOU (AUPAIR's) is plain ASCII, with a block for each game: 2 for a win, 1 for a tie, the score,
``+`` for the player who moved first, the opponent. A round without opponent names the player: a
bye has 50 as a loss, a game won by forfeit 150 as a win, one that was lost 100.
"""

import csv
import io
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import BYE, Event, EventDivision, EventPlayer
from recorder.domain.event.meetings import is_bye
from recorder.domain.event.placing import placings, results_of
from recorder.domain.rules.core.parameters import Rules
from recorder.feeds.csv_table import text_cell
from recorder.feeds.tsh_config import tsh_folder

_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y")
_NO_HIGH_WORD = f"{0:39}"
_NAME_WIDTH, _TWO_DIGITS = 20, 99
_STROKED = str.maketrans("łŁøØđĐðÐ\u2019\u2013\u2014", "lLoOdDdD'--") | str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th"}
)


def to_ascii(text: str) -> str:
    """A text in plain letters; what has none is left out."""
    plain = unicodedata.normalize("NFKD", text.translate(_STROKED))
    return plain.encode("ascii", "ignore").decode()


def write_tou(event: Event) -> str:
    """An event as a TOU file; NotationError where it has no date that can be written there."""
    head = f"*M{_date(event)} {to_ascii(event.name)}".rstrip()
    lines: list[str] = []
    for division in event.divisions:
        lines += [head, f"*{to_ascii(division.name)}", _NO_HIGH_WORD]
        places = {player.number: n for n, player in enumerate(division.players, start=1)}
        width = 3 if len(places) <= _TWO_DIGITS else 4
        for player in division.players:
            name = f"{to_ascii(player.spoken):<{_NAME_WIDTH}.{_NAME_WIDTH}}"
            blocks = (
                f" {won}{score % 1000:3} {first + str(places[other]):>{width}}"
                for won, score, first, other in _blocks(division, player)
            )
            lines.append(name + "".join(blocks))
    return "".join(f"{line}\r\n" for line in (*lines, "*** END OF FILE ***"))


def _date(event: Event) -> str:
    for form in _DATES:
        try:
            return (
                datetime.strptime(event.date.strip(), form).replace(tzinfo=UTC).strftime("%d.%m.%Y")
            )
        except ValueError:
            continue
    raise NotationError(
        f"a TOU file needs the day of the event, and {event.date!r} is not one;"
        " set it with: about date 2026-05-01"
    )


_Block = tuple[str, int, str, int]
"""The outcome's digit, the score, ``+`` for the player who moved first, the other's number."""


def _blocks(division: EventDivision, player: EventPlayer) -> Iterator[_Block]:
    for round_ in range(1, division.scored_rounds + 1):
        seen, own = player.in_round(round_), player.number
        game = division.game(round_, frozenset((own, seen.opponent))) if seen.opponent else None
        if game is None or not game.played or game.scores is None:
            counted = seen.score if seen.opponent == BYE else seen.margin
            if seen.opponent == BYE and is_bye(seen):
                yield " ", 50, "", own
            else:
                won = (counted or 0) > 0
                yield ("2" if won else " "), 150 if won else 100 if counted else 0, "", own
            continue
        seat = game.players.index(own)
        margin = game.margins[seat] if game.margins else game.scores[seat] - game.scores[1 - seat]
        outcome = "2" if margin > 0 else " " if margin < 0 else "1"
        first = "+" if game.start == own else ""
        yield outcome, max(game.scores[seat], 0), first, game.players[1 - seat]


def write_archive(event: Event) -> str:
    """An event as a TSH archive: its settings, then the file of each division."""
    config, *files = tsh_folder(event).items()
    parts = [
        f"# tsh archive file\n{config[1]}",
        *(f"#begin_file name={name}\n{text}#end_file name={name}\n" for name, text in files),
    ]
    return "".join(parts)


def write_standings(event: Event, rules_of: Callable[[EventDivision], Rules]) -> str:
    """The standings of all divisions as a table."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("division", "rank", "username", "wins", "losses", "draws", "winpts", "spread"))
    for division in event.divisions:
        after = division.scored_rounds
        drawn = [
            name
            for result in results_of(division, after)
            if result.second is not None and result.margin == 0
            for name in (result.first, result.second)
        ]
        for row in placings(rules_of(division), division, after):
            draws = drawn.count(str(row.number))
            whole = (int(count - draws / 2) for count in (row.wins, row.losses))
            name = text_cell(division.player(row.number).spoken)
            figures = (*whole, draws, f"{float(row.wins):.1f}", row.spread)
            writer.writerow((text_cell(division.name), row.rank, name, *figures))
    return out.getvalue()
