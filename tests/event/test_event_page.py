"""The page on events: its examples are run, and say what the page says."""

import re
import shlex
from pathlib import Path

import pytest

import tilecast

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("event.md", "event-files.md"))
FILES = re.findall(r"`(\w+\.t)`[.:]\n\n```text\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=[shown.split("\n")[0] for shown in EXAMPLES])
def test_an_example_prints_what_the_page_shows(
    example: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Line by line, but for spaces at the ends."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES:
        Path(name).write_text(content, encoding="utf-8")
    for shown in example.removeprefix("$ ").split("\n$ "):
        command, *lines = shown.rstrip("\n").split("\n")
        tilecast.main(shlex.split(command)[1:])
        printed = capsys.readouterr().out.rstrip().split("\n")
        assert [line.rstrip() for line in printed] == [line.rstrip() for line in lines]


def test_the_page_has_its_examples() -> None:
    assert [name for name, _ in FILES] == ["harbour.t", "odd.t"]
    assert len(EXAMPLES) == 5
