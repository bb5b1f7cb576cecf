"""``tilecast obs``: on the streamer's machine, OBS follows a table as the public sees it."""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dashboard.obs.collection import ObsScene
    from dashboard.obs.following import SceneNames
    from dashboard.obs.obs_link import ObsLink
    from recorder.declared.codec import Json

_AGAIN_S = 2.0
_OBS = "ws://127.0.0.1:4455"


def register(subparsers: Any) -> None:
    """Add the command to the program's parser."""
    obs = subparsers.add_parser("obs", run=run_obs)
    obs.add_argument("address", metavar="URL")
    obs.add_argument("--slot", default="featured", metavar="NAME")
    obs.add_argument("--obs", default=_OBS, metavar="URL")
    obs.add_argument("--password-file", type=Path, metavar="FILE")
    obs.add_argument("--scenes", default="next,live,final", metavar="A,B,C")
    obs.add_argument("--hold", type=float, default=8.0, metavar="S")
    obs.add_argument("--make", action="store_true")


def run_obs(args: argparse.Namespace) -> int:
    """2 for wrong usage, 1 without the client; else runs until it is interrupted."""
    from dashboard.obs.collection import scenes_for
    from dashboard.obs.following import SceneNames
    from dashboard.obs.obs_link import ObsLink

    scenes = [name.strip() for name in args.scenes.split(",")]
    if len(scenes) != len(("before", "playing", "over")):
        print("tilecast obs: --scenes wants three names with commas", file=sys.stderr)
        return 2
    names = SceneNames(before=scenes[0], playing=scenes[1], over=scenes[2])
    try:
        feed = feed_of(args.address, args.slot)
    except ValueError as fault:  # half an IPv6 address
        print(f"tilecast obs: {args.address}: {fault}", file=sys.stderr)
        return 2
    password = args.password_file.read_text("utf-8").strip() if args.password_file else ""
    link = ObsLink(args.obs, password, names)
    try:
        made = scenes_for(base_of(args.address), args.slot) if args.make else ()
        asyncio.run(follow(feed, link, names, args.hold, _say, made))
    except KeyboardInterrupt:
        return 0
    return 0


def _say(text: str) -> None:
    print(f"tilecast obs: {text}", file=sys.stderr, flush=True)


def feed_of(address: str, slot: str) -> str:
    """The WebSocket of a slot on a dashboard."""
    return f"ws{base_of(address).removeprefix('http')}/ws/slot/{quote(slot)}"


def base_of(address: str) -> str:
    """Where a dashboard is, with no path behind it."""
    parts = urlsplit(address if "//" in address else f"http://{address}")
    return f"{'https' if parts.scheme == 'https' else 'http'}://{parts.netloc}"


async def follow(
    feed: str,
    link: "ObsLink",
    names: "SceneNames",
    hold_s: float,
    say: "Callable[[str], object]",
    made: "Sequence[ObsScene]" = (),
) -> None:
    """Follow until cancelled; what is lost, dashboard or OBS, is sought again every two seconds.

    ``made``: scenes that OBS gets first.
    """
    from websockets.exceptions import WebSocketException

    from recorder.domain.errors import DeviceError

    follower = _Follower(link, names, hold_s)
    while True:
        try:
            await link.open()
            say("connected to OBS")
            await link.make(made)
            await follower.hear(feed)
        except (DeviceError, OSError, WebSocketException) as fault:
            say(f"{fault}; trying again")
        finally:
            await link.close()
        await asyncio.sleep(_AGAIN_S)


class _Follower:
    """The frame as it was last heard, over lost connections too, and what OBS is asked for it."""

    def __init__(self, link: "ObsLink", names: "SceneNames", hold_s: float) -> None:
        self._link, self._names, self._hold_s = link, names, hold_s
        self._frame: Json | None = None

    async def hear(self, feed: str) -> None:
        """Follow one connection to its end."""
        from websockets.asyncio.client import connect

        from dashboard.live.messages.merge_patch import patched

        seq = -1
        heard: Json | None = None
        async with connect(feed) as socket:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "snapshot":
                    heard = message["frame"]
                elif message["type"] == "patch" and message["from_seq"] == seq:
                    heard = patched(heard, message["patch"])
                elif message["type"] == "patch":
                    await socket.send('{"type":"snapshot?"}')
                    continue
                else:
                    continue
                seq = message["seq"]
                await self._take(heard)

    async def _take(self, frame: "Json | None") -> None:
        from dashboard.obs.following import SwitchTo, wishes

        wanted = wishes(self._frame, frame, self._names)
        self._frame = frame or self._frame
        for wish in wanted:
            if wish == SwitchTo(self._names.over):
                await asyncio.sleep(self._hold_s)
            await self._link.carry_out(wish)
