"""One version, said alike by everything that is asked for it."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from recorder import version
from recorder.version import VERSION, build_version

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yaml"


def git(*words: str) -> str:
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


def test_every_python_that_we_claim_is_tried():
    """Classifiers, the least version, the forge's matrix: one list, without a gap."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    claimed = [
        found[1]
        for one in project["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    ]
    assert project["requires-python"] == f">={claimed[0]}"
    assert [int(name.split(".")[1]) for name in claimed] == list(range(11, 11 + len(claimed)))
    matrix = re.search(r"python: \[(.*)\]", WORKFLOW.read_text(encoding="utf-8"))
    assert re.findall(r'"(.+?)"', matrix[1]) == claimed


@pytest.mark.parametrize(
    "command",
    [
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)],
        ["pre-commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")],
    ],
    ids=["forge", "hooks"],
)
def test_what_others_read_is_in_their_form(command: list[str]):
    """Held against the published schema, and read by the program that it is for."""
    tool = Path(sys.executable).parent / command[0]
    done = subprocess.run([tool, *command[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hooks_call_tools_that_are_there():
    """Every program of our environment that a hook names."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    tools = re.findall(r"entry: \.venv/bin/(\S+)", hooks)
    assert len(tools) > 3
    assert [tool for tool in tools if not (Path(sys.executable).parent / tool).exists()] == []
