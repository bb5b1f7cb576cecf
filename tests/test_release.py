"""One version, said alike by everything that is asked for it."""

import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from recorder import version
from recorder.version import VERSION, build_version

ROOT = Path(__file__).parents[1]


def git(*words: str) -> str:
    """What git says of this checkout; a skip where there is none."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_command_says_which_build_it_is():
    """Release and commit, on one line."""
    command = [sys.executable, "-m", "tilecast", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"tilecast {build_version()}\n"
    commit = git("rev-parse", "HEAD")[:7]
    assert re.fullmatch(rf"{re.escape(VERSION)}\+g{commit}(\.changed)?", build_version())


def test_outside_a_checkout_the_release_is_all_there_is_to_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As in a container or an installed wheel; a folder that git refuses is none of ours."""
    build_version.cache_clear()
    monkeypatch.setattr(version, "_TREE", tmp_path)
    assert build_version() == VERSION
    (tmp_path / ".git").mkdir()
    build_version.cache_clear()
    assert build_version() == VERSION
    monkeypatch.undo()
    build_version.cache_clear()


def test_the_package_carries_the_same_number():
    """The build backend reads it from the one place where it stands."""
    installed = metadata.version("tilecast")
    if installed != VERSION:
        pytest.skip(f"set up as {installed}; make setup-dev installs {VERSION}")


def test_a_release_has_its_section_in_the_changelog():
    """A number without .dev is a release, and staff can read what is new in it."""
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev0|rc\d+)?", VERSION)
    if not VERSION.endswith(".dev0"):
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        assert re.search(
            rf"^## \[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE
        )


def test_a_tag_of_this_commit_is_its_number():
    """A tag v0.1.0 stands on the commit whose number is 0.1.0."""
    tags = [tag for tag in git("tag", "--points-at", "HEAD").split() if tag.startswith("v")]
    assert tags in ([], [f"v{VERSION}"])
