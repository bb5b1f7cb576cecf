"""What a simulated table has beside camera and clock: scale and counters, or cameras, and a slip.

Below the drivers: grams on a load cell, tiles over sensors, tiles on a rack, ink on paper. What
comes of it crosses as bytes on pseudo-terminals and as JPEG over HTTP.
"""

import json
import random
import threading
from collections.abc import Mapping
from pathlib import Path

import cv2

from devices.lab.game_script import (
    Circle,
    Happening,
    LiftBag,
    NewSlip,
    PutBag,
    Sensors,
    SetRack,
)
from devices.lab.peers.sensor_firmware import LoadCell
from devices.lab.peers.sensor_peer import simulated_rack, simulated_scale
from devices.lab.scenes.rack_art import render_rack
from devices.lab.scenes.slip_art import Photo, PrintedSlip, photographed, printed
from devices.lab.scenes.styles import demo_style
from devices.pictures import Image
from devices.sensors.scale_profile import SCALE_FILE, ScaleProfile
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tiles, TileSet

TILE_G, SPREAD_G, BAG_G = 1.5, 0.075, 45.0
"""A tile of a common set, from tile to tile, and a bag of cloth."""
PLACES = 8
SLIP_PATH, RACK_PATHS = "/slip.jpg", ("/rack-1.jpg", "/rack-2.jpg")
"""Where their pictures are fetched."""
_NO_MARK = "#"
"""A tile whose letter nobody knows: it stands with its face to the player."""


def roles(sensors: Sensors, table: int) -> Mapping[str, str]:
    """The devices beside camera and clock, as the recorder has to know them.

    The first rack is that of player 1, who sits at the left half of the clock.
    """
    racks, slip = rack_names(table), {f"slip-{table}": "slip-camera"}
    match sensors:
        case Sensors.RACKS:
            return {**dict.fromkeys(racks, "rack-camera"), **slip}
        case Sensors.ALL:
            scale = {f"scale-{table}": "bag-scale"}
            return {**scale, **dict.fromkeys(racks, "rack-counter"), **slip}
    return {}


def rack_names(table: int) -> tuple[str, str]:
    """What is at the two racks of a table, by name."""
    return f"rack-{table}-1", f"rack-{table}-2"


def instruments_at(
    table: int, tile_set: TileSet, seed: int, sensors: Sensors
) -> "Instruments | None":
    """What a table has beside camera and clock, switched on; None where that is nothing."""
    return Instruments(tile_set, seed, sensors, table) if roles(sensors, table) else None


class Instruments:
    """Switched on until ``close``. ``act`` may be called from any thread.

    ``sensors`` is ``RACKS``, a camera at each rack, or ``ALL``, scale and counters.
    """

    def __init__(self, tile_set: TileSet, seed: int, sensors: Sensors, table: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - masses and ink, no secret
        self._lock = threading.Lock()
        grams = [self._chance.gauss(TILE_G, SPREAD_G) for _ in range(tile_set.total)]
        self.mean_g = sum(grams) / len(grams)
        self._in_bag = grams
        self._out: list[float] = []
        self._slip: PrintedSlip | None = None
        self._tiles, self._sensors, self._table = tile_set, sensors, table
        self._style = demo_style(tile_set.name).tiles
        self._photos = {SLIP_PATH: self._photograph()}
        self.scale = simulated_scale(seed=seed)
        self.racks = (simulated_rack(seed=seed), simulated_rack(seed=seed + 1))

    def act(self, happening: Happening) -> None:
        """Let the instruments feel what happens; most of it they do not."""
        match happening:
            case SetRack(player=player, tiles=tiles, letters=letters):
                self.racks[player].put("#" * min(tiles, PLACES) + "." * (PLACES - tiles))
                if self._sensors is Sensors.RACKS:
                    self._show(RACK_PATHS[player], self._rack_photo(letters, tiles))
            case LiftBag():
                self.scale.put(0.0)
            case PutBag(tiles=tiles):
                self._fill(tiles)
                self.scale.put(BAG_G + sum(self._in_bag))
            case NewSlip():
                self._slip = None
                self._show(SLIP_PATH, self._photograph())
            case Circle(blank=blank, letter=letter):
                if self._slip is None:
                    self._slip = printed(self._tiles, self._chance)
                self._slip.circle(blank, letter)
                self._show(SLIP_PATH, self._photograph())

    def jpeg(self, path: str) -> bytes | None:
        """What the camera at this path sees now; None where there is none."""
        with self._lock:
            return self._photos.get(path)

    def _show(self, path: str, photo: bytes) -> None:
        with self._lock:
            self._photos[path] = photo

    def _rack_photo(self, letters: Tiles, tiles: int) -> bytes:
        slots = write_tiles(letters) if letters else _NO_MARK * tiles
        return _jpeg(render_rack(self._style, slots or ".", seed=tiles))

    def devices_toml(self, folder: Path, base: str) -> str:
        """Entries for a table file; writes the profile that a calibration would have made.

        ``base`` is the address below which the cameras' pictures are fetched.
        """
        table = self._table
        slip = {"kind": "slip-camera", "name": f"slip-{table}", "source": f"{base}{SLIP_PATH}"}
        if self._sensors is Sensors.RACKS:
            cameras = [
                {"kind": "rack-camera", "name": name, "side": side,
                 "source": f"{base}{path}", "tiles": self._tiles.name}
                for name, side, path in zip(rack_names(table), "LR", RACK_PATHS, strict=True)
            ]  # fmt: skip
            return "".join(map(_entry, [*cameras, slip]))
        cell = LoadCell()
        profile = folder / f"scale-{table}.json"
        known = ScaleProfile(
            zero_counts=cell.zero_counts,
            counts_per_g=cell.counts_per_g,
            bag_g=BAG_G,
            tile_g=self.mean_g,
            tile_spread_g=SPREAD_G,
            repeat_g=cell.repeat_g,
        )
        SCALE_FILE.save(known, profile)
        scale = {"kind": "bag-scale", "name": f"scale-{table}", "port": self.scale.path,
                 "profile": str(profile)}  # fmt: skip
        counters = [
            {"kind": "rack-counter", "name": name, "port": rack.path, "side": side}
            for name, side, rack in zip(rack_names(table), "LR", self.racks, strict=True)
        ]
        return "".join(map(_entry, [scale, *counters, slip]))

    def close(self) -> None:
        """Switch everything off."""
        for peer in (self.scale, *self.racks):
            peer.close()

    def _fill(self, tiles: int) -> None:
        """So many tiles are in the bag now: any of them went out, any of those outside came in."""
        while len(self._in_bag) > tiles:
            self._out.append(self._in_bag.pop(self._chance.randrange(len(self._in_bag))))
        while len(self._in_bag) < tiles and self._out:
            self._in_bag.append(self._out.pop(self._chance.randrange(len(self._out))))

    def _photograph(self) -> bytes:
        """The slip as it lies now; before the first blank it lies face down."""
        slip = self._slip or printed(self._tiles, self._chance)
        image = photographed(slip, Photo(), self._chance)
        if self._slip is None:
            image[:] = image[0, 0]
        return _jpeg(image)


def _jpeg(image: Image) -> bytes:
    _, data = cv2.imencode(".jpg", image)
    return data.tobytes()


def _entry(values: Mapping[str, str]) -> str:
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return f"[[device]]\n{''.join(lines)}"
