"""What reads files, lines and pictures of others, each with samples of what it should read."""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from dashboard.overlays.event_files import read_branding, read_tournament
from devices.agent_process import table_file
from devices.cameras.profile import BOARD_FILE, CalibrationProfile, save_profile
from devices.clocks.ack_mark import AckMarkFile
from devices.clocks.dgt_clock import DgtClock
from devices.clocks.dgt_frames import ClockTimes
from devices.clocks.serial_clock import SerialClock
from devices.lab.memory_ports import MemoryLink, MemoryOutlet
from devices.lab.peers.dgt_board import encode_no_clock, encode_times
from devices.link.serial_device import SerialDevice
from devices.pictures import decode_picture
from devices.sensors.bag_scale import BagScale
from devices.sensors.rack_counter import RackCounter
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from devices.tcc1.framing import crc16
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.event.divisions import Event
from recorder.domain.event.wanted import Method
from recorder.domain.observations import Side
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.feeds.checking import check_event
from recorder.feeds.csv_table import write_csv
from recorder.feeds.division_file import write_division_file
from recorder.feeds.source import read_feed
from recorder.feeds.tourney_js import write_tourney_js
from recorder.gcg.reader import read_gcg
from recorder.gcg.writer import write_gcg
from recorder.lab.scenario.text.grammar import read_scenario
from recorder.service import venue_file
from recorder.word_lists import load_word_list
from tests.event.fields import played
from tests.fuzz.judging import Target
from tests.recorder.commands.test_word_lists import ENGLISH, word_graph

REFUSED = (NotationError, OSError)
"""What a reader of files may say; any command words it for a person."""
LINES = (
    "TCC1,C0FFEE,3f9a,1,1500123,EV,PRESS,L,1480000,1500000,R",
    "TCC1,C0FFEE,3f9a,2,1500200,EV,PAUSE,1480000,1500000,N",
    "TCC1,C0FFEE,3f9a,3,1500300,EV,SAY,L,EXCHANGE,3",
    "TCC1,C0FFEE,3f9a,0,1500400,HB,3,3,1480000,1500000,R,97",
    "TCC1,C0FFEE,3f9a,0,1500500,SYNC,7",
    "TCC1,C0FFEE,3f9a,0,5,HELLO,clock,1.0",
    "TCC1,C0FFEE,3f9a,0,5,LOAD,84213",
    "TCC1,C0FFEE,3f9a,0,5,RACK,93,0,100,5,5,5,5,5,5,5",
)
GAME = (
    b"#character-encoding UTF-8\n#player1 ann Ann Ash\n#player2 ben Ben Br\xc3\xb6k\n#lexicon X\n"
    b">ann: EHPRYZ? 8D ZEPHYR +94 94\n>ben: COYAVEI F6 CO.Y +20 20\n>ann: QUA -Q +0 94\n"
    b">ben: COYAVEI -- -20 0\n#note a word\n>ann: AAAA - +0 94\n>ben: (Q) +20 20\n"
)
SCENARIOS = Path(__file__).parents[1] / "scenarios"


def readers(folder: Path) -> list[Target]:
    """All of them; files go to this folder, which stays small."""
    return [
        *_serial(folder),
        Target("gcg", [GAME], _game, REFUSED),
        _file(
            folder,
            "words.kwg",
            [word_graph({"CAB", "CABS", "AZ"}, write_tiles(ENGLISH.letters))],
            _words,
        ),
        _file(folder, "words.txt", [b"CAB\nCABS 12\n# no\nZA\n", "ÄRA\n".encode("utf-16")], _words),
        *_settings(folder),
        *_feeds(folder),
        _file(folder, "scenario.scn", _scenarios(), read_scenario),
        *_pictures(),
    ]


def _file(
    folder: Path, name: str, samples: Sequence[bytes], read: Callable[[Path], object]
) -> Target:
    path = folder / name

    def written(data: bytes) -> None:
        path.write_bytes(data)
        read(path)

    return Target(name.replace(".", "-"), samples, written, REFUSED)


def _words(path: Path) -> None:
    words = load_word_list(path, ENGLISH)
    words.could_be_valid(read_tiles("C?B"))


def _game(data: bytes) -> None:
    game = read_gcg(data)
    again = read_gcg(write_gcg(game))
    assert len(again.moves) >= len(game.moves)


def _serial(folder: Path) -> list[Target]:
    """The drivers themselves behind a line; a line is heard as it is, and with a right checksum."""
    now = itertools.count(step=40)
    profile = folder / "scale.json"
    SCALE_FILE.save(
        ScaleProfile(zero_counts=0, counts_per_g=1, bag_g=60, tile_g=1.5, tile_spread_g=0.1),
        profile,
    )
    outlets = [MemoryOutlet() for _ in range(4)]
    links = [MemoryLink(ticks=lambda: next(now)) for _ in outlets]
    ticks = links[0]._ticks
    clock = SerialClock("clock", links[0], outlets[0], AckMarkFile(folder / "mark"), ticks)
    dgt = DgtClock("dgt", links[1], outlets[1], ticks)
    scale = BagScale("scale", links[2], profile, outlets[2], ticks)
    rack = RackCounter("rack", links[3], outlets[3], ticks, side=Side.LEFT)

    def line(device: SerialDevice, number: int) -> Callable[[bytes], None]:
        links[number].connect()

        def hear(data: bytes) -> None:
            sealed = b"$%s*%04X\r\n" % (data, crc16(data))
            for bytes_ in (data, sealed):
                links[number].deliver(bytes_)
                device.step(0)
            device.health()
            outlets[number].observed.clear()
            links[number].written.clear()

        return hear

    times = ClockTimes(
        left_s=1480, right_s=1500, is_running=True, turn=Side.LEFT, lever_right=True,
        flag=Side.NONE, battery_low=False,
    )  # fmt: skip
    texts = [text.encode() for text in LINES]
    return [
        Target("serial-clock", texts, line(clock, 0)),
        Target("dgt", [encode_times(times), encode_no_clock()], line(dgt, 1)),
        Target("bag-scale", texts[-2:], line(scale, 2)),
        Target("rack-counter", texts[-1:], line(rack, 3)),
    ]


def _scenarios() -> list[bytes]:
    return [path.read_bytes() for path in sorted(SCENARIOS.glob("0[1-4]0_*.scn"))]


def _settings(folder: Path) -> list[Target]:
    slots = b'[[player]]\nname = "Ann"\nwins = 3\nplace = 1\n[next]\nplayers = ["Ann", "Ben"]\n'
    colours = b'title = "Open"\n[colours]\nplayer_1 = "#e04060"\nplayer_2 = "#1a6fd4"\n'
    scale = (folder / "scale.json").read_bytes()
    save_profile(
        CalibrationProfile(
            source="0",
            tile_set="english",
            image_size=(1920, 1080),
            corners=((1.5, 2.0), (900.0, 3.0), (905.0, 899.0), (0.0, 890.0)),
            residual_px=0.7,
        ),
        folder / "camera.json",
    )
    camera = (folder / "camera.json").read_bytes()
    return [
        _file(folder, "venue.toml", [venue_file.example().encode()], venue_file.read_record_file),
        _file(folder, "table.toml", [table_file.example().encode()], table_file.read_table_file),
        _file(folder, "standings.toml", [slots], read_tournament),
        _file(folder, "standings.csv", [b"name,wins,losses\nAnn,3,1\nBen,1,3\n"], read_tournament),
        _file(folder, "branding.toml", [colours], read_branding),
        _file(folder, "scale-profile.json", [scale], SCALE_FILE.load),
        _file(folder, "camera.json", [camera], BOARD_FILE.load),
    ]


def _feeds(folder: Path) -> list[Target]:
    event = Event(name="Open", date="2 May", divisions=(played(9, Method.AUSTRALIAN, 3),))

    def check(path: Path) -> None:
        found = read_feed(str(path)).event
        check_event(found)
        for write in (write_csv, write_division_file, lambda event: write_tourney_js(event, {})):
            write(found)

    return [
        _file(folder, "feed.js", [write_tourney_js(event, {}).encode()], check),
        _file(folder, "feed.csv", [write_csv(event).encode()], check),
        _file(folder, "feed.t", [write_division_file(event).encode()], check),
    ]


def _pictures() -> list[Target]:
    image = np.random.default_rng(1).integers(0, 255, (24, 32, 3), np.uint8)
    kinds = (".jpg", ".png", ".webp", ".bmp")
    samples = [bytes(cv2.imencode(kind, image)[1]) for kind in kinds]
    return [Target("picture", samples, decode_picture, (DeviceError,), most_mb=600)]
