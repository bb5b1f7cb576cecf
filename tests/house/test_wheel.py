"""The wheel: what is in it, what is not, and that it runs, and only its own packages."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from recorder.version import VERSION

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGES = ("recorder", "devices", "dashboard", "calibration")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as it is for a release."""
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The wheel's files, as pip lays them out."""
    folder = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def tilecast(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The installed program, started in a folder as ``python -m tilecast`` is."""
    return subprocess.run(
        [sys.executable, "-m", "tilecast", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_has_what_runs_and_nothing_else(wheel: Path):
    """Packages, what they read, licences and marks for type checkers; no tests, no tools' files."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    about = f"tilecast-{VERSION}.dist-info"
    assert {name.split("/")[0] for name in names} == {*PACKAGES, "tilecast.py", about}
    wanted = {f"{package}/py.typed" for package in PACKAGES} | {
        "recorder/printing/fonts/NotoSans-Regular.ttf",
        "recorder/rulesets/wespa1.toml",
        "dashboard/templates/director.html",
        "dashboard/static/vendor/preact/preact.mjs",
        f"{about}/licenses/recorder/printing/fonts/OFL.txt",
        f"{about}/licenses/LICENSE",
        f"{about}/licenses/devices/vision/weights/LICENSE",
    }
    assert wanted <= set(names)
    assert wheel.stat().st_size < 5_000_000
    tools = (".d.ts", ".pyc", "tsconfig.json", "package.json")
    hidden = [name for name in names if name.split("/")[-1].startswith(".")]
    assert [name for name in names if name.endswith(tools)] + hidden == []


@pytest.mark.further
def test_the_sources_of_a_release_have_no_tests_and_build_the_same_wheel(wheel: Path):
    """The sdist is for those who build packages of their own: no tests, no pictures for them."""
    build = [sys.executable, "-m", "hatchling", "build", "-t"]
    out = wheel.parent / "sources"
    subprocess.run([*build, "sdist", "-d", str(out)], cwd=ROOT, check=True, capture_output=True)
    (packed,) = out.glob("*.tar.gz")
    with tarfile.open(packed) as sources:
        sources.extractall(out, filter="data")
    tree = out / f"tilecast-{VERSION}"
    assert not (tree / "tests").exists()
    subprocess.run([*build, "wheel", "-d", str(out)], cwd=tree, check=True, capture_output=True)
    (again,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as here, zipfile.ZipFile(again) as there:
        assert set(here.namelist()) == set(there.namelist())


def test_what_is_not_ours_has_its_licence_in_the_wheel(wheel: Path):
    """Every folder of vendored scripts, fonts and weights brings its own, also for pip to show."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    folders = {
        name.rpartition("/")[0]
        for name in names
        if name.endswith((".onnx", ".ttf", ".woff2", ".mjs", "flags.zip", "words/english.txt"))
        and "/js/" not in name
    }
    licensed = {
        name.rpartition("/licenses/")[2].rpartition("/")[0]
        for name in names
        if "/licenses/" in name
    }
    assert len(folders) > 5
    assert folders <= licensed


def test_what_is_installed_runs_and_says_its_version(installed: Path, tmp_path: Path):
    """Away from any checkout: the release alone; rule sets are there."""
    said = tilecast(installed, tmp_path, "--version")
    assert (said.stdout, said.stderr) == (f"tilecast {VERSION}\n", "")
    rules = tilecast(installed, tmp_path, "rules", "show", "wespa1", "--json")
    assert rules.returncode == 0, rules.stderr
    assert '"name": "wespa1"' in rules.stdout


@pytest.mark.parametrize("name", PACKAGES)
def test_somebody_elses_package_is_refused(installed: Path, tmp_path: Path, name: str):
    """One line on stderr with both places and the remedy, instead of a failure later on."""
    (tmp_path / f"{name}.py").write_text("raise SystemExit('not ours')\n", encoding="utf-8")
    said = tilecast(installed, tmp_path, "--version")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.count("\n") == 1
    for part in (repr(name), str(tmp_path / f"{name}.py"), str(installed / name), "pipx"):
        assert part in said.stderr
