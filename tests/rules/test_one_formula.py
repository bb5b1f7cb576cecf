"""A rule is computed once: recorder, frame and screens agree, and nobody else can compute it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.overlays.fields import MINUS, fields_of
from recorder.domain.rules.ending.overtime import overtime_points
from recorder.rulesets import RuleSet, declared_settings, load_rule_set, rule_set_names
from tests.dashboard.table_writer import TableWriter
from tests.folded import broadcast_frame

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LOST_S = 600
CLUB = {"starts_at_s": 30, "points": 5, "period_s": 30, "rounding": "whole"}
SETS = [
    *(pytest.param(name, {}, id=name) for name in rule_set_names()),
    pytest.param("naspa", {"points": 5, "period_s": 30}, id="5 for each 30 s"),
    pytest.param("naspa", {"starts_at_s": 45}, id="a grace"),
    pytest.param("wespa4", CLUB, id="whole periods after a grace"),
]


def by_hand(rules: RuleSet, seconds: int) -> int:
    """The price as a director works it out with a pencil: no more than what loses the game."""
    period_s, points = rules["overtime.period_s"], rules["overtime.points"]
    first = rules["overtime.starts_at_s"]
    assert isinstance(period_s, int)
    assert isinstance(points, int)
    assert isinstance(first, int)
    seconds = min(seconds, LOST_S)
    whole, rest = divmod(seconds, period_s)
    started = 1 if rest and rules["overtime.rounding"] == "started" else 0
    return 0 if seconds < first else points * (whole + started)


@pytest.mark.parametrize(("name", "overtime"), SETS)
def test_recorder_and_overlay_charge_the_same_at_every_second(
    write_table: Callable[[int], TableWriter], name: str, overtime: dict[str, object]
) -> None:
    """The recorder every one; the overlay where the price may change, and half a second before."""
    rules = load_rule_set(name, confirmed=confirmable(name), overrides={"overtime": overtime})
    table = write_table(1_800_000_000_000)
    table.start(rules=name, confirmed=confirmable(name), overrides=rules.overrides())
    frame = broadcast_frame(table.rows)
    for seconds in range(1300):
        expected = by_hand(rules, seconds)
        assert overtime_points(rules, seconds) == expected
        if seconds > 3 and seconds % 60 not in (0, 1, 29, 30, 31, 44, 45, 59):
            continue
        for late_ms in (0, 500):
            frame["clock"]["remaining_ms"] = [-1000 * seconds - late_ms, 60_000]
            shown = fields_of(frame, now=0)
            assert shown["p1_overtime"] == (f"{MINUS}{expected}" if expected else "")
            assert shown["p2_overtime"] == ""


def confirmable(name: str) -> tuple[str, ...]:
    """The settings of overtime that a set has only once they are confirmed."""
    unconfirmed = load_rule_set(name).unconfirmed()
    return tuple(one for one in unconfirmed if one.startswith("overtime."))


def test_no_screen_and_no_other_module_names_what_the_price_is_made_of() -> None:
    """A second formula would need the settings; only the one module may name them."""
    named = re.compile(r"overtime\.(points|period_s|starts_at_s|rounding)\b|points_per_minute")
    sources = [
        path
        for package in ("recorder", "dashboard", "devices", "calibration")
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".js", ".ts"} and "vendor" not in path.parts
    ]
    assert len(sources) > 100
    found = {
        str(path.relative_to(ROOT))
        for path in sources
        if named.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"recorder/domain/rules/ending/overtime.py", "recorder/rulesets/__init__.py"}


def test_every_setting_runs() -> None:
    """One that no program reads is a statement of the texts, and is kept with these."""
    sources = "".join(
        path.read_text(encoding="utf-8")
        for package in ("recorder", "dashboard")
        for path in (ROOT / package).rglob("*.py")
    )
    assert [name for name in declared_settings() if f'"{name}"' not in sources] == []


@pytest.mark.parametrize(
    ("system", "costs"),
    [
        ("points_per_word_5", [{"points": 5, "per_word": True, "turn_lost": False}]),
        ("double", [{"points": 0, "per_word": False, "turn_lost": True}]),
        (
            "5_then_10",
            [{"points": points, "per_word": False, "turn_lost": False} for points in (5, 10)],
        ),
        (
            "dingle",
            [{"points": 0, "per_word": False, "turn_lost": lost} for lost in (False, True)],
        ),
    ],
)
def test_a_frame_says_what_a_wrong_challenge_costs(
    write_table: Callable[[int], TableWriter], system: str, costs: list[dict[str, object]]
) -> None:
    """No screen has to know the systems of penalties."""
    table = write_table(1_800_000_000_000)
    table.start(rules="naspa", overrides={"challenge.default": system})
    frame = broadcast_frame(table.rows)
    assert frame["challenge"] == [{**cost, "seconds": None} for cost in costs]
