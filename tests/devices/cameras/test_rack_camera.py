"""A camera at a rack, with what it sees given: what it says, and when."""

from pathlib import Path

import pytest

from devices.agent_process.table_file import RackCameraPlan, plan_of
from devices.cameras.camera_device import CameraParts
from devices.cameras.evidence import EvidenceFolder
from devices.cameras.rack_camera import RackCamera
from devices.pictures import Image
from devices.vision.look import RackLook
from recorder.domain.errors import NotationError
from recorder.domain.observations import RackSeen, Side
from recorder.domain.tile_text import read_tiles
from tests.devices.cameras.test_board_camera import MemoryOutlet, Reel, _draw

pytestmark = pytest.mark.pixels


class Rack:
    """A rack camera over a reel; ``slots`` is what its reader reads."""

    def __init__(self, folder: Path) -> None:
        self.reel, self.outlet, self.slots = Reel(), MemoryOutlet(), ""
        parts = CameraParts(
            "rack-1", self.reel, EvidenceFolder(folder), self.outlet, lambda: self.reel.at_ms
        )
        self.camera = RackCamera(parts, self.read, Side.LEFT)

    def read(self, image: Image) -> tuple[RackLook, ...]:  # noqa: ARG002
        letters = self.slots.replace(".", "")
        return (RackLook(letters, self.slots, (0.9,) * len(letters)),) if letters else ()

    def show(self, slots: str, *tiles: tuple[int, int]) -> list[RackSeen]:
        """Three still frames that differ from the last ones; what was said."""
        before = len(self.outlet.observed)
        self.slots = slots
        self.reel.frames += [_draw(tiles, seed=n) for n in range(3)]
        for _ in range(3):
            self.camera.step(0)
        said = [seen for _, seen in self.outlet.observed[before:]]
        assert all(isinstance(seen, RackSeen) for seen in said)
        return said  # type: ignore[return-value]


@pytest.fixture
def rack(tmp_path: Path) -> Rack:
    """A rack camera that has seen nothing yet."""
    return Rack(tmp_path / "evidence")


def test_a_new_rack_is_said_once(rack: Rack):
    """Letters, gaps, count and side; then silence until the tiles change."""
    (seen,) = rack.show("AE.?ST", (1, 1))
    assert (seen.side, seen.letters, seen.slots, seen.count) == (
        Side.LEFT,
        read_tiles("AE?ST"),
        read_tiles("AE.?ST"),
        5,
    )
    assert seen.confidence == 0.9
    assert len(seen.picture) == 64
    assert rack.show("AE.?ST", (2, 2)) == []
    assert [seen.letters for seen in rack.show("AEST", (3, 3))] == [read_tiles("AEST")]


def test_a_rack_that_is_gone_is_not_kept(rack: Rack):
    """No tiles is news too: the last letters must not stand on as if they were seen.

    It is a warning only where the camera may look past the rack: before it saw any tile.
    """
    rack.show("", (3, 3))
    assert rack.camera.health().detail == "no tiles were seen yet"
    rack.show("AEI", (1, 1))
    (seen,) = rack.show("", (2, 2))
    assert (seen.letters, seen.count, seen.confidence) == (read_tiles(""), 0, 0.0)
    assert rack.camera.health().detail == ""


def test_the_table_file_knows_rack_cameras():
    """Source and side are needed, the side is one of the clock's halves."""
    entry = {"kind": "rack-camera", "name": "rack-1", "source": "1", "side": "R"}
    document = {"broker": {"url": "mqtt://b"}, "device": [entry]}
    (plan,) = plan_of(document, Path("t.toml")).devices
    assert plan == RackCameraPlan(name="rack-1", source="1", side="R")
    with pytest.raises(NotationError, match="side must be L or R, got 'N'"):
        plan_of({**document, "device": [{**entry, "side": "N"}]}, Path("t.toml"))
