"""How well the eyes read photographs that were spoilt on purpose, in counts by disturbance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from calibration.lab.eyes.disturbances import DISTURBANCES, Shot, undisturbed
from calibration.lab.report.samples import BoardSample, as_symbols, find_samples
from devices.pictures import decode_picture
from devices.vision.eyes import Eyes
from devices.vision.look import BoardReading
from recorder.domain.board import SQUARES
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.observations import COVERED_SYMBOL

HIDDEN = 0.2
"""Where a hand hides this part of a square, "covered" is a right answer too."""

PEERS: MappingProxyType[str, tuple[int, int]] = MappingProxyType(
    {
        "none": (36, 37),
        "brightness x0.25": (36, 36),
        "brightness x0.5": (36, 37),
        "brightness x1.6": (36, 37),
        "brightness x2.0": (15, 15),
        "blur 1 px": (37, 37),
        "blur 2 px": (30, 30),
        "blur 3 px": (1, 1),
        "noise 15": (35, 35),
        "noise 25": (35, 35),
        "cast blue x.85 red x1.1": (11, 11),
        "cast warm": (0, 0),
        "cast tungsten": (0, 0),
        "cast green": (0, 0),
        "cast cold": (7, 7),
        "hard shadow 50%": (11, 11),
        "hard shadow 30%": (7, 7),
        "light falls off 1.2 to .5": (10, 10),
        "glare +90": (22, 22),
        "glare +160": (5, 5),
        "hand at the edge": (10, 10),
        "hand over the centre": (0, 0),
        "board turned 90": (0, 0),
        "board turned 180": (0, 0),
        "camera turned 3": (26, 28),
        "camera turned 8": (26, 28),
        "camera turned 15": (26, 28),
        "keystone 4%": (36, 36),
        "keystone 10%": (33, 33),
        "keystone 20%": (22, 22),
        "jpeg quality 30": (36, 37),
        "500 pixels wide": (36, 37),
        "tiles turned 5": (35, 35),
        "tiles turned 10": (37, 37),
        "tiles turned 15": (14, 14),
        "tiles turned 20": (0, 0),
        "tiles turned 30": (0, 0),
        "tiles turned 180": (0, 0),
    }
)
"""Boards without a mistake, of 37 photographs of the same games, of ScrabScrap (its fork of
2023-03 with automatic corners), measured with disturbances of the same names: least and most."""


@dataclass(slots=True)
class Count:
    """How one disturbance went. A board that was not found has all its squares wrong."""

    boards: int = 0
    exact: int = 0
    found: int = 0
    squares: int = 0
    wrong: int = 0
    wrong_flagged: int = 0
    flagged: int = 0

    def add(self, shot: Shot, look: BoardReading) -> None:
        """Count one reading."""
        self.boards += 1
        self.squares += SQUARES
        if not look.found:
            self.wrong += SQUARES
            self.wrong_flagged += SQUARES
            self.flagged += SQUARES
            return
        mistakes = wrong_squares(shot, look)
        doubtful = set(look.doubtful)
        self.found += 1
        self.exact += not mistakes
        self.wrong += len(mistakes)
        self.wrong_flagged += sum(square in doubtful for square in mistakes)
        self.flagged += len(doubtful)


def wrong_squares(shot: Shot, look: BoardReading) -> list[int]:
    """The squares that were read wrongly."""
    read = "".join(look.rows)
    return [
        square
        for square in range(SQUARES)
        if read[square] != shot.symbols[square]
        and not (read[square] == COVERED_SYMBOL and shot.cover[square] >= HIDDEN)
    ]


def games_in(folder: Path) -> list[Path]:
    """The folders with a truth: the folder itself, or those in it."""
    if (folder / "truth.json").exists():
        return [folder]
    games = sorted(path.parent for path in folder.glob("*/truth.json"))
    if not games:
        raise NotationError(f"{folder}: has no truth.json, nor have its folders")
    return games


def shots_of(game: Path, every: int, eyes: dict[str, Eyes]) -> Iterator[tuple[Shot, Eyes]]:
    """Each n-th photograph whose board the eyes find, and the eyes for its tile set."""
    samples = [sample for sample in find_samples(game) if isinstance(sample, BoardSample)]
    for number, sample in enumerate(samples[::every]):
        reader = eyes.setdefault(sample.tile_set, Eyes(sample.tile_set))
        try:
            image = decode_picture(sample.path.read_bytes())
        except (OSError, DeviceError) as err:
            raise DeviceError(f"{sample.path}: {err}") from err
        look = reader.read(image)
        if not look.found or look.pose is None or sample.rows is None:
            raise DeviceError(f"{sample.path}: not even read undisturbed: {look.reason}")
        yield undisturbed(image, look.pose, "".join(as_symbols(sample.rows)), number), reader


def measure(games: Sequence[Path], every: int, counts: Mapping[str, Count]) -> Iterator[str]:
    """Count each disturbance that ``counts`` names; gives the game's name after each photograph."""
    eyes: dict[str, Eyes] = {}
    for game in games:
        for shot, reader in shots_of(game, every, eyes):
            for name, count in counts.items():
                spoilt = DISTURBANCES[name](shot)
                count.add(spoilt, reader.read(spoilt.image))
            yield game.name


def as_json(counts: dict[str, Count]) -> dict[str, Any]:
    """One entry per disturbance; the peer's figures are of 37 boards, least and most."""
    return {
        name: {**asdict(count), "peer_exact": list(PEERS[name]) if name in PEERS else None}
        for name, count in counts.items()
    }


def as_table(counts: dict[str, Count]) -> str:
    """The counts as lines of text."""
    width = max(map(len, counts))
    lines = [f"{'':<{width}}  exact  boards  found  wrong  flagged  flagged squares  peer of 37"]
    for name, count in counts.items():
        low, high = PEERS.get(name, (-1, -1))
        peer = "-" if low < 0 else str(low) if low == high else f"{low}-{high}"
        lines.append(
            f"{name:<{width}}  {count.exact:5d}  {count.boards:6d}  {count.found:5d}"
            f"  {count.wrong:5d}  {count.wrong_flagged:7d}  {count.flagged:15d}  {peer:>10}"
        )
    return "\n".join(lines)
