"""The recorder's file: what it says about the rules reaches the record, mistakes are named."""

from pathlib import Path

import pytest

import tilecast
from calibration.lab.demo_cli import register_demo
from recorder.commands.command_line import CommandParser
from recorder.domain.errors import NotationError
from recorder.domain.record import GameStarted
from recorder.domain.rules.ending.overtime import overtime_points
from recorder.domain.tile_text import read_tiles
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.venue_files import venue_toml
from recorder.orders.console_key import KEY_NAME, make_key, read_key
from recorder.rulesets import load_rule_set, rule_set_names, rules_of_game
from recorder.rulesets.set_files import parse_set
from recorder.service.venue_file import example, read_record_file
from tests.dashboard.table_writer import TableWriter
from tests.folded import broadcast_frame

TABLE = """
[[table]]
number = 1
game = "g1"
players = ["Ada", "Ben"]
devices = { cam-1 = "board-camera" }
"""


def started(folder: Path, text: str) -> GameStarted:
    """The beginning of the first game in a file with this text."""
    path = folder / "venue.toml"
    path.write_text(text, encoding="utf-8")
    return read_record_file(path).plan.tables[0].started


def test_the_example_can_be_used_as_it_is(tmp_path: Path) -> None:
    """Anyone who starts from it gets points for overtime, as it confirms them."""
    game = started(tmp_path, example())
    assert game.rules == "wespa4"
    assert "overtime.points" in game.confirmed
    assert (
        game.rules_checksum == load_rule_set("wespa4", confirmed=["overtime", "endgame"]).checksum()
    )


def test_a_table_plays_by_a_clubs_own_file(tmp_path: Path) -> None:
    """Named where a set is named; a mistake in it is reported with the line of the club's file."""
    club = tmp_path / "rules/collins-club.toml"
    club.parent.mkdir()
    club.write_text('extends = "wespa4"\nconfirmed = ["overtime"]\n[settings]\nhold.max_s = 60\n')
    for name in ("rules/collins-club.toml", "rules/collins-club", str(club)):
        line = "overrides = { overtime.points = 5, overtime.period_s = 30 }"
        game = started(tmp_path, f'{TABLE}rules = "{name}"\n{line}\n')
        assert game.rules == "collins-club"
        assert (game.settings["hold.max_s"], game.settings["exchange.min_bag"]) == (60, 7)
        rules = rules_of_game(game)
        assert [overtime_points(rules, second) for second in (1, 30, 31)] == [5, 5, 10]
    club.write_text("[settings]\nhold.maxs = 60\n")
    wrong = r"\[\[table\]\] 1: rules: .*collins-club\.toml line 2: .*did you mean hold\.max_s"
    with pytest.raises(NotationError, match=wrong):
        started(tmp_path, f'{TABLE}rules = "rules/collins-club"\n')


def test_a_game_keeps_its_rules_whatever_a_later_release_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorder, frame and forms go by the values in its first row."""
    game = started(tmp_path, f'{TABLE}rules = "naspa"\n')
    log_of_a_game = TableWriter(MemoryEventLog(), at=1_800_000_000_000)
    log_of_a_game.start(rules="naspa", settings=game.settings)
    before = broadcast_frame(log_of_a_game.rows)
    old = (rules_of_game(game).checksum(), overtime_points(rules_of_game(game), 61))
    later = parse_set('title = "Later"\n[settings]\novertime.points = 99\n', name="naspa")
    monkeypatch.setattr("recorder.rulesets.set_files._shipped", lambda _: later)
    assert load_rule_set("naspa")["overtime.points"] == 99
    assert (rules_of_game(game).checksum(), overtime_points(rules_of_game(game), 61)) == old
    assert broadcast_frame(log_of_a_game.rows) == before


def test_the_consoles_key_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    """To read the file makes none; a key that others may read is refused."""
    path = tmp_path / "venue.toml"
    path.write_text(f'{TABLE}\n[recorder]\nconsole_key = "keys"\n', encoding="utf-8")
    place = read_record_file(path).console_key
    assert not place.exists()
    make_key(place)
    key = read_key(place)
    make_key(place)
    assert (len(key), read_key(place)) == (32, key)
    (tmp_path / "keys").chmod(0o644)
    with pytest.raises(NotationError, match="chmod 600"):
        read_record_file(path)
    (tmp_path / "keys").write_text("short", encoding="utf-8")
    with pytest.raises(NotationError, match="64 hexadecimal"):
        read_record_file(path)


def test_with_a_broker_of_its_own_a_recorder_takes_sealed_orders_alone(tmp_path: Path) -> None:
    """Anyone who else has a login at the machine is no director, though nobody set anything up."""
    path = tmp_path / "venue.toml"
    for url, place in (("auto", tmp_path / "record" / KEY_NAME), ("mqtt://h", None)):
        path.write_text(f'{TABLE}\n[broker]\nurl = "{url}"\n', encoding="utf-8")
        assert read_record_file(path).console_key == place


def test_a_check_prints_what_a_set_of_the_clubs_own_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As for settings of the table: both are what the organisers set."""
    path, own = tmp_path / "venue.toml", tmp_path / "club.toml"
    path.write_text(f'{TABLE}rules = "club"\noverrides = {{ hold.max_s = 30 }}\n', encoding="utf-8")
    own.write_text('extends = "wespa4"\n[settings]\novertime.points = 5\n', encoding="utf-8")
    assert tilecast.main(["record", "--check", str(path)]) == 0
    assert "club, hold.max_s = 30, overtime.points = 5, " in capsys.readouterr().out
    own.write_text('extends = "wespa4"\novertime.points = 5\n', encoding="utf-8")
    assert tilecast.main(["record", "--check", str(path)]) == 1
    wanted = "club.toml line 2: 'overtime' is a setting: write it below [settings]"
    assert wanted in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("overrides = { hold.max_s = 30,\n  overtime.points = 5 }", "must be on one line"),
        ("rules = \u201cwespa4\u201d", "write straight quotes"),
        ('words = "C:\\words.txt"', "write a path in single quotes or with /"),
        ('words = "lists\\table"', "write a path in single quotes or with /"),
        ('words = "lists\\words"', "write a path in single quotes or with /"),
        ('players = ["Ada" "Ben"]', "a comma or ] is missing"),
        ('words = "a"\nwords = "b"', "a key stands once in a section"),
    ],
)
def test_toml_that_people_often_get_wrong_is_told_with_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, remedy: str
) -> None:
    """In the venue's file and in a rule set's alike, with the line."""
    path, own = tmp_path / "venue.toml", tmp_path / "club.toml"
    path.write_text(f"{TABLE}{line}\n", encoding="utf-8")
    own.write_text(f"{line}\n", encoding="utf-8")
    for told in (["record", "--check", str(path)], ["rules", "show", str(own)]):
        assert tilecast.main(told) == 1
        said = capsys.readouterr().err
        assert remedy in said
        assert "at line " in said


def test_a_file_in_the_place_of_the_folder_is_told_by_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not only when the first game is to begin; also where it is a folder above."""
    path = tmp_path / "venue.toml"
    (tmp_path / "record").write_text("", encoding="utf-8")
    for folder in ("record", "record/today"):
        path.write_text(f'{TABLE}\n[recorder]\nfolder = "{folder}"\n', encoding="utf-8")
        assert tilecast.main(["record", "--check", str(path)]) == 1
        assert f"{tmp_path / 'record'} is a file; name a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('[broker]\nurl = "http://host"\n' + TABLE, "expected mqtt://host"),
        ('[broker]\nurl = "mqtt://u:secret@host:abc"\n' + TABLE, "abc"),
        ('[broker]\nurl = "mqtt://u:secret@host:99999"\n' + TABLE, "0-65535"),
        ('[broker]\nurl = "secret@host"\n' + TABLE, 'or one of "auto"'),
        (TABLE.replace('"Ben"', '" ADA "'), "two names that differ"),
        (TABLE.replace('"Ben"', '" "'), "two names"),
        (TABLE.replace("board-camera", "bord-camera"), "(did you mean board-camera?)"),
    ],
)
def test_a_file_that_is_half_right_is_refused(tmp_path: Path, text: str, wanted: str) -> None:
    """Before a game: by file, key and remedy, and without the password that is in it."""
    with pytest.raises(NotationError) as refused:
        started(tmp_path, text)
    assert wanted in str(refused.value)
    assert "venue.toml" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_the_usual_time_is_that_of_the_rules(tmp_path: Path) -> None:
    """An override of the playing time sets both clocks; ``minutes`` goes before it."""
    shorter = f'{TABLE}rules = "naspa"\noverrides = {{ timer.limit_s = 1200 }}\n'
    assert started(tmp_path, shorter).starts_ms == (1_200_000, 1_200_000)
    assert started(tmp_path, f"{shorter}minutes = 22\n").starts_ms == (1_320_000, 1_320_000)
    assert started(tmp_path, TABLE).starts_ms == (1_500_000, 1_500_000)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('rules = "wespa5"', "no rule set 'wespa5'; did you mean wespa4"),
        ("overrides = { overtime.price = 5 }", r"line 7: .*unknown setting 'overtime\.price'"),
        ('\n[table.overrides]\ntimer.limit_s = "long"', r"line 9: .*can be a whole number"),
        ("overrides = { timer.limit_s = 2026-01-01 }", r"it can be a whole number \(seconds\)"),
        ("overrides = 5", "overrides must be a table of parameters"),
        ('confirmed = "overtime"', "confirmed must be a list of names"),
        ('confirmed = ["overtme"]', "did you mean overtime"),
        ('confirms = ["overtime"]', r"confirms' \(did you mean confirmed\?\); allowed: .*"),
    ],
)  # fmt: skip
def test_a_mistake_about_the_rules_is_named(tmp_path: Path, lines: str, message: str) -> None:
    """File and table first, then what is wrong and what is allowed."""
    with pytest.raises(NotationError, match=rf"venue\.toml \[\[table\]\] 1: .*{message}"):
        started(tmp_path, f"{TABLE}{lines}\n")


@pytest.mark.parametrize("rules", rule_set_names())
def test_the_demonstration_is_played_under_any_rule_set(tmp_path: Path, rules: str) -> None:
    """Its file names the set that was asked for, and is one that the recorder takes."""
    parser = CommandParser()
    register_demo(parser.add_subparsers(), lambda frame, _: frame)
    asked = parser.parse_args(["demo", "--rules", rules])
    game = started(tmp_path, venue_toml("auto", ["Ada", "Ben"], "english", rules=asked.rules))
    assert game.rules == rules


def test_a_word_list_is_named_in_the_record_with_its_checksum(tmp_path: Path) -> None:
    """By a path beside the file; one that cannot be read is named."""
    (tmp_path / "mine.txt").write_text("CAT\nDOG\n")
    path = tmp_path / "venue.toml"
    text = example().replace('# words = "lists/mine.kwg" ', 'words = "mine.txt" ')
    path.write_text(text)
    table = read_record_file(path).plan.tables[0]
    assert table.words.valid(read_tiles("CAT"))
    assert table.started.words == ("mine", table.words.sha256)
    path.write_text(text.replace("mine.txt", "no.txt"))
    with pytest.raises(NotationError, match=r"words: .*no\.txt: No such file"):
        read_record_file(path)


@pytest.mark.parametrize(
    ("said", "instead", "named"),
    [('"g1"', '".."', "game"), ('"g1"', '".hidden"', "game"), ('"Ben"', '"  "', "two names"),
     ('"Ben"', '""', "two names")],
)  # fmt: skip
def test_names_that_lead_elsewhere_or_nowhere_are_refused(
    tmp_path: Path, said: str, instead: str, named: str
) -> None:
    """Files and folders are named after a game; a player without a name is nobody."""
    with pytest.raises(NotationError, match=named):
        started(tmp_path, TABLE.replace(said, instead))


def test_what_editors_of_other_systems_leave_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mark at the beginning and their ends of lines are read; their quotes are named."""
    file = tmp_path / "venue.toml"
    file.write_bytes(b"\xef\xbb\xbf" + example().replace("\n", "\r\n").encode())
    assert tilecast.main(["record", "--check", str(file)]) == 0
    file.write_text(example().replace('tiles = "english"', "tiles = \u201cenglish\u201d"), "utf-8")
    assert tilecast.main(["record", "--check", str(file)]) == 1
    assert "write straight quotes" in capsys.readouterr().err
