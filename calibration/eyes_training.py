"""Training of the network that reads squares. The only module that imports torch.

Everything follows from the seed: styles, scenes, crops, weights at the start, order of batches.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from calibration.eyes_data import Squares, gather, generate
from devices.sim.lettering import Face
from devices.vision.squares import CLASSES, CROP_PX, normalised

Say = Callable[[str], None]

_HELD_OUT_BIT = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to train: scenes rendered, of which ``held_out`` are only for the report."""

    scenes: int = 3000
    epochs: int = 6
    seed: int = 1
    held_out: int = 120
    batch: int = 128
    rate: float = 2e-3
    smoothing: float = 0.01


@dataclass(slots=True, kw_only=True)
class Report:
    """What came out; written as JSON and Markdown."""

    plan: Plan
    fonts: list[str]
    crops: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    sha256: str = ""
    held_out: dict[str, Any] = field(default_factory=dict)


def network() -> nn.Module:
    """Five convolutions and a linear layer; batch norm melts into the weights on export."""

    def block(wide: int, out: int, stride: int) -> list[nn.Module]:
        return [
            nn.Conv2d(wide, out, 3, stride, 1, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        *block(3, 20, 2),
        *block(20, 36, 2),
        *block(36, 48, 1),
        *block(48, 72, 2),
        nn.Flatten(),
        nn.Dropout(0.15),
        nn.Linear(72 * (CROP_PX // 8) ** 2, CLASSES),
    )


def _augmented(crops: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Negatives and exchanged colour channels: more tile colours than were rendered."""
    out = crops
    if rng.random() < 0.25:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.15:
        out = np.subtract(255, out, dtype=np.uint8)
    return out


def fit(data: Squares, plan: Plan, say: Say) -> nn.Module:
    """Train a network on the squares."""
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    torch.use_deterministic_algorithms(mode=True)
    rng = np.random.default_rng([plan.seed, 7])
    model = network()
    count = len(data.labels)
    steps = plan.epochs * (count // plan.batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, total_steps=steps + 1)
    judge = nn.CrossEntropyLoss(label_smoothing=plan.smoothing)
    for epoch in range(plan.epochs):
        order = rng.permutation(count)
        total = 0.0
        model.train()
        batches = count // plan.batch
        for number in range(batches):
            pick = np.sort(order[number * plan.batch : (number + 1) * plan.batch])
            crops = normalised(_augmented(data.crops[pick], rng))
            loss = judge(model(torch.from_numpy(crops)), torch.from_numpy(data.labels[pick]).long())
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        say(f"epoch {epoch + 1}/{plan.epochs}: loss {total / max(batches, 1):.4f}")
    return model.eval()


def export(model: nn.Module, path: Path) -> str:
    """Write ONNX that cv2.dnn reads; returns the SHA-256 of the file."""
    sample = torch.zeros(1, 3, CROP_PX, CROP_PX)
    torch.onnx.export(
        model, (sample,), str(path), input_names=["crops"], output_names=["scores"],
        dynamic_axes={"crops": {0: "n"}, "scores": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    return hashlib.sha256(path.read_bytes()).hexdigest()


def train(plan: Plan, faces: Sequence[Face], out: Path, say: Say) -> Report:
    """Render, train, export and report into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    report = Report(plan=plan, fonts=[face.name for face in faces])
    start = time.perf_counter()
    parts = []
    for number, part in enumerate(generate(faces, range(plan.scenes), plan.seed), 1):
        parts.append(part)
        if number % 200 == 0:
            say(f"{number} scenes in {time.perf_counter() - start:.0f} s")
    data = gather(parts)
    parts.clear()
    report.crops = len(data.labels)
    report.seconds["render"] = round(time.perf_counter() - start, 1)
    start = time.perf_counter()
    model = fit(data, plan, say)
    report.seconds["fit"] = round(time.perf_counter() - start, 1)
    report.sha256 = export(model, out / "tiles.onnx")
    held = range(_HELD_OUT_BIT, _HELD_OUT_BIT + plan.held_out)
    report.held_out = judge_model(model, gather(list(generate(faces, held, plan.seed))))
    write_report(report, out)
    return report


def judge_model(model: nn.Module, data: Squares) -> dict[str, Any]:
    """Accuracy on squares of styles that the network never saw, as plain values."""
    with torch.no_grad():
        batches = [
            torch.softmax(model(torch.from_numpy(normalised(data.crops[at : at + 512]))), dim=1)
            for at in range(0, len(data.labels), 512)
        ]
    chances = torch.cat(batches).numpy()
    return judge_chances(chances, data)


def judge_chances(chances: npt.NDArray[np.float32], data: Squares) -> dict[str, Any]:
    """Counts, confusions and calibration of these probabilities [N, 35]."""
    best = chances.argmax(axis=1)
    sure = chances.max(axis=1)
    right = best == data.labels
    pairs: dict[str, int] = {}
    for truth, read in zip(data.labels[~right], best[~right], strict=True):
        key = f"{class_name(int(truth))}>{class_name(int(read))}"
        pairs[key] = pairs.get(key, 0) + 1
    edges = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 1.01)
    bins = []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inside = (sure >= low) & (sure < high)
        number = int(inside.sum())
        bins.append({"from": low, "n": number, "wrong": int((~right[inside]).sum()),
                     "confidence": round(float(sure[inside].mean()), 4) if number else None})  # fmt: skip
    groups = {"empty": data.labels == 0, "blank": data.labels == 1, "covered": data.labels == 31,
              "turned": data.labels > 31}  # fmt: skip
    groups["letters"] = ~np.logical_or.reduce(list(groups.values()))
    per_scene = [int((~right[data.scenes == s]).sum()) for s in np.unique(data.scenes)]
    return {
        "n": len(right),
        "wrong": int((~right).sum()),
        "groups": {k: {"n": int(m.sum()), "wrong": int((m & ~right).sum())} for k, m in groups.items()},
        "styles": {"n": len(per_scene), "without_error": per_scene.count(0), "worst": max(per_scene)},
        "confusions": dict(sorted(pairs.items(), key=lambda item: -item[1])[:30]),
        "calibration": bins,
    }


def class_name(label: int) -> str:
    """The symbol of a class; turned letters by their angle."""
    from recorder.domain.observations import SYMBOLS

    return SYMBOLS[label] if label < len(SYMBOLS) else f"turned{90 * (label - len(SYMBOLS) + 1)}"


def write_report(report: Report, out: Path) -> None:
    """``report.json`` and ``report.md`` in the folder ``out``."""
    values = asdict(report)
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (out / "report.json").write_text(text + "\n", encoding="utf-8")
    held = report.held_out
    lines = [
        "# Training report",
        "",
        f"Plan: {values['plan']}; {report.crops} squares from {report.plan.scenes} rendered scenes.",
        f"Seconds: {report.seconds}. SHA-256 of tiles.onnx: `{report.sha256}`.",
        "",
        f"Held-out rendered styles: {held['wrong']} wrong of {held['n']}; by kind: {held['groups']};",
        f"styles: {held['styles']}.",
        "",
        "| confidence from | squares | wrong | mean confidence |",
        "|---|---|---|---|",
    ]
    lines += [f"| {b['from']} | {b['n']} | {b['wrong']} | {b['confidence']} |" for b in held["calibration"]]
    lines += ["", f"Confusions (truth>read): {held['confusions']}", "", f"Fonts: {', '.join(report.fonts)}", ""]
    (out / "report.md").write_text("\n".join(lines), encoding="utf-8")
