"""``eyes train`` as an operator meets it: what is missing is named, nothing crashes."""

import importlib.util
import json
from pathlib import Path

import pytest

from calibration.lab.eyes_cli import register_eyes_train
from recorder.commands.command_line import CommandParser

pytestmark = pytest.mark.pixels


def _run(*words: object) -> int:
    parser = CommandParser()
    register_eyes_train(parser.add_subparsers())
    args = parser.parse_args(["train", *map(str, words)])
    status: int = args.run(args)
    return status


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_training_without_the_extra_names_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert _run("--out", tmp_path / "out", "--fonts", tmp_path) == 1
    assert "tilecast[train]" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_a_tiny_training_writes_weights_that_opencv_reads(tmp_path: Path):
    """Four scenes, one epoch: three networks, a report with their hashes, and they can be read."""
    from devices.vision.squares.net import SquareNet

    assert (
        _run(
            "--out",
            tmp_path,
            "--scenes",
            4,
            "--epochs",
            1,
            "--held-out",
            1,
            "--batch",
            64,
            "--fonts",
            tmp_path,
        )
        == 0
    )
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert set(report["sha256"]) == {"tiles.onnx", "tiles-2.onnx", "values.onnx"}
    first, second, values = ((tmp_path / name).read_bytes() for name in report["sha256"])
    SquareNet(first, second, values=values)
