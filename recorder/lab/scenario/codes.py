"""The codes that a scenario may name, and to whom what is reported goes."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from recorder.declared.near_names import meant
from recorder.domain.errors import NotationError
from recorder.domain.notices import Manner, Notice
from recorder.texts import load_catalogue

DEVICE_LOST, DEVICE_CONTRADICTS = Notice.DEVICE_LOST.value, Notice.DEVICE_CONTRADICTS.value
KNOWN = frozenset(notice.value for notice in Notice)
_TEXTS = load_catalogue().as_json()
PROCEDURES = frozenset(_TEXTS["procedure"])
_SAID = re.findall(r"{(\w+)", " ".join(_TEXTS["notice"].values()))
_HOW_SURE = ("case", "level", "other", "sure")
FACTS = frozenset(("player", "turn", "square", *_HOW_SURE, *_SAID, *_TEXTS["procedure_fact"]))
"""What can be asked of what was reported, or of a procedure that stands open."""
FACTS_OF_STEP = frozenset({"player", "tiles", "seconds"})
_STEPS = """
accept_or_challenge add_time adjust_time agree_slip allow_reading allow_replay
announce_exchange announce_pass announce_score ask_board ask_for_letter ask_for_press ask_judge
ask_permission await_player bar_changes both_agree call_runner challenge_again challenge_play
challenge_words check_clocks check_letter check_lexicon check_spelling check_tiles
choose_to_give choose_to_keep choose_to_return complete_sets complete_turn copy_letter
correct_slip correct_total count_again count_infraction count_tiles decide_challenge
declare_letter decline deduct_points director_rules draw_apart draw_tiles enter_points
enter_words find_missing find_own_bag find_slip forfeit_game give_tiles go_to_judge
hand_in_result hand_over_sheets hold_bag hold_or_challenge inspect_sheet judge_plausible
keep_silent lay_face_down lay_rack_face_down lay_racks_face_down leave_table look_at_slip
look_at_tiles look_in_bag move_tiles name_letter note_early_clock note_infraction note_start
note_suspicious place_slip place_timer play_meanwhile play_on point_out postpone press
press_back rack_tiles raise_margin read_clocks recount recount_whole_game redraw_tiles
refuse_reading remove_surplus replace_timer replay_turn restore_racks restore_right
restore_tiles return_foreign return_loose return_tiles return_unseen rewrite_slip say_challenge
say_letter search_strays set_clock set_letter set_penalty settle_bag show_hand show_play
show_rack show_racks show_tiles shuffle sign_again start_clock stop_clock straighten
take_back_tiles take_play_off take_rest take_tiles take_time take_time_at_end take_unseen
tell_director tell_opponent tell_players turn_tiles turn_up void_press wait_for_press
warn_players withdraw_challenge write_letter write_score write_scores write_words zero_score
"""
STEPS = frozenset(_STEPS.split())
"""What can be a step of a procedure; a test compares them with the rules."""
GAME_ENDINGS = frozenset(
    ("forfeit", "left", "no_show", "ordered", "overtime", "play_out", "resignation", "six_zero")
)

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


def known(code: str, codes: Collection[str], what: str) -> str:
    """The code, if it is one. NotationError with the nearest one and all of them if it is not."""
    if code not in codes:
        raise NotationError(
            f"{code!r} is no {what}{meant(code, codes)}; there are {', '.join(sorted(codes))}"
        )
    return code
