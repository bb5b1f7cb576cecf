"""Rule sets: settings from files, of which one extends another, and values in records."""

from pathlib import Path

import pytest

from recorder.domain.errors import NotationError
from recorder.rulesets import (
    as_json,
    declared_settings,
    load_rule_set,
    recorded_rule_set,
    rule_set_names,
)
from recorder.rulesets.reference import STATUSES, statements, subjects
from recorder.texts import languages, load_catalogue, plain_code
from recorder.texts.telling import RULE_TEXTS, coded_text
from tests import write_settings

DECLARED = declared_settings()
SETS = rule_set_names()


def test_the_page_on_rules_has_every_setting() -> None:
    """Its table is written from the declaration: python -m tests.write_settings."""
    assert write_settings.PAGE.read_text(encoding="utf-8") == write_settings.page()


@pytest.mark.parametrize("name", SETS)
def test_a_set_that_ships_has_what_its_text_says(name: str) -> None:
    """Where a setting and a statement have one name, one value; texts cite, or are silent."""
    rules = load_rule_set(name)
    assert rules.title
    assert rules.source
    said = statements(name)
    assert list(said) == list(subjects())
    for key, one in said.items():
        assert one.status in STATUSES
        assert one.citation or one.status == "silent", key
        if key in DECLARED:
            waiting = rules.offered.get(key)
            found = waiting.value if waiting else rules.get(key)
            assert as_json(found) == as_json(one.value), key
            assert (waiting.of if waiting else "") == one.inherited_from, key


def test_a_value_to_be_confirmed_counts_once_it_is() -> None:
    """Until then the error says what is missing and where the value would come from."""
    rules = load_rule_set("wespa4")
    with pytest.raises(NotationError, match=r"overtime\.points.*wespa1 has 10.*confirmed"):
        rules["overtime.points"]
    assert rules.get("overtime.points") is None
    assert "overtime.points" in rules.unconfirmed()

    agreed = load_rule_set("wespa4", confirmed=["overtime.points"])
    assert agreed["overtime.points"] == 10
    assert agreed.confirmed == {"overtime.points"}
    assert not agreed.usable("overtime.rounding")


def test_a_value_that_is_set_confirms_its_group() -> None:
    """Overtime of 5 points for 30 seconds is meant to cost something; nothing else is confirmed."""
    bare = load_rule_set("wespa4")
    own = load_rule_set("wespa4", overrides={"overtime": {"points": 5, "period_s": 30}})
    assert not bare.usable("overtime.rounding")
    assert own["overtime.rounding"] == bare.offered["overtime.rounding"].value
    assert not any(name.startswith("overtime.") for name in own.unconfirmed())
    assert "challenge.default" in own.unconfirmed()


def test_silence_is_no_value() -> None:
    """What no rule says must be set for the event; reading it with a default is possible."""
    rules = load_rule_set("wespa1")
    with pytest.raises(NotationError, match=r"does not settle bye\.spread.*overrides"):
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
    assert dotted.overridden == {"challenge.default"}
    cases = {"challenge": {"default": {"NWL": "single", "CSW": "double"}}}
    assert (
        load_rule_set("naspa", overrides=cases)["challenge.default"]
        == cases["challenge"]["default"]
    )


WRONG = [
    ({"overtime.pointz": 5}, r"unknown setting 'overtime\.pointz'; did you mean overtime\.points"),
    ({"overtime": {"price": 5}}, r"unknown setting 'overtime\.price'"),
    ({"zzz": 5}, "unknown setting 'zzz'; there are some in .*overtime"),
    ({"overtime.points": "10"}, r"is '10'; it can be a whole number \(points\)"),
    ({"overtime.points": 2.5}, "it can be a whole number"),
    ({"overtime.points": True}, "it can be a whole number"),
    ({"overtime.points": -10}, "from 0 to"),
    ({"overtime.points": 10_000_000}, "from 0 to"),
    ({"overtime.period_s": 0}, "from 5 to"),
    ({"hold.max_s": "never"}, "or 'no_limit'"),
    ({"standings.tie": float("nan")}, "a number"),
    ({"late.draw_before_both_present": 1}, "true or false"),
    ({"challenge.default": "triple"}, "it can be one of single, double"),
    ({"challenge.default": {"NWL": "triple"}}, "a table with one of them by case"),
    ({"challenge.default": {}}, "a table with one of them by case"),
    ({"endgame.out_bonus": "double"}, "a list of some of double, transfer"),
    ({"endgame.out_bonus": ["double", "double"]}, "a list of some of double, transfer"),
]


@pytest.mark.parametrize(("overrides", "message"), WRONG)
def test_an_override_that_cannot_be_is_refused(overrides: dict[str, object], message: str) -> None:
    """With the setting's name, what was given and what is allowed."""
    with pytest.raises(NotationError, match=message):
        load_rule_set("naspa", overrides=overrides)


def test_only_what_waits_for_it_can_be_confirmed() -> None:
    """A misspelt name would else leave a rule open that somebody believes settled."""
    with pytest.raises(NotationError, match=r"no confirmation of 'overtme'; did you mean overtime"):
        load_rule_set("wespa4", confirmed=["overtme"])
    with pytest.raises(NotationError, match="wespa1 waits for no confirmation of 'overtime'"):
        load_rule_set("wespa1", confirmed=["overtime"])


@pytest.mark.parametrize("shipped", SETS)
def test_a_club_extends_any_set_that_ships(tmp_path: Path, shipped: str) -> None:
    """One file, anywhere: everything but what it says is that of the other set.

    A value that it sets confirms what the other set only offers of the same group.
    """
    (tmp_path / "collins-club.toml").write_text(
        f'title = "Collins Club"\nextends = "{shipped}"\n[settings]\nexchange.min_bag = 1\n'
    )
    base = load_rule_set(shipped)
    for name in ("collins-club", "collins-club.toml", str(tmp_path / "collins-club.toml")):
        club = load_rule_set(name, folder=tmp_path)
        assert (club.name, club.title, club.base) == ("collins-club", "Collins Club", shipped)
        assert club["exchange.min_bag"] == 1
        mine = {key for key in base.offered if key.startswith("exchange.")}
        assert base.offered.keys() - club.offered.keys() == mine
        assert all(club[key] == base.offered[key].value for key in mine)
        others = base.values.keys() - {"exchange.min_bag"}
        assert {key: club[key] for key in others} == {key: base[key] for key in others}
        assert club.values.keys() == base.values.keys() | mine


def test_a_club_can_confirm_and_be_extended(tmp_path: Path) -> None:
    """Tables in tables, a set beside the file, and a group confirmed for good."""
    (tmp_path / "club.toml").write_text(
        'extends = "wespa4"\nconfirmed = ["overtime"]\n[settings.hold]\nmax_s = 60\n'
    )
    (tmp_path / "night").mkdir()
    (tmp_path / "night/blitz.toml").write_text('extends = "../club"\n[settings]\ntimer.limit_s=300')
    blitz = load_rule_set("night/blitz", folder=tmp_path)
    assert blitz["overtime.points"] == 10
    assert (blitz["hold.max_s"], blitz["timer.limit_s"], blitz.base) == (60, 300, "wespa4")
    assert "endgame.out_bonus" in blitz.offered
    again = load_rule_set("night/blitz", folder=tmp_path, confirmed=["overtime", "endgame"])
    assert again["endgame.out_bonus"] == ("double",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extends = "club"', r"line 1: a set cannot extend itself: club\.toml extends club\.toml"),
        ('\nextends = "./club.toml"', "line 2: a set cannot extend itself"),
        ('extends = "other"', r"club\.toml extends other\.toml extends club\.toml"),
        ("[to_confirm]\nclub = []", "line 2: a set cannot extend itself"),
        ('extends = "wespa44"', "line 1: extends: no rule set 'wespa44'; did you mean wespa4"),
        ('extends = "no.toml"', "line 1: extends: no rule set in the file"),
        ("extends = 4", 'line 1: extends names one set, as in: extends = "wespa4"'),
        ("\n[settings]\novertime.pints = 5", "line 3: .*did you mean overtime.points"),
        ("[settings.overtime]\npints = 5", "line 2: .*did you mean overtime.points"),
        ("[settings]\novertime.points = -5", "line 2: overtime.points is -5; it can be .* from 0"),
        ('[settings]\novertime = {points = "5"}', "line 2: overtime.points is '5'; .*whole number"),
        ("settings = 5", r"line 1: settings is a table: \[settings\]"),
        ('extend = "wespa4"', "line 1: no 'extend' belongs here; did you mean extends"),
        ('extends = "wespa4"\nconfirmed = ["overtme"]', "line 2: .*did you mean overtime"),
        ('[to_confirm]\nwespa1 = ["bye.spread"]', "line 2: to_confirm: wespa1 has no value of"),
        ("[settings]\nx = {", "line 2"),
    ],
)
def test_a_file_with_a_mistake_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """File and line come first, then what is wrong and the nearest name."""
    (tmp_path / "club.toml").write_text(text + "\n")
    (tmp_path / "other.toml").write_text('extends = "club"\n')
    with pytest.raises(NotationError, match=rf"(?s)club\.toml.*{message}"):
        load_rule_set("club", folder=tmp_path)


def test_a_file_may_not_bear_the_name_of_a_set_that_ships(tmp_path: Path) -> None:
    """A record would else name one set and mean another."""
    (tmp_path / "naspa.toml").write_text('extends = "naspa"\n')
    with pytest.raises(NotationError, match="rename the file"):
        load_rule_set("naspa.toml", folder=tmp_path)
    (tmp_path / "our rules.toml").write_text('extends = "naspa"\n')
    with pytest.raises(NotationError, match="rename the file"):
        load_rule_set("our rules", folder=tmp_path)
    with pytest.raises(NotationError, match=f"there are: {', '.join(SETS)}, or a file"):
        load_rule_set("wespa5")


@pytest.mark.parametrize("name", SETS)
def test_a_record_holds_the_values_themselves(name: str) -> None:
    """Read back they are the same rules, under a name that no set has any more, too."""
    rules = load_rule_set(name, overrides={"overtime": {"points": 7, "period_s": 45}})
    row = rules.recorded()
    for called in (name, "gone"):
        again = recorded_rule_set(
            called, row["settings"], overrides=row["overrides"], confirmed=row["confirmed"]
        )
        assert again.values == rules.values
        assert again.checksum() == rules.checksum()
        assert again.overrides() == rules.overrides()


def test_a_row_of_another_release_is_read_as_far_as_it_goes() -> None:
    """A setting that came later is that of the set; one that went, or cannot be read, is open."""
    row = load_rule_set("naspa").recorded()["settings"]
    del row["exchange.min_bag"]
    row |= {"gone.setting": 5, "overtime.points": "many", "six_zero.count": None}
    rules = recorded_rule_set("naspa", row)
    assert rules["exchange.min_bag"] == 7
    assert rules.get("overtime.points") is None
    assert rules.get("six_zero.count") is None
    with pytest.raises(NotationError, match="no rule set 'gone'"):
        recorded_rule_set("gone", {})


def test_rows_from_before_values_were_recorded_name_set_and_changes() -> None:
    """With the names of their time; what is no setting any more is left out."""
    old = {"overtime.points_per_minute": 5, "no.such_thing": True}
    confirmed = ("overtime.points_per_minute", "overtime.rounding", "overtime.starts_at_s")
    rules = recorded_rule_set("wespa4", {}, overrides=old, confirmed=confirmed)
    assert (rules["overtime.points"], rules["overtime.period_s"]) == (5, 60)
    assert "overtime.forfeit_after_s" not in rules.values


@pytest.mark.parametrize("language", languages())
def test_each_setting_says_what_it_is_for(language: str) -> None:
    """What a rule set leaves open is asked in these words, not by the name of a setting alone."""
    texts = load_catalogue(language)
    said = [texts.text("setting", plain_code(name)) for name in DECLARED]
    assert len(set(said)) == len(said)
    assert min(len(words.split()) for words in said) >= 3
    rules = load_rule_set("wespa4")
    open_one = rules.unsettled("challenge.issue_sequence")
    assert open_one is not None
    words = coded_text(open_one, RULE_TEXTS, texts)
    assert words.startswith(texts.text("setting", "challenge_issue_sequence"))
