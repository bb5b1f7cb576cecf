"""Procedures that a director begins because no sensor noticed anything: worked out, ended."""

import pytest

from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.domain.standing_procedures import StandingProcedure
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario

pytestmark = pytest.mark.slow

PLAYED = """
rules naspa
sensors clock camera box
start
+25
lay 8F {word}
+3
press 1
+6
"""
EXCHANGED = "say 2 exchange 3\npress 2\n+3\n"
JUDGED = 'director challenge {"turn": 1, "outcome": "off"}\n+1\n'
STOOD = JUDGED.replace("off", "stands")


def stands(order: str, *, before: str = "", word: str = "CATER", after: str = "") -> object:
    """What stands open once a procedure was begun by a director, None where nothing does."""
    story = f"{PLAYED.format(word=word)}{before}director procedure {order}\n+2\n{after}"
    store = MemoryEventLog()
    play_through(parse_scenario(story, "a test"), store=store)
    found: dict[str, StandingProcedure] = {}
    for row in store.read_from(1):
        match row.says:
            case ProcedureStands(procedure=procedure):
                found[procedure.key] = procedure
            case ProcedureOver(key=key):
                found.pop(key)
    return next((one for one in found.values() if f'"{one.code}"' in order), None)


BEGUN = [  # what the director says; what came before; the rule, the player, steps among others
    ('"code": "illegal_placement", "fault": "gap"', "", "PLACE-2", 0, ["take_play_off"]),
    ('"code": "illegal_exchange"', EXCHANGED, "EXCH-3", 1, []),
    ('"code": "exchange_number", "tiles": 2', EXCHANGED, "EXCH-5", 1, []),
    ('"code": "spill", "player": 2, "tiles": 3', "", "LOOSE-2", 1, ["return_tiles"]),
    ('"code": "improper_return", "player": 2', "", "RETURN-1", 1, ["choose_to_keep"]),
    ('"code": "loose_tile"', "", "LOOSE-1", None, ["return_tiles"]),
    ('"code": "left_in_bag", "tiles": 2', "", "BAGEND-1", None, ["director_rules"]),
    ('"code": "foreign_tile"', "", "ADJ-1", 0, ["stop_clock"]),
    ('"code": "tile_check"', "", "EQUIP-1", None, ["search_strays"]),
    ('"code": "courtesy", "tiles": 2', JUDGED, "HOLD-5", 0, ["return_tiles"]),
    ('"code": "challenge"', "", "CHAL-1", 0, ["say_challenge", "stop_clock"]),
    ('"code": "wrong_verdict"', STOOD, "CHAL-7", 0, []),
    ('"code": "blank_unnamed"', "", "BLANK-2", 0, []),
    ('"code": "blank_dispute", "owner": "O", "opponent": "R"', "", "BLANK-5", 0, []),
    ('"code": "accidental_press"', "", "TURN-5", 0, ["start_clock", "add_time"]),
    ('"code": "leaving", "player": 2', "", "LEAVE-1", 1, ["complete_turn", "play_meanwhile"]),
    ('"code": "back", "player": 2', "", "LEAVE-1", 1, ["draw_tiles", "hold_or_challenge"]),
    ('"code": "drew_alone", "player": 1', "", "LEAVE-2", 0, ["show_tiles", "choose_to_return"]),
    ('"code": "infractions", "player": 1', "", "INFR-1", 0, ["note_infraction"]),
    ('"code": "recount", "player": 1', "", "END-10", 0, ["recount"]),
    ('"code": "result_slip"', "", "END-9", None, ["hand_in_result"]),
    ('"code": "play_out", "player": 2', "", "END-2", 1, []),
    ('"code": "six_zero"', "", "END-4", None, []),
    ('"code": "overtime", "player": 2', "", "END-6", 1, ["read_clocks"]),
    ('"code": "resignation", "player": 2', "", "END-11", 1, ["director_rules"]),
    ('"code": "no_show", "player": 1', "", "LATE-4", 0, ["director_rules"]),
    ('"code": "clock_stopped"', "stop\n+1\n", "CLOCK-1", 1, ["start_clock"]),
    ('"code": "drawn_while_waiting", "player": 1, "tiles": 2', "", "CHAL-12", 0, []),
]


@pytest.mark.parametrize(("said", "before", "rule", "player", "steps"), BEGUN)
def test_a_procedure_is_worked_out_from_the_record_alone(
    said: str, before: str, rule: str, player: int | None, steps: list[str]
) -> None:
    """Player, turn and numbers are those of the record, where the director need not say them."""
    word = "CA?ER" if "blank" in said else "CATER"
    found = stands(f"{{{said}}}", before=before, word=word)
    assert isinstance(found, StandingProcedure), said
    assert (found.rule, found.player) == (rule, player)
    assert set(steps) <= {step.code for step in found.steps}, [s.code for s in found.steps]


def test_every_procedure_that_is_worked_out_was_begun_here() -> None:
    """None is forgotten; what follows from something noticed alone is tried elsewhere."""
    tried = {said.split('"')[3] for said, *_ in BEGUN}
    draws = {"overdraw", "underdraw", "out_of_order"}
    noticed = {"orientation", "slip_leftover", "wrong_removal", "tile_moved", "not_pressed"}
    noticed |= {"clock_wrong_way"}
    assert tried | draws | noticed == set(WORKED_OUT)


def test_the_third_small_mistake_is_worth_a_minute_and_then_they_are_counted_anew() -> None:
    """Each is begun and applied; one that was dropped counts for nothing."""
    begin = 'director procedure {"key": "m%d", "code": "infractions", "player": 1}\n+1\n'
    close = 'director procedure.close {"key": "m%d", "carried_out": %s}\n+1\n'
    for counted, number, step in (("true", 3, "adjust_time"), ("false", 1, "note_infraction")):
        before = "".join(begin % at + close % (at, counted) for at in (1, 2))
        found = stands('{"code": "infractions", "player": 1}', before=before)
        assert isinstance(found, StandingProcedure)
        assert found.facts["number"] == number
        assert step in [one.code for one in found.steps]


def test_small_mistakes_of_both_players_stand_beside_each_other_and_one_begun_again_once() -> None:
    """Each counts for its player; the one before it is no empty entry of its own."""
    begun = 'director procedure {"code": "infractions", "player": %d}\n+1\n'
    expected = """
    expect open infractions player 1 number 2
    expect open infractions player 2 number 1
    """
    story = PLAYED.format(word="CATER") + "".join(begun % player for player in (1, 2, 1))
    game = play_through(parse_scenario(story + expected, "a test"))
    assert game.failed == []
    assert len(game.record.open) == 2


def test_a_letter_that_the_players_agree_on_is_one_order() -> None:
    """The blank of CA?ER is named with the procedure; its ruling corrects the play."""
    found = stands('{"code": "blank_unnamed", "letter": "T"}', word="CA?ER")
    assert isinstance(found, StandingProcedure)
    ((_, letter),) = found.settlements[0].letters
    assert str(letter) == "t"
