"""Input that costs more than it is worth: pictures, word graphs, game records, slow cameras."""

import socket
import struct
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from devices.cameras.snapshot import SnapshotUrl
from devices.pictures import decode_picture, encode_jpeg
from recorder.domain.errors import DeviceError, NotationError
from recorder.gcg import read_gcg
from recorder.gcg.reader import MOST_LINES
from recorder.tilesets import load_tile_set
from recorder.word_lists import WordGraph
from tests.eventually import PATIENCE_S

pytestmark = pytest.mark.slow


def test_a_picture_has_one_size() -> None:
    """A second, small header is no way round the limit of pixels."""
    whole = encode_jpeg(np.zeros((16, 16, 3), np.uint8))
    at = whole.index(b"\xff\xc0")
    small = whole[at : at + 2 + struct.unpack_from(">H", whole, at + 2)[0]]
    huge = small[:5] + struct.pack(">HH", 60_000, 60_000) + small[9:]
    for twice in (whole[:at] + huge + whole[at:], whole[:-2] + huge + b"\xff\xd9"):
        with pytest.raises(DeviceError, match=r"two sizes|megapixels"):
            decode_picture(twice)
    assert decode_picture(whole).shape == (16, 16, 3)


def test_a_chain_without_end_is_no_word_graph() -> None:
    nodes = [1 << 24 | 1 << 22 | 1, 1 << 22]
    nodes = [2, 1 << 22, *(1 << 24 | 1 << 22 | arc for arc in range(3, 300_000))]
    nodes.append(1 << 24 | 3 << 22)
    data = struct.pack(f"<{len(nodes)}I", *nodes)
    with pytest.raises(NotationError, match="not a word graph"):
        WordGraph(data, load_tile_set("english").letters)


def test_a_record_longer_than_any_game_is_cut() -> None:
    """200,000 notes are read as far as a game could have them."""
    head = "#player1 A Ada\n#player2 B Ben\n>A: HAND 8G HAND +16 16\n"
    game = read_gcg(head + "#note more\n" * 200_000)
    assert [fault.fault for fault in game.faults if fault.severity == "error"] == ["file_too_long"]
    assert len(game.moves[0].notes) <= MOST_LINES


@pytest.fixture(params=["1.0", "1.1"])
def drip(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a camera that begins an answer and then sends a byte now and then.

    An answer of HTTP 1.0 ends with its connection.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            caller, _ = server.accept()
            with caller:
                caller.recv(1000)
                caller.sendall(
                    f"HTTP/{request.param} 200 OK\r\nContent-Length: 9999\r\n\r\n".encode()
                )
                while not done.wait(0.05):
                    try:
                        caller.sendall(b"x")
                    except OSError:
                        return

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        done.set()
        thread.join(PATIENCE_S)


def test_a_camera_that_drips_is_lost(drip: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every read gets its byte in time; the whole picture does not come."""
    monkeypatch.setattr(SnapshotUrl, "whole_s", 0.3)
    source = SnapshotUrl(f"http://127.0.0.1:{drip}/shot.jpg", lambda: 0)
    assert source.read(1.0) is None
    assert source.lost.startswith("no whole picture within")
    source.close()
