"""Records in JSON forms: what is written is read again as the same game; what is none is named."""

import json
from pathlib import Path

import pytest

import tilecast
from recorder.gcg import read_gcg
from recorder.gcg.history import game_history
from recorder.woogles.records import document_of, read_record
from tests.woogles.test_mirrored_games import GOLDEN, PUBLIC, WHOLE

FILES = [file for file in sorted(GOLDEN.glob("*.gcg")) if "unknown_letter" not in file.name]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_document_is_the_same_game(file: Path):
    game = read_gcg(file.read_bytes())
    again = read_record(json.dumps(document_of(game)).encode())
    assert again.final == game.final
    assert again.ok, again.faults
    placements = [event.placement for event in game.events if hasattr(event, "placement")]
    assert [e.placement for e in again.events if hasattr(e, "placement")] == placements


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_history_is_the_same_game(file: Path):
    game = read_gcg(file.read_bytes())
    again = read_record(json.dumps(game_history(game)).encode())
    assert again.final == game.final
    assert again.ok, again.faults


@pytest.mark.skipif(not PUBLIC, reason="no shared GCG files here (TILECAST_SHARED)")
def test_public_games_as_documents():
    for file in (file for file in PUBLIC if file.stem in WHOLE):
        game = read_gcg(file.read_bytes())
        again = read_record(json.dumps(document_of(game)).encode())
        assert (again.final, again.ok) == (game.final, True), (file.name, again.faults)


def test_names_of_the_other_spelling_are_read_too():
    game = read_gcg((GOLDEN / "umlauts_and_a_blank.gcg").read_bytes())
    text = json.dumps(game_history(game))
    for name in ("played_tiles", "player_index", "letter_distribution", "real_name"):
        first, *rest = name.split("_")
        text = text.replace(f'"{name}"', f'"{first}{"".join(part.title() for part in rest)}"')
    assert read_record(text.encode()).final == game.final


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "Expecting"),
        ("{}", "no events"),
        ('{"events": [], "players": [1]}', "two players"),
        ('{"events": [7], "players": [{}, {}]}', "event 1 is not an object"),
        ('{"events": [{"type": "DANCE"}], "players": [{}, {}]}', "'DANCE' is not a known event"),
        ('{"events": [{"score": 1.5}], "players": [{}, {}]}', "score: a whole number"),
        ('{"events": [], "players": [{}, {}], "letter_distribution": "klingon"}', "klingon"),
        (
            '{"events": [], "players": [{}, {}], "letter_distribution": "dutch", "board": {}}',
            "dutch",
        ),
    ],
)
def test_what_is_no_record_is_named(text: str, says: str):
    game = read_record(text.encode())
    assert not game.ok
    assert says in " ".join(fault.message for fault in game.faults)


@pytest.mark.slow
def test_records_where_people_give_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = GOLDEN / "doubled_end_rack_then_overtime.gcg"
    for form in ("history", "document"):
        assert tilecast.main(["gcg", "show", str(source), "--format", form]) == 0
        file = tmp_path / f"{form}.json"
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        assert tilecast.main(["gcg", "check", str(file)]) == 0
        assert ": ok, 2 plays" in capsys.readouterr().out
