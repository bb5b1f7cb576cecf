"""Training of the networks that read squares. Only it and ``augment`` import torch and onnx.

Without a GPU everything follows from the seed and the number of jobs: styles, scenes, crops,
weights at the start, order of batches. A GPU sums in an order of its own.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from calibration.lab.eyes.augment import augmented
from calibration.lab.eyes.eyes_data import KNOWN, Squares, divided, gather, generate
from calibration.lab.eyes.eyes_report import (
    VALUE_NETWORK,
    Plan,
    TrainingReport,
    judge_chances,
    write_report,
)
from calibration.lab.eyes.lessons import Lessons
from devices.lab.scenes.lettering import Face
from devices.pictures import Image
from devices.vision.squares.net import (
    CROP_PX,
    LABELS_KEY,
    VALUE_WEIGHTS,
    VALUES,
    WEIGHTS,
    as_planes,
)

Say = Callable[[str], None]

_DARKEST_CONTRAST = 12.0
_HELD_OUT_BIT = 1 << 24
_SHIFT_WEIGHT = 2.0
_SURE_VALUE = 0.9
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


def _block(wide: int, out: int, stride: int, side: int = 3) -> list[nn.Module]:
    return [
        nn.Conv2d(wide, out, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    ]


def network(number: int = 0) -> nn.Module:
    """Six convolutions and a linear layer; batch norm melts into the weights on export.

    ``number`` 0 or 1: the two differ in their first layer alone.
    """
    return nn.Sequential(
        (_AsLit, _Evened)[number](),
        *_block(3, 24, 2),
        *_block(24, 48, 2),
        *_block(48, 64, 1),
        *_block(64, 112, 2),
        *_block(112, 112, 1),
        *_block(112, 48, 1, side=1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(48 * (CROP_PX // 8) ** 2, KNOWN.outputs),
    )


def value_network() -> nn.Module:
    """The network that reads printed values: as those of tiles, narrower."""
    return nn.Sequential(
        _Evened(),
        *_block(3, 24, 2),
        *_block(24, 40, 1),
        *_block(40, 56, 2),
        *_block(56, 56, 2),
        *_block(56, 40, 1, side=1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(40 * (CROP_PX // 8) ** 2, VALUES),
    )


class _Learner:
    """A network in training: ``number`` 0 or 1 reads tiles, ``VALUE_NETWORK`` values."""

    def __init__(self, number: int, lessons: Lessons, plan: Plan) -> None:
        on = lessons.on
        torch.manual_seed(plan.seed + number)
        self.of_values = number == VALUE_NETWORK
        fresh = value_network() if self.of_values else network(number)
        self.model = fresh.to(on, memory_format=torch.channels_last)
        self._lots = torch.Generator(on).manual_seed(plan.seed + number)
        self._lessons, self._plan = lessons, plan
        self._optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=plan.rate, weight_decay=0.01, fused=on.type == "cuda"
        )
        self._batches = max(lessons.expected(of_values=self.of_values) // plan.batch, 1)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser, plan.rate, total_steps=plan.epochs * self._batches + 1
        )
        self._judge = nn.CrossEntropyLoss(label_smoothing=plan.smoothing)

    def learn(self, scenes: int) -> float:
        """One epoch with the squares of the first ``scenes`` scenes; returns the mean loss."""
        count = self._lessons.ready(scenes, of_values=self.of_values)
        total = torch.zeros((), device=self._lessons.on)
        self.model.train()
        for _ in range(self._batches):
            loss = self._step(count)
            self._optimiser.zero_grad(set_to_none=True)
            loss.backward()
            self._optimiser.step()
            self._schedule.step()
            total += loss.detach()
        return float(total) / self._batches

    def _step(self, count: int) -> torch.Tensor:
        """The loss on a batch drawn from the first ``count`` squares (or figures)."""
        lessons, plan = self._lessons, self._plan
        drawn = torch.randint(count, (plan.batch,), generator=self._lots, device=lessons.on)
        pick = drawn.sort().values
        crops = lessons.figures if self.of_values else lessons.crops
        spoilt = augmented(crops[pick], self._lots).permute(0, 3, 1, 2)
        sample = spoilt.contiguous(memory_format=torch.channels_last)
        with torch.autocast(lessons.on.type, torch.bfloat16, enabled=plan.half):
            scores = self.model(sample).float()
        if self.of_values:
            loss: torch.Tensor = self._judge(scores, lessons.values[pick].long())
            return loss
        return _loss(scores, lessons.labels[pick].long(), lessons.shifts[pick], self._judge)


def fit(lessons: Lessons, plan: Plan, say: Say) -> dict[int, nn.Module]:
    """The trained networks by number, on a GPU where there is one.

    Scenes are rendered meanwhile. Which squares an epoch takes depends on the plan alone, so it
    waits for those.
    """
    torch.set_num_threads(plan.jobs)
    torch.use_deterministic_algorithms(mode=lessons.on.type == "cpu")
    numbers = (*range(plan.nets), VALUE_NETWORK)
    learners = {number: _Learner(number, lessons, plan) for number in numbers}
    start = time.perf_counter()
    for epoch in range(plan.epochs):
        scenes = plan.scenes_by(epoch)
        losses = [f"{learner.learn(scenes):.4f}" for learner in learners.values()]
        spent = time.perf_counter() - start
        say(f"epoch {epoch + 1}/{plan.epochs}, {scenes} scenes, {spent:.0f} s: {' '.join(losses)}")
    return {
        number: learner.model.to("cpu", memory_format=torch.contiguous_format).eval()
        for number, learner in learners.items()
    }


def _loss(
    scores: torch.Tensor, labels: torch.Tensor, shifts: torch.Tensor, judge: nn.Module
) -> torch.Tensor:
    """Cross entropy of classes, and how far off a tile's middle is said to lie."""
    known = torch.isfinite(shifts)
    wanted = torch.where(known, shifts, 0.0)
    off = nn.functional.smooth_l1_loss(scores[:, -2:], wanted, beta=0.05, reduction="none")
    middles = (off * known).sum() / known.sum().clamp(min=1)
    total: torch.Tensor = judge(scores[:, : KNOWN.classes], labels) + _SHIFT_WEIGHT * middles
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


def train(plan: Plan, faces: Sequence[Face], out: Path, say: Say) -> TrainingReport:
    """Render, train, export and report into the folder ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    taught, kept = divided(faces)
    report = TrainingReport(
        plan=plan, fonts=[face.name for face in taught], kept=[face.name for face in kept]
    )
    on = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    start = time.perf_counter()
    with TemporaryDirectory(dir=out, prefix="crops-") as folder:
        scenes = generate(taught, range(plan.scenes), plan.seed, plan.jobs)
        with Lessons(plan.scenes, scenes, on, Path(folder)) as lessons:
            models = fit(lessons, plan, say)
            report.crops = lessons.ready(plan.scenes, of_values=False)
            report.figures = lessons.ready(plan.scenes, of_values=True)
            report.seconds["render"] = round(lessons.seconds, 1)
        del lessons
    for number, model in models.items():
        name = VALUE_WEIGHTS if number == VALUE_NETWORK else WEIGHTS[number]
        report.sha256[name] = export(model, out / name)
    report.seconds["all"] = round(time.perf_counter() - start, 1)
    held = range(_HELD_OUT_BIT, _HELD_OUT_BIT + plan.held_out)
    data = gather(list(generate(kept, held, plan.seed, plan.jobs)))
    report.held_out = judge_model([models[n] for n in range(plan.nets)], data)
    report.held_out["values"] = _judge_values(models[VALUE_NETWORK], data)
    write_report(report, out)
    return report


def judge_model(models: Sequence[nn.Module], data: Squares) -> dict[str, Any]:
    """Accuracy of the networks' average on squares of styles never seen, as plain values."""
    scores = torch.stack([_answers(model, data.crops) for model in models]).mean(dim=0)
    result = judge_chances(torch.softmax(scores[:, : KNOWN.classes], dim=1).numpy(), data)
    known = np.isfinite(data.shifts).all(axis=1)
    off = np.linalg.norm(scores[:, -2:].numpy()[known] - data.shifts[known], axis=1)
    result["tile_middle_off"] = {
        "median": float(np.median(off)),
        "p95": float(np.quantile(off, 0.95)),
    }
    return result


def _answers(model: nn.Module, crops: Image) -> torch.Tensor:
    with torch.no_grad():
        parts = [
            model(torch.from_numpy(as_planes(crops[at : at + 512])))
            for at in range(0, len(crops), 512)
        ]
    return torch.cat(parts)


def _judge_values(model: nn.Module, data: Squares) -> dict[str, int]:
    """How many values are read wrong, and how many of those that are read surely."""
    chances = torch.softmax(_answers(model, data.figures), dim=1).numpy()
    wrong = chances.argmax(axis=1) != data.values
    sure = chances.max(axis=1) > _SURE_VALUE
    return {
        "n": len(wrong),
        "wrong": int(wrong.sum()),
        "sure": int(sure.sum()),
        "sure_wrong": int((sure & wrong).sum()),
    }
