"""``tilecast doctor`` on real brokers, with and without a recorder."""

import json
from pathlib import Path

import pytest

import tilecast
from recorder.bus.broker import BrokerHandle, free_port
from recorder.bus.mqtt import MqttBus
from recorder.commands.trials.doctor import Check, Doctor, Grade
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from tests.recorder.session_table import VENUE, plan

KINDS = ("mosquitto", "amqtt")

pytestmark = pytest.mark.broker


@pytest.mark.parametrize("broker", KINDS, indirect=True)
def test_the_doctor_finds_what_the_broker_gives_and_a_recorder_stores_the_probe(
    broker: BrokerHandle, tmp_path: Path
):
    """What the contract tests know of the two is what the doctor finds by trying."""
    told: list[Check] = []
    with SqliteEventLog(tmp_path / "log.db") as store:
        recorder = Recorder(
            plan(tmp_path / "x.gcg"), MqttBus(broker.url, "recorder-r1"), store, wall_ms
        )
        recorder.start()
        try:
            is_well = Doctor(broker.url, VENUE, told.append).examine()
        finally:
            recorder.stop()
        rows = [row for row in store.read_from(1) if row.body["type"] == "doctor.probe"]
    grades = {finding.what: finding.grade for finding in told}
    assert is_well
    assert len(rows) == 1
    for what in ("connection", "round trip", "retained messages", "will", "probe event"):
        assert grades[what] is Grade.OK, told
    assert grades["recorder r1"] is Grade.OK
    assert grades["time of the recorder"] is Grade.OK
    assert grades["persistence"] is Grade.UNKNOWN
    is_whole = broker.kind == "mosquitto"
    assert grades["redelivery at QoS 1"] is (Grade.OK if is_whole else Grade.WEAK)


def test_a_recorder_whose_clock_is_an_hour_off_is_told(
    broker: BrokerHandle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """With how far and which way; the probe is stored all the same."""
    for ahead_ms, said in (
        (3_600_000, "60 min ahead of this machine's"),
        (-3_600_000, "60 min behind this machine's"),
    ):
        with SqliteEventLog(tmp_path / f"{ahead_ms}.db") as store:
            bus = MqttBus(broker.url, "recorder-r1")
            recorder = Recorder(
                *(plan(tmp_path / "x.gcg"), bus, store, lambda ms=ahead_ms: wall_ms() + ms)  # type: ignore[misc]
            )
            recorder.start()
            try:
                words = ["doctor", "--broker", broker.url, "--venue", VENUE, "--json"]
                status = tilecast.main(words)
            finally:
                recorder.stop()
        found = {one["what"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
        assert (status, found["probe event"]["grade"]) == (0, "ok")
        assert said in found["time of the recorder"]["words"]
        assert found["time of the recorder"]["grade"] == "weak"


def test_without_a_recorder_the_doctor_says_so(
    broker: BrokerHandle, capsys: pytest.CaptureFixture[str]
):
    """With the command that starts one; the exit status is 1."""
    assert tilecast.main(["doctor", "--broker", broker.url, "--venue", "empty", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False
    last = document["findings"][-1]
    assert (last["what"], last["grade"]) == ("probe event", "bad")
    assert "tilecast record" in last["words"]


def test_without_a_broker_the_doctor_names_the_address(capsys: pytest.CaptureFixture[str]):
    url = f"mqtt://user:secret@127.0.0.1:{free_port()}"
    assert tilecast.main(["doctor", "--broker", url]) == 1
    shown = capsys.readouterr().out
    assert "127.0.0.1" in shown
    assert "nothing listens at port" in shown
    assert "secret" not in shown


def test_a_clock_is_not_blamed_for_a_broker_that_is_not_there(capsys: pytest.CaptureFixture[str]):
    url = f"mqtt://127.0.0.1:{free_port()}"
    assert tilecast.main(["doctor", "clock", "clock-1", "--broker", url]) == 1
    said = capsys.readouterr()
    assert f"nothing listens at port {url.rpartition(':')[2]} of 127.0.0.1" in said.err
    assert said.out == ""


def test_options_before_what_is_examined_hold(capsys: pytest.CaptureFixture[str]):
    """A broker that stands before ``clock`` is the one that is tried, and not this machine's."""
    port = free_port()
    asked = ["--json", "--broker", f"mqtt://127.0.0.1:{port}"]
    assert tilecast.main(["doctor", *asked, "clock", "clock-1"]) == 1
    assert f"port {port} of 127.0.0.1" in capsys.readouterr().err
    other = f"mqtt://127.0.0.1:{free_port()}"
    assert tilecast.main(["doctor", *asked, "clock", "clock-1", "--broker", other]) == 1
    assert f"port {other.rpartition(':')[2]} of" in capsys.readouterr().err
