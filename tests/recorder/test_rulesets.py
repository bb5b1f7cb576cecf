"""The rule sets as data: complete, as the rulebook has them, and used only as far as confirmed."""

from itertools import pairwise

import pytest

from recorder.domain.errors import NotationError
from recorder.rulesets import (
    Status,
    load_parameters,
    load_rule_set,
    parse_values,
    rule_set_names,
)
from recorder.rulesets.parameters import parse_parameters

SETS = ("naspa", "psa", "wespa1", "wespa3_hk", "wespa4")
PARAMETERS = load_parameters()
SMALL = """
["overtime.points"]
about = "Points lost for each minute of overtime"
type = "whole"
unit = "points"
rules = ["END-6"]
"""
POINTS = '"overtime.points"'
KNOWN = [  # rule, parameter, then what naspa, psa, wespa1, wespa3_hk and wespa4 state
    ("EXCH-2", "exchange.min_bag", (7, 7, 7, 7, 7)),
    ("OVERDRAW-2", "overdraw.reveal_extra", (2, 1, 1, 2, 2)),
    ("OVERDRAW-4", "overdraw.low_bag_threshold", (7, None, None, None, None)),
    ("HOLD-4", "hold.courtesy_draw_after_s", (15, 60, 60, 30, None)),
    ("HOLD-3", "hold.max_s", ("no_limit", "no_limit", "no_limit", None, None)),
    ("LATE-4", "late.forfeit_margin", (50, 150, 150, 100, 100)),
    ("LATE-2", "late.grace_s", (300, 0, 0, 0, 0)),
    ("END-2", "endgame.out_response_s", (15, 5, 5, None, None)),
    ("END-3", "endgame.out_bonus", (("double",), ("double",), ("transfer", "double"),
                                    ("double",), None)),
    ("END-4", "six_zero.mode", ("declared", "automatic", "automatic", "automatic", None)),
    ("END-6", "overtime.points", (10, 10, 10, 10, None)),
    ("END-7", "overtime.forfeit_comparison", ("gt", "ge", "ge", "ge", None)),
    ("END-10", "recount.max_margin", ("no_limit", 10, 10, None, None)),
    ("CHAL-4", "challenge.default", ({"NWL": "double", "CSW": "points_per_word_5"}, "single",
                                     "points_per_word_5", None, None)),
    ("CHAL-10", "challenge.improper_lookup_penalty", (10, None, None, None, None)),
    ("TURN-6", "turn.press_to_return_clock_for_blank_is_pass", (False, None, None, False, False)),
    ("START-2", "start.shuffle_max_s", (10, None, None, None, None)),
]  # fmt: skip


def test_the_five_sets_are_there() -> None:
    """Names as an organiser writes them; the file of the parameters is none of them."""
    assert rule_set_names() == SETS


@pytest.mark.parametrize("name", SETS)
def test_a_set_says_something_on_every_parameter(name: str) -> None:
    """A value or none, a status, and where it stands; only silence has no citation."""
    rules = load_rule_set(name)
    assert list(rules.values) == list(PARAMETERS)
    for parameter, value in rules.values.items():
        assert bool(value.citation) or value.status is Status.SILENT, parameter
        if value.status in (Status.SILENT, Status.TITLE_ONLY):
            assert value.value is None or value.inherited_from, parameter
    assert rules.title
    assert rules.source


def test_every_parameter_is_described_once() -> None:
    """With the rulebook's entries; what is a number has a unit; groups hang together."""
    abouts = [parameter.about for parameter in PARAMETERS.values()]
    assert len(set(abouts)) == len(abouts)
    for parameter in PARAMETERS.values():
        assert len(parameter.about.split()) >= 3, parameter.name
        assert parameter.rules, parameter.name
        number = parameter.type.value in ("whole", "number", "range")
        assert bool(parameter.unit) == number, parameter.name
        assert bool(parameter.choices) == (not number and parameter.type != "yes_no")
    groups = [parameter.group for parameter in PARAMETERS.values()]
    changes = sum(one != other for one, other in pairwise(groups))
    assert changes == len(set(groups)) - 1


@pytest.mark.parametrize(("rule", "name", "stated"), KNOWN, ids=[f"{k[0]}-{k[1]}" for k in KNOWN])
def test_the_sets_differ_as_the_rulebook_says(
    rule: str, name: str, stated: tuple[object, ...]
) -> None:
    """What each of the five sets itself states."""
    assert rule in PARAMETERS[name].rules
    for rules, value in zip(SETS, stated, strict=True):
        found = load_rule_set(rules).values[name]
        assert (None if found.inherited_from else found.value) == value, rules


def test_what_a_set_inherits_counts_once_it_is_confirmed() -> None:
    """Until then the error says what is missing and where the value would come from."""
    rules = load_rule_set("wespa4")
    with pytest.raises(NotationError, match=r"overtime\.points.*wespa1 has 10.*confirmed"):
        rules["overtime.points"]
    assert rules.get("overtime.points") is None
    assert "overtime.points" in rules.unconfirmed()

    agreed = load_rule_set("wespa4", confirmed=["overtime.points"])
    assert agreed["overtime.points"] == 10
    assert agreed.values["overtime.points"].inherited_from == "wespa1"
    assert not agreed.usable("overtime.rounding")


def test_a_group_can_be_confirmed_by_its_name() -> None:
    """``overtime`` stands for all that the set inherits about overtime, and for nothing else."""
    rules = load_rule_set("wespa4", confirmed=["overtime"])
    assert rules["overtime.rounding"] == "started"
    assert rules["overtime.forfeit_after_s"] == 600
    assert {name.partition(".")[0] for name in rules.confirmed} == {"overtime"}


def test_a_value_can_come_from_a_version_in_between() -> None:
    """Version 4 takes the courtesy draw from version 3, not from version 1."""
    value = load_rule_set("wespa4", confirmed=["hold"]).values["hold.courtesy_draw_after_s"]
    assert (value.value, value.inherited_from) == (30, "wespa3_hk")


def test_what_one_event_settles_is_not_settled_for_another() -> None:
    """Sets are read once and shared: nothing that a table confirms or overrides stays in them."""
    cases = {"challenge.default": {"NWL": "single"}}
    event = load_rule_set("wespa4", overrides=cases, confirmed=["overtime"])
    with pytest.raises(TypeError):
        event["challenge.default"]["CSW"] = "double"
    with pytest.raises(TypeError):
        event.values["challenge.default"] = event.values["exchange.min_bag"]
    plain = load_rule_set("wespa4")
    assert (plain.overrides(), plain.confirmed) == ({}, frozenset())
    assert plain.get("challenge.default") is None


def test_silence_is_no_value() -> None:
    """What no rule says must be set for the event; reading it with a default is possible."""
    rules = load_rule_set("wespa1")
    with pytest.raises(NotationError, match=r"does not settle bye\.spread \(silent\).*overrides"):
        rules["bye.spread"]
    assert rules.get("bye.spread", 50) == 50
    assert rules.get_whole("hold.max_s") is None
    assert load_rule_set("wespa1", overrides={"bye.spread": 75})["bye.spread"] == 75


def test_overrides_can_be_written_with_dots_or_as_tables() -> None:
    """TOML reads ``{ challenge.default = "double" }`` as a table in a table."""
    dotted = load_rule_set("naspa", overrides={"challenge.default": "double"})
    tables = load_rule_set("naspa", overrides={"challenge": {"default": "double"}})
    assert dotted == tables
    assert dotted["challenge.default"] == "double"
    assert dotted.values["challenge.default"].status is Status.OVERRIDDEN
    cases = {"challenge": {"default": {"NWL": "single", "CSW": "double"}}}
    assert (
        load_rule_set("naspa", overrides=cases)["challenge.default"]
        == cases["challenge"]["default"]
    )


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"overtime.pointz": 5}, "did you mean overtime.points"),
        ({"overtime": {"price": 5}}, r"unknown parameter 'overtime\.price'"),
        ({"zzz": 5}, "unknown parameter 'zzz'; there are some in .*overtime"),
        ({"overtime.points": "10"}, r"is '10'; it can be a whole number \(points\)"),
        ({"overtime.points": 2.5}, "it can be a whole number"),
        ({"overtime.points": True}, "it can be a whole number"),
        ({"overtime.points": -10}, "of 0 or more"),
        ({"hold.max_s": "never"}, "or 'no_limit'"),
        ({"standings.tie": float("nan")}, "a number"),
        ({"timer.mandatory": 1}, "true or false"),
        ({"challenge.default": "triple"}, "it can be one of single, double"),
        ({"challenge.default": {"NWL": "triple"}}, "a table with one of them by case"),
        ({"challenge.default": {}}, "a table with one of them by case"),
        ({"endgame.out_bonus": "double"}, "a list of some of double, transfer"),
        ({"endgame.out_bonus": ["double", "double"]}, "a list of some of double, transfer"),
        ({"equipment.board.edge_cm": [35, 33]}, r"\[least, most\]"),
    ],
)  # fmt: skip
def test_an_override_that_cannot_be_is_refused(overrides: dict[str, object], message: str) -> None:
    """With the parameter's name, what was given and what is allowed."""
    with pytest.raises(NotationError, match=message):
        load_rule_set("naspa", overrides=overrides)


def test_only_what_is_inherited_can_be_confirmed() -> None:
    """A misspelt name would else leave a rule open that somebody believes settled."""
    with pytest.raises(NotationError, match=r"wespa4 inherits no 'overtme'.*did you mean overtime"):
        load_rule_set("wespa4", confirmed=["overtme"])
    with pytest.raises(NotationError, match="wespa1 inherits no 'overtime'"):
        load_rule_set("wespa1", confirmed=["overtime"])


def test_an_unknown_set_is_answered_with_the_known_ones() -> None:
    """Whoever misspells a name sees the five."""
    with pytest.raises(NotationError, match="naspa, psa, wespa1, wespa3_hk, wespa4"):
        load_rule_set("wespa5")


def test_the_checksum_is_of_what_is_in_force() -> None:
    """Overrides and confirmations change it; the order of writing does not."""
    plain = load_rule_set("wespa4")
    assert plain.checksum() == load_rule_set("wespa4").checksum()
    assert len(plain.checksum()) == 64
    one = {"bye.spread": 50, "timer.limit_s": 1200}
    other = {"timer.limit_s": 1200, "bye": {"spread": 50}}
    assert load_rule_set("wespa4", overrides=one).checksum() == (
        load_rule_set("wespa4", overrides=other).checksum()
    )
    sums = {
        plain.checksum(),
        load_rule_set("wespa4", overrides=one).checksum(),
        load_rule_set("wespa4", confirmed=["overtime"]).checksum(),
        load_rule_set("wespa1").checksum(),
    }
    assert len(sums) == 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("", "nothing is said about overtime.points"),
        ('"overtime.price" = { status = "silent" }', r"unknown parameter 'overtime\.price'"),
        ('"overtime.points" = 10', "needs status; allowed: cite, inherited_from"),
        ('"overtime.points" = { status = "sure" }', "it can be text, implied"),
        ('"overtime.points" = { status = "overridden" }', "it can be text, implied"),
        ('"overtime.points" = { status = "text", value = 10 }', "cite is missing"),
        ('"overtime.points" = { status = "silent", value = 10 }', "though its status"),
        ('"overtime.points" = { status = "text", cite = "5", value = "ten" }', "whole"),
        (
            f"{POINTS} = {{ status = 'text', cite = '5', value = 1, inherited_from = 'psa' }}",
            "inherits one",
        ),
        ('"overtime.points" = {', "line 4"),
    ],
)
def test_a_file_with_a_mistake_is_refused(values: str, message: str) -> None:
    """The file's name and the parameter come first, then what is wrong."""
    parameters = parse_parameters(SMALL, source="small.toml")
    text = f'title = "Mine"\nsource = "Made up."\n[values]\n{values}\n'
    with pytest.raises(NotationError, match=rf"mine\.toml.*{message}"):
        parse_values(text, parameters, name="mine")


@pytest.mark.parametrize(
    ("line", "message"),
    [('colour = "red"', "a.b needs about, type and rules"), ('unit = "s"\ntype = "date"', "date")],
)
def test_a_parameter_with_a_mistake_is_refused(line: str, message: str) -> None:
    """Descriptions are checked as values are."""
    kind = "" if "type" in line else 'type = "whole"\n'
    text = f'["a.b"]\nabout = "Some thing counted"\nrules = []\n{kind}{line}\n'
    with pytest.raises(NotationError, match=rf"small\.toml.*{message}"):
        parse_parameters(text, source="small.toml")
