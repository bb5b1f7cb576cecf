"""A folder of photographs, each looked at: what ``tilecast replay`` makes a game of.

Loads the network, so it is imported only where photographs are read. Must not know turns or rules.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from devices.cameras.camera import open_source
from devices.cameras.frames import BadFrame, CameraFrame
from devices.vision.eyes import Eyes
from devices.vision.look import BoardReading, board_seen
from devices.vision.one_side import read_from_side, turns_to_one_side
from recorder.domain.errors import NotationError
from recorder.domain.observations import BoardNotSeen
from recorder.domain.pictured import Photo


def photographs(
    folder: Path, on_read: Callable[[str], None], tiles: str | None = None
) -> list[Photo]:
    """Every photograph of a folder.

    ``tiles`` as for ``Eyes``; None reads the letters of every set. One that cannot be read is given
    as such. All together say which side of the board is up. ``on_read`` gets the name of each one.
    NotationError when there is none.
    """
    if folder.is_file():
        raise NotationError(
            "is one file, and the photographs of a game are in a folder (`tilecast watch` reads"
            " films and GIFs)"
        )
    # German letters are a superset of English ones; which set it is shows when all are read.
    eyes = Eyes(tiles or "german", hold_supply=False)
    looked: list[Photo] = []
    found: dict[int, BoardReading] = {}
    prior = None
    for number, frame in enumerate(_frames(folder)):
        if isinstance(frame, BadFrame):
            unseen = BoardNotSeen(frame=frame.name, reason=frame.reason)
            looked.append(Photo(frame.name, f"unreadable {frame.name}", unseen))
            continue
        look = eyes.read(frame.image, prior=prior)
        if look.found:
            found[number] = prior = look
        seen = board_seen(look, frame.name, 0)
        looked.append(Photo(frame.name, frame.sha256, seen, look.notes))
        on_read(frame.name)
    turns = dict(zip(found, turns_to_one_side([*found.values()]), strict=True))
    for number, frame in enumerate(_frames(folder) if any(turns.values()) else ()):
        if turns.get(number) and not isinstance(frame, BadFrame):
            look = read_from_side(eyes, frame.image, found[number], turns[number])
            seen = board_seen(look, frame.name, 0)
            looked[number] = Photo(frame.name, frame.sha256, seen, look.notes)
    return looked


def _frames(folder: Path) -> Iterator[CameraFrame | BadFrame]:
    with closing(open_source(str(folder.absolute()), lambda: 0)) as source:
        while not source.ended:
            frame = source.read(0.0)
            if frame is not None:
                yield frame
