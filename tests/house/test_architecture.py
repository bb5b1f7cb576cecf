"""The house rules that a linter cannot hold: names, what importing does, what is shipped."""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import ROOT, nodes, parsed

pytestmark = pytest.mark.whole_tree

PACKAGES = ("recorder", "devices", "dashboard", "calibration")
TOP_LEVEL = {
    *PACKAGES,
    *("tests", "docker", "docs"),
    *("pyproject.toml", "tilecast.py", "Makefile"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"),
}
MOST_BYTES = 1_000_000
JUNK_DRAWERS = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
EVERYWHERE = {  # what modules of one kind have by the same name
    "register",  # adds a module's commands to the parser
    "log",  # a module's logger
    "VERSION",  # of the format that a module writes
    "TYPE_CHECKING",  # the firmware has no module typing to take it from
}
BUILT = {
    *(".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache"),
    *("__pycache__", "build", "dist"),
}
ONLY_FOR_TRAINING = {"torch", "onnx"}


def repository_files() -> list[Path]:
    """Every file that is, or is about to be, in the repository; relative to its root.

    A machine without git, or a tree without history, is walked: all but what is built there.
    """
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        found = (file.relative_to(ROOT) for file in ROOT.rglob("*") if file.is_file())
        return sorted(file for file in found if not BUILT.intersection(file.parts))
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = sorted(set(filter(None, listing.stdout.split("\0"))))
    return [Path(name) for name in names if (ROOT / name).is_file()]


FILES = repository_files()
OWN_CODE = [f for f in FILES if f.suffix in {".py", ".js"} and "vendor" not in f.parts]
MODULES = [f for f in OWN_CODE if f.suffix == ".py" and f.parts[0] in {*PACKAGES, "tilecast.py"}]
SCRIPTS = [f for f in OWN_CODE if f.suffix == ".js"]


def run_python(*arguments: str) -> str:
    """What a fresh interpreter prints; its last words are the failure."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},  # compiling all anew is most of the time
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def dotted(file: Path) -> str:
    """The name under which a module is imported."""
    return ".".join(file.with_suffix("").parts).removesuffix(".__init__")


def test_there_is_something_to_check() -> None:
    """The listing of files holds the whole house, not an empty folder."""
    assert len(MODULES) > 50
    assert {file.parts[0] for file in MODULES} == {*PACKAGES, "tilecast.py"}


def imported(file: Path) -> set[str]:
    """Every module of ours that a file imports, also inside its functions."""
    names: set[str] = set()
    for node in nodes(file):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


IMPORTED = re.compile(r'^(?:import|export)\b[^"]*?\bfrom "(\.[^"]+\.m?js)"', re.MULTILINE)
"""What a script imports, as it says it: ``../shared/dom.js``."""


def test_no_two_folders_import_each_other() -> None:
    """Data flows one way between rooms, with all that is in them: where A asks B, B does not ask A.

    A folder's own modules may stand above and below the rooms inside it: those are not counted.
    """
    file_of = {dotted(file): file for file in MODULES}
    arrows = [
        (file, file_of[name])
        for file in MODULES
        if file.name != "__init__.py"
        for name in imported(file) & file_of.keys()
    ] + [
        (file, Path(os.path.normpath(file.parent / asked)))
        for file in SCRIPTS
        for asked in IMPORTED.findall((ROOT / file).read_text(encoding="utf-8"))
    ]
    asking = {rooms for file, asked in arrows if (rooms := rooms_apart(file, asked))}
    assert len(asking) > 100
    assert sorted((a, b) for a, b in asking if a < b and (b, a) in asking) == []


def rooms_apart(file: Path, other: Path) -> tuple[str, str] | None:
    """The folders in which two files lie where their ways part; None where a file lies there."""
    ours, theirs = file.parent.parts, other.parent.parts
    for at, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their:
            return "/".join(ours[: at + 1]), "/".join(theirs[: at + 1])
    return None


def test_what_tests_take_from_each_other_is_there() -> None:
    """Also where no test imports it: benches, what a command of the Makefile starts."""
    taken = {
        (file, Path(*node.module.split("."), name.name))
        for file in OWN_CODE
        if file.suffix == ".py" and file.parts[0] == "tests"
        for node in nodes(file)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tests"
        for name in node.names
    }
    assert len(taken) > 100
    lacks = [
        f"{file}: {name}"
        for file, name in sorted(taken)
        if not {name.parent.with_suffix(".py"), name.with_suffix(".py")} & set(OWN_CODE)
    ]
    assert lacks == []


def test_a_module_says_what_it_is_for() -> None:
    """Module docstrings are the map of the house; a single word is no map."""
    words = {file: (ast.get_docstring(parsed(file)) or "").split() for file in MODULES}
    assert [str(file) for file, said in words.items() if len(said) < 4] == []


def defined(file: Path) -> set[str]:
    """The public classes, functions, types and constants of a module."""
    names: set[str] = set()
    for node in parsed(file).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_means_one_thing(package: str) -> None:
    """No public class, function, type or constant is defined twice in a package.

    What a page gets of a thing goes by its name: ``desk.Notice`` is the frame of a ``Notice``.
    """
    homes: dict[str, list[str]] = {}
    for file in MODULES:
        if file.parts[0] == package and file.parts[:2] != ("recorder", "frames"):
            for name in defined(file) - EVERYWHERE:
                homes.setdefault(name, []).append(file.as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


SAYS_NOTHING = {"one", "told", "more"}


def nameless(file: Path) -> set[str]:
    """Where a module binds a variable or an argument to a name that says nothing."""
    names: set[tuple[int, str]] = set()
    for node in nodes(file):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add((node.lineno, name))
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add((node.lineno, name))
            case ast.MatchMapping(rest=str(name)) | ast.ExceptHandler(name=str(name)):
                names.add((node.lineno, name))
    return {f"{file}:{line} {name}" for line, name in names if name in SAYS_NOTHING}


def test_a_variable_says_what_it_holds() -> None:
    """Nothing is called ``one``, ``told`` or ``more``: a notice is a ``notice``."""
    assert [found for file in MODULES for found in sorted(nameless(file))] == []


BOUND = re.compile(
    r"\b(?:const|let|var) (?:[{[][^=]*\b)?(one|told|more)\b(?!:)"
    r"|\((?:\w+, )*(one|told|more)(?:, \w+)*\)|\b(one|told|more) =>|@param \{.*\} (one|told|more)\b"
)
"""Where a script binds one of these names: by a declaration, an argument or what documents it."""


def test_a_script_says_what_it_holds() -> None:
    """The same for the pages' scripts."""
    assert len(SCRIPTS) > 60
    found = {
        f"{file}:{number}"
        for file in SCRIPTS
        for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1)
        if BOUND.search(line)
    }
    assert found == set()


def test_there_are_no_junk_drawers() -> None:
    """Nothing is called utils, helpers or the like: such files attract what has no place."""
    drawers = [str(f) for f in FILES if JUNK_DRAWERS & {part.split(".")[0] for part in f.parts}]
    assert drawers == []


def test_the_top_level_stays_small() -> None:
    """The root holds what a newcomer must see first, and nothing else."""
    top = {file.parts[0] for file in FILES if not file.parts[0].startswith(".")}
    assert top - TOP_LEVEL == set()


def test_the_domain_loads_nothing_that_touches_the_world() -> None:
    """The rules of the game can be imported where there is no network, disk, clock or camera."""
    domain = [dotted(file) for file in MODULES if file.parts[:2] == ("recorder", "domain")]
    assert len(domain) > 10
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        + "".join(f"import {name}\n" for name in domain)
        + "print(*sys.modules, sep='\\n')"
    )
    # -S and -I: what site-packages start on their own is not the domain's doing.
    loaded = set(run_python("-I", "-S", "-c", program).split())
    assert set(domain) <= loaded
    worldly = "asyncio socket threading sqlite3 cv2 numpy logging random json paho subprocess"
    assert loaded & set(worldly.split()) == set()


IMPORT_ALL = """
import importlib, logging, sys, threading
done = []
names = ("socket.connect", "socket.bind", "subprocess.Popen", "sqlite3.connect", "os.mkdir",
         "os.remove", "os.rename", "os.system", "signal.pthread_kill")
def watch(event, values):
    is_write = (event == "open" and not isinstance(values[0], int)
        and isinstance(values[1], str) and set(values[1]) & set("wax+"))
    if (event in names or is_write) and "__pycache__" not in str(values):
        done.append(f"{event} {values}")
sys.addaudithook(watch)
for name in sys.argv[2:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in sys.argv[1].split(","):
            raise
    if threading.active_count() != 1:
        done.append(f"thread {threading.enumerate()}")
    if done:
        sys.exit(f"importing {name}: {done}")
if logging.getLogger().handlers:
    sys.exit("importing configured logging")
"""


def test_importing_does_nothing() -> None:
    """No file, socket, process or thread is made by an import: commands do things, modules not."""
    run_python("-c", IMPORT_ALL, ",".join(ONLY_FOR_TRAINING), *map(dotted, MODULES))


def test_reading_a_command_line_loads_no_other_package() -> None:
    """``--help`` answers at once: the web server, OpenCV and the like wait for who needs them."""
    program = (
        "import sys, tilecast\n"
        "before = set(sys.modules)\n"
        "tilecast._parser()\n"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    loaded = set(run_python("-c", program).split())
    assert loaded - set(sys.stdlib_module_names) - {*PACKAGES, "tilecast"} == set()


@pytest.mark.parametrize(
    ("program", "spared"),
    [
        ("dashboard.app", {"reportlab", "PIL", "numpy", "sqlite_utils", "cv2"}),
        ("recorder.service.process", {"reportlab", "PIL", "numpy", "sqlite_utils", "fastapi"}),
    ],
)
def test_a_program_starts_without_what_it_may_never_need(program: str, spared: set[str]) -> None:
    """What prints, counts or migrates is loaded when somebody prints, counts or migrates."""
    loaded = run_python("-c", f"import sys, {program}\nprint(*sys.modules)").split()
    assert spared & set(loaded) == set()


def test_a_dashboard_is_checked_without_what_serves_it(tmp_path: Path) -> None:
    """Each start of a venue has it checked first."""
    program = (
        "import sys, tilecast\n"
        f"tilecast.main(['dashboard', '--check', '--log', {str(tmp_path / 'log.db')!r}])\n"
        "print(*sys.modules)"
    )
    loaded = set(run_python("-c", program).split())
    assert {"dashboard.cli", "dashboard.settings"} < loaded
    assert {"fastapi", "uvicorn", "dashboard.app", "prometheus_client"} & loaded == set()


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a path of one machine", r"(?<![\w./-])/(?:work|home|Users|root)/[\w.-]"),
        (
            "an address of a registry",
            r"https?://(?:\w+[.:@-])*(?:py[p]i|n[p]m|registry|deb)\w*[.:]",
        ),
    ],
)
def test_nothing_names(what: str, pattern: str) -> None:
    """The repository works wherever it is cloned, whatever registries are configured there."""
    own_words = re.compile(pattern)
    found = []
    for file in FILES:
        data = (ROOT / file).read_bytes()
        if b"\0" in data[:8000] or file == Path("tests/house/test_architecture.py"):
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if own_words.search(line):
                found.append(f"{file}:{number} names {what}: {line.strip()[:80]}")
    assert found == []


def test_no_file_is_heavy() -> None:
    """A clone stays small: pictures, games and models of a megabyte belong elsewhere."""
    heavy = [str(file) for file in FILES if (ROOT / file).stat().st_size > MOST_BYTES]
    assert heavy == []


def test_locks_hold_hashes_and_no_addresses() -> None:
    """Every locked package has a hash; where it comes from is the installer's business."""
    for lock in (ROOT / ".locks").glob("*.txt"):
        lines = lock.read_text(encoding="ascii").splitlines()
        pins = [i for i, line in enumerate(lines) if line and not line.startswith(" ")]
        assert len(pins) > 20
        for pin in pins:
            assert re.match(r"[a-z0-9-]+==\S+", lines[pin]), lines[pin]
            assert lines[pin + 1].startswith("    --hash=sha256:"), lines[pin]
        assert "://" not in lock.read_text(encoding="ascii")


def test_the_run_time_lock_is_part_of_the_development_lock() -> None:
    """What is tested is what runs: all locks give a package the same versions."""
    run, with_postgres, dev = (
        {line for line in (ROOT / ".locks" / name).read_text().splitlines() if "==" in line}
        for name in ("run.txt", "postgres.txt", "dev.txt")
    )
    assert run <= with_postgres <= dev


def test_shipped_weights_are_the_ones_of_their_report() -> None:
    """The report on the eyes names the checksum of the very file that is shipped."""
    report = ROOT / "docs" / "eyes-report.md"
    if not report.exists():
        pytest.skip("there is no report on the shipped weights: docs/eyes-report.md")
    named = set(re.findall(r"\b[0-9a-f]{64}\b", report.read_text(encoding="utf-8")))
    folder = ROOT / "devices" / "vision" / "weights"
    shipped = {hashlib.sha256(f.read_bytes()).hexdigest() for f in folder.glob("*.onnx")}
    assert shipped <= named


def test_posix_alone_is_called_in_one_place() -> None:
    """What only POSIX has is named by no other module of the product."""
    only = ("os.killpg", "os.geteuid", "os.nice(", "os.openpty", "os.sysconf", "signal.SIGKILL")
    found = {
        str(file.relative_to(ROOT))
        for part in ("recorder", "devices", "dashboard", "calibration")
        for file in (ROOT / part).rglob("*.py")
        if any(name in file.read_text(encoding="utf-8") for name in only)
    }
    assert found == {"recorder/systems.py"}
