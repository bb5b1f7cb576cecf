"""The word list of the event at the screens, and best plays found in a process of their own.

The search takes tens of milliseconds and the list of words a second to prepare: neither may hold
up an overlay, so both happen elsewhere. Answers are kept; anyone who asks again has them at once.
"""

import asyncio
import os
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.domain.lexicon import WordList
from recorder.domain.tiles import Tiles, TileSet
from recorder.frames.booth import Ending, Play
from recorder.tilesets import load_tile_set, tile_set_names
from recorder.word_lists import load_word_list

MOST_PLAYS = 10
_KEPT = 512


def load_lists(path: Path, own: Path | None = None) -> dict[str, WordList]:
    """The list in a file, for every tile set whose letters spell it, by the set's name.

    The sets are those that ship and ``own``, the file of another. Sets with the same letters share
    a list. NotationError, naming the file, when no set spells it; OSError when it cannot be read.
    """
    lists: dict[str, WordList] = {}
    by_letters: dict[Tiles, WordList] = {}
    faults: list[NotationError] = []
    for tile_set in known_sets(own):
        try:
            known = by_letters.get(tile_set.letters) or load_word_list(path, tile_set)
        except NotationError as err:
            faults.append(err)
        else:
            lists[tile_set.name] = by_letters[tile_set.letters] = known
    if not lists:
        raise faults[-1 if own else 0]
    return lists


def known_sets(own: Path | None) -> Iterator[TileSet]:
    """The tile sets that ship, and one in a file."""
    yield from map(load_tile_set, tile_set_names())
    if own is not None:
        yield load_tile_set(str(own))


@dataclass(frozen=True, slots=True)
class Question:
    """Which plays are best: a rack (``?`` a blank) at a board of 225 characters.

    With ``seconds`` the question is who wins from there: searched for so long, with the player
    ahead by ``lead``.
    """

    tile_set: str
    cells: str
    rack: str
    lead: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Plays as JSON values, the best first, or how the game ends; ``fault`` says why not."""

    plays: tuple[Play, ...] = ()
    ending: Ending | None = None
    fault: str = ""


class Analyst:
    """Asks the process that searches. ``path`` is the file of the list, ``own`` of a tile set.

    ``listen`` names what is called, on the running event loop, when an answer has come. The
    process starts with the first question, again after it has died, and ends with this one.
    """

    def __init__(self, path: Path, own: Path | None = None) -> None:
        self._files = [os.fspath(file.resolve()) for file in (path, own) if file is not None]
        self._worker: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="analyst")
        self._answers: OrderedDict[Question, Answer] = OrderedDict()
        self._asked: dict[Question, Future[Answer]] = {}
        self._heard: Callable[[], object] = lambda: None
        self._guard = threading.Lock()
        self._closed = False

    def listen(self, heard: Callable[[], object]) -> None:
        """``heard`` is called with each answer that has come."""
        self._heard = heard

    def answer(self, question: Question) -> Answer | None:
        """The answer if it is known, else None, and it is asked. Call on the event loop."""
        known = self._answers.get(question)
        if known is None:
            self._ask(question)
        else:
            self._answers.move_to_end(question)
        return known

    async def answered(self, question: Question) -> Answer:
        """The answer, waited for."""
        known = self.answer(question)
        if known is not None:
            return known
        asked = self._asked.get(question)
        if asked is None:
            return Answer(fault="the dashboard is closing")
        # Whoever leaves while it is searched for must not take the answer from the others.
        return await asyncio.shield(asyncio.wrap_future(asked))

    def close(self) -> None:
        """End the process and the thread; questions that wait are dropped."""
        with self._guard:
            self._closed = True
            if self._worker is not None:
                self._worker.kill()
        self._thread.shutdown(cancel_futures=True)
        self._end_worker()

    def _ask(self, question: Question) -> None:
        if question in self._asked or self._closed:
            return
        loop = asyncio.get_running_loop()
        asked = self._thread.submit(self._find, question)
        self._asked[question] = asked

        def land(done: "Future[Answer]") -> None:
            if not done.cancelled() and not self._closed:
                loop.call_soon_threadsafe(self._take, question, done.result())

        asked.add_done_callback(land)

    def _take(self, question: Question, answer: Answer) -> None:
        self._asked.pop(question, None)
        self._answers[question] = answer
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)
        self._heard()

    def _find(self, question: Question) -> Answer:
        """On the thread: ask the process and wait for its answer."""
        try:
            worker = self._running()
            assert worker.stdin is not None
            assert worker.stdout is not None
            pickle.dump(question, worker.stdin)
            worker.stdin.flush()
            answer: Answer = pickle.load(worker.stdout)  # noqa: S301  our own program
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as err:
            self._end_worker()
            why = "it ended" if isinstance(err, EOFError) else str(err)
            return Answer(fault=f"the search is not running ({why})")
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        with self._guard:
            if self._closed:
                raise OSError("the dashboard is closing")
            if self._worker is None:
                # A session of its own: Ctrl-C is for the dashboard, whose end closes its input.
                self._worker = subprocess.Popen(  # noqa: S603  our own program
                    [sys.executable, "-m", "dashboard.commentator.worker", *self._files],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            return self._worker

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        # What was still in its buffer has nobody to read it.
        with suppress(OSError), worker:
            worker.kill()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a dashboard has for its commentators: lists by tile set, and who finds plays.

    ``endings``: who says how games end, in another process, for that takes seconds.
    ``show_best``: the public sees the best plays of the turn before, as late as everything else.
    """

    lists: Mapping[str, WordList] = field(default_factory=dict)
    analyst: Analyst | None = None
    endings: Analyst | None = None
    show_best: bool = False

    @property
    def analysts(self) -> list[Analyst]:
        """Those who answer: to be listened to, and closed in the end."""
        return [analyst for analyst in (self.analyst, self.endings) if analyst is not None]

    @property
    def given(self) -> bool:
        """Whether a list was given at all."""
        return bool(self.lists)


def analysis_from(
    words: Path | None, own: Path | None = None, *, show_best: bool, late: bool
) -> Analysis:
    """From the command line: the list, and a tile set of the user's, are read and checked here.

    NotationError when the file is no list, or when the public would be shown plays that it may
    not see: the recorder helps no player, so best plays are public only where the public is late.
    """
    if show_best and not late:
        raise NotationError(
            "--show-best without --delay: best plays would reach the room while the racks are in"
            " play; give a --delay of some minutes, or leave them to the commentator's page"
        )
    if show_best and words is None:
        raise NotationError("--show-best needs the event's word list: --words FILE")
    if words is None:
        return Analysis()
    lists = load_lists(words, own)
    return Analysis(lists, Analyst(words, own), Analyst(words, own), show_best=show_best)
