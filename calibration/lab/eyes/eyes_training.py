"""Training of the networks that read squares. Only it and ``augment`` import torch and onnx.

Without a GPU everything follows from the seed and the number of jobs: styles, scenes, crops,
weights at the start, order of batches. A GPU sums in an order of its own.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from calibration.lab.eyes.augment import augmented
from calibration.lab.eyes.eyes_data import KNOWN, Squares, divided, gather, generate
from calibration.lab.eyes.eyes_report import Plan, TrainingReport, judge_chances, write_report
from devices.lab.scenes.lettering import Face
from devices.vision.squares.net import CROP_PX, LABELS_KEY, VALUES, WEIGHTS, as_planes

Say = Callable[[str], None]

_DARKEST_CONTRAST = 12.0
_HELD_OUT_BIT = 1 << 24
_SHIFT_WEIGHT = 2.0
_VALUE_WEIGHT = 0.5
_WORTH_HALVING = 64


class _AsLit(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """The first layer of the first network: light as it is, so that a bare rim stays faint."""

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Crops [N, 3, side, side] of 0 to 255, scaled all alike."""
        return (planes - 128.0) / 64.0


class _Evened(nn.Module):  # type: ignore[misc]  # as above
    """That of the second: every crop at mean 0 and contrast about 1, so light matters less.

    Networks that see differently err in different places, and the second is asked about doubts.
    """

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Crops [N, 3, side, side] of 0 to 255, scaled; dark ones are not stretched to noise."""
        mean = planes.mean(dim=(1, 2, 3), keepdim=True)
        spread = ((planes - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        return (planes - mean) / (spread + _DARKEST_CONTRAST)


def network(number: int = 0) -> nn.Module:
    """Six convolutions and a linear layer; batch norm melts into the weights on export.

    ``number`` 0 or 1: the two differ in their first layer alone.
    """

    def block(wide: int, out: int, stride: int, side: int = 3) -> list[nn.Module]:
        return [
            nn.Conv2d(wide, out, side, stride, side // 2, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        (_AsLit, _Evened)[number](),
        *block(3, 24, 2),
        *block(24, 48, 2),
        *block(48, 64, 1),
        *block(64, 112, 2),
        *block(112, 112, 1),
        *block(112, 48, 1, side=1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(48 * (CROP_PX // 8) ** 2, KNOWN.outputs),
    )


def fit(data: Squares, plan: Plan, say: Say, number: int = 0) -> nn.Module:
    """Train a network (``number`` 0 or 1) on the squares, on a GPU where there is one."""
    on = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(plan.jobs)
    torch.manual_seed(plan.seed + number)
    torch.use_deterministic_algorithms(mode=on.type == "cpu")
    order = np.random.default_rng([plan.seed + number, 7])
    lots = torch.Generator(on).manual_seed(plan.seed + number)
    model = network(number).to(on, memory_format=torch.channels_last)
    lessons = _Lessons.of(data, on)
    count = len(data.labels)
    steps = plan.epochs * (count // plan.batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, total_steps=steps + 1)
    judge = nn.CrossEntropyLoss(label_smoothing=plan.smoothing)
    for epoch in range(plan.epochs):
        shuffled = order.permutation(count)
        total = torch.zeros((), device=on)
        model.train()
        batches = count // plan.batch
        for step in range(batches):
            pick = np.sort(shuffled[step * plan.batch : (step + 1) * plan.batch])
            batch = lessons.some(torch.from_numpy(pick).to(on))
            spoilt = augmented(batch.crops, lots).permute(0, 3, 1, 2)
            sample = spoilt.contiguous(memory_format=torch.channels_last)
            with torch.autocast(on.type, torch.bfloat16, enabled=plan.half):
                scores = model(sample)
            loss = _loss(scores.float(), batch, judge)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.detach()
        say(f"epoch {epoch + 1}/{plan.epochs}: loss {float(total) / max(batches, 1):.4f}")
    return model.to("cpu", memory_format=torch.contiguous_format).eval()


@dataclass(frozen=True, slots=True, eq=False)
class _Lessons:
    """Squares as tensors, all of them on the device that trains."""

    crops: torch.Tensor
    labels: torch.Tensor
    values: torch.Tensor
    shifts: torch.Tensor

    @classmethod
    def of(cls, data: Squares, on: torch.device) -> "_Lessons":
        parts = (data.crops, data.labels, data.values, data.shifts)
        crops, labels, values, shifts = (torch.from_numpy(part).to(on) for part in parts)
        return cls(crops, labels.long(), values.long(), shifts)

    def some(self, pick: torch.Tensor) -> "_Lessons":
        return _Lessons(self.crops[pick], self.labels[pick], self.values[pick], self.shifts[pick])


def _loss(scores: torch.Tensor, batch: _Lessons, judge: nn.Module) -> torch.Tensor:
    """Cross entropy of classes and values, and how far off a tile's middle is said to lie."""
    classes = judge(scores[:, : KNOWN.classes], batch.labels)
    values = judge(scores[:, KNOWN.classes : KNOWN.classes + VALUES], batch.values)
    known = torch.isfinite(batch.shifts)
    wanted = torch.where(known, batch.shifts, 0.0)
    off = nn.functional.smooth_l1_loss(scores[:, -2:], wanted, beta=0.05, reduction="none")
    middles = (off * known).sum() / known.sum().clamp(min=1)
    total: torch.Tensor = classes + _VALUE_WEIGHT * values + _SHIFT_WEIGHT * middles
    return total


def export(model: nn.Module, path: Path) -> str:
    """Write ONNX that the eyes read, weights in half precision; returns the file's SHA-256."""
    sample = torch.zeros(1, 3, CROP_PX, CROP_PX)
    torch.onnx.export(
        model, (sample,), str(path), input_names=["crops"], output_names=["scores"],
        dynamic_axes={"crops": {0: "n"}, "scores": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip
    _halve(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _halve(path: Path) -> None:
    """Keep weights in two bytes each; they are cast back when they are loaded."""
    stored = onnx.load(str(path))
    casts = []
    for weights in list(stored.graph.initializer):
        values = onnx.numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size >= _WORTH_HALVING:
            half = onnx.numpy_helper.from_array(values.astype(np.float16), f"{weights.name}_half")
            stored.graph.initializer.remove(weights)
            stored.graph.initializer.append(half)
            casts.append(
                onnx.helper.make_node(
                    "Cast", [half.name], [weights.name], to=onnx.TensorProto.FLOAT
                )
            )
    nodes = [*casts, *stored.graph.node]
    del stored.graph.node[:]
    stored.graph.node.extend(nodes)
    onnx.helper.set_model_props(stored, {LABELS_KEY: json.dumps(KNOWN.labels)})
    onnx.checker.check_model(stored)
    onnx.save(stored, str(path))


def _rendered(plan: Plan, faces: Sequence[Face], path: Path, say: Say) -> Squares:
    """All training squares; the crops lie in the file ``path``, as they may not fit in memory."""
    start = time.perf_counter()
    parts = []
    with path.open("wb") as file:
        scenes = generate(faces, range(plan.scenes), plan.seed, plan.jobs)
        for number, part in enumerate(scenes, 1):
            file.write(part.crops.tobytes())
            parts.append(replace(part, crops=part.crops[:0]))
            if number % 200 == 0:
                say(f"{number} scenes in {time.perf_counter() - start:.0f} s")
    rest = gather(parts)
    shape = (len(rest.labels), CROP_PX, CROP_PX, 3)
    return replace(rest, crops=np.memmap(path, np.uint8, mode="c", shape=shape))


def train(plan: Plan, faces: Sequence[Face], out: Path, say: Say) -> TrainingReport:
    """Render, train, export and report into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    taught, kept = divided(faces)
    report = TrainingReport(
        plan=plan, fonts=[face.name for face in taught], kept=[face.name for face in kept]
    )
    start = time.perf_counter()
    with TemporaryDirectory(dir=out, prefix="crops-") as folder:
        data = _rendered(plan, taught, Path(folder) / "crops.bin", say)
        report.crops = len(data.labels)
        report.seconds["render"] = round(time.perf_counter() - start, 1)
        start = time.perf_counter()
        models = [fit(data, plan, say, n) for n in range(plan.nets)]
        report.seconds["fit"] = round(time.perf_counter() - start, 1)
        del data
    names = WEIGHTS[: plan.nets]
    report.sha256 = {
        name: export(model, out / name) for name, model in zip(names, models, strict=True)
    }
    held = range(_HELD_OUT_BIT, _HELD_OUT_BIT + plan.held_out)
    report.held_out = judge_model(models, gather(list(generate(kept, held, plan.seed, plan.jobs))))
    write_report(report, out)
    return report


def judge_model(models: Sequence[nn.Module], data: Squares) -> dict[str, Any]:
    """Accuracy of the networks' average on squares of styles never seen, as plain values."""
    batches = []
    with torch.no_grad():
        for at in range(0, len(data.labels), 512):
            crops = torch.from_numpy(as_planes(data.crops[at : at + 512]))
            batches.append(torch.stack([model(crops) for model in models]).mean(dim=0))
    scores = torch.cat(batches)
    result = judge_chances(torch.softmax(scores[:, : KNOWN.classes], dim=1).numpy(), data)
    known = np.isfinite(data.shifts).all(axis=1)
    printed = scores[:, KNOWN.classes : KNOWN.classes + VALUES].argmax(dim=1).numpy()
    seen = data.values > 0
    result["values"] = {
        "n": int(seen.sum()),
        "wrong": int((printed != data.values)[seen].sum()),
        "seen_where_none_is": int((printed[~seen] > 0).sum()),
    }
    off = np.linalg.norm(scores[:, -2:].numpy()[known] - data.shifts[known], axis=1)
    result["tile_middle_off"] = {
        "median": float(np.median(off)),
        "p95": float(np.quantile(off, 0.95)),
    }
    return result
