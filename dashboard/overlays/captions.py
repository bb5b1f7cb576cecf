"""A table's lines as captions of a recording, and its moments as clips for an editor. Pure.

Times count from an instant that the streamer names: the beginning of the recording.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from dashboard.live.aired import AiredGame, Moment, moments_of
from dashboard.overlays.sentences import line_sentence, outcome_sentence, totals_sentence, word_of
from recorder.texts import Catalogue

SHOWN_MS = 6000
"""A caption stays so long, unless the next one comes."""
BEFORE_MS, AFTER_MS = 8000, 6000
"""A clip begins so long before its moment, and ends so long after it."""
FRAMES_A_SECOND = 30
_COLUMNS = ("start", "end", "title", "kind", "player", "word", "points")
_SECOND_MS, _MINUTE_S, _HOUR_MIN = 1000, 60, 60


def web_vtt(games: Sequence[AiredGame], from_ms: int, texts: Catalogue) -> str:
    """The play calling as WebVTT: every turn as a sentence with both totals, and who won."""
    said = sorted(_said(games, texts), key=itemgetter(0))
    ends = [following for _, (following, _) in pairwise(said)]
    cues = ["WEBVTT\n"]
    for (at, text), following in zip(
        said, [*ends, said[-1][0] + SHOWN_MS] if said else [], strict=True
    ):
        start, end = at - from_ms, min(at + SHOWN_MS, following) - from_ms
        if start >= 0 and end > start:
            cues.append(f"{_clock(start)} --> {_clock(end)}\n{_one_line(text)}\n")
    return "\n".join(cues)


def clips_csv(games: Sequence[AiredGame], from_ms: int, texts: Catalogue) -> str:
    """A line for each moment: where its clip begins and ends, and what it is."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(_COLUMNS)
    for start, end, title, moment, player in _in_time(_clips(games, from_ms, texts)):
        word = word_of(moment.line.words[0]) if moment.line.words else ""
        row = (_clock(start), _clock(end), title, moment.kind, player, word, moment.line.score)
        rows.writerow(map(_plain_cell, row))
    return out.getvalue()


def clips_edl(games: Sequence[AiredGame], from_ms: int, texts: Catalogue) -> str:
    """The same as a list of edits (CMX 3600, 30 frames a second), one clip after the other."""
    lines, place = ["TITLE: Tilecast", "FCM: NON-DROP FRAME", ""], 0
    clips = _in_time(_clips(games, from_ms, texts))
    for number, (start, end, title, _, _) in enumerate(clips, 1):
        times = (start, end, place, place + end - start)
        place += end - start
        lines.append(f"{number:03d}  AX       V     C        {' '.join(map(_timecode, times))}")
        lines.append(f"* FROM CLIP NAME: {_one_line(title)}")
    return "\n".join([*lines, ""])


def moment_sentence(moment: Moment, names: Sequence[str], texts: Catalogue) -> str:
    """What a moment is, in a line: ``Bingo: Ida Marlow plays RELAXES at 8D ...``."""
    line = moment.line.laid()
    code = "bingo" if moment.kind == "bingo" else f"moment_{moment.kind}"
    head = texts.text("screen", "story_out" if moment.kind == "out" else code)
    return f"{head[:1].upper()}{head[1:]}: {line_sentence(line, names, texts)}"


def _said(games: Iterable[AiredGame], texts: Catalogue) -> Iterator[tuple[int, str]]:
    for game in games:
        for aired in game.lines:
            text = line_sentence(aired.line.laid(), game.players, texts)
            yield aired.at, f"{text} {totals_sentence(game.players, aired.line.totals, texts)}"
        if game.over_at is not None:
            last = game.lines[-1].at if game.lines else game.began_at
            yield (
                max(game.over_at, last + SHOWN_MS // 2),
                outcome_sentence(game.players, game.scores, game.result, texts),
            )


_Clip = tuple[int, int, str, Moment, str]
"""Where it begins and ends, its title, the moment and its player."""


def _in_time(clips: Iterable[_Clip]) -> list[_Clip]:
    """In the order of the recording: an adjourned game goes on after another one."""
    return sorted(clips, key=itemgetter(0, 1))


def _clips(games: Iterable[AiredGame], from_ms: int, texts: Catalogue) -> Iterator[_Clip]:
    for game in games:
        for moment in moments_of(game):
            at = moment.at - from_ms
            if at >= 0:
                title = moment_sentence(moment, game.players, texts)
                player = game.players[moment.line.player]
                yield max(0, at - BEFORE_MS), at + AFTER_MS, title, moment, player


def _one_line(text: str) -> str:
    """Text that ends no cue and no line: names are typed by people."""
    return (
        " ".join(text.split())
        .replace("-->", "\N{RIGHTWARDS ARROW}")
        .replace("<", "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}")
    )


def _plain_cell(value: object) -> str:
    """A cell that a spreadsheet takes for text, also where a name begins like a formula."""
    text = " ".join(str(value).split())
    return f"'{text}" if text.startswith(("=", "+", "@")) else text


def _clock(ms: int) -> str:
    seconds, rest = divmod(ms, _SECOND_MS)
    minutes, seconds = divmod(seconds, _MINUTE_S)
    hours, minutes = divmod(minutes, _HOUR_MIN)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}.{rest:03d}"


def _timecode(ms: int) -> str:
    whole, _, rest = _clock(ms).partition(".")
    return f"{whole}:{int(rest) * FRAMES_A_SECOND // _SECOND_MS:02d}"
