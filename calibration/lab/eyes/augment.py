"""Training crops spoilt anew in every epoch: light that no scene was rendered with. Pure arrays."""

import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import Floats

Crops = npt.NDArray[np.uint8]

_CHANNELS_MIXED = 0.25
_NEGATIVE = 0.15
_SHADED = 0.35
_SHINING = 0.06
_TINTED = 0.15


def augmented(crops: Crops, rng: np.random.Generator) -> Crops:
    """Crops [N, side, side, 3] with exchanged channels, negatives, shadows, shine and tints.

    Channels and negatives are of the whole batch: more colours of tiles than were rendered. The
    others are of single crops, so that the rims of shadows cross letters in every way.
    """
    out = crops
    if rng.random() < _CHANNELS_MIXED:
        out = out[..., rng.permutation(3)]
    if rng.random() < _NEGATIVE:
        out = np.subtract(255, out, dtype=np.uint8)
    out = out.copy()
    for part, change in ((_SHADED, _shaded), (_SHINING, _shining), (_TINTED, _tinted)):
        some = np.flatnonzero(rng.random(len(out)) < part)
        if len(some):
            out[some] = change(out[some], rng)
    return out


def _grid(side: int) -> Floats:
    """Places from the middle, [2, side, side], the side being 1 long."""
    line = (np.arange(side, dtype=np.float32) - (side - 1) / 2) / side
    return np.stack(np.meshgrid(line, line))


def _column(values: npt.NDArray[np.floating]) -> Floats:
    return values.astype(np.float32)[:, None, None]


def _rounded(values: Floats) -> Crops:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def _shaded(crops: Crops, rng: np.random.Generator) -> Crops:
    """A straight rim of a shadow across each crop, mostly sharp."""
    count, side = len(crops), crops.shape[1]
    x, y = _grid(side)
    angle = _column(rng.uniform(0, 2 * np.pi, count))
    off = _column(rng.uniform(-0.5, 0.5, count))
    soft = np.where(rng.random(count) < 0.7, 0.4, rng.uniform(0.5, 6.0, count)) / side
    far = (np.cos(angle) * x + np.sin(angle) * y - off) / _column(soft)
    light = _column(0.12 + 0.68 * rng.random(count) ** 1.3)
    factor = 1.0 - (1.0 - light) / (1.0 + np.exp(-np.clip(far, -20, 20)))
    return _rounded(crops * factor[..., None])


def _shining(crops: Crops, rng: np.random.Generator) -> Crops:
    """A soft spot of light on each crop."""
    count, side = len(crops), crops.shape[1]
    x, y = _grid(side)
    middle = rng.uniform(-0.6, 0.6, (2, count))
    wide = _column(rng.uniform(0.15, 0.6, count))
    away = ((x - _column(middle[0])) ** 2 + (y - _column(middle[1])) ** 2) / wide**2
    added = _column(rng.uniform(40, 220, count)) * np.exp(-away / 2)
    return _rounded(crops + added[..., None])


def _tinted(crops: Crops, rng: np.random.Generator) -> Crops:
    """Each crop under a light of its own colour and strength."""
    gains = rng.uniform(0.5, 1.3, (len(crops), 1, 1, 3)).astype(np.float32)
    return _rounded(crops * gains)
