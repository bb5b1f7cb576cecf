"""What may be noticed at a table, and where a notice goes: the vocabulary, no rule.

Which routing a notice gets is for ``recorder.domain.rules.core.disclosure``, what there is to
notice for ``recorder.domain.noticing.at_table``.
"""

from dataclasses import dataclass
from enum import StrEnum


class Notice(StrEnum):
    """What can be noticed: findings first, then knowledge that would help a player."""

    STRAY_TILE = "stray tile"
    DISCONNECTED_TILE = "tiles that touch nothing"
    MOVED_TILE = "an earlier tile was moved"
    RACK_OVER_SEVEN = "more than seven tiles on a rack"
    CLOCK_STOPPED_OR_RUNNING = "a clock stopped that should run, or the reverse"
    DOUBTFUL_RULING = "doubtful ruling"
    SUSPECTED_CHEATING = "suspected cheating"
    SCORING_ERROR = "scoring error"
    CLOCK_ON_WRONG_SIDE = "the clock of the wrong player runs"
    SCORE_NOT_ANNOUNCED = "score not announced"
    BLANK_NOT_DECLARED = "blank not declared"
    SLIP_LEFTOVER = "letters on the slip from before the game"
    OVERTIME_NEAR_LIMIT = "overtime near its limit"
    OVERTIME_LOST = "overtime at its limit"
    CLOCK_NOT_PRESSED = "clock not pressed"
    ILLEGAL_EXCHANGE = "illegal exchange"
    ILLEGAL_PLACEMENT = "illegal placement of another kind"
    CENTRE_MISSED = "first play beside the centre"
    MISORIENTED_TILES = "tiles the wrong way round"
    FACE_DOWN_TILE = "tile face down"
    PHONY = "phony on the board"
    TILE_LEFT_IN_BAG = "tile left in the bag"
    RACK_UNDER_SEVEN = "too few tiles on a rack"
    DRAW_OUT_OF_ORDER = "drawn out of order"
    FLASH_DRAW = "drawn too fast for the opponent"
    IMPROPER_RETURN = "tiles put into the bag that should not be there"
    FOREIGN_TILE = "tile of another set"
    WRONG_TILE_SET = "set of tiles not complete"
    FACT_IN_DISPUTE = "players disagree on a fact"
    DEVICE_FAULT = "a device fails"
    DOUBTFUL_READING = "the recorder is not sure of a turn"
    RACK_LETTERS = "letters on a rack"
    BAG_COUNT = "number of tiles in the bag"
    BEST_PLAY = "best play"


class Phase(StrEnum):
    """How far the game is."""

    BEFORE = "before the game"
    PLAYING = "playing"
    OVER = "over, not signed"
    SIGNED = "signed by both, not handed in"
    SUBMITTED = "result handed in"


class Manner(StrEnum):
    """How the director learns of something."""

    TELL_PLAYERS = "tell the players now"
    ALERT = "look at it now; say nothing to the players yourself unless you rule"
    SHOW = "on the director's page, silently; do not tell the players"
    LOOK_UP = "in the record, for whoever looks it up"
    WITHHELD = "kept back"


class Release(StrEnum):
    """What a page other than the director's may show."""

    NEVER = "never"
    PUBLISHED = "once the director has published it"
    SEALED = "only where nobody in the room sees or hears it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Where a notice goes in a phase of the game. The log gets it always, at once.

    ``players``: the rule set makes outsiders tell them, or they may be told; never by the program
    itself but through the director. ``later`` names the phase in which the director hears of what
    is withheld now. ``why`` can be shown beside the notice.
    """

    director: Manner
    players: bool
    commentator: Release
    public: Release
    rule: str
    why: str
    later: Phase | None = None
    open_questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNotice:
    """One thing noticed at a table.

    ``ref`` is the row of the turn that it is about, ``refs`` the rows that it rests on;
    ``sentence`` is for the director, ``evidence`` the single pieces; ``squares`` by name.
    """

    ref: int
    refs: tuple[int, ...]
    notice: Notice
    sentence: str
    evidence: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    routing: Routing

    @property
    def key(self) -> tuple[int, str, str]:
        """What makes it the same notice when it is noticed again."""
        return self.ref, self.notice.value, self.sentence
