"""Training crops spoilt again in every epoch: light that no scene was rendered with.

Tensors in and out, on whatever device they lie; everything follows from the generator.
"""

import math

import torch

_CHANNELS_MIXED = 0.25
_NEGATIVE = 0.15
_SHADED = 0.35
_SHINING = 0.06
_TINTED = 0.15


def augmented(crops: torch.Tensor, lots: torch.Generator) -> torch.Tensor:
    """Crops [N, side, side, 3] of 0..255 with exchanged channels, shadows, shine and tints.

    Channels and negatives are of the whole batch: more colours of tiles than were rendered. The
    others are of single crops, so that the rims of shadows cross letters in every way. The crops
    come back as floats, whole numbers as a camera gives them.
    """
    draw = _Lots(lots)
    out = crops.float()
    mixed, negative = torch.rand(2, generator=lots, device=lots.device).tolist()
    if mixed < _CHANNELS_MIXED:
        out = out[..., torch.randperm(3, generator=lots, device=lots.device)]
    if negative < _NEGATIVE:
        out = 255.0 - out
    count, side = crops.shape[0], crops.shape[1]
    out = torch.where(draw.some(count, _SHADED), _rounded(out * draw.shade(count, side)), out)
    out = torch.where(draw.some(count, _SHINING), _rounded(out + draw.shine(count, side)), out)
    return torch.where(draw.some(count, _TINTED), _rounded(out * draw.tint(count)), out)


def _rounded(values: torch.Tensor) -> torch.Tensor:
    return values.round().clamp(0.0, 255.0)


class _Lots:
    """What is drawn by lot for every crop of a batch."""

    def __init__(self, lots: torch.Generator) -> None:
        self._lots = lots

    def _between(self, low: float, high: float, count: int, *rest: int) -> torch.Tensor:
        drawn = torch.rand(count, *rest, generator=self._lots, device=self._lots.device)
        return low + (high - low) * drawn

    def _column(self, low: float, high: float, count: int) -> torch.Tensor:
        return self._between(low, high, count, 1, 1)

    def some(self, count: int, part: float) -> torch.Tensor:
        """Which crops are changed, [N, 1, 1, 1]."""
        return self._between(0.0, 1.0, count, 1, 1, 1) < part

    def _grid(self, side: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Places (x, y) from the middle, the side being 1 long."""
        line = (torch.arange(side, device=self._lots.device) - (side - 1) / 2) / side
        return line[None, :], line[:, None]

    def shade(self, count: int, side: int) -> torch.Tensor:
        """Factors of a straight rim of a shadow across each crop, mostly sharp."""
        x, y = self._grid(side)
        angle = self._column(0.0, 2 * math.pi, count)
        off = self._column(-0.5, 0.5, count)
        sharp = self._column(0.0, 1.0, count) < 0.7
        soft = torch.where(sharp, 0.4, self._column(0.5, 6.0, count)) / side
        far = (angle.cos() * x + angle.sin() * y - off) / soft
        light = 0.12 + 0.68 * self._column(0.0, 1.0, count) ** 1.3
        return (1.0 - (1.0 - light) * torch.sigmoid(far))[..., None]

    def shine(self, count: int, side: int) -> torch.Tensor:
        """What a soft spot of light adds to each crop."""
        x, y = self._grid(side)
        across, down = self._column(-0.6, 0.6, count), self._column(-0.6, 0.6, count)
        wide = self._column(0.15, 0.6, count)
        away = ((x - across) ** 2 + (y - down) ** 2) / wide**2
        return (self._column(40.0, 220.0, count) * torch.exp(-away / 2))[..., None]

    def tint(self, count: int) -> torch.Tensor:
        """Factors of a light of each crop's own colour and strength."""
        return self._between(0.5, 1.3, count, 1, 1, 3)
