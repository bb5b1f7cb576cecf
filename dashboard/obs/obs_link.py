"""The link to OBS: obs-websocket as OBS 28 and later have it, through the client simpleobsws."""

import asyncio
import logging
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from dashboard.obs.collection import BROWSER, ObsScene
from dashboard.obs.following import MarkChapter, SceneNames, SwitchTo, Wish
from recorder.domain.errors import DeviceError
from recorder.operations.answers import plain_words

_ANSWER_S = 5
_IS_THERE = 601
_log = logging.getLogger(__name__)


def client() -> ModuleType:
    """The client, which is an extra. DeviceError says how to get it."""
    try:
        import simpleobsws
    except ModuleNotFoundError as fault:
        raise DeviceError(
            "no obs-websocket client here: pip install 'tilecast[obs]', or simpleobsws"
        ) from fault
    found: ModuleType = simpleobsws
    return found


class ObsLink:
    """One OBS, by address and password. Carries out what is wished, and says what OBS refused."""

    def __init__(self, url: str, password: str, names: SceneNames) -> None:
        self._obs = client()
        self._url, self._password, self._names = url, password, names
        self._socket: Any = None

    async def open(self) -> None:
        """Connect and identify. DeviceError when OBS is not there or the password is wrong."""
        parameters = self._obs.IdentificationParameters(eventSubscriptions=0)
        self._socket = self._obs.WebSocketClient(self._url, self._password, parameters)
        try:
            await self._socket.connect()
        except (OSError, self._obs.websockets.WebSocketException) as fault:
            reason = plain_words(fault)
            remedy = "start it, with the server on in Tools, WebSocket Server Settings"
            raise DeviceError(f"OBS does not answer at {self._url} ({reason}): {remedy}") from fault
        identified = asyncio.ensure_future(self._socket.wait_until_identified(timeout=_ANSWER_S))
        # OBS closes on a wrong password: nothing more is heard then, nor waited for.
        await asyncio.wait({identified, self._socket.recv_task}, return_when="FIRST_COMPLETED")
        identified.cancel()
        if not self._socket.is_identified():
            await self.close()
            raise DeviceError(f"OBS at {self._url} refuses this password")

    async def close(self) -> None:
        """Go."""
        if self._socket is not None:
            await self._socket.disconnect()

    async def carry_out(self, wish: Wish) -> bool:
        """Do it; False where OBS refused, or a person has taken over. DeviceError: OBS is gone."""
        match wish:
            case SwitchTo(scene=scene):
                shown = await self._ask("GetCurrentProgramScene")
                now = "" if shown is None else str(shown.get("currentProgramSceneName", ""))
                if now not in self._names.all() or now == scene:
                    return False
                return await self._ask("SetCurrentProgramScene", sceneName=scene) is not None
            case MarkChapter(name=name):
                return await self._ask("CreateRecordChapter", chapterName=name) is not None

    async def make(self, scenes: Sequence[ObsScene]) -> None:
        """Make what is missing of the scenes; a browser source that is there gets its address."""
        for scene in scenes:
            await self._ask("CreateScene", sceneName=scene.name)
            source: dict[str, Any] = {"inputName": scene.source, "inputSettings": scene.settings}
            made = {"sceneName": scene.name, "inputKind": BROWSER, "sceneItemEnabled": True}
            if await self._ask("CreateInput", **source, **made) is None:
                await self._ask("SetInputSettings", **source)

    async def _ask(self, name: str, **data: Any) -> dict[str, Any] | None:
        """The answer to a request; None where OBS refused it."""
        request = self._obs.Request(name, data or None)
        try:
            answer = await self._socket.call(request, timeout=_ANSWER_S)
        except (
            OSError,
            self._obs.MessageTimeout,
            self._obs.NotIdentifiedError,
            self._obs.websockets.WebSocketException,
        ) as fault:
            raise DeviceError(f"the connection to OBS was lost: {fault}") from fault
        if not answer.ok():
            if answer.requestStatus.code != _IS_THERE:
                _log.warning("OBS refused %s %s: %s", name, data, answer.requestStatus.comment)
            return None
        return dict(answer.responseData or {})
