"""Training squares on the device that trains, more and more of them while scenes are rendered."""

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self

import numpy as np
import torch

from calibration.lab.eyes.eyes_data import Squares, gather
from devices.vision.squares.net import CROP_PX

_MOST_SQUARES, _MOST_FIGURES = 280, 150
"""Of a scene, in the mean over many; single ones may have more."""
_SPARE = 2_000
_AT_ONCE = 40
"""Scenes that are taken over together."""


class Lessons:
    """The squares of scenes that are rendered meanwhile; a context that ends with them.

    ``crops`` [N, 40, 40, 3] with ``labels`` and ``shifts``, ``figures`` [M, 40, 40, 3] with
    ``values``, as in ``Squares``; what is not rendered yet is undefined. Where no GPU is, the crops
    lie in files of ``folder``, as they may not fit in memory.
    """

    def __init__(
        self, count: int, scenes: Iterator[Squares], on: torch.device, folder: Path
    ) -> None:
        """``count`` scenes are to come."""
        self.on = on
        self.seconds = 0.0
        self._count = count
        most, most_figures = count * _MOST_SQUARES + _SPARE, count * _MOST_FIGURES + _SPARE
        self.crops = self._crops(most, folder / "crops.bin")
        self.figures = self._crops(most_figures, folder / "figures.bin")
        self.labels = torch.zeros(most, dtype=torch.uint8, device=on)
        self.shifts = torch.zeros((most, 2), device=on)
        self.values = torch.zeros(most_figures, dtype=torch.uint8, device=on)
        self._totals = [(0, 0)]
        self._fault: BaseException | None = None
        self._changed = Condition()
        self._stream = torch.cuda.Stream() if on.type == "cuda" else None
        self._filler = Thread(target=self._fill, args=(scenes,), daemon=True)

    def __enter__(self) -> Self:
        """Begin to render."""
        self._filler.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the rest, unless something went wrong."""
        if fault is None:
            self._filler.join()

    def ready(self, scenes: int, *, of_values: bool) -> int:
        """How many squares (or figures) so many scenes have, once they are rendered."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._totals) > scenes or self._fault is not None)
        if self._fault is not None:
            raise self._fault
        return self._totals[scenes][of_values]

    def expected(self, *, of_values: bool) -> int:
        """About how many squares (or figures) all scenes will have, from the first of them."""
        first = min(self._count, _AT_ONCE)
        return self.ready(first, of_values=of_values) * self._count // first

    def _crops(self, count: int, path: Path) -> torch.Tensor:
        shape = (count, CROP_PX, CROP_PX, 3)
        if self.on.type == "cuda":
            return torch.empty(shape, dtype=torch.uint8, device=self.on)
        return torch.from_numpy(np.memmap(path, np.uint8, mode="w+", shape=shape))

    def _fill(self, scenes: Iterator[Squares]) -> None:
        start = time.perf_counter()
        try:
            while parts := list(islice(scenes, _AT_ONCE)):
                self._take(parts)
                self.seconds = time.perf_counter() - start
        except BaseException as fault:  # noqa: BLE001  # told to the thread that waits
            with self._changed:
                self._fault = fault
                self._changed.notify_all()

    def _take(self, parts: list[Squares]) -> None:
        together = gather(parts)
        squares, figures = self._totals[-1]
        with torch.cuda.stream(self._stream):
            self._put(squares, self.crops, together.crops)
            self._put(squares, self.labels, together.labels)
            self._put(squares, self.shifts, together.shifts)
            self._put(figures, self.figures, together.figures)
            self._put(figures, self.values, together.values)
        if self._stream is not None:
            self._stream.synchronize()
        with self._changed:
            for part in parts:
                squares, figures = squares + len(part.labels), figures + len(part.values)
                self._totals.append((squares, figures))
            self._changed.notify_all()

    def _put(self, start: int, store: torch.Tensor, part: np.ndarray[Any, Any]) -> None:
        store[start : start + len(part)] = torch.from_numpy(part).to(self.on)
