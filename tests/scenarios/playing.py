"""Plays the scenarios of the clauses in one process: what two of them have in common is read once.

Reading a look is what a play costs. A file is played under up to five rule sets, which reading
does not know, and many files begin with the same game: so every look that was weighed against the
same looks before it is taken from memory. Nothing else is shared, and nothing is left out.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from recorder.domain.errors import TilecastError
from recorder.domain.observations import SquareCosts
from recorder.domain.reading import table_fold, table_turns, withdrawals
from recorder.domain.reading.histories.hypotheses import LookContext
from recorder.domain.reading.reconstruct import Reconstruction, step
from recorder.domain.turns import Turn
from recorder.lab.scenario.play import plain_senses, play_through
from recorder.lab.scenario.senses import Senses
from recorder.lab.scenario.steps import Setup
from recorder.lab.scenario.text.grammar import read_scenario

MOST_WORDS = 110
_Node = tuple[object, ...]


class ReadLooks:
    """Remembers ``step`` and ``turns`` by the looks that led to a reconstruction.

    The rows' numbers, by which looks are named, differ between rule sets; nothing is read from
    them, so a reconstruction that is remembered gets those of the game at hand.
    """

    def __init__(self) -> None:
        self._node: dict[int, tuple[_Node, Reconstruction]] = {}
        self._read: dict[_Node, tuple[_Node, Reconstruction]] = {}
        self._told: dict[_Node, tuple[Reconstruction, tuple[Turn, ...]]] = {}
        self._turns = Reconstruction.__dict__["turns"].func

    def step(
        self, known: Reconstruction, look: SquareCosts, context: LookContext, *, ref: int
    ) -> Reconstruction:
        key = (self._node_of(known), look.costs, context)
        if key not in self._read:
            self._read[key] = (("read", len(self._read)), step(known, look, context, ref=ref))
        node, read = self._read[key]
        *_, newest = read.looks
        found = replace(read, looks=(*known.looks, replace(newest, ref=ref)))
        self._node[id(found)] = (node, found)
        return found

    def _node_of(self, known: Reconstruction) -> _Node:
        if id(known) not in self._node:
            start = ("begin", known.tile_set.name, known.hypotheses)
            own = ("other", id(known)) if known.looks else start
            self._node[id(known)] = (own, known)
        return self._node[id(known)][0]

    def turns(self, known: Reconstruction) -> tuple[Turn, ...]:
        if id(known) not in self._node:
            return self._turns(known)
        node, _ = self._node[id(known)]
        if node not in self._told:
            self._told[node] = known, self._turns(known)
        first, told = self._told[node]
        refs = {one.ref: other.ref for one, other in zip(first.looks, known.looks, strict=True)}
        return tuple(replace(one, ref=refs[one.ref], refs=(refs[one.ref],)) for one in told)


@contextmanager
def looks_read_once() -> Iterator[None]:
    """While it lasts, no look is weighed twice against the same looks before it."""
    memory = ReadLooks()
    with pytest.MonkeyPatch.context() as patch:
        for reader in (table_fold, table_turns, withdrawals):
            patch.setattr(reader, "step", memory.step)
        patch.setattr(Reconstruction, "turns", property(memory.turns))
        yield


def first_fault(
    path: Path, rules: str, *, senses: Callable[[Setup], Senses] = plain_senses
) -> str | None:
    """Play a scenario: what does not hold first, in a few words; None when all of it holds."""
    try:
        played = play_through(read_scenario(path, rules), senses=senses, to_failure=True)
    except TilecastError as fault:
        return str(fault).removeprefix(f"{path}:")
    if not played.failed:
        return None
    first = played.failed[0]
    words = f"{first.expected}: {first.got}"
    return words if len(words) <= MOST_WORDS else f"{words[: MOST_WORDS - 1]}…"
