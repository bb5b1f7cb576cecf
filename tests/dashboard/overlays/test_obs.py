"""OBS follows the game: a real client, a real dashboard, and a server that speaks obs-websocket 5.

The server is written from the protocol's document (hello, identify with a challenge, requests); it
keeps scenes and chapters as OBS does, and knows nothing of the game.
"""

import asyncio
import base64
import hashlib
import os
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import tilecast
from dashboard.obs.collection import scenes_for
from dashboard.obs.following import MarkChapter, SceneNames, SwitchTo, wishes
from dashboard.obs.obs_cli import base_of, feed_of, follow
from recorder.bus.broker import free_port
from recorder.domain.errors import DeviceError
from recorder.domain.game import EndRackPoints
from recorder.domain.observations import Acted, Side, TurnAct
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from tests.asynchronous import finish
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import TableWriter

pytest.importorskip("simpleobsws", reason="needs the extra: pip install simpleobsws")
import msgpack
from websockets.asyncio.server import ServerConnection, serve

from dashboard.obs.obs_link import ObsLink

pytestmark = pytest.mark.slow  # runs a dashboard and a server that speaks as OBS does

HELLO, IDENTIFY, IDENTIFIED, REQUEST, ANSWER = 0, 1, 2, 6, 7
SUCCESS, OUTPUT_NOT_RUNNING, RESOURCE_NOT_FOUND, UNKNOWN = 100, 501, 600, 204
IS_THERE = 601
WRONG_PASSWORD = 4009
PASSWORD = "horse battery"
WITHIN_S = 30.0
NAMES = SceneNames()


@dataclass
class Obs:
    """Scenes, and a recording with chapters; ``changed`` is set when one of them changes."""

    scene: str = "next"
    scenes: tuple[str, ...] = ("next", "live", "final", "break")
    recording: bool = True
    inputs: dict[str, Any] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self, socket: ServerConnection) -> None:
        """One client, from hello to its end."""
        salt, challenge = os.urandom(8).hex(), os.urandom(8).hex()
        proof = {"salt": salt, "challenge": challenge}
        hello = {"obsWebSocketVersion": "5.5.2", "rpcVersion": 1, "authentication": proof}
        await _send(socket, HELLO, hello)
        with suppress(ConnectionError):
            asked = msgpack.unpackb(await socket.recv())
            secret = base64.b64encode(hashlib.sha256((PASSWORD + salt).encode()).digest())
            wanted = base64.b64encode(hashlib.sha256(secret + challenge.encode()).digest())
            if asked["op"] != IDENTIFY or asked["d"]["authentication"] != wanted.decode():
                await socket.close(WRONG_PASSWORD, "Authentication failed.")
                return
            await _send(socket, IDENTIFIED, {"negotiatedRpcVersion": 1})
            async for text in socket:
                await self._answer(socket, msgpack.unpackb(text)["d"])

    async def _answer(self, socket: ServerConnection, asked: dict[str, Any]) -> None:
        code, data = self._done(asked["requestType"], asked.get("requestData") or {})
        status = {"result": code == SUCCESS, "code": code}
        answer = {key: asked[key] for key in ("requestType", "requestId")}
        await _send(socket, ANSWER, {**answer, "requestStatus": status, "responseData": data})

    def _done(self, name: str, data: dict[str, Any]) -> tuple[int, dict[str, str]]:
        if name in ("CreateScene", "CreateInput", "SetInputSettings"):
            return self._made(name, data), {}
        if name == "GetCurrentProgramScene":
            return SUCCESS, {"currentProgramSceneName": self.scene}
        if name == "SetCurrentProgramScene":
            if data["sceneName"] not in self.scenes:
                return RESOURCE_NOT_FOUND, {}
            self.scene = data["sceneName"]
        elif name == "CreateRecordChapter":
            if not self.recording:
                return OUTPUT_NOT_RUNNING, {}
            self.said.append(data["chapterName"])
        else:
            return UNKNOWN, {}
        self.changed.set()
        return SUCCESS, {}

    def _made(self, name: str, data: dict[str, Any]) -> int:
        if name == "CreateScene":
            known = data["sceneName"] in self.scenes
            self.scenes = (*self.scenes, *([] if known else [data["sceneName"]]))
            return IS_THERE if known else SUCCESS
        if (name == "CreateInput") == (data["inputName"] in self.inputs):
            return IS_THERE if name == "CreateInput" else RESOURCE_NOT_FOUND
        self.inputs[data["inputName"]] = data["inputSettings"]
        return SUCCESS

    async def until(self, holds: Any) -> None:
        """Wait for a change after which it holds."""
        async with asyncio.timeout(WITHIN_S):
            while not holds():
                self.changed.clear()
                await self.changed.wait()


async def _send(socket: ServerConnection, op: int, data: dict[str, Any]) -> None:
    await socket.send(msgpack.packb({"op": op, "d": data}))


@asynccontextmanager
async def served(obs: Obs) -> Any:
    """The address of an OBS while the block runs."""
    protocols: Any = ["obswebsocket.msgpack"]
    async with serve(obs.talk, "127.0.0.1", 0, subprotocols=protocols) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("obs") / "log.db", free_port())
    server.start()
    yield server
    server.kill()


def test_scenes_follow_the_game_and_chapters_mark_what_matters(dashboard: Server) -> None:
    """Next, live, final; a bingo and a challenge are chapters."""
    obs = Obs()

    async def play() -> None:
        with SqliteEventLog(Path(dashboard.log)) as log:
            async with served(obs) as url:
                feed = feed_of(dashboard.url(""), "table-1")
                link = ObsLink(url, PASSWORD, NAMES)
                following = asyncio.create_task(follow(feed, link, NAMES, 0, lambda _: None))
                table = TableWriter(log, at=now_ms())
                table.start(("Anna", "Ben"))
                table.play(0, "8D ZEPHYR")
                await obs.until(lambda: obs.scene == "live")
                table.play(1, "F6 CO.YISTs")
                await obs.until(lambda: len(obs.said) == 1)
                table.observe(Acted(side=Side.LEFT, act=TurnAct.CHALLENGE), "pad")
                await obs.until(lambda: len(obs.said) == 2)
                table.record(EndRackPoints(1, 12, read_tiles("Q")))
                await obs.until(lambda: obs.scene == "final")
                following.cancel()
                with suppress(asyncio.CancelledError):
                    await following

    finish(play(), 2 * WITHIN_S)
    assert obs.said[0].startswith("Bingo: Ben, COPYISTS +")
    assert obs.said[1] == "Challenge: Anna"


def test_a_wrong_password_and_an_obs_that_is_not_there_are_named() -> None:
    async def knock() -> None:
        async with served(Obs()) as url:
            with pytest.raises(DeviceError, match="password"):
                await ObsLink(url, "wrong", NAMES).open()
        with pytest.raises(DeviceError, match="does not answer"):
            await ObsLink(f"ws://127.0.0.1:{free_port()}", PASSWORD, NAMES).open()

    finish(knock(), WITHIN_S)


def test_what_obs_refuses_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    """No recording, no such scene: it is said. A scene that a person chose is left alone."""
    done = []

    async def ask() -> None:
        obs = Obs(recording=False, scenes=("next", "final"))
        async with served(obs) as url:
            link = ObsLink(url, PASSWORD, NAMES)
            await link.open()
            wanted = (MarkChapter("Bingo"), SwitchTo("live"), SwitchTo("final"))
            done.extend([await link.carry_out(wish) for wish in wanted])
            obs.scene = "break"
            done.append(await link.carry_out(SwitchTo("next")))
            await link.close()

    finish(ask(), WITHIN_S)
    assert done == [False, False, True, False]
    assert "CreateRecordChapter" in caplog.text


def test_the_scenes_are_made_once_and_get_their_address_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Scenes that are there stay; a source of another dashboard leads to this one."""
    obs = Obs()

    async def make() -> None:
        async with served(obs) as url:
            link = ObsLink(url, PASSWORD, NAMES)
            await link.open()
            await link.make(scenes_for(base_of("http://old:1"), "featured"))
            await link.make(scenes_for(base_of("venue:8015/anything"), "featured"))
            await link.close()

    finish(make(), WITHIN_S)
    assert len(obs.scenes) == len(set(obs.scenes))
    assert obs.inputs["Tilecast live"] == {
        "url": "http://venue:8015/o/featured/full", "width": 1920, "height": 1080,
    }  # fmt: skip
    assert "refused" not in caplog.text


def test_a_page_that_opens_late_marks_nothing() -> None:
    """What happened before is no chapter; an empty name is never switched to."""
    frame = {"game": "g1", "phase": "playing", "players": [{"name": "A"}, {"name": "B"}]}
    assert wishes(None, None, NAMES) == []
    assert wishes(None, frame, NAMES) == [SwitchTo("live")]
    assert wishes(None, frame, SceneNames(playing="")) == []
    assert wishes(frame, {**frame, "phase": "over"}, NAMES) == [SwitchTo("final")]


@pytest.mark.parametrize("address", ["http://[::1", "http://[zz]:8015"])
def test_half_an_address_of_the_dashboard_is_named(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before OBS is asked for anything."""
    assert tilecast.main(["obs", address]) == 2
    assert f"tilecast obs: {address}: " in capsys.readouterr().err
