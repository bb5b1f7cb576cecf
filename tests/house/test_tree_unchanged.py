"""Benches and tests leave the repository as it is."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bench.hall import hall_curves
from tests.bench.hall.hall_curves import DOCS, END, HallCost, keep, keep_table, write_documents

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PACE = "<!-- figures of make bench ONLY=pace -->\n"


def test_a_bench_keeps_its_figures_until_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No bench changes a document; what it kept goes into the page between its own marks."""
    monkeypatch.setattr(hall_curves, "KEPT", tmp_path / "kept")
    docs = tmp_path / "docs"
    docs.mkdir()
    before = (DOCS / "hall.md").read_text(encoding="utf-8")
    shutil.copy(DOCS / "hall.md", docs)
    costs = [HallCost(n, 6, 1000 * n, 1.5 * n, 1.0 * n, 90.0, 60.0 + n) for n in (1, 4, 16)]
    keep(costs)
    keep_table(PACE, "| new figures |\n")
    assert (DOCS / "hall.md").read_text(encoding="utf-8") == before
    write_documents(docs)
    after = (docs / "hall.md").read_text(encoding="utf-8")
    assert f"{PACE}| new figures |\n{END}" in after
    assert "| 16, 96 | 16,000 |" in after
    assert (docs / "hall-curves.svg").read_text(encoding="utf-8").startswith("<svg")
    assert after.count(END) == before.count(END)


@pytest.mark.parametrize("leaves_a_file", [False, True])
def test_a_run_that_changes_the_tree_fails(tmp_path: Path, *, leaves_a_file: bool) -> None:
    """``.ci/test`` names the files that tests left in the repository."""
    tree = tmp_path / "tree"
    (tree / ".ci").mkdir(parents=True)
    (tree / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "test", tree / ".ci")
    python = tree / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\n" + ("touch docs/log.db-wal\n" if leaves_a_file else ""))
    python.chmod(0o755)
    (tree / ".gitignore").write_text("/.venv/\n")
    (tree / "docs").mkdir()
    (tree / "docs" / "not_added").write_text("here before")
    git = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run(["git", "init", "-q", tree], check=True, env=git)
    ran = subprocess.run(
        [tree / ".ci" / "test", "--fast"], env=git, capture_output=True, text=True, check=False
    )
    assert ran.returncode == int(leaves_a_file)
    assert ("log.db-wal" in ran.stderr) is leaves_a_file
    assert "not_added" not in ran.stderr
