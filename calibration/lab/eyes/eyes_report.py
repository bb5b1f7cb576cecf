"""The report on a training run: accuracy on unseen rendered styles, confusions, calibration.

Plain values in, JSON and Markdown out; knows nothing of torch or of pictures.
"""

import json
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.lab.eyes.eyes_data import FIRST_TURN, KNOWN, Squares
from devices.vision.squares.net import FOREIGN

_RATE, _USUAL_BATCH = 4e-3, 320
_STEEPEST = 1e-2
_FIRST_PART, _ALL_AT = 0.05, 0.75
"""The part of the scenes with which training begins, and the part of it by which all are there."""
VALUE_NETWORK = -1
"""The number of the network that reads values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to train: scenes rendered, of which ``held_out`` are only for the report.

    ``jobs`` processes render and as many threads fit. ``nets`` networks are fitted to the same
    squares, each from its own start, beside one that reads values.
    """

    scenes: int = 7000
    epochs: int = 5
    seed: int = 1
    held_out: int = 120
    batch: int = _USUAL_BATCH
    half: bool = False
    smoothing: float = 0.01
    jobs: int = 1
    nets: int = 2

    @property
    def rate(self) -> float:
        """The steepest step of learning: larger batches take longer steps, up to a limit."""
        return min(float(_RATE * np.sqrt(self.batch / _USUAL_BATCH)), _STEEPEST)

    def scenes_by(self, epoch: int) -> int:
        """How many scenes take part in this epoch."""
        part = min(1.0, _FIRST_PART + (1.0 - _FIRST_PART) * epoch / self.epochs / _ALL_AT)
        return max(1, int(self.scenes * part))


@dataclass(slots=True, kw_only=True)
class TrainingReport:
    """What came out; written as JSON and Markdown."""

    plan: Plan
    fonts: list[str]
    kept: list[str]
    crops: int = 0
    figures: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    sha256: dict[str, str] = field(default_factory=dict)
    held_out: dict[str, Any] = field(default_factory=dict)


def judge_chances(chances: npt.NDArray[np.float32], data: Squares) -> dict[str, Any]:
    """Counts, confusions and calibration of these probabilities [N, classes]."""
    best = chances.argmax(axis=1)
    sure = chances.max(axis=1)
    right = best == data.labels
    pairs: dict[str, int] = {}
    for truth, read in zip(data.labels[~right], best[~right], strict=True):
        key = f"{class_name(int(truth))}>{class_name(int(read))}"
        pairs[key] = pairs.get(key, 0) + 1
    edges = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 1.01)
    bins = []
    for low, high in pairwise(edges):
        inside = (sure >= low) & (sure < high)
        number = int(inside.sum())
        mean = round(float(sure[inside].mean()), 4) if number else None
        wrong = int((~right[inside]).sum())
        bins.append({"from": low, "n": number, "wrong": wrong, "confidence": mean})
    groups = {
        "empty": data.labels == KNOWN.labels.index("."),
        "blank": data.labels == KNOWN.labels.index("?"),
        "covered": data.labels == KNOWN.labels.index("#"),
        "foreign": data.labels == KNOWN.labels.index(FOREIGN),
        "turned": data.labels >= FIRST_TURN,
    }
    groups["letters"] = ~np.logical_or.reduce(list(groups.values()))
    per_scene = [int((~right[data.scenes == s]).sum()) for s in np.unique(data.scenes)]
    return {
        "n": len(right),
        "wrong": int((~right).sum()),
        "groups": {
            name: {"n": int(mask.sum()), "wrong": int((mask & ~right).sum())}
            for name, mask in groups.items()
        },
        "styles": {
            "n": len(per_scene),
            "without_error": per_scene.count(0),
            "worst": max(per_scene),
        },
        "confusions": dict(sorted(pairs.items(), key=lambda item: -item[1])[:30]),
        "calibration": bins,
    }


def class_name(label: int) -> str:
    """The symbol of a class; turned letters by their angle."""
    known = label < FIRST_TURN
    return KNOWN.labels[label] if known else f"turned{90 * (label - FIRST_TURN + 1)}"


def write_report(report: TrainingReport, out: Path) -> None:
    """``report.json`` and ``report.md`` in the folder ``out``."""
    values = asdict(report)
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (out / "report.json").write_text(text + "\n", encoding="utf-8")
    held = report.held_out
    lines = [
        "# Training report",
        "",
        f"Plan: {values['plan']}; {report.crops} squares, {report.figures} values.",
        f"Seconds: {report.seconds}.",
        *(f"SHA-256 of {name}: `{digest}`." for name, digest in report.sha256.items()),
        "",
        f"Typefaces left out of training: {held['wrong']} wrong of {held['n']}.",
        f"Values: {held['values']}.",
        f"By kind: {held['groups']}; by style: {held['styles']}.",
        f"Middles of tiles, squares off: {held['tile_middle_off']}.",
        "",
        "| confidence from | squares | wrong | mean confidence |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['from']} | {row['n']} | {row['wrong']} | {row['confidence']} |"
        for row in held["calibration"]
    ]
    lines += ["", f"Confusions (truth>read): {held['confusions']}", ""]
    lines += [f"Fonts: {', '.join(report.fonts)}", ""]
    lines += [f"Fonts left out: {', '.join(report.kept)}", ""]
    (out / "report.md").write_text("\n".join(lines), encoding="utf-8")
