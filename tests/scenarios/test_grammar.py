"""What a scenario file can say, and what is said about one that cannot be."""

import pytest

from recorder.domain.notices import Notice
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.lab.scenario.codes import STEPS
from recorder.lab.scenario.play import check
from recorder.lab.scenario.steps import ScenarioError
from recorder.lab.scenario.text.grammar import parse_scenario
from tests.scenarios.code_page import PAGE, procedure_words


def said(*lines: str) -> list[object]:
    """What the lines of a file say."""
    return [line.what for line in parse_scenario("\n".join(lines), "a.scn").lines]


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
    with pytest.raises(ScenarioError, match=r"^a\.scn:3: ") as fault:
        check(parse_scenario(text, "a.scn"))
    assert what in str(fault.value)


def test_the_table_is_described_before_anything_happens():
    """A rule set in the middle of a game is refused, with the line that came before it."""
    with pytest.raises(ScenarioError, match=r"a\.scn:2: .*line 1"):
        parse_scenario("start\nrules wespa1", "a.scn")


def test_the_page_of_codes_names_every_code() -> None:
    """If not: make scenarios. No step of the rules is unknown to the language."""
    text = PAGE.read_text(encoding="utf-8")
    assert {code for code in (*Notice, *WORKED_OUT) if f"| `{code}` |" not in text} == set()
    named = {word for words in procedure_words().values() for word in words & STEPS}
    assert {code for code in named if f"`{code}`" not in text} == set()
