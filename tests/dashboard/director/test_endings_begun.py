"""How a game ends, and what stops it: begun by a director, worked out from the record, ordered.

A form asks only for what is not in the record; the orders are those that the page gives.
"""

from pathlib import Path
from typing import Any

import pytest

from dashboard.incidents.begun import begun_as_json
from dashboard.incidents.facts import situation
from dashboard.web.incidents import catalogue, start_of
from recorder.domain.record import NoticeGiven
from recorder.log.port import Row
from tests.dashboard.director.test_standing_forms import played, stands

pytestmark = pytest.mark.slow  # plays whole scenarios

QUALM = "+24\nlay 8D QUALM\n+3\npress 1\n+31\nlay 9F BOY\n+3\npress 2\n"
GAME = "rules {rules}\nsensors clock camera box\nstart\n" + QUALM
SENSED = (
    "rules {rules}\nsensors clock camera counters scale box\ndraw 1 7\n+5\ndraw 2 7\n+5\n"
    "start\n+24\nlay 8F CATER\n+3\npress 1\n+6\n"
)
PASS = "+9\nsay 1 pass\npress 1\n+9\nsay 2 pass\npress 2\n"
SILENT = Path(__file__).parents[2] / "scenarios" / "088_no_box.wespa1-psa.scn"


def ways(rows: list[Row], code: str) -> list[list[tuple[str, dict[str, Any]]]]:
    """The orders of every way in which a procedure can end, the first way first."""
    plan = catalogue(situation(rows, 1, procedure=stands(rows, code).key))["plan"]
    return [
        [(order["act"]["type"], order["act"]["data"]) for order in way["orders"]]
        for way in (plan, *plan["alternatives"])
    ]


def asked(rows: list[Row], code: str) -> dict[str, Any]:
    """What the page asks for when it is begun now, with what stands in the fields."""
    (form,) = [one for one in begun_as_json(situation(rows, 1)) if one["name"] == code]
    return {field["name"]: field["value"] for field in form["fields"]}


def begin(code: str, facts: str = "") -> str:
    return f'director procedure {{"code": "{code}"{facts}}}\n+2\n'


def test_six_zeros_take_off_both_racks_and_ask_for_no_rack_that_was_seen() -> None:
    """Claimed as NASPA wants it; without a camera the director says the letters."""
    story = GAME.format(rules="naspa") + 3 * PASS + "stop\n+2\n"
    assert asked(played(story), "six_zero") == {"declared": False, "rack0": "", "rack1": ""}
    said = ', "declared": true, "rack1": "AEINRST", "rack2": "jxhkei?"'
    ((end, points),) = ways(played(story + begin("six_zero", said)), "six_zero")
    assert end[0] == "order.end"
    assert [one["data"]["points"] for one in points[1]["points"]] == [7, 27]
    cameras = GAME.format(rules="wespa1").replace("camera box", "camera racks box")
    rows = played(cameras + "rack 1 DREAINZ\nrack 2 EEIOTUW\n+1\n")
    assert asked(rows, "six_zero") == {}


GIVEN_UP = [
    ("wespa1", ', "emergency": true', {"player", "emergency", "left"}, 1),
    ("wespa1", "", {"player", "emergency", "left"}, 2),
    ("naspa", "", {"player", "permitted", "left"}, 2),
    ("naspa", ', "permitted": true', {"player", "permitted", "left"}, 1),
]


@pytest.mark.parametrize(("rules", "said", "fields", "count"), GIVEN_UP)
def test_a_game_given_up_is_lost_by_the_margin_of_the_set(
    rules: str, said: str, fields: set[str], count: int
) -> None:
    """What the set does not allow by itself has a second way: the game goes on."""
    story = GAME.format(rules=rules)
    assert set(asked(played(story), "resignation")) == fields
    first, *others = ways(
        played(story + begin("resignation", f', "player": 2{said}')), "resignation"
    )
    ((name, data),) = first
    assert (name, data["player"], data["margin"]) == ("order.concede", 1, 79)
    assert others == [[]] * (count - 1)


def test_who_never_came_loses_and_whoever_has_played_has_come() -> None:
    """The margin is that of the set; a game that was begun is no such game, and that is said."""
    rows = played("rules naspa\nsensors clock camera box\n+5\n" + begin("no_show", ', "player": 2'))
    data = {"player": 1, "margin": 50, "how": "lateness"}
    assert ways(rows, "no_show") == [[("order.concede", data)]]
    rows = played(GAME.format(rules="naspa") + begin("no_show", ', "player": 2'))
    assert ways(rows, "no_show") == [[]]
    assert [asked.code for asked in stands(rows, "no_show").questions] == ["player_has_played"]


def test_a_play_out_brings_the_tiles_left_in_each_way_that_the_organiser_may_have_named() -> None:
    """WESPA 1 leaves two; while nobody is out there is no order."""
    rows = played(GAME.format(rules="wespa1") + begin("play_out", ', "player": 2'))
    assert ways(rows, "play_out") == [[]]
    assert stands(rows, "play_out").facts["out"] is False


def test_a_clock_that_stands_is_asked_its_reason_alone_and_is_over_when_it_runs() -> None:
    """Opened from the notice; who starts it again is the rules' to say."""
    story = GAME.format(rules="wespa1") + "+9\nstop\n+70\n"
    rows = played(story)
    (told,) = [
        row.seq
        for row in rows
        if isinstance(row.says, NoticeGiven) and row.says.notice.code == "clock_stopped"
    ]
    assert start_of(situation(rows, 1, told)) == "clock_stopped"
    assert set(asked(rows, "clock_stopped")) == {"reason"}
    story += begin("clock_stopped", ', "reason": "scoring_discrepancy"')
    found = stands(played(story), "clock_stopped")
    assert [step.code for step in found.steps] == ["director_rules", "start_clock"]
    assert [question.code for question in found.questions] == ["rule_set_not_say_who_starts"]
    with pytest.raises(ValueError, match="not enough values"):
        stands(played(story + "go 1\n+2\n"), "clock_stopped")


def test_tiles_knocked_off_open_what_puts_them_back_until_they_lie_there_again() -> None:
    """Which tile and where it was is the record's; the camera sees that it is back."""
    story = GAME.format(rules="naspa") + "+9\ntake 8H\n+6\n"
    found = stands(played(story), "tile_moved")
    (step,) = [step for step in found.steps if step.code == "find_missing"]
    assert step.act.values == (("tile", "M"), ("where", "8H"))
    with pytest.raises(ValueError, match="not enough values"):
        stands(played(story + "lay 8H=M\n+9\n"), "tile_moved")


def test_a_draw_before_the_press_and_one_while_a_verdict_is_awaited_are_told_with_their_tiles() -> (
    None
):
    """Scale and counters know both; the director says nothing."""
    story = SENSED.format(rules="naspa").replace("press 1\n+6\n", "draw 1 5\n+18\n")
    found = stands(played(story + begin("not_pressed")), "not_pressed")
    assert (found.player, found.rule) == (0, "HOLD-8")
    assert found.facts["complete"]
    story = SENSED.format(rules="wespa1") + "say 2 challenge\n+1\nstop\n+40\ndraw 1 2\n+4\n"
    rows = played(story)
    assert asked(rows, "drawn_while_waiting") == {"player": "1"}
    found = stands(played(story + begin("drawn_while_waiting")), "drawn_while_waiting")
    assert (found.player, found.facts["tiles"]) == (0, 2)
    assert [question.code for question in found.questions] == ["tiles_drawn_while_waiting_kept"]


@pytest.mark.further
def test_a_play_out_is_over_once_its_end_is_on_record_and_both_clocks_stand() -> None:
    """Also at a table where players announce: nobody comes back to say that it is accepted."""
    story = SILENT.read_text("utf-8").split("expect open")[0]
    talks = "sensors clock camera box\nstart\n" + PASS
    story = story.replace("sensors clock camera\nstart\n", talks)
    assert stands(played(story), "play_out").facts["points"] == 16
    later = played(f"{story}+120\n")
    with pytest.raises(ValueError, match="not enough values"):
        stands(later, "play_out")
