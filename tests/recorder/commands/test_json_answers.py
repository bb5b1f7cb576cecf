"""``--json`` and the exit status are alike for every command."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

import tilecast
from devices.agent_process import table_file
from recorder.service import venue_file
from tests.command_pages import commands

pytestmark = pytest.mark.slow

WITHOUT = {"obs", "clock", "calibrate page", "completion"}
"""They run until they are told to end, or print what a shell reads."""
ALL = dict(commands(tilecast._parser()))
ANSWERS = {words for words, one in ALL.items() if "--json" in one._option_string_actions}
NEVER_AT_FAULT = {"devices", "simulate viewers"}
AT_FAULT = """
demo --once --gcg nowhere.gcg
read nowhere.jpg
tilecheck nowhere.jpg
replay nowhere
watch nowhere.mp4
eyes report nowhere
eyes disturb nowhere
eyes train --out weights --fonts nowhere
record nowhere.toml --check
agent nowhere.toml --check
venue nowhere --check
dashboard --log nowhere.db --words nowhere.kwg --check
init hall --yes --delay -1
status nowhere
doctor --broker http://127.0.0.1
doctor venue nowhere
doctor clock clock-7 --broker http://127.0.0.1
scenario nowhere.scn
correct nowhere.db
gcg check nowhere.gcg
gcg show nowhere.gcg
rules show wespa5
rules diff wespa1 wespa5
words check nowhere.txt
event standings nowhere.js
event pair nowhere.js --method koth
event check nowhere.js
event order nowhere/tilecast.db about Hall
event export nowhere.js --format csv
event print nowhere.js --sheet standings --output sheet.pdf
event back nowhere.js nowhere.db
export site nowhere.db site
log verify nowhere.db
log copy nowhere.db other.db
log backup nowhere.db copy.db
log restore nowhere.db tilecast.db
log migrate nowhere.db
log repair nowhere.db
woogles --log nowhere.db --check
users list nowhere.access
users set new.access Ann --role admin --password-stdin
users remove nowhere.access Ann
printables --out nowhere/sheet.pdf
calibrate camera nowhere.toml
calibrate racks nowhere.toml
calibrate scale nowhere.toml
calibrate clock nowhere.toml
"""


def test_every_command_answers_in_json_or_runs_until_it_is_told_to_end() -> None:
    assert set(ALL) - ANSWERS == WITHOUT
    tried = {name for name in ANSWERS for line in _lines() if f"{line} ".startswith(f"{name} ")}
    assert tried == ANSWERS - NEVER_AT_FAULT


def _lines() -> list[str]:
    return AT_FAULT.strip().splitlines()


def test_a_fault_is_status_1_and_named_beside_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On standard error or, where there is a document of findings, in it; nothing else comes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    for line in _lines():
        status = tilecast.main([*line.split(), "--json"])
        out, err = capsys.readouterr()
        assert status == 1, line
        assert "Traceback" not in err, line
        assert json.loads(out) if out else err.strip(), line


def test_what_was_done_is_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those commands that do something and have little to say."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("long enough, surely\n" * 2))
    assert tilecast.main(["event", "order", "tilecast.db", "about", "name", "Hall"]) == 0
    capsys.readouterr()
    Path("venue.toml").write_text(venue_file.example(), "utf-8")
    Path("table.toml").write_text(table_file.example(), "utf-8")

    def said(line: str) -> Any:
        assert tilecast.main([*line.split(), "--json"]) == 0, line
        return json.loads(capsys.readouterr().out)

    assert {one["table"] for one in said("record --check venue.toml")["tables"]} == {1}
    assert {"name": "cam-1", "kind": "board-camera"} in said("agent --check table.toml")["devices"]
    whole = said("log verify tilecast.db")
    assert whole["rows"] > 0
    of_copy = {"rows": whole["rows"], "head": whole["head"]}
    assert said("log backup tilecast.db copy.db") == {"copy": "copy.db", **of_copy}
    assert said("log copy tilecast.db other.db") == of_copy
    assert said("log restore copy.db tilecast.db")["aside"].startswith("tilecast.db.before")
    assert said("log migrate tilecast.db")["steps"] == []
    said("users set a.access Ann --role admin --password-stdin")
    said("users set a.access Bo --role scorer --table 2 --password-stdin")
    assert {"name": "Bo", "role": "scorer", "table": 2} in said("users list a.access")
    assert said("users remove a.access Bo") == {"removed": "Bo"}
    assert said("printables --out sheet.svg") == {"file": "sheet.svg", "sheet": "markers"}
    assert set(said("devices")) == {"ports", "cameras"}
    with pytest.raises(SystemExit, match="2"):
        tilecast.main(["log", "verify", "--json"])
    assert tilecast.main(["record", "venue.toml", "--json"]) == 2
    assert capsys.readouterr().out == ""
