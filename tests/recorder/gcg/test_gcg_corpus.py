"""Real game records, read where they are at hand: ``TILECAST_SHARED`` or ``../shared``.

The records are not part of this repository; without them these tests are skipped.
"""

import json
import os
import tarfile
from pathlib import Path

import pytest

from recorder.domain.game import replay
from recorder.gcg import GcgGame, read_gcg, write_gcg
from tests.cases import first_of

ROOT = Path(__file__).parents[3]
CORPUS = Path(os.environ.get("TILECAST_SHARED", ROOT.parent / "shared")) / "gcg"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CORPUS.is_dir(),
        reason=f"no game records in {CORPUS}; set TILECAST_SHARED to the folder that holds gcg/",
    ),
]


def games(folder: str) -> dict[str, GcgGame]:
    paths = sorted((CORPUS / folder).glob("*.gcg"))
    return {path.name: read_gcg(path.read_bytes()) for path in paths}


def test_every_clean_record_replays_exactly() -> None:
    """No error, every score as recorded, finals and plays as the manifest says."""
    manifest = {
        entry["file"]: entry for entry in json.loads((CORPUS / "manifest.json").read_text())
    }
    clean = games("clean")
    assert len(clean) == len(manifest) > 100
    for name, game in clean.items():
        entry = manifest[f"clean/{name}"]
        assert game.ok, (name, game.faults)
        assert "score_differs" not in {fault.fault for fault in game.faults}, name
        assert (f"{game.final[0]}-{game.final[1]}", game.plays) == (entry["final"], entry["plays"])
        assert replay(game.tile_set, game.events).scores == game.final


@pytest.mark.slow
@pytest.mark.parametrize("every", first_of(1, [4, 1]), ids=["every fourth", "all"])
def test_sound_records_survive_writing(every: int) -> None:
    """Written and read again: the same events, no error, and then stable to the byte."""
    sound = games("clean") | games("racks_contradict")
    for name, game in [*sound.items()][::every]:
        text = write_gcg(game)
        again = read_gcg(text)
        assert again.ok, (name, again.faults)
        known = [event for event in game.events if getattr(event, "rack", "?")]
        assert [event for event in again.events if event in known] == known, name
        assert len(again.events) == len(game.events)
        assert again.final == game.final
        assert write_gcg(again) == text


def test_racks_that_contradict_each_other_are_warnings_only() -> None:
    """Right boards and scores with guessed racks: each is reported, none is an error."""
    for name, game in games("racks_contradict").items():
        assert game.ok, (name, game.faults)
        assert game.faults, name


def test_broken_records_give_located_faults_and_no_traceback() -> None:
    """Whatever is broken in them: a name, a line of the file, and words."""
    broken = games("broken")
    told = [name for name, game in broken.items() if game.faults]
    assert len(told) >= 0.8 * len(broken) > 40
    for name, game in broken.items():
        lines = (CORPUS / "broken" / name).read_bytes().count(b"\n") + 1
        for fault in game.faults:
            assert 1 <= fault.line <= lines, name
            assert fault.fault, name
            assert fault.message, name
    for name in ("test_testdata_success_just_last_rack", "core_testdata_utf8_dos"):
        assert broken[f"{name}.gcg"].ok


@pytest.mark.slow
@pytest.mark.parametrize("every", first_of(1, [5, 1]), ids=["a hundred", "all"])
def test_five_hundred_computer_games_replay_exactly(every: int) -> None:
    """Every score of every play, against another program's."""
    with tarfile.open(CORPUS / "selfplay-500.tar.gz") as archive:
        members = [archive.extractfile(member) for member in archive if member.isfile()]
        records = [member.read() for member in members if member is not None]
    assert len(records) == 500
    for record in records[::every]:
        game = read_gcg(record)
        assert game.faults == ()
        assert game.plays > 5
