"""Notices as releases before codes wrote them: display words as values, one sentence for people.

Such rows stay in their logs for ever. The sentence is kept as it is; code, player and fault are
found in it once, here, and nowhere else.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from recorder.declared.codec import Codec, Json
from recorder.domain.limits import Long
from recorder.domain.notices import (
    WORDS,
    Manner,
    Notice,
    Phase,
    Release,
    Routing,
    TableNotice,
    Why,
    in_words,
)

_CODES: Mapping[str, Notice] = {
    "stray tile": Notice.LOOSE_TILE,
    "tiles that touch nothing": Notice.ILLEGAL_PLACEMENT,
    "an earlier tile was moved": Notice.TILE_MOVED,
    "more than seven tiles on a rack": Notice.OVERDRAW,
    "a clock stopped that should run, or the reverse": Notice.CLOCK_STOPPED,
    "doubtful ruling": Notice.DOUBTFUL_RULING,
    "suspected cheating": Notice.SUSPECTED_CHEATING,
    "scoring error": Notice.SCORE_ANNOUNCED,
    "the clock of the wrong player runs": Notice.CLOCK_WRONG_WAY,
    "score not announced": Notice.SCORE_NOT_ANNOUNCED,
    "blank not declared": Notice.BLANK_UNNAMED,
    "letters on the slip from before the game": Notice.SLIP_LEFTOVER,
    "clock not pressed": Notice.DRAWN_BEFORE_PRESS,
    "illegal exchange": Notice.ILLEGAL_EXCHANGE,
    "illegal placement of another kind": Notice.ILLEGAL_PLACEMENT,
    "first play beside the centre": Notice.ILLEGAL_PLACEMENT,
    "tiles the wrong way round": Notice.WRONG_WAY_ROUND,
    "tile face down": Notice.TILE_FACE_DOWN,
    "phony on the board": Notice.PHONY,
    "tile left in the bag": Notice.LEFT_IN_BAG,
    "too few tiles on a rack": Notice.UNDERDRAW,
    "drawn out of order": Notice.OUT_OF_ORDER,
    "drawn too fast for the opponent": Notice.FLASH_DRAW,
    "tiles put into the bag that should not be there": Notice.IMPROPER_RETURN,
    "tile of another set": Notice.FOREIGN_TILE,
    "set of tiles not complete": Notice.SET_INCOMPLETE,
    "players disagree on a fact": Notice.FACT_IN_DISPUTE,
    "a device fails": Notice.DEVICE_CONTRADICTS,
    "the recorder is not sure of a turn": Notice.DOUBTFUL_READING,
    "letters on a rack": Notice.RACK_LETTERS,
    "number of tiles in the bag": Notice.BAG_COUNT,
    "best play": Notice.BEST_PLAY,
}
_MANNERS: Mapping[str, Manner] = {
    "tell the players now": Manner.TELL_PLAYERS,
    "look at it now; say nothing to the players yourself unless you rule": Manner.ALERT,
    "on the director's page, silently; do not tell the players": Manner.SHOW,
    "in the record, for whoever looks it up": Manner.LOOK_UP,
    "kept back": Manner.WITHHELD,
}
_RELEASES: Mapping[str, Release] = {
    "never": Release.NEVER,
    "once the director has published it": Release.PUBLISHED,
    "only where nobody in the room sees or hears it": Release.SEALED,
}
_PHASES: Mapping[str, Phase] = {
    "before the game": Phase.BEFORE,
    "over, not signed": Phase.OVER,
    "signed by both, not handed in": Phase.SIGNED,
    "result handed in": Phase.SUBMITTED,
}
_FAULTS: Mapping[str, str] = {
    "P-CENTRE": "off_centre",
    "P-ONE": "one_tile",
    "P-LINE": "not_in_line",
    "P-GAP": "gap",
    "P-TWO": "two_plays",
    "P-DISC": "not_touching",
    "P-OFF": "off_grid",
}
_PLAYER = re.compile(r"\bplayer ([12])\b")
_SEVEN_ALLOWED = ", 7 allowed"
_SPILLED = "tile spilled on the table"


def is_old(data: Mapping[str, object]) -> bool:
    """Whether the data of a notice's row were written before notices had codes."""
    return "notice" in data


@dataclass(frozen=True, slots=True, kw_only=True)
class _OldNotice:
    """The data of such a row."""

    notice: str
    sentence: Annotated[str, Long(0, 2_000)]
    squares: tuple[str, ...]
    evidence: tuple[Annotated[str, Long(0, 2_000)], ...]
    director: str
    players: bool
    commentator: str
    public: str
    later: str
    rule: Annotated[str, Long(0, 80)]


_OLD: Codec[_OldNotice] = Codec(_OldNotice, "table.notice")


def decode_old(data: Json, *, ref: int, refs: tuple[int, ...]) -> TableNotice:
    """The notice in such data. DeviceError names a field that is no such release's."""
    old = _OLD.read(data)
    code, numbers = _CODES.get(old.notice, Notice.DOUBTFUL_READING), {WORDS: old.sentence}
    player = _PLAYER.search(old.sentence)
    if code is Notice.LOOSE_TILE and _SPILLED in old.sentence:
        code = Notice.SPILL
    if code is Notice.OVERDRAW and old.sentence.endswith(_SEVEN_ALLOWED):
        code = Notice.ILLEGAL_PLACEMENT
    if code is Notice.ILLEGAL_PLACEMENT:
        numbers["fault"] = _fault(old.notice, old.sentence)
    return TableNotice(
        ref=ref,
        refs=refs,
        code=code,
        player=int(player[1]) - 1 if player else None,
        squares=old.squares,
        numbers=numbers,
        evidence=tuple(map(in_words, old.evidence)),
        routing=_routing(old),
    )


def _fault(words: str, sentence: str) -> str:
    if words == "tiles that touch nothing":
        return "not_touching"
    if words == "first play beside the centre":
        return "off_centre"
    if sentence.endswith(_SEVEN_ALLOWED):
        return "over_seven"
    return next((fault for kind, fault in _FAULTS.items() if kind in sentence), "not_in_line")


def _routing(old: _OldNotice) -> Routing:
    return Routing(
        director=_MANNERS.get(old.director, Manner.LOOK_UP),
        players=old.players,
        commentator=_RELEASES.get(old.commentator, Release.NEVER),
        public=_RELEASES.get(old.public, Release.NEVER),
        rule=old.rule,
        why=Why.OTHER,
        later=_PHASES.get(old.later),
    )
