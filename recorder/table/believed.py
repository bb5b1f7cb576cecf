"""What sensors of tiles say as far as they are believed: not while they are known to be wrong.

A sensor that was lost and comes back is believed again, and so is one that says for long what the
others say. All of it follows from what was said, whenever it is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from recorder.domain.tile_account.readings import Counts
from recorder.domain.tile_account.sensor_reports import SCALE, Sensed
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.watch import Watched

RIGHT_TURNS = 3
"""After so many draws running a sensor has to be right, and to have said more than one number,
before it is believed again: a counter that is stuck at a full rack is right quite often."""


@dataclass(frozen=True, slots=True)
class _Blame:
    """From when on a source is not believed, and when it is again; None while it is not."""

    source: str
    from_ms: int
    until_ms: int | None = None

    def covers(self, report: Sensed) -> bool:
        """Whether a report is not believed for it."""
        is_over = self.until_ms is not None and report.at_ms >= self.until_ms
        return _source_of(report) == self.source and report.at_ms >= self.from_ms and not is_over


class BelievedTiles:
    """All that sensors of tiles said in a game; ``sensed`` is what is believed of it."""

    def __init__(self) -> None:
        self.sensed = SensedTiles()
        self.heard: list[Sensed] = []
        self._blamed: tuple[_Blame, ...] = ()

    def take(self, report: Sensed) -> None:
        """One more, at its time."""
        self.heard.append(report)
        if report.is_gone:
            self._blamed = tuple(
                replace(blame, until_ms=report.at_ms)
                if blame.covers(report) and blame.until_ms is None
                else blame
                for blame in self._blamed
            )
        if not any(blame.covers(report) for blame in self._blamed):
            self.sensed.take(report)

    def judge(self, watched: Watched) -> bool:
        """Believe less by what the account found, or more again; whether anything is new.

        One source more at a time, for it may explain what was found of others.
        """
        pairs = zip(watched.blamed, self._blamed, strict=False)
        kept = [pair for pair, blame in pairs if pair == (blame.source, blame.from_ms)]
        sources = (*kept, *watched.blamed[len(kept) : len(kept) + 1])
        blamed = tuple(self._blame(*source, watched.at_ends) for source in sources)
        if blamed == self._blamed:
            return False
        self._blamed, self.sensed = blamed, SensedTiles()
        for report in self.heard:
            if not any(blame.covers(report) for blame in blamed):
                self.sensed.take(report)
        for blame in blamed:
            for word in self._at_edges(blame):
                self.sensed.take(word)
        return True

    def _blame(self, source: str, from_ms: int, ends: Sequence[tuple[int, int, Counts]]) -> _Blame:
        """When a source is not believed, by what it says meanwhile; ``ends`` as in ``Watched``."""
        blame = _Blame(source, from_ms)
        words = [report for report in self.heard if blame.covers(report)]
        gone_ms = (report.at_ms for report in words if report.is_gone)
        until_ms = (*gone_ms, *_right_again_ms(words, from_ms, ends))
        return replace(blame, until_ms=min(until_ms, default=None))

    def _at_edges(self, blame: _Blame) -> Iterator[Sensed]:
        """The last word of a rack's sensor, held no more from the blame on, and again after it."""
        words = [
            report
            for report in self.heard
            if report.player is not None and _source_of(report) == blame.source
        ]
        edges = ((blame.from_ms, True), (blame.until_ms, False))
        for at_ms, is_gone in edges:
            before = [word for word in words if at_ms is not None and word.at_ms < at_ms]
            if before and at_ms is not None and not before[-1].is_gone:
                yield replace(before[-1], at_ms=at_ms, is_gone=is_gone)


def _right_again_ms(
    words: Sequence[Sensed], from_ms: int, ends: Sequence[tuple[int, int, Counts]]
) -> Iterator[int]:
    """When some words, of one rack or the bag, have been right after enough draws running."""
    right, counts = 0, set[int | None]()
    began_ms = from_ms
    for end_ms, player, held in ends:
        # Who is on turn lays tiles: that rack says nothing of a draw.
        if end_ms <= from_ms or any(word.player == 1 - player for word in words):
            continue
        readings = [word.reading for word in words if began_ms <= word.at_ms < end_ms]
        said = [reading for reading in readings if reading is not None]
        began_ms = end_ms
        is_wrong = bool(said) and said[-1].contradicts(held, None)
        right = 0 if is_wrong else right + 1
        counts = set() if is_wrong else counts | {reading.best for reading in said}
        if right >= RIGHT_TURNS and len(counts) > 1:
            yield end_ms
            return


def _source_of(report: Sensed) -> str:
    """The source that says it; also that the bag was lifted is a word of its scale."""
    return SCALE if report.reading is None else report.reading.source
