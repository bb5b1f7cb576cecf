"""A scenario's table in pixels and bytes: rendered, photographed, read by the eyes; a clock's line.

Board, racks and slips are drawn as they lie and read from the JPEG of a camera; the clock is the
reference firmware, its lines go through the driver. Nothing of the scenario reaches the eyes but
the picture. One picture for each change: looking again at the same table costs nothing.
"""

import hashlib
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from devices.cameras.readers import open_rack_reader
from devices.clocks.ack_mark import AckMarkFile
from devices.clocks.serial_clock import SerialClock
from devices.lab.memory_ports import MemoryLink, MemoryOutlet
from devices.lab.peers.clock_firmware import ClockFace, ClockFirmware
from devices.lab.scenes.rack_art import render_rack
from devices.lab.scenes.scene import Oddly
from devices.lab.scenes.slip_art import Photo, photographed, printed
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import Image, decode_picture, encode_jpeg
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import Run, SetTimes
from devices.vision.beside.slips import read_slip
from devices.vision.eyes import Eyes
from devices.vision.geometry.pose import Floats
from devices.vision.look import BoardReading, RackLook, board_seen
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.instruments import SlipSeen
from recorder.domain.observations import (
    BoardNotSeen,
    BoardSeen,
    ClockChanged,
    ClockPressed,
    RackSeen,
    Side,
)
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import Tiles
from recorder.lab.scenario.senses import BoardView, ClockLine, ClockSaid
from recorder.lab.scenario.steps import Setup, SlipShows
from recorder.tilesets import load_tile_set

SEED = 7
_CLOTH = (58, 46, 70)
_KNOCK_TURN_DEG, _KNOCK_SHIFT = 2.5, (0.3, -0.2)


class LineClock:
    """The reference clock at the end of a line, and the driver at its other end."""

    def __init__(self, start_ms: int, folder: Path) -> None:
        self._now_ms = 0
        face = ClockFace(left_ms=start_ms, right_ms=start_ms)
        self._clock = ClockFirmware("CLOCK1", "5ce0a710", face, self._ticks)
        self._link, self._outlet = MemoryLink(ticks=self._ticks), MemoryOutlet()
        marks = AckMarkFile(folder / "clock.json")
        self._driver = SerialClock("clock-1", self._link, self._outlet, marks, self._ticks)
        self._host = LineReader()
        self._told = 0
        self._link.connect()
        self._on_the_way = 1
        self._carry(self._clock.greeting())

    def _ticks(self) -> int:
        return self._now_ms

    def reset(self) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        return self._carry(self._clock.reset())

    def press(self, side: Side) -> Sequence[ClockSaid]:
        """See ``ClockLine``; on clocks that were stopped the host sets the other half going."""
        said = self._carry(self._clock.press(side))
        if said or self._clock.face.running is not Side.NONE:
            return said
        return self.run(Side.RIGHT if side is Side.LEFT else Side.LEFT)

    def pause(self) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        return self._carry(self._clock.pause())

    def run(self, side: Side) -> Sequence[ClockSaid]:
        """See ``ClockLine``; the host can set a half going, as an arbiter's button does."""
        return self._carry(self._clock.hear(self._from_host(Run(side=side))))

    def set(self, left_ms: int, right_ms: int) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        times = SetTimes(left_ms=left_ms, right_ms=right_ms)
        return self._carry(self._clock.hear(self._from_host(times)))

    def advance(self, elapsed_ms: int) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        self._now_ms += elapsed_ms
        return self._carry(self._clock.advance(elapsed_ms))

    def _from_host(self, body: Run | SetTimes) -> TccFrame:
        return TccFrame(dev="CLOCK1", boot="00000001", seq=0, t_ms=self._now_ms, body=body)

    def _send(self, lines: Sequence[TccFrame]) -> None:
        if lines:
            self._link.deliver(b"".join(line.to_bytes() for line in lines))
            self._on_the_way += 1

    def _carry(self, lines: Sequence[TccFrame]) -> Sequence[ClockSaid]:
        """Send the clock's lines as bytes, and what the host answers back, until both are quiet."""
        self._send(lines)
        while self._on_the_way:
            self._on_the_way -= 1
            self._driver.step(0.0)
            sent = bytes(self._link.written)
            self._link.written.clear()
            heard = [line for line in self._host.feed(sent) if isinstance(line, TccFrame)]
            self._send([answer for line in heard for answer in self._clock.hear(line)])
        news = [said for _, said in self._outlet.observed[self._told :]]
        self._told = len(self._outlet.observed)
        return [said for said in news if isinstance(said, ClockPressed | ClockChanged)]


class RenderedSenses:
    """Devices that see pictures; open until ``close``."""

    def __init__(self, setup: Setup) -> None:
        self._tiles = load_tile_set(setup.tiles)
        self._style = demo_style(setup.tiles)
        self._scene = TableScene(self._style, SEED)
        self._scene.turn_deg = float(setup.turned)
        self._corners = self._scene.corners
        self._eyes = Eyes(setup.tiles)
        self._prior: BoardReading | None = None
        self._view: BoardView | None = None
        self._reading: BoardReading | None = None
        self._read_rack = open_rack_reader(setup.tiles)
        self._chance = random.Random(SEED)  # noqa: S311 - a hand that shakes, no secret
        self._frames = 0
        self._folder = tempfile.TemporaryDirectory(prefix="tilecast-scenario-")
        start_ms = round(setup.minutes * 60_000)
        self._clock = LineClock(start_ms, Path(self._folder.name))

    @property
    def clock(self) -> ClockLine:
        """See ``Senses``."""
        return self._clock

    def close(self) -> None:
        """See ``Senses``."""
        self._folder.cleanup()

    def board(self, view: BoardView, frame: str, still_ms: int) -> BoardSeen | BoardNotSeen:
        """See ``Senses``."""
        if self._reading is None or view != self._view:
            self._reading, self._view = self._read(view), view
        return board_seen(self._reading, frame, still_ms)

    def _read(self, view: BoardView) -> BoardReading:
        """A calibrated camera knows where the board lies, until somebody knocks against it."""
        corners = None if view.knocks else self._corners
        reading = self._eyes.read(self._photograph(view), prior=self._prior, corners=corners)
        self._prior = reading if reading.found else self._prior
        return reading

    def _photograph(self, view: BoardView) -> Image:
        shown = {square: tile.tile for square, tile in view.tiles.items()}
        scene = self._scene
        scene.board = EMPTY_BOARD.place(shown).rows()
        scene.oddly = Oddly(
            turned={square: tile.degrees for square, tile in view.tiles.items() if tile.degrees},
            backs=frozenset(sq for sq, tile in view.tiles.items() if not tile.is_face_up),
        )
        scene.turn_deg = view.turned + _KNOCK_TURN_DEG * view.knocks
        across, down = _KNOCK_SHIFT
        scene.shift = (across * view.knocks, down * view.knocks)
        self._frames += 1
        image = scene.frame(self._frames)
        if view.is_covered:
            _cover(image, np.array(scene.corners))
        return decode_picture(encode_jpeg(image))

    def rack(self, side: Side, count: int, letters: Tiles | None) -> RackSeen | None:
        """See ``Senses``. Backs alone the eyes cannot tell from a table: nothing is said then."""
        if letters is None and count:
            return None
        self._frames += 1
        look = RackLook("")
        if letters:
            seen = self._read_rack(
                render_rack(self._style.tiles, write_tiles(letters), seed=self._frames)
            )
            look = next(iter(seen), look)
        return RackSeen(
            side=side,
            letters=read_tiles(look.letters),
            slots=read_tiles(look.slots),
            confidence=min(look.confidence, default=0.0),
            doubtful=look.doubtful,
        )

    def slip(self, shown: SlipShows) -> SlipSeen | None:
        """See ``Senses``; a row that cannot be read has two letters circled."""
        slip = printed(self._tiles, self._chance)
        for blank, letter in enumerate(shown.letters):
            for circled in (letter.label,) if letter else ("E", "F"):
                slip.circle(blank, circled)
        if shown.word:
            slip.write_words(shown.word)
        look = read_slip(
            decode_picture(encode_jpeg(photographed(slip, Photo(), self._chance))), slip.alphabet
        )
        if look is None:
            return None
        box = "" if look.box is None else _sha256(look.box)
        return SlipSeen(entries=look.entries, challenge=box)


def _sha256(image: Image) -> str:
    return hashlib.sha256(encode_jpeg(image)).hexdigest()


def _cover(image: Image, corners: Floats) -> None:
    """A cloth over the whole board, a little larger than it."""
    middle = corners.mean(axis=0)
    cloth = np.rint(middle + 1.15 * (corners - middle)).astype(np.int32)
    cv2.fillConvexPoly(image, cloth, _CLOTH, cv2.LINE_AA)
