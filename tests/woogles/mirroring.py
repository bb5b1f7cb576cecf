"""Games mirrored in the tests: the mirror as the program has it, without its threads and log."""

import time
from collections.abc import Sequence
from pathlib import Path

from dashboard.woogles.client import ApiKey, Pace, UnreachableError, Woogles
from dashboard.woogles.kept import Choice, Kept, MirrorState
from dashboard.woogles.mirror import Mirror, OurGame, Target
from recorder.domain.game import GameEvent, Played, Withdrawn, replay
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import TileSet, unnamed
from tests.woogles.their_server import TheirServer

KEY = "key" + "Of0Ann" * 6


class Mirrored:
    """One game, its mirror and the server."""

    def __init__(
        self,
        server: TheirServer,
        folder: Path,
        tile_set: TileSet,
        target: Target | None = None,
        names: tuple[str, str] = ("Ann Example", "Bob Example"),
    ) -> None:
        server.users.setdefault(KEY, "ann")
        self.server, self.tile_set, self.names = server, tile_set, names
        self.target = target or Target(lexicon="NWL23", challenge_rule="DOUBLE")
        self.kept = Kept(folder / "log.woogles")
        self.woogles = Woogles(server.url, ApiKey(KEY), Pace(100_000), 2.0)
        server.at_end += [self.woogles.close, self.kept.close]
        self.racks = ("", "")
        self.failures = 0
        self.place: tuple[str, int] | None = None
        self.challenge = ""
        self.mirror = Mirror(
            self.ours(()),
            self.target,
            self.kept,
            time.monotonic_ns,
            MirrorState(game="g1", table=1),
        )

    def ours(self, events: Sequence[GameEvent], *, over: bool = False) -> OurGame:
        return OurGame(
            game="g1",
            table=1,
            players=self.names,
            tile_set=self.tile_set,
            events=tuple(events),
            racks=self.racks,
            place=self.place,
            challenge=self.challenge,
            over=over,
        )

    def take(
        self, events: Sequence[GameEvent], *, over: bool = False, steps: int = 40
    ) -> MirrorState:
        """The game as it is now; mirrored until there is nothing more to do."""
        self.mirror.take(self.ours(events, over=over))
        return self.settle(steps)

    def settle(self, steps: int = 40) -> MirrorState:
        for _ in range(steps):
            if self.mirror.urgency is None:
                return self.mirror.stand
            try:
                self.mirror.step(self.woogles)
            except UnreachableError as fault:
                self.failures += 1
                self.mirror.away(str(fault))
            if self.mirror.is_tried_again:
                return self.mirror.stand
        raise AssertionError(f"still not settled: {self.mirror.stand}")

    def choose(self, what: str) -> MirrorState:
        difference = self.mirror.stand.difference
        key = "" if difference is None else difference["key"]
        self.mirror.choose(Choice(1, "g1", key, what))
        return self.settle()

    @property
    def document(self) -> dict:  # type: ignore[type-arg]
        found: dict = self.server.documents[self.mirror.stand.uid]  # type: ignore[type-arg]
        return found

    @property
    def journal(self) -> list[str]:
        return [what for _, what in self.kept.journal("g1")]


def phonies_of(tile_set: TileSet, events: Sequence[GameEvent]) -> set[str]:
    """The words that were challenged off: those their word list must not have."""
    found = set()
    for at, event in enumerate(events):
        if isinstance(event, Withdrawn):
            play = next(
                number
                for number in range(at - 1, -1, -1)
                if isinstance(events[number], Played) and events[number].player == event.player
            )
            before = replay(tile_set, events[:play]).board
            played = events[play]
            assert isinstance(played, Played)
            found.add(write_tiles(map(unnamed, words_formed(before, played.placement)[0].tiles)))
    return found
