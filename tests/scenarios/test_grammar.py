"""What a scenario file can say, and what is said about one that cannot be."""

from dataclasses import replace

import pytest

from recorder.domain.board import parse_square
from recorder.domain.notices import Notice
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import EMPTY, Tile
from recorder.lab.scenario import steps
from recorder.lab.scenario.codes import STEPS
from recorder.lab.scenario.play import check
from recorder.lab.scenario.steps import ScenarioError, Sensor, SlipLook
from recorder.lab.scenario.text.grammar import parse_scenario
from tests.scenarios.code_page import PAGE, procedure_words


def said(*lines: str) -> list[object]:
    """What the lines of a file say."""
    return [line.what for line in parse_scenario("\n".join(lines), "a.scn").lines]


def sq(name: str) -> int:
    """A square by its name."""
    return parse_square(name)[0]


def test_the_set_up_is_read_with_its_defaults():
    """A file that says nothing plays English tiles with clock, camera and box."""
    plain = parse_scenario("start", "a.scn").setup
    assert (plain.tiles, plain.minutes, plain.first) == ("english", 25, 1)
    assert plain.sensors == {Sensor.CLOCK, Sensor.CAMERA, Sensor.BOX}
    told = parse_scenario(
        "rules wespa4\noverride exchange.min_bag 1\nconfirm endgame\ntiles german\n"
        'players Anna "Ben Oak"\nminutes 7.5\nturned 90\nfirst 2\nsensors clock scale # no more\n',
        "a.scn",
    ).setup
    assert (told.rules, told.overrides, told.confirmed) == (
        "wespa4", {"exchange.min_bag": 1}, ("endgame",),
    )  # fmt: skip
    assert (told.tiles, told.players, told.minutes) == ("german", ("Anna", "Ben Oak"), 7.5)
    assert (told.turned, told.first, told.sensors) == (90, 2, {Sensor.CLOCK, Sensor.SCALE})


def test_tiles_are_named_by_a_play_or_by_squares():
    """A dot is a tile that lies there; a small letter is a blank."""
    across, free, down = said("lay 8F C.t", "lay H8=C J9=?", "lay H8 AB")
    assert across == steps.LayTiles(
        ((sq("8F"), read_tile("C")), (sq("8H"), read_tile("t"))), (sq("8G"),)
    )
    assert free == steps.LayTiles(((sq("8H"), read_tile("C")), (sq("9J"), read_tile("?"))))
    assert down == steps.LayTiles(((sq("8H"), read_tile("A")), (sq("9H"), read_tile("B"))))
    assert said("take 8F C.T", "take H8 9I") == [
        steps.TakeTiles(((sq("8F"), read_tile("C")), (sq("8H"), read_tile("T")))),
        steps.TakeTiles(((sq("8H"), EMPTY), (sq("9I"), EMPTY))),
    ]


def test_who_presses_a_half_that_does_not_run_has_laid_the_tiles_before():
    """A line that lays names nobody; a press that moves the clock says nothing of it."""
    in_vain = said("start", "press 1", "go 1", "lay 8F CAT", "press 2")
    counts = said("start", "press 1", "lay 8F CAT", "press 2", "lay 9F A", "stop", "press 2")
    laid = [line.player for line in (*in_vain, *counts) if isinstance(line, steps.LayTiles)]
    assert laid == [2, 0, 0]


def test_whatever_happens_beside_the_board_has_its_line():
    """Clock, bag, racks, box, slip, director, mishaps."""
    assert said("press 2", "go 1", "clock 1 12:30", "clock 2 -0:20") == [
        steps.PressClock(2), steps.RunClock(1), steps.SetTime(1, 750_000),
        steps.SetTime(2, -20_000),
    ]  # fmt: skip
    assert said("draw 1 3", "draw 2 3 table", "rack 1 6", "rack 2 CAT?") == [
        steps.DrawTiles(1, 3), steps.DrawTiles(2, 3, to_table=True), steps.RackHolds(1, 6),
        steps.RackHolds(2, 4, read_tiles("CAT?")),
    ]  # fmt: skip
    assert said("say 1 exchange 3", "say 2 blank t", "say 1 done", "challenge", "score 12") == [
        steps.SayAloud(1, steps.Said.EXCHANGE, 3),
        steps.SayAloud(2, steps.Said.BLANK, letter=Tile("T")),
        steps.SayAloud(1, steps.Said.DONE), steps.SayAloud(0, steps.Said.CHALLENGE),
        steps.SayAloud(0, steps.Said.SCORE, 12),
    ]  # fmt: skip
    assert said("slip 1 T,unclear", f"slip 2 {SlipLook.EMPTY}", "slip 1 BOYS") == [
        steps.SlipShows(1, (Tile("T"), EMPTY)), steps.SlipShows(2), steps.SlipShows(1, (), "BOYS"),
    ]  # fmt: skip
    assert said('director note {"text": "a # sign"} # said', "verdict bad", "lose camera") == [
        steps.GiveOrder("order.note", {"text": "a # sign"}), steps.GiveVerdict(is_good=False),
        steps.LoseSensor(Sensor.CAMERA),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("rules wespa9", "wespa1"),
        ("override nothing.there 3", "nothing.there"),
        ("minutes 0", "above 0"),
        ("sensors clock drone", "counters"),
        ("players Anna", "two names"),
        ("lya 8F CAT", "did you mean lay"),
        ("lay 8F CAT DOG", "names no tiles"),
        ("lay 8N CATS", "runs off the board"),
        ("lay Z9 CAT", "invalid square"),
        ("press 3", "1, 2"),
        ("press", "a player"),
        ("press 1 now", "not expected here"),
        ("+soon", "seconds of play"),
        ("say 1 exchange 9", "from 1 to 7"),
        ("slip 1 t9", "not a letter"),
        ("clock 1 1250", "12:30"),
        ("director corect {}", "there are procedure, settle, accept"),
        ("director correct {'turn': 1}", "no JSON"),
        ('director correct {"turn": 1, "score": "x"}', "score"),
        ("expect turn 1 1 jump", "no_play"),
        ("expect not clock_stoped", "did you mean clock_stopped"),
        ("expect told over_draw", "did you mean overdraw"),
        ("expect told director over_draw", "did you mean overdraw"),
        ("expect open overdrew", "did you mean overdraw"),
        ("expect end playout 12", "did you mean play_out"),
        ("expect step choose_to_keeep", "did you mean choose_to_keep"),
        ("expect open overdraw players 1", "did you mean player"),
        ("expect step choose_to_keep tile 1", "did you mean tiles"),
        ('director sign {"player": 0}', "players are 1 and 2"),
        ("lay 8F CAT by 3", "'3' is not a player"),
        ('director procedure {"code": "overdrawn"}', "did you mean overdraw"),
        ("director settle playout", "did you mean play_out"),
        ("expect nothing", "silence"),
        ("expect board H8 CAT", "not a tile"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_what_is_allowed(line: str, what: str):
    """File, line, and what can stand there."""
    with pytest.raises(ScenarioError, match=r"^a\.scn:2: ") as fault:
        parse_scenario(f"# first\n{line}\n", "a.scn")
    assert what in str(fault.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("start\nlay 8H CAT\ntake 9H", "no tile lies on 9H"),
        ("start\nlay 8H CAT\ntake 8H C.S", "T lies on 8J, not S"),
        ("start\nlay 8H CAT\nlay H8 ON", "a tile lies on 8H already"),
        ("start\nlay 8H CAT\nlay 9G .T", "no tile lies on 9G"),
        ("start\nlay 8H CAT\nmove H8 I8", "a tile lies on 8I already"),
        ("+1\n# nobody yet\npress 1", "never started"),
        ("start\n+1\ndraw 1 101", "the bag holds 100 tiles"),
        ("draw 1 2\nstart\naside 1 3", "2 tiles stand on the rack of player 1"),
        ("start\n+1\nback camera", "camera is not lost"),
        ("start\n+1\nlose scale", "this table has no scale"),
        ("start\n+1\nuncover", "not covered"),
        ("start\n+5\nstart", "started already; go 1"),
        ("start\n+5\nrack 1 QQABCDE", "the set has 1 Q, and 2 stand on the rack"),
        ("start\n+5\nverdict bad", "nobody has laid a tile"),
        ("+1\nrack 1 9\ndraw 1 1", "9 tiles stand on the rack of player 1 that were never drawn"),
        ("start\n+1\ndraw 1 100", "no room for more than 20"),
        ("start\n+1\naside 1 9", "write rack 1 9 first"),
    ],
)
def test_a_line_that_cannot_happen_is_named(text: str, what: str):
    """Before anything is played."""
    with pytest.raises(ScenarioError, match=r"^a\.scn:3: ") as fault:
        check(parse_scenario(text, "a.scn"))
    assert what in str(fault.value)


def test_the_table_is_described_before_anything_happens():
    """A rule set in the middle of a game is refused, with the line that came before it."""
    with pytest.raises(ScenarioError, match=r"a\.scn:2: .*line 1"):
        parse_scenario("start\nrules wespa1", "a.scn")


def test_the_rule_set_can_be_overruled():
    """What a file confirms counts where the other set inherits it."""
    text = "rules wespa4\nconfirm endgame\nstart"
    assert parse_scenario(text, "a.scn", "wespa3_hk").setup.rules == "wespa3_hk"
    assert parse_scenario(text, "a.scn", "naspa").setup.confirmed == ()


def test_an_override_may_be_one_of_several_values():
    """A parameter that takes a list takes a single word, and several with commas."""
    text = "rules wespa1\noverride endgame.out_bonus {}\nstart"
    one = parse_scenario(text.format("double"), "a.scn").setup.overrides
    two = parse_scenario(text.format("double, transfer"), "a.scn").setup.overrides
    assert (one, two) == (
        {"endgame.out_bonus": ["double"]}, {"endgame.out_bonus": ["double", "transfer"]},
    )  # fmt: skip


def test_a_procedure_is_begun_in_short():
    """What is no field of the order is a fact of the procedure."""
    (begun,) = said('director procedure {"code": "recount", "player": 1, "text": "asked for"}')
    assert begun == steps.GiveOrder(
        "order.procedure.begin", {"code": "recount", "text": "asked for", "facts": {"player": 0}}
    )


def test_a_line_can_say_who_lays():
    """Anyone who is on the clock lays, unless a line says otherwise."""
    (laid, other) = said("lay 8F CAT", "lay 8F CAT by 2")
    assert isinstance(laid, steps.LayTiles)
    assert other == replace(laid, player=2)


def test_the_page_of_codes_names_every_code() -> None:
    """If not: make scenarios. No step of the rules is unknown to the language."""
    text = PAGE.read_text(encoding="utf-8")
    assert {code for code in (*Notice, *WORKED_OUT) if f"| `{code}` |" not in text} == set()
    named = {word for words in procedure_words().values() for word in words & STEPS}
    assert {code for code in named if f"`{code}`" not in text} == set()
