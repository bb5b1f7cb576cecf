"""The codes under which a scenario knows what is told.

Rows of notices still hold words; this table says which code stands for which. A row that holds a
code already is taken as it is.
"""

from collections.abc import Mapping
from types import MappingProxyType

from recorder.domain.notices import Manner, Notice

CODE_OF: Mapping[str, str] = MappingProxyType(
    {
        Notice.STRAY_TILE.value: "loose_tile",
        Notice.DISCONNECTED_TILE.value: "illegal_placement",
        Notice.MOVED_TILE.value: "tile_moved",
        Notice.RACK_OVER_SEVEN.value: "overdraw",
        Notice.CLOCK_STOPPED_OR_RUNNING.value: "clock_stopped",
        Notice.DOUBTFUL_RULING.value: "doubtful_ruling",
        Notice.SUSPECTED_CHEATING.value: "suspected_cheating",
        Notice.SCORING_ERROR.value: "score_announced",
        Notice.CLOCK_ON_WRONG_SIDE.value: "clock_wrong_way",
        Notice.SCORE_NOT_ANNOUNCED.value: "score_not_announced",
        Notice.BLANK_NOT_DECLARED.value: "blank_unnamed",
        Notice.SLIP_LEFTOVER.value: "slip_leftover",
        Notice.CLOCK_NOT_PRESSED.value: "drawn_before_press",
        Notice.ILLEGAL_EXCHANGE.value: "illegal_exchange",
        Notice.ILLEGAL_PLACEMENT.value: "illegal_placement",
        Notice.CENTRE_MISSED.value: "illegal_placement",
        Notice.MISORIENTED_TILES.value: "wrong_way_round",
        Notice.FACE_DOWN_TILE.value: "tile_face_down",
        Notice.PHONY.value: "phony",
        Notice.TILE_LEFT_IN_BAG.value: "left_in_bag",
        Notice.RACK_UNDER_SEVEN.value: "underdraw",
        Notice.DRAW_OUT_OF_ORDER.value: "out_of_order",
        Notice.FLASH_DRAW.value: "flash_draw",
        Notice.IMPROPER_RETURN.value: "improper_return",
        Notice.FOREIGN_TILE.value: "foreign_tile",
        Notice.WRONG_TILE_SET.value: "set_incomplete",
        Notice.FACT_IN_DISPUTE.value: "fact_in_dispute",
        Notice.DEVICE_FAULT.value: "device_contradicts",
        Notice.DOUBTFUL_READING.value: "doubtful_reading",
        Notice.RACK_LETTERS.value: "rack_letters",
        Notice.BAG_COUNT.value: "bag_count",
        Notice.BEST_PLAY.value: "best_play",
    }
)

NOT_MADE_YET = frozenset(
    (
        "tile_gone",
        "changed_after_press",
        "tile_turned",
        "blank_late",
        "blank_changed",
        "slip_unclear",
        "blank_spoken_only",
        "drawn_too_early_on_hold",
        "drawn_while_waiting",
        "courtesy_not_returned",
        "courtesy_mixed",
        "spill",
        "exchange_number",
        "exchange_nothing_laid",
        "accidental_press",
        "not_pressed",
        "overtime_near_limit",
        "overtime_lost",
        "challenge_unsettled",
        "wrong_removal",
        "play_after_end",
        "six_zero",
        "play_out",
        "late",
        "absent",
    )
)
"""Codes that a scenario may ask for and nothing gives yet."""

DEVICE_LOST, DEVICE_CONTRADICTS = "device_lost", "device_contradicts"
KNOWN = frozenset({*CODE_OF.values(), *NOT_MADE_YET, DEVICE_LOST})

TO: Mapping[str, str] = MappingProxyType(
    {
        Manner.TELL_PLAYERS.value: "players",
        Manner.ALERT.value: "director",
        Manner.SHOW.value: "director",
        Manner.LOOK_UP.value: "record",
        Manner.WITHHELD.value: "later",
    }
)
"""To whom a notice goes, by how the director learns of it."""
AUDIENCES = ("players", "director", "record", "later")

OPENS_PROCEDURE = frozenset(
    (
        "illegal_placement",
        "loose_tile",
        "overdraw",
        "underdraw",
        "out_of_order",
        "illegal_exchange",
        "foreign_tile",
        "improper_return",
        "left_in_bag",
    )
)
"""What the director's page opens a procedure for while it holds."""
