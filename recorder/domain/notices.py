"""What may be noticed at a table, and where a notice goes: the vocabulary, no rule.

Everything is said in codes with values, which rows and messages carry: a text can be reworded, or
be in another language, without anything else noticing. What people read is in ``recorder.texts``.
Which routing a notice gets is for ``recorder.domain.rules.core.disclosure``, what there is to
notice for ``recorder.domain.noticing.at_table``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from recorder.domain.limits import BIGGEST_INTEGER, AtMost, Long, PlayerNumber, Within

PlainValue = (
    Annotated[int, Within(-BIGGEST_INTEGER, BIGGEST_INTEGER)]
    | Annotated[str, Long(0, 2_000)]
    | bool
)
"""A plain value. A word that people read is itself a code of the catalogue; a player is 0 or 1."""

WORDS = "words"
"""The code of what an earlier release wrote as a sentence; the sentence is its one value."""


@dataclass(frozen=True, slots=True)
class CodedText:
    """A code and the values that its text names, in pairs sorted by name."""

    code: str
    values: tuple[tuple[str, PlainValue], ...] = ()

    def __str__(self) -> str:
        """For errors and debugging only: nobody at a table reads this."""
        values = " ".join(f"{name}={value}" for name, value in self.values)
        return f"{self.code} {values}".strip()


def coded(code: str, **values: "PlainValue | CodedText | Sequence[CodedText]") -> CodedText:
    """A code with its values by name.

    A value that is a coded text itself, or several, stands as their codes, and their values beside
    the others, which go first where both have one of a name.
    """
    plain: dict[str, PlainValue] = {}
    for name, value in values.items():
        if isinstance(value, bool | int | str):
            plain[name] = value
        else:
            several = (value,) if isinstance(value, CodedText) else value
            inner = {key: said for text in several for key, said in text.values}
            plain = {**inner, **plain, name: " ".join(text.code for text in several)}
    return coded_with(code, plain)


def coded_with(code: str, values: Mapping[str, PlainValue]) -> CodedText:
    """A code with values that were given elsewhere, in whatever order."""
    return CodedText(code, tuple(sorted(values.items())))


def in_words(text: str) -> CodedText:
    """A sentence of an earlier release."""
    return coded(WORDS, words=text)


class Notice(StrEnum):
    """What can be noticed: findings first, then knowledge that would help a player."""

    ILLEGAL_PLACEMENT = "illegal_placement"
    TILE_MOVED = "tile_moved"
    TILE_GONE = "tile_gone"
    CHANGED_AFTER_PRESS = "changed_after_press"
    WRONG_WAY_ROUND = "wrong_way_round"
    TILE_TURNED = "tile_turned"
    TILE_FACE_DOWN = "tile_face_down"
    FOREIGN_TILE = "foreign_tile"
    SET_INCOMPLETE = "set_incomplete"
    BLANK_UNNAMED = "blank_unnamed"
    BLANK_LATE = "blank_late"
    BLANK_CHANGED = "blank_changed"
    BLANK_SPOKEN_ONLY = "blank_spoken_only"
    BLANK_SPOKEN_OTHERWISE = "blank_spoken_otherwise"
    SLIP_LEFTOVER = "slip_leftover"
    SLIP_UNCLEAR = "slip_unclear"
    SLIP_WORD_NOT_PLAYED = "slip_word_not_played"
    OVERDRAW = "overdraw"
    UNDERDRAW = "underdraw"
    OUT_OF_ORDER = "out_of_order"
    DRAWN_BEFORE_PRESS = "drawn_before_press"
    DRAWN_TOO_EARLY_ON_HOLD = "drawn_too_early_on_hold"
    DRAWN_WHILE_WAITING = "drawn_while_waiting"
    DRAWN_IN_ABSENCE = "drawn_in_absence"
    FLASH_DRAW = "flash_draw"
    COURTESY_NOT_RETURNED = "courtesy_not_returned"
    COURTESY_MIXED = "courtesy_mixed"
    LOOSE_TILE = "loose_tile"
    SPILL = "spill"
    IMPROPER_RETURN = "improper_return"
    LEFT_IN_BAG = "left_in_bag"
    ILLEGAL_EXCHANGE = "illegal_exchange"
    EXCHANGE_NUMBER = "exchange_number"
    EXCHANGE_NOTHING_LAID = "exchange_nothing_laid"
    CLOCK_STOPPED = "clock_stopped"
    CLOCK_WRONG_WAY = "clock_wrong_way"
    ACCIDENTAL_PRESS = "accidental_press"
    NOT_PRESSED = "not_pressed"
    OVERTIME_NEAR_LIMIT = "overtime_near_limit"
    OVERTIME_LOST = "overtime_lost"
    CHALLENGE_UNSETTLED = "challenge_unsettled"
    WRONG_REMOVAL = "wrong_removal"
    PLAY_AFTER_END = "play_after_end"
    PLAY_OUT = "play_out"
    SIX_ZERO = "six_zero"
    SCORE_ANNOUNCED = "score_announced"
    SCORE_NOT_ANNOUNCED = "score_not_announced"
    LATE = "late"
    ABSENT = "absent"
    DOUBTFUL_RULING = "doubtful_ruling"
    SUSPECTED_CHEATING = "suspected_cheating"
    FACT_IN_DISPUTE = "fact_in_dispute"
    DOUBTFUL_READING = "doubtful_reading"
    NO_LOOK = "no_look"
    NO_CLOCK = "no_clock"
    OTHER_BOARD = "other_board"
    BOARD_CLEARED = "board_cleared"
    DEVICE_LOST = "device_lost"
    DEVICE_CONTRADICTS = "device_contradicts"
    COUNTS_DISAGREE = "counts_disagree"
    PHONY = "phony"
    RACK_LETTERS = "rack_letters"
    BAG_COUNT = "bag_count"
    BEST_PLAY = "best_play"


MAY_BE_MISREAD = "misread"
"""The case of tiles that read as others, where the recorded letter may have been read wrongly."""


class Phase(StrEnum):
    """How far the game is; SIGNED by both, but not handed in."""

    BEFORE = "before"
    PLAYING = "playing"
    OVER = "over"
    SIGNED = "signed"
    SUBMITTED = "submitted"


class Manner(StrEnum):
    """How the director learns of something, the loudest first.

    TELL_PLAYERS: to tell the players now. ALERT: to look at now. SHOW: on the page, silently.
    LOOK_UP: in the record only. WITHHELD: nobody hears of it yet.
    """

    TELL_PLAYERS = "tell_players"
    ALERT = "alert"
    SHOW = "show"
    LOOK_UP = "look_up"
    WITHHELD = "withheld"


class Release(StrEnum):
    """What a page other than the director's may show.

    PUBLISHED: once the director has published it. SEALED: only where nobody in the room sees or
    hears it.
    """

    NEVER = "never"
    PUBLISHED = "published"
    SEALED = "sealed"


class Why(StrEnum):
    """Why a notice goes where it goes."""

    HELPS_A_PLAYER = "helps_a_player"
    PHONY_STANDS = "phony_stands"
    BEFORE_THE_START = "before_the_start"
    PICTURES_MAY_SHOW = "pictures_may_show"
    WEIGHED_BY_DIRECTOR = "weighed_by_director"
    SILENT_UNTIL_SIGNED = "silent_until_signed"
    SILENT = "silent"
    LAST_CHANCE = "last_chance"
    SUBMITTED = "submitted"
    SECOND_OPINION = "second_opinion"
    REPORTED_TO_DIRECTOR = "reported_to_director"
    REPORTED_AT_ONCE = "reported_at_once"
    BEFORE_HAND_IN = "before_hand_in"
    FOR_DIRECTOR = "for_director"
    FOUND_OR_NOT = "found_or_not"
    PLAYERS_AFFAIR = "players_affair"
    POINTED_OUT = "pointed_out"
    FIRST_SPEAKER_DECIDES = "first_speaker_decides"
    NOBODY_HAS_TO = "nobody_has_to"
    OTHER = "other"
    """What an earlier release wrote in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Where a notice goes in a phase of the game. The log gets it always, at once.

    ``players``: the rule set makes outsiders tell them, or they may be reported; never by the
    program itself but through the director. ``later`` names the phase in which the director hears
    of what is withheld now. ``open_questions`` are the parameters that the rule set leaves open.
    """

    director: Manner
    players: bool
    commentator: Release
    public: Release
    rule: Annotated[str, Long(0, 80)]
    why: Why
    later: Phase | None = None
    open_questions: tuple[str, ...] = ()


NoticeKey = tuple[int, str, str, tuple[str, ...], int | None]
"""The turn, the code, the fault where there are several, the squares, the player."""

_WEIGHED = frozenset({"odds", "odds_to", "sure", "other"})
"""What is weighed again with every look at the same thing, and makes it no other notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNotice:
    """One thing noticed at a table.

    ``ref`` is the row of the turn that it is about, ``refs`` the rows that it rests on;
    ``player`` 0 or 1, None where it is about neither; ``squares`` by name; ``numbers`` the values
    that its text names; ``evidence`` the single pieces.
    """

    ref: int
    refs: tuple[int, ...]
    code: Notice
    player: PlayerNumber | None = None
    squares: tuple[str, ...] = ()
    numbers: Mapping[str, PlainValue] = field(default_factory=dict)
    evidence: Annotated[tuple[CodedText, ...], AtMost(100)] = ()
    routing: Routing

    @property
    def key(self) -> NoticeKey:
        """What makes it the same notice when it is noticed again; no text counts."""
        fault = str(self.numbers.get("fault", ""))
        return self.ref, self.code.value, fault, self.squares, self.player

    @property
    def is_in_words(self) -> bool:
        """Whether an earlier release wrote it, which kept neither the player nor the values."""
        return WORDS in self.numbers

    def says_the_same(self, other: "TableNotice") -> bool:
        """Whether there is nothing new in ``other``, a notice with the same key.

        New is also what the director learns of in a louder manner than before.
        """
        manners = list(Manner)
        before, now = (manners.index(notice.routing.director) for notice in (self, other))
        return self.is_in_words or (self.firm_numbers == other.firm_numbers and now >= before)

    @property
    def firm_numbers(self) -> dict[str, PlainValue]:
        """The values but those that every further look weighs again."""
        return {name: value for name, value in self.numbers.items() if name not in _WEIGHED}
