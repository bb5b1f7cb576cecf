"""The commands ``rules show`` and ``rules diff`` as an organiser runs them."""

import argparse
import json

import pytest

from recorder.cli import register
from recorder.rulesets import load_rule_set


def run(*words: str) -> int:
    """The exit status of a command line."""
    parser = argparse.ArgumentParser()
    register(parser.add_subparsers(required=True))
    args = parser.parse_args([*words])
    status: int = args.run(args)
    return status


def row(text: str, name: str) -> list[str]:
    """The words of a parameter's line."""
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [name])


def test_show_prints_every_parameter_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    """Name, status, where it stands, value with its unit."""
    assert run("rules", "show", "naspa") == 0
    text = capsys.readouterr().out
    assert row(text, "overtime.points") == [
        "overtime.points",
        "text",
        "7.6",
        "10",
        "points",
    ]
    assert row(text, "turn.press_to_return_clock_for_blank_is_pass")[-1] == "no"
    assert row(text, "timer.smart_device")[1] == "text"
    assert "NWL: double, CSW: points_per_word_5" in text
    assert "\novertime\n" in text
    names = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(names) == len(load_rule_set("naspa").values)
    assert text.rstrip().endswith(load_rule_set("naspa").checksum())


def test_show_marks_what_is_not_the_sets_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets and the other set's name; nothing at all is a dash."""
    assert run("rules", "show", "wespa4") == 0
    text = capsys.readouterr().out
    assert f"{len(load_rule_set('wespa4').unconfirmed())} values in brackets" in text
    words = row(text, "overtime.points")
    assert words[1] == "title_only"
    assert words[-3:] == ["(10", "points:", "wespa1)"]
    assert row(text, "late.fine_possible") == ["late.fine_possible", "silent", "-"]


def test_show_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With descriptions; a value to be confirmed is not given as the set's own."""
    assert run("rules", "show", "--json", "wespa4") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["title_only"] > 0
    assert document["checksum"] == load_rule_set("wespa4").checksum()
    parameters = {one["name"]: one for one in document["parameters"]}
    assert list(parameters) == list(load_rule_set("wespa4").values)
    overtime = parameters["overtime.points"]
    assert (overtime["value"], overtime["inherited"]) == (None, 10)
    assert (overtime["unit"], overtime["inherited_from"]) == ("points", "wespa1")
    assert overtime["rules"] == ["END-6"]
    assert parameters["late.forfeit_margin"]["value"] == 100
    assert "inherited" not in parameters["late.forfeit_margin"]


def test_diff_shows_what_is_said_differently(capsys: pytest.CaptureFixture[str]) -> None:
    """The default challenge is one of the differences; equal values are not listed."""
    assert run("rules", "diff", "wespa1", "psa") == 0
    text = capsys.readouterr().out
    assert "wespa1 and psa differ: 12" in text
    assert row(text, "challenge.default")[1:3] == ["wespa1", "text"]
    assert row(text, "challenge.default")[-1] == "points_per_word_5"
    assert "overtime.points" not in text


def test_diff_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """A statement against silence is told apart from two statements."""
    assert run("rules", "diff", "--json", "wespa1", "wespa4") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["a"], document["b"]) == ("wespa1", "wespa4")
    found = {entry["name"]: entry for entry in document["differences"]}
    assert found["overdraw.reveal_extra"]["kind"] == "value"
    assert found["overdraw.reveal_extra"]["a"]["value"] == 1
    assert found["overdraw.reveal_extra"]["b"]["value"] == 2
    assert found["overtime.points"]["kind"] == "only_a"
    assert found["timer.position_chosen_by"]["kind"] == "only_b"
    assert "exchange.min_bag" not in found


def test_a_set_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is listed, and that is no error."""
    assert run("rules", "diff", "--json", "naspa", "naspa") == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


@pytest.mark.parametrize("words", [("show", "wespa5"), ("diff", "wespa1", "wespa5")])
def test_an_unknown_set_is_answered_with_the_known_ones(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1; the message names the five, and standard output stays empty."""
    assert run("rules", *words, "--json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "'wespa5'; there are: naspa, psa, wespa1, wespa3_hk, wespa4" in captured.err
