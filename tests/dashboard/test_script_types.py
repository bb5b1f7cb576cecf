"""The pages' scripts are checked against what comes over the wire; needs Node and npm."""

import json
import os
import queue
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.commentator.analysis import Analysis, Question, load_lists
from dashboard.commentator.worker import Worker
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from dashboard.live.messages.channel import Channel, Viewer, hello, pong
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.sensor_state import table_at
from dashboard.live.views import evidence
from dashboard.overlays.extras import OverlayExtras
from dashboard.web.director import glance
from dashboard.web.phone_socket import DeviceLine, device_name
from dashboard.woogles.kept import SUFFIX, Kept, MirrorState
from recorder.declared.codec import Json
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPoints,
    Exchanged,
    Played,
    Withdrawn,
)
from recorder.domain.instruments import BagWeighed, CountEstimate
from recorder.domain.notices import Notice, Phase, TableNotice, coded, in_words
from recorder.domain.observations import (
    Acted,
    ClockPressed,
    DeviceLost,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
    TurnAct,
)
from recorder.domain.orders import Act, Banner, BeginProcedure, Note, Order, Sign, Undo
from recorder.domain.plays import parse_placement
from recorder.domain.record import NoticeGiven
from recorder.domain.row_kind import Kind
from recorder.domain.rules.core.disclosure import route
from recorder.domain.tile_text import read_tiles
from recorder.frames.desk import MirrorDifference
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.port import Row
from recorder.projections.sheet import SheetLine
from recorder.rulesets import load_rule_set
from recorder.table.order_rows import order_preview
from recorder.texts.telling import preview_with_texts
from recorder.wire.coded_text import encode_coded
from recorder.wire.control import Ack, Command, TimeReply, encode
from recorder.wire.events import encode_event
from recorder.wire.orders import TableOrder, encode_order
from recorder.wire.rows import write_row
from recorder.wire.topics import Down, DownChannel
from tests import script_frames, script_messages
from tests.dashboard.table_writer import OPENING, TableWriter, look_at

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "dashboard" / "static" / "js"
CHECK = ROOT / ".ci" / "scripts"
KEY = "director-key-1"
TOURNAMENT = """
title = "Open"
round = 5
[next]
players = ["Ben", "Cleo"]
at = "14:00"
[[player]]
name = "Anna"
wins = 3
losses = 1
spread = 212
"""


with_node = pytest.mark.skipif(
    shutil.which("node") is None or shutil.which("npm") is None,
    reason="needs Node and npm: apt install nodejs npm",
)


def test_the_scripts_have_the_messages_that_the_readers_take() -> None:
    """A message has changed? ``make schema`` writes their types again."""
    assert script_messages.FILE.read_text(encoding="utf-8") == script_messages.text()


@pytest.mark.parametrize("file", script_frames.FILES)
def test_the_scripts_have_the_frames_that_python_declares(file: str) -> None:
    """A frame has changed? ``make schema`` writes its type again."""
    path = script_frames.SCRIPTS / file
    assert path.read_text(encoding="utf-8") == script_frames.texts()[path]


def checked(folder: Path, *include: str) -> tuple[int, str]:
    """What the check says of files, with the settings of the house: exit code and words."""
    settings = {
        "extends": str(ROOT / ".ci" / "tsconfig.json"),
        "include": list(include),
        "exclude": ["shared/dom.js"],
    }
    (folder / "tsconfig.json").write_text(json.dumps(settings))
    subprocess.run(
        [str(CHECK), "--version"], capture_output=True, check=True
    )  # fetched if not there
    done = subprocess.run(
        [str(CHECK), "--project", str(folder)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableWriter]:
    """A table where a little of everything happens, until a play is forming on the board."""
    table = TableWriter(tmp_path / "log.db", at=1_000_000)
    table.start()
    for said in sensed(table):
        table.observe(said, "sensor")
    candidate = encode_event(ChallengeBonus(0, 5))
    other = {"log_odds": -1.5, "events": [dict(zip(("type", "data"), candidate, strict=True))]}
    doubt = {"reasons": ["8D reads Z or N"], "alternatives": [other], "squares": ["8D"]}
    first = table.play(0, OPENING[0], doubt=doubt, refs=[2])
    table.record(ChallengeBonus(0, 5))
    table.record(Exchanged(1, 3))
    table.correct(first.seq, Played(0, parse_placement(OPENING[0]), 99))
    for number, text in enumerate(OPENING[1:4]):
        table.play(number % 2, text)
    table.record(Withdrawn(0, 0))
    ruled(table, Banner(text="Ten minutes"), "o1")
    ruled(table, Note(text="asked for the rules"), "o2")
    ruled(table, Undo(order="o2"), "o3")
    ruled(table, Sign(player=0), "o4")
    ruled(table, BeginProcedure(key="p", code="overdraw", facts={"tiles": 1}), "o5")
    table.write(Kind.RECORDED, noticed(first))
    assert table.state is not None
    table.observe(look_at(table.state, {"1A": "Q"}), "cam")
    table.observe(Acted(side=Side.LEFT, act=TurnAct.HOLD), "pad")
    yield table
    table.log.close()


def sensed(table: TableWriter) -> list[Observation]:
    """What each kind of sensor says."""
    assert table.state is not None
    count = CountEstimate(count=80, probability=0.9)
    return [
        look_at(table.state, {"8D": "Z"}, picture="0" * 64),
        RackSeen(
            side=Side.LEFT,
            letters=read_tiles("RETAINS"),
            slots=read_tiles("RETAINS"),
            confidence=0.98,
            doubtful=(2,),
        ),
        RackTyped(side=Side.RIGHT, letters=read_tiles("AEIOU?")),
        RackCounted(side=Side.RIGHT, places="#######...", confidence=0.99),
        BagWeighed(grams=200.0, spread_g=0.1, settled=True, taken=None, tiles=count),
        ClockPressed(side=Side.LEFT, left_ms=1_400_000, right_ms=1_500_000, running=Side.RIGHT),
        DeviceLost(device="rack-2", reason=in_words("unplugged")),
    ]


def ruled(table: TableWriter, act: Act, name: str) -> None:
    """A director's order, as the recorder keeps it."""
    order = Order(id=name, who="Dora", act=act)
    type_name, data = encode_order(TableOrder(table=table.table, order=order))
    table.write(Kind.RULED, {"type": type_name, "data": data})


def noticed(turn: Row) -> Json:
    code, fault = Notice.ILLEGAL_PLACEMENT, "not_touching"
    routing = route(load_rule_set("wespa1"), code, Phase.PLAYING, fault)
    numbers = {"fault": fault}
    one = TableNotice(ref=turn.seq, refs=(), code=code, player=0, numbers=numbers, routing=routing)
    return write_row(NoticeGiven(notice=one))


def models(table: TableWriter, folder: Path) -> list[tuple[str, Any]]:
    """What audiences are sent, each with the type that the scripts give it."""
    words = folder / "words.txt"
    words.write_text("ZEPHYR\nZEPHYRS\nRETAINS\n")
    (folder / "t.toml").write_text(TOURNAMENT)
    extras = OverlayExtras(folder / "t.toml", None)
    analysis = Analysis(lists=load_lists(words))
    hub = Hub(0, lambda: table.at, extras.dress, analysis)
    hub.take(Batch(tuple(table.rows), anew=False, caught_up=True))
    shown = {role: hub.channel(1, role).model for role in (*Role,) if role in SEEN_BY}
    director = shown[Role.DIRECTOR]
    assert director is not None
    line = SheetLine(n=1, player=0, kind="play", score=9, totals=(9, 0), word="CAT", words=("CAT",))
    doubts = [encode_coded(coded("two_plays_in_one_look"))]
    change = {"entries": ["1.0"], "before": [], "after": [line.as_json()], "doubts": doubts}
    preview = preview_with_texts(order_preview(None, (0, 0), (9, 0), [change]))
    ask = Question("english", "." * 225, "RETAINS")
    live, view = hub.commentator(1)
    return [
        *((SEEN_BY[role], without_nulls(model)) for role, model in shown.items() if model),
        *(
            (name, without_nulls(channel.model))
            for name, channel in (
                ("frames.WatchModel", hub.watched(1)),
                ("frames.HallModel", hub.hall),
            )
            if channel.model
        ),
        ("frames.Setup", hub.setup(1)),
        ("frames.Play[]", list(Worker(words).answer(ask).plays)),
        ("frames.DrawOdds", view.draw(live, "Q?", 3)),
        ("desk.Glance", without_nulls(glance(1, director))),
        ("desk.Moment", without_nulls(table_at(table.rows, 1, table.rows[-1].seq))),
        *(("desk.LogRow", evidence(row)) for row in table.rows[:3]),
        ("desk.OrderPreview", {key: preview[key] for key in preview if key not in {"v", "id"}}),
    ]


SEEN_BY = {
    Role.VIEWER: "frames.Frame",
    Role.OVERLAY: "frames.Frame",
    Role.COMMENTATOR: "frames.BoothModel",
    Role.DIRECTOR: "desk.DeskModel",
}


def answers(log: Path) -> list[tuple[str, Any]]:
    access = Access(director_token=KEY, commentator_token="commentator-1")
    differs = MirrorDifference(
        key="3", what="edited", ours="CAT", theirs="COT", turn=3, choices=["replace", "leave"]
    )
    with Kept(log.with_suffix(SUFFIX)) as kept:
        kept.put(MirrorState(game="1", table=1, state="differs", difference=differs))
        kept.note("1", 1, "another turn")
    app = create_app(Settings(log=log, access=access))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        guard = client.app.state.guard  # type: ignore[attr-defined]
        password = guard.accounts.first_password(guard.now())
        client.post("/login", data={"name": "admin", "password": password})
        forms = client.get("/api/table/1/incidents").json()["incidents"]
        client.headers["origin"] = "http://127.0.0.1:8015"
        client.post("/api/tokens", json={"label": "OBS", "scope": "racks:*"})
        return [
            ("desk.Incident[]", forms),
            ("desk.DeskState", client.get("/api/desk").json()),
            ("desk.Mirror[]", client.get("/api/mirrors").json()),
            ("frames.Slot[]", client.get("/api/slots").json()["slots"]),
            ("frames.Access", client.get("/api/access").json()),
            ("frames.Token[]", client.get("/api/tokens").json()),
        ]


def messages(frame: Json) -> list[tuple[str, Any]]:
    """What comes over a WebSocket beside the models: to a page, and to a phone at the table."""
    channel, viewer, line = Channel(), Viewer(), queue.Queue[Json]()
    channel.viewers.add(viewer)
    channel.publish("e", 1, frame)
    channel.publish("e", 2, {**frame, "banner": "other"})
    sent = [
        hello("1", 2),
        pong({"t": 1.5}, 2),
        viewer.queue.get_nowait(),
        viewer.queue.get_nowait(),
    ]
    broker = MemoryBroker()
    phone = DeviceLine("clock", 1, "main", lambda _, will: MemoryBus(broker, will=will), line.put)
    phone.open("0a1b2c3d", "a phone")
    recorder = MemoryBus(broker)
    recorder.start()
    said = {
        DownChannel.ACK: encode(Ack(boot="0a1b2c3d", upto=3)),
        DownChannel.COMMAND: encode(Command(id="c1", cmd="beep", args={"ms": 200})),
        DownChannel.TIME: encode(TimeReply(t_ms=1, received_ms=2, sent_ms=3)),
    }
    for down, payload in said.items():
        recorder.publish(str(Down("main", device_name("clock", 1), down)), payload)
    heard = [line.get(timeout=60) for _ in range(4)]
    phone.close("done")
    recorder.stop()
    return [
        *(("frames.LinkMessage<frames.Frame>", json.loads(one)) for one in sent),
        *(("frames.DeviceMessage", one) for one in heard),
    ]


def typed(told: list[tuple[str, Any]]) -> str:
    """A script that gives each model its type: a field too much or too little is a fault."""
    heads = [
        f'import type * as {name} from "{SCRIPTS / declarations}";'
        for name, declarations in (("frames", "shared/frames"), ("desk", "director/models"))
    ]
    lines = [
        f"export const told{at}: {name} = {json.dumps(model)};"
        for at, (name, model) in enumerate(told)
    ]
    return "\n".join([*heads, *lines])


@with_node
def test_what_is_sent_is_what_the_scripts_expect(table: TableWriter, tmp_path: Path) -> None:
    """Every model as it is made here fits its declaration: no field is missing, none is unknown."""
    playing = [*models(table, tmp_path), *answers(tmp_path / "log.db")]
    frame = dict(playing)["frames.Frame"]
    assert frame["call"]
    assert frame["forming"]
    assert frame["event"]
    table.record(EndRackPoints(0, 6, read_tiles("Q")))
    table.record(Conceded(1, 50, "forfeit"))
    told = [*playing, *models(table, tmp_path), *messages(frame)]
    assert len({one["type"] for name, one in told if "Message" in name}) == 8
    (tmp_path / "told.ts").write_text(typed(told))
    code, said = checked(tmp_path, "told.ts")
    assert (code, said) == (0, "")


@with_node
@pytest.mark.further
def test_a_field_that_is_misspelt_or_not_declared_is_found(
    table: TableWriter, tmp_path: Path
) -> None:
    """The check names it: on every kind of page, and in a frame; what is missing too."""
    (_, frame), *_ = models(table, tmp_path)
    more = {**frame, "clock": {**frame["clock"], "tenths": True}}
    less = {key: value for key, value in frame.items() if key != "board"}
    misspelt = {
        "overlay/widgets/graph.js": ("frame.scores", "frame.scroes"),
        "commentator/sheet.js": ("line.spent_ms", "line.spent"),
        "director/procedures/attention.js": ("need.procedure", "need.procedur"),
        "phone/clock.js": ("setup.starts_ms", "setup.starts"),
    }
    copy = tmp_path / "js"
    shutil.copytree(SCRIPTS, copy)
    for file, (right, wrong) in misspelt.items():
        text = (copy / file).read_text()
        assert right in text
        (copy / file).write_text(text.replace(right, wrong, 1))
    (copy / "told.ts").write_text(typed([("frames.Frame", more), ("frames.Frame", less)]))
    code, said = checked(copy, "told.ts", *misspelt)
    assert code != 0
    assert "tenths\"' does not exist in type 'Clocks'" in said
    assert "'board' is missing" in said
    for file, (_, wrong) in misspelt.items():
        lacks = f"'{wrong.split('.')[1]}' does not exist"
        assert any(f"{file}(" in line and lacks in line for line in said.splitlines()), said


def test_without_node_nothing_is_checked_and_that_is_said(tmp_path: Path) -> None:
    """No page needs Node, so a machine without it passes, in one line that shows it."""
    for name in ("bash", "dirname"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    done = subprocess.run(
        [str(CHECK)],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "NOT CHECKED: no node" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_the_checker_is_locked_without_an_address() -> None:
    """One exact version with its hash; where it comes from is the installer's business."""
    text = (ROOT / ".locks" / "scripts" / "package-lock.json").read_text(encoding="utf-8")
    wanted = json.loads((ROOT / ".locks" / "scripts" / "package.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in json.loads(text)["packages"].items() if name}
    assert packages["node_modules/typescript"]["version"] == wanted["devDependencies"]["typescript"]
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert "://" not in text
