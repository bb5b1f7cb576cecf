"""The commands ``rules show`` and ``rules diff`` as an organiser runs them."""

import json
from pathlib import Path

import pytest

import tilecast
from recorder.rulesets import declared_settings, load_rule_set, rule_set_names

pytestmark = pytest.mark.slow


def run(*words: str) -> int:
    """The exit status of a command line."""
    return tilecast.main([*words])


def row(text: str, name: str) -> list[str]:
    """The words of a parameter's line."""
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [name])


def test_show_prints_every_setting_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    """Its value with its unit; then what the text says, how surely, and where."""
    assert run("rules", "show", "naspa") == 0
    text = capsys.readouterr().out
    assert row(text, "overtime.points") == ["overtime.points", "10", "points"]
    running, said = text.split("What the text of naspa says")
    assert row(said, "overtime.points") == ["overtime.points", "text", "7.6", "10", "points"]
    assert row(said, "timer.smart_device")[1] == "text"
    assert "NWL: double, CSW: points_per_word_5" in running
    assert "\novertime\n" in running
    names = [line.split()[0] for line in running.splitlines() if line.startswith("  ")]
    assert names == list(declared_settings())
    assert text.rstrip().endswith(load_rule_set("naspa").checksum())


def test_show_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With descriptions; a value to be confirmed is not given as the set's own."""
    assert run("rules", "show", "--json", "wespa4") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["checksum"] == load_rule_set("wespa4").checksum()
    settings = {one["name"]: one for one in document["settings"]}
    assert list(settings) == list(declared_settings())
    overtime = settings["overtime.points"]
    assert (overtime["value"], overtime["to_confirm"], overtime["of"]) == (None, 10, "wespa1")
    assert overtime["unit"] == "points"
    assert settings["late.forfeit_margin"]["value"] == 100
    assert "to_confirm" not in settings["late.forfeit_margin"]
    said = {one["name"]: one for one in document["statements"]}["overtime.points"]
    assert (said["status"], said["inherited_from"]) == ("title_only", "wespa1")
    assert said["rules"] == ["END-6"]


def test_show_takes_a_clubs_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the text of the set that it extends."""
    club = tmp_path / "collins-club.toml"
    club.write_text('title = "Ours"\nextends = "wespa4"\n[settings]\novertime.points = 5\n')
    assert run("rules", "show", str(club)) == 0
    text = capsys.readouterr().out
    assert text.startswith("collins-club: Ours\n")
    assert row(text, "overtime.points") == ["overtime.points", "5", "points"]
    assert "What the text of wespa4 says" in text
    assert run("rules", "diff", "wespa4", str(club), "--json") == 0
    (changed,) = json.loads(capsys.readouterr().out)["settings"]
    assert (changed["name"], changed["a"], changed["b"]) == ("overtime.points", 10, 5)


def test_diff_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """A statement against silence is told apart from two statements."""
    assert run("rules", "diff", "--json", "wespa1", "wespa4") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["a"], document["b"]) == ("wespa1", "wespa4")
    for part in ("settings", "statements"):
        found = {entry["name"]: entry for entry in document[part]}
        assert found["overdraw.reveal_extra"]["kind"] == "value"
        assert found["overtime.points"]["kind"] == "only_a"
        assert "exchange.min_bag" not in found
    assert found["timer.position_chosen_by"]["kind"] == "only_b"
    assert found["overdraw.reveal_extra"]["b"]["value"] == 2


@pytest.mark.parametrize("words", [("show", "wespa5"), ("diff", "wespa1", "wespa5")])
def test_an_unknown_set_is_answered_with_the_known_ones(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1; the message names the nearest and all that ship, standard output stays empty."""
    assert run("rules", *words, "--json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "'wespa5'; did you mean wespa4" in captured.err
    assert ", ".join(rule_set_names()) in captured.err
