"""Every number of tiles too many, too few, spilled, put back or late, at every set of sensors."""

import re
from pathlib import Path

import pytest

from recorder.domain.observations import RackSeen, Side
from recorder.domain.tiles import Tiles
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.senses import PlainSenses
from recorder.lab.scenario.text.grammar import parse_scenario
from tests.bench.bench_counts import ENOUGH, MISHAPS, Case, outcome, some_cases
from tests.bench.legal_tables import alarms
from tests.cases import first_of

pytestmark = pytest.mark.slow
FEW, MANY = 6, 245
"""``make bench ONLY=counts`` plays thousands of them."""


@pytest.mark.parametrize(
    "case",
    first_of(FEW, some_cases(MANY)),
    ids=lambda case: f"{case.mishap.name} {case.sensors} {case.tiles} after {case.plays}",
)
def test_the_right_number_is_reported_within_ten_seconds(case: Case) -> None:
    """Or that the counts do not add up; never another number, as sure or as a question."""
    assert outcome(case) in ENOUGH


def test_a_spill_is_reported_before_the_next_press_where_only_the_bag_is_weighed() -> None:
    """No tile of a play lies on the board, so nobody has drawn for one."""
    assert outcome(Case("scale", MISHAPS[2], 3, 2)) == "right"


@pytest.mark.parametrize("sensors", ["scale", "racks", "counters scale"])
def test_too_few_are_reported_before_the_next_press(sensors: str) -> None:
    """However few of the tiles that were due came: nobody draws on after so long a pause."""
    assert outcome(Case(sensors, MISHAPS[1], 4, 1)) == "right"


@pytest.mark.parametrize("number", first_of(1, range(60)))
def test_nothing_is_reported_of_a_legal_game(number: int) -> None:
    """Each rule set at each set of sensors: no alarm, and no procedure is left open."""
    assert alarms(number) == []


class MissesOne(PlainSenses):
    """Senses whose camera of one rack never sees one of the tiles."""

    def rack(self, side: Side, count: int, letters: Tiles | None) -> RackSeen:
        """What that camera says of its rack; the other says what is there."""
        less = side is Side.LEFT and count > 0
        return super().rack(side, count - less, letters and letters[less:])


def test_a_camera_that_always_misses_a_tile_is_named_once_and_leaves_nothing_open() -> None:
    """What it alone asked about is over once it is known to be wrong."""
    played = parse_scenario(Case("racks scale", MISHAPS[1], 0, 5).text(), "case.scn")
    record = play_through(played, senses=lambda _: MissesOne(1_500_000)).record
    assert [said.code for said in record.told].count("device_contradicts") == 1
    assert record.open == ()


GAME = Path(__file__).parent / "090_played_after_the_end.scn"
"""A game of which the first fourteen plays empty the bag."""


def with_wrong_sensors(sensors: str, *wrong: str) -> str:
    """The game at these sensors, two and a half minutes a turn, with some of them wrong."""
    lines = ["rules wespa1", f"sensors clock camera box {sensors}", *wrong]
    lines += ["draw 1 7", "+6", "draw 2 7", "+6", "start"]
    left = 86
    plays = re.findall(r"^lay (\S+ \S+)$", GAME.read_text(encoding="utf-8"), re.MULTILINE)
    for number, play in enumerate(plays[:14]):
        drawn = min(left, sum(sign != "." for sign in play.split()[1]))
        left -= drawn
        lines += ["+150", f"lay {play}", "+2", f"press {number % 2 + 1}"]
        lines += ["+5", f"draw {number % 2 + 1} {drawn}"] if drawn else []
    return "\n".join([*lines, "+30", "expect no procedure"]) + "\n"


@pytest.mark.further
@pytest.mark.parametrize(
    ("sensors", "wrong", "named"),
    first_of(
        1,
        [
            ("scale", ("wrong scale 3",), ["bag_scale"]),
            ("counters", ("wrong counters 1 7",), ["rack_counter_1"]),
            (
                "racks counters scale",
                ("wrong racks 1 6", "wrong counters 2 7", "wrong scale 6"),
                ["bag_scale", "rack_camera_1", "rack_counter_2"],
            ),
            ("racks counters scale", (), []),
            ("racks", ("wrong racks 1 6",), ["rack_camera_1"]),
            ("counters scale", ("wrong scale 3",), ["bag_scale"]),
            ("counters scale", ("wrong counters 1 7",), ["rack_counter_1"]),
            ("racks scale", ("wrong racks 1 6",), ["rack_camera_1"]),
        ],
    ),
)
def test_a_wrong_sensor_is_named_once_and_believed_no_more(
    sensors: str, wrong: tuple[str, ...], named: list[str]
) -> None:
    """A counter stuck at 7, a camera that sees six tiles, a scale that drifts, all at once."""
    played = play_through(parse_scenario(with_wrong_sensors(sensors, *wrong), "game.scn"))
    told = played.record.told
    doubts = [said.numbers["sources"] for said in told if said.code == "device_contradicts"]
    loud = [said.code for said in told if "director" in said.to or "players" in said.to]
    mishaps = set(loud) - {"device_contradicts"}
    assert (played.failed, sorted(map(str, doubts)), mishaps) == ([], named, set())


@pytest.mark.further
@pytest.mark.parametrize(
    ("better", "at_play", "is_believed"),
    first_of(
        1,
        [
            ("lose counters\n+5\nright counters\nback counters", 8, True),
            ("", 4, False),
            ("right counters", 4, True),
        ],
    ),
)
def test_a_sensor_is_believed_again_once_it_comes_back_or_is_right_for_long(
    better: str, at_play: int, *, is_believed: bool
) -> None:
    """The counter of rack 1 was stuck at 7; at the eleventh play it alone sees an overdraw."""
    lines = with_wrong_sensors("counters", "wrong counters 1 7").splitlines()[:-2]
    plays = [number for number, line in enumerate(lines) if line.startswith("lay")]
    lines[plays[11] - 2 :] = ["draw 1 9", "+12"]
    lines[plays[at_play] - 1 : plays[at_play] - 1] = better.splitlines()
    text = "\n".join(lines) + "\n"
    told = play_through(parse_scenario(text, "game.scn")).record.told
    assert [said.code for said in told].count("device_contradicts") == 1
    assert ("overdraw" in {said.code for said in told}) is is_believed


@pytest.mark.further
def test_a_restart_believes_the_same_sensors() -> None:
    """What is not believed follows from the rows alone, however they come in."""
    text = with_wrong_sensors("racks counters", "wrong counters 1 7")
    lines = text.splitlines()
    through = play_through(parse_scenario(text, "game.scn")).record
    again = "\n".join([*lines[:-2], "restart", *lines[-2:]])
    restarted = play_through(parse_scenario(again, "game.scn")).record
    assert restarted.turns == through.turns
    assert [said.code for said in restarted.told] == [said.code for said in through.told]
