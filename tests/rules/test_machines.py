"""The registry of machines, their page, and that each of them is sound."""

import argparse
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import recorder.domain.rules as package
from recorder.commands import rules_cli
from recorder.domain.rules.core.machine import Machine
from recorder.domain.rules.machines import MACHINES, page

PAGE = Path(__file__).parents[2] / "docs" / "machines.md"


def run(*words: str) -> int:
    """The exit status of a command line."""
    parser = argparse.ArgumentParser()
    rules_cli.register(parser.add_subparsers(required=True))
    args = parser.parse_args([*words])
    status: int = args.run(args)
    return status


def test_every_module_with_machines_is_registered() -> None:
    """Whoever adds a module names it in ``_MODULES`` of machines.py."""
    prefix = f"{package.__name__}."
    names = [found.name for found in pkgutil.walk_packages(package.__path__, prefix)]
    modules = [import_module(name) for name in names if not name.endswith(".machines")]
    there = {one.name for module in modules for one in getattr(module, "MACHINES", ())}
    assert there == {one.name for one in MACHINES}


def test_the_page_is_in_step() -> None:
    """If not: tilecast rules machines --write docs/machines.md."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_a_machine_is_sound(machine: Machine[Any, Any, Any]) -> None:
    """Every state can be reached, something ends it, and no row hides behind an open one."""
    reached, ahead = {machine.initial}, [machine.initial]
    while ahead:
        state = ahead.pop()
        near = {row.target for row in machine.rows if row.source is state} - reached
        reached |= near
        ahead.extend(near)
    assert reached == {s for row in machine.rows for s in (row.source, row.target)}
    assert machine.finals()
    unguarded: set[tuple[str, str]] = set()
    for row in machine.rows:
        assert (row.source, row.on) not in unguarded, f"{row.source} on {row.on} is hidden"
        assert row.when is None or row.when.words, "a diagram would not show the condition"
        if row.when is None:
            unguarded.add((row.source, row.on))


def test_names_and_titles_come_once() -> None:
    """A heading of the page is the address of one machine."""
    assert len({machine.name for machine in MACHINES}) == len(MACHINES)
    assert len({machine.title for machine in MACHINES}) == len(MACHINES)


def test_the_command_shows_and_writes_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard output, or to a file; a folder that is not there is named."""
    assert run("rules", "machines") == 0
    assert capsys.readouterr().out == page()
    assert run("rules", "machines", "--write", str(tmp_path / "m.md")) == 0
    assert (tmp_path / "m.md").read_text(encoding="utf-8") == page()
    assert run("rules", "machines", "--write", str(tmp_path / "no" / "m.md")) == 1
    assert "no/m.md: No such file" in capsys.readouterr().err
