"""What a simulated table has beside camera and clock: bag scale, rack counters, a slip in sight.

Below the drivers: grams on a load cell, tiles over sensors, ink on paper. What comes of it crosses
as bytes on pseudo-terminals and as JPEG over HTTP.
"""

import json
import random
import threading
from collections.abc import Mapping
from pathlib import Path

import cv2

from devices.lab.game_script import Circle, Happening, LiftBag, PutBag, SetRack
from devices.lab.peers.sensor_firmware import LoadCell
from devices.lab.peers.sensor_peer import simulated_rack, simulated_scale
from devices.lab.scenes.slip_art import Photo, PrintedSlip, photographed, printed
from devices.sensors.scale_profile import ScaleProfile, save_scale
from recorder.domain.tiles import TileSet

TILE_G, SPREAD_G, BAG_G = 1.5, 0.075, 45.0
"""A tile of a common set, from tile to tile, and a bag of cloth."""
PLACES = 8
ROLES: Mapping[str, str] = {
    "scale-1": "bag-scale",
    "rack-1": "rack-counter",
    "rack-2": "rack-counter",
    "slip-1": "slip-camera",
}
"""The devices as the recorder has to know them; player 1 sits at the left half of the clock."""


class Instruments:
    """Switched on until ``close``. ``act`` may be called from any thread."""

    def __init__(self, tile_set: TileSet, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - masses and ink, no secret
        self._lock = threading.Lock()
        grams = [self._chance.gauss(TILE_G, SPREAD_G) for _ in range(tile_set.total)]
        self.mean_g = sum(grams) / len(grams)
        self._in_bag = grams
        self._out: list[float] = []
        self._slip: PrintedSlip | None = None
        self._tiles = tile_set
        self._photo = self._photograph()
        self.scale = simulated_scale(seed=seed)
        self.racks = (simulated_rack(seed=seed), simulated_rack(seed=seed + 1))

    def act(self, happening: Happening) -> None:
        """Let the instruments feel what happens; most of it they do not."""
        match happening:
            case SetRack(player=player, tiles=tiles):
                self.racks[player].put("#" * min(tiles, PLACES) + "." * (PLACES - tiles))
            case LiftBag():
                self.scale.put(0.0)
            case PutBag(tiles=tiles):
                self._fill(tiles)
                self.scale.put(BAG_G + sum(self._in_bag))
            case Circle(blank=blank, letter=letter):
                if self._slip is None:
                    self._slip = printed(self._tiles, self._chance)
                self._slip.circle(blank, letter)
                photo = self._photograph()
                with self._lock:
                    self._photo = photo

    def slip_jpeg(self) -> bytes:
        """What the slip camera sees now."""
        with self._lock:
            return self._photo

    def devices_toml(self, folder: Path, slip_url: str) -> str:
        """Entries for a table file; writes the profile that a calibration would have made."""
        cell = LoadCell()
        profile = folder / "scale-1.json"
        known = ScaleProfile(
            zero_counts=cell.zero_counts,
            counts_per_g=cell.counts_per_g,
            bag_g=BAG_G,
            tile_g=self.mean_g,
            tile_spread_g=SPREAD_G,
            repeat_g=cell.repeat_g,
        )
        save_scale(known, profile)
        entries = [
            {"kind": "bag-scale", "name": "scale-1", "port": self.scale.path,
             "profile": str(profile)},
            {"kind": "rack-counter", "name": "rack-1", "port": self.racks[0].path, "side": "L"},
            {"kind": "rack-counter", "name": "rack-2", "port": self.racks[1].path, "side": "R"},
            {"kind": "slip-camera", "name": "slip-1", "source": slip_url},
        ]  # fmt: skip
        return "".join(map(_entry, entries))

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
        _, data = cv2.imencode(".jpg", image)
        return data.tobytes()


def _entry(values: Mapping[str, str]) -> str:
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    return f"[[device]]\n{''.join(lines)}"
