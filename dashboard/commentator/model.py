"""What the commentator's page shows beyond the public frame: racks, moves, verdicts, hooks, odds.

Pure but for the questions it puts to ``dashboard.commentator.analysis``. A play gets one verdict
for all its words, as in the room (rulebook CHAL-2). What is not known is None or has a reason,
never a guess.
"""

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from dashboard.commentator.analysis import Analysis, Answer, Question
from dashboard.commentator.missed import missed, played_so_far
from recorder.analysis.chances import (
    MOST_IN_LAST_DRAWS,
    draw_probability,
    win_probability,
)
from recorder.domain.game import GameState, replay
from recorder.domain.lexicon import WordList, adjudicate
from recorder.domain.tile_text import label_text, read_tiles, typed_rack, write_tiles
from recorder.domain.tiles import BLANK, RACK_SIZE, Tiles
from recorder.domain.turns import KnownRack
from recorder.frames import booth
from recorder.frames.public import Frame, PublicBest, PublicPlay
from recorder.projections.broadcast import Projection
from recorder.projections.framed import framed
from recorder.projections.racks import Racks, rack_as_json
from recorder.projections.sheet import TURN_KINDS, SheetLine

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = frozenset({"end_rack", "end_rack_penalty", "time", "conceded"})
_PUBLIC_PLAYS = 3
_ENDING_S = 20.0
"""How long the end of a game is searched: players think for longer there."""

NO_LIST = "no_words"
NOT_THESE_TILES = "words_of_other_tiles"
NO_RACK = "rack_not_known"
TOO_MANY = "rack_too_long"
IN_DOUBT = "rack_doubtful"
NOT_LEFT = "rack_not_left"
TURNING = "not_recorded_yet"
OVER = "game_over"
"""Why there is nothing to show: codes of texts, as pages have them in their language."""


class CommentatorView:
    """One table as its commentators see it."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._said: dict[tuple[str, ...], booth.Verdict] = {}
        self._rated: dict[Question, booth.Missed | None] = {}
        self._accuracy: tuple[Sequence[SheetLine], list[int | None] | None] = ((), None)

    def model(self, frame: Frame, live: Projection) -> booth.BoothKeys:
        """The keys of the commentator's model beside the frame."""
        state = live.state
        assert state is not None
        listed, ending = self._listed(state), self._ending_now(frame, live, state)
        return {
            "sheet": [
                _line(
                    line.in_public(),
                    self._words(line.in_public(), listed),
                    win,
                )
                for line, win in zip(live.lines, _wins(live), strict=True)
            ],
            "racks": [_rack(live.racks, player) for player in (0, 1)],
            "pool": _pool(state, live.racks),
            "list": self._list(listed),
            "best": self.best(frame, live),
            "ending": ending,
            "chance": _chance(ending) or {"win": _wins(live, now=True)[-1], "method": "by_spread"},
        }

    def best(self, frame: Frame, live: Projection) -> booth.Best:
        """The best plays of the player on turn: asked for, and here as soon as they are known."""
        state = live.state
        assert state is not None
        question, asked = self._question_now(frame, live, state)
        if question is None or self._analysis.analyst is None:
            return asked
        return _with(asked, self._analysis.analyst.answer(question))

    def _ending_now(self, frame: Frame, live: Projection, state: GameState) -> booth.Ending | None:
        """How the game ends; None before the last draws, and while nobody is on turn."""
        player, bag = state.on_turn, state.bag_count
        is_on = frame["phase"] != "over" and frame["players"][player]["on_turn"]
        if not is_on or bag > MOST_IN_LAST_DRAWS or self._analysis.endings is None:
            return None
        rack = live.racks.to_play_from(player) or _by_the_other(state, live.racks.seen(1 - player))
        asked: booth.Ending = {
            "player": player,
            "bag": bag,
            "needs": 1 + state.scores[1 - player] - state.scores[player],
        }
        question, best = self._asked(state, player, rack)
        if question is None or best["doubtful"]:
            return {**asked, "why": best.get("why") or IN_DOUBT}
        answer = self._analysis.endings.answer(_to_the_end(question, state))
        if answer is None:
            return {**asked, "working": True}
        if answer.ending is None:
            return {**asked, "why": answer.fault}
        return {**asked, **answer.ending}

    async def review(self, live: Projection) -> booth.Review:
        """Every turn against the best play for its rack, waited for."""
        found = {
            at: await self._missed_at(live, at)
            for at, line in enumerate(live.lines)
            if line.kind in TURN_KINDS
        }
        turns = ((live.lines[at].player, turn) for at, turn in found.items())
        return {
            "turns": {str(at): turn for at, turn in found.items() if turn is not None},
            "players": played_so_far(turns),
        }

    async def _missed_at(self, live: Projection, at: int) -> booth.Missed | None:
        question, asked = self._question_at(live, at)
        if question is None or self._analysis.analyst is None or asked["doubtful"]:
            return None
        answer = await self._analysis.analyst.answered(question)
        return self._missed(live, at, answer)

    def _missed(self, live: Projection, at: int, answer: Answer) -> booth.Missed | None:
        state, lines = live.state, live.lines
        if state is None or at >= len(lines) or (ended := lines[at].ended) is None:
            return None
        stood = not (at + 1 < len(lines) and lines[at + 1].kind == "withdraw")
        before = replay(state.tile_set, state.events[:at])
        rack = ended.rack.letters if ended.rack is not None else ()
        return missed(lines[at], before, rack, answer.plays, stood=stood)

    async def best_at(self, live: Projection, number: int) -> booth.Best | None:
        """The best plays at a line of the sheet, waited for; None where that is no turn."""
        question, asked = self._question_at(live, number)
        if question is None or self._analysis.analyst is None:
            return asked or None
        return _with(asked, await self._analysis.analyst.answered(question))

    def best_of_last_turn(self, live: Projection) -> PublicBest | None:
        """For the public, who may see it late: what the last turn could have been.

        Words and points only; what stays on a rack is nobody's business. None until it is known.
        """
        turns = [n for n, line in enumerate(live.lines) if line.kind in TURN_KINDS]
        if not turns or self._analysis.analyst is None:
            return None
        question, asked = self._question_at(live, turns[-1])
        answer = None if question is None else self._analysis.analyst.answer(question)
        if answer is None or not answer.plays or asked["doubtful"]:
            return None
        found = self._missed(live, turns[-1], answer)
        best: PublicBest = {
            "n": live.lines[turns[-1]].n,
            "player": asked["player"],
            "plays": [framed(PublicPlay, play) for play in answer.plays[:_PUBLIC_PLAYS]],
        }
        if found is not None:
            best["missed"] = round(found["lost"])
        ending = self._ending_at(live, turns[-1], question)
        if ending and ending["solved"] and (wins := ending["course"][0]):
            # What wins is best by then, whatever it scores.
            best["plays"], best["ends"] = [wins], ending["spread"]
            best.pop("missed", None)
        return best

    def _ending_at(
        self, live: Projection, at: int, question: Question | None
    ) -> booth.Ending | None:
        """How the game would have ended from a line of the sheet, once the bag was empty."""
        if question is None or live.state is None or self._analysis.endings is None:
            return None
        before = replay(live.state.tile_set, live.state.events[:at])
        if before.bag_count:
            return None
        answer = self._analysis.endings.answer(_to_the_end(question, before))
        return None if answer is None else answer.ending

    def accuracies(self, public: Projection) -> list[int | None] | None:
        """For the public, by player, once the game is over and every turn is rated."""
        analyst, lines = self._analysis.analyst, public.lines
        if not public.is_over or analyst is None:
            self._rated.clear()
            return None
        if self._accuracy[0] == lines and self._accuracy[1] is not None:
            return self._accuracy[1]
        turns, waits = [], False
        for at, line in enumerate(lines):
            question, asked = self._question_at(public, at)
            if line.kind not in TURN_KINDS:
                continue
            if question is not None and question not in self._rated and not asked["doubtful"]:
                answer = analyst.answer(question)
                waits = waits or answer is None
                if answer is not None:
                    self._rated[question] = self._missed(public, at, answer)
            turns.append((line.player, None if question is None else self._rated.get(question)))
        players = None if waits else [found["accuracy"] for found in played_so_far(turns)]
        self._accuracy = lines, players
        return players

    def draw(self, live: Projection, wanted: str, drawn: int) -> booth.DrawOdds | None:
        """The odds that one of ``wanted`` is among ``drawn`` tiles; None before the game."""
        state = live.state
        if state is None:
            return None
        pool = _pool(state, live.racks)
        faces = tuple(map(label_text, typed_rack(wanted, state.tile_set) or ()))
        chance = draw_probability(pool["tiles"], faces, drawn)
        each = {face: draw_probability(pool["tiles"], (face,), drawn) for face in faces}
        return {"wanted": wanted, "drawn": drawn, "of": pool["count"], "any": chance, "each": each}

    def _listed(self, state: GameState) -> WordList | None:
        return self._analysis.lists.get(state.tile_set.name)

    def _list(self, listed: WordList | None) -> booth.WordList:
        if listed is None:
            return {"why": NOT_THESE_TILES if self._analysis.given else NO_LIST}
        return {"name": listed.name, "count": listed.count}

    def _words(self, line: SheetLine, listed: WordList | None) -> booth.Verdict:
        if line.kind != "play" or not line.words or listed is None:
            return {"verdict": None, "hooks": None}
        if line.words not in self._said:
            words = tuple(map(read_tiles, line.words))
            self._said[line.words] = {
                "verdict": adjudicate(words, listed).value,
                "hooks": None if BLANK in words[0] else _hooks(words[0], listed),
            }
        return self._said[line.words]

    def _question_now(
        self, frame: Frame, live: Projection, state: GameState
    ) -> tuple[Question | None, booth.Best]:
        player = state.on_turn
        asked: booth.Best = {"player": player, "rack": "", "doubtful": False}
        if frame["phase"] == "over":
            return None, {**asked, "why": OVER}
        if not frame["players"][player]["on_turn"]:
            return None, {**asked, "why": TURNING}
        return self._asked(state, player, live.racks.to_play_from(player))

    def _question_at(self, live: Projection, number: int) -> tuple[Question | None, booth.Best]:
        state, lines = live.state, live.lines
        if state is None or not 0 <= number < len(lines) or lines[number].kind not in TURN_KINDS:
            return None, {}
        before = replay(state.tile_set, state.events[:number])
        line = lines[number]
        return self._asked(before, line.player, line.ended.rack if line.ended else None)

    def _asked(
        self, state: GameState, player: int, rack: KnownRack | None
    ) -> tuple[Question | None, booth.Best]:
        asked: booth.Best = {
            "player": player,
            "rack": "" if rack is None else write_tiles(rack.letters),
            "doubtful": rack is not None and bool(rack.doubtful),
        }
        why = self._why_not(state, rack)
        if why or rack is None:
            return None, {**asked, "why": why}
        tiles = write_tiles(sorted(rack.letters, key=lambda tile: (tile is BLANK, tile)))
        return Question(state.tile_set.name, write_tiles(state.board.cells), tiles), asked

    def _why_not(self, state: GameState, rack: KnownRack | None) -> str:
        if self._listed(state) is None:
            return NOT_THESE_TILES if self._analysis.given else NO_LIST
        if rack is None:
            return NO_RACK
        if len(rack.letters) > RACK_SIZE:
            return TOO_MANY
        left = Counter({face: max(0, count) for face, count in state.unseen.items()})
        return NOT_LEFT if Counter(rack.letters) - left else ""


def _chance(ending: booth.Ending | None) -> booth.Chance | None:
    """Certain once the endgame is solved."""
    if ending is None or not ending.get("solved"):
        return None
    own = 0.5 + 0.5 * ((ending["spread"] > 0) - (ending["spread"] < 0))
    return {"win": own if ending["player"] == 0 else 1 - own, "method": "by_solving"}


def _to_the_end(question: Question, state: GameState) -> Question:
    lead = state.scores[state.on_turn] - state.scores[1 - state.on_turn]
    return replace(question, lead=lead, seconds=_ENDING_S)


def _by_the_other(state: GameState, other: KnownRack | None) -> KnownRack | None:
    """With the bag empty a rack is what is neither on the board nor surely on the other rack."""
    left = Counter({face: max(0, count) for face, count in state.unseen.items()})
    if state.bag_count or other is None or other.doubtful or Counter(other.letters) - left:
        return None
    letters = tuple((left - Counter(other.letters)).elements())
    return replace(other, letters=letters, slots=letters) if len(letters) <= RACK_SIZE else None


def _line(line: SheetLine, words: booth.Verdict, win: float) -> booth.BoothLine:
    held: booth.KnownMove = {
        "rack": rack_as_json(line.ended.rack if line.ended else None),
        "other": rack_as_json(line.ended.other if line.ended else None),
    }
    return {**line.as_json(), **held, **words, "win": win}


def _rack(racks: Racks, player: int) -> booth.BoothRack:
    seen, counted = racks.seen(player), racks.counted(player)
    return {
        "seen": rack_as_json(seen),
        "counted": None if counted is None else framed(booth.CountedRack, counted),
    }


def _pool(state: GameState, racks: Racks) -> booth.Pool:
    """What may be drawn: tiles neither on the board nor surely seen on a rack."""
    left = Counter({face: max(0, count) for face, count in state.unseen.items()})
    off_board = left.total()
    known = []
    for player in (0, 1):
        # Tiles of a play that forms are on the board, but not on record: still the rack's.
        rack = racks.to_play_from(player) if racks.seen(player) else None
        if rack is not None and not rack.doubtful and not Counter(rack.letters) - left:
            left -= Counter(rack.letters)
            known.append(player)
    tiles = {label_text(face): left[face] for face in state.unseen}
    return {"tiles": tiles, "count": left.total(), "off_board": off_board, "less": known}


def _with(asked: booth.Best, answer: Answer | None) -> booth.Best:
    if answer is None:
        return {**asked, "working": True}
    if answer.fault:
        return {**asked, "why": answer.fault}
    return {**asked, "plays": list(answer.plays)}


def _hooks(word: Tiles, listed: WordList) -> booth.Hooks:
    """The letters that make another word before and after this one."""
    letters = listed.letters
    return {
        "front": write_tiles(letter for letter in letters if listed.valid((letter, *word))),
        "back": write_tiles(letter for letter in letters if listed.valid((*word, letter))),
    }


def chances_to_win(public: Projection) -> list[float]:
    """Player 0's chance to win after each line, 0 to 1: from scores and unseen tiles alone."""
    return [] if public.state is None else _wins(public)


def _wins(live: Projection, *, now: bool = False) -> list[float]:
    """The first player's chance to win after each line; with ``now`` the present one is added."""
    state = live.state
    assert state is not None
    on_board, on_turn, wins, over = 0, 0, [0.5], False
    for line in live.lines:
        on_board += len(line.squares) * (-1 if line.kind == "withdraw" else 1)
        on_turn = 1 - line.player if line.kind in TURN_KINDS else on_turn
        over = over or line.kind in _ENDS
        if line.kind == "conceded":
            wins.append(float(line.player == 1))
            continue
        unseen = 0 if over else state.tile_set.total - on_board
        wins.append(_first_wins(line.totals[0] - line.totals[1], unseen, on_turn))
    if not live.lines:
        wins = [_first_wins(0, state.tile_set.total, on_turn)]
    return wins if now else wins[1:]


def _first_wins(spread: int, unseen: int, on_turn: int) -> float:
    if on_turn == 0:
        return round(win_probability(spread, unseen), 3)
    return round(1 - win_probability(-spread, unseen), 3)
