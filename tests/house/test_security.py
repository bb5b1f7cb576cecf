"""SECURITY.md promises a test for every fault that was found; here it is held to that."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from dashboard.web.phone_socket import device_name
from tests.attacks import on_shares as shares
from tests.dashboard.auth import test_damaged_accounts as accounts
from tests.devices.clocks import test_firmware_messages as firmware
from tests.house.attacks_table import table
from tests.recorder.log import damage
from tests.recorder.log import test_power_cut as power

ROOT = Path(__file__).parents[2]
CLAIM = re.compile(r"^\| ([CHMLN]\d+) \| .+ \| `(test_\w+\.py)::(test_\w+)` \|$", re.MULTILINE)
CLAIMS = CLAIM.findall((ROOT / "SECURITY.md").read_text("utf-8"))


FIGURES = (
    damage.LOGS_IN_A_RUN, accounts.FILES_IN_A_RUN, power.CUTS,
    firmware.MESSAGES_IN_A_RUN, shares.BROKER_MB,
)  # fmt: skip
"""What stands in the second column of the table of faults of disk and power, in its order."""


def test_the_figures_are_those_of_the_tests() -> None:
    """Anyone who changes a test changes what is said of it."""
    text = (ROOT / "SECURITY.md").read_text("utf-8").partition("<!-- figures")[2]
    cells = [line.split("|")[2].strip() for line in text.splitlines() if line.startswith("| ")]
    assert [cell for cell in cells if cell.isdecimal()] == [str(figure) for figure in FIGURES]


def test_the_table_of_attacks_is_the_generated_one() -> None:
    """``python -m tests.house.attacks_table`` prints it."""
    assert table() in (ROOT / "SECURITY.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("file", "name"), sorted({claim[1:] for claim in CLAIMS}))
def test_the_test_that_closes_a_fault_is_there(file: str, name: str) -> None:
    (path,) = (ROOT / "tests").rglob(file)
    tree = ast.parse(path.read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", ["authority:ca", "evil:.", "evil:..", "evil:a,.b", "evil/x:a"])
def test_the_script_for_certificates_refuses_names_that_are_none(tmp_path: Path, name: str) -> None:
    """Before it makes anything of them."""
    script = ROOT / "docker" / "certificates.sh"
    (tmp_path / "authority").mkdir()
    (tmp_path / "authority" / "ca.key").touch()  # so that no authority is made for this
    done = subprocess.run(
        ["bash", str(script), str(tmp_path), "make", name], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["authority"]


def test_the_guide_names_phones_as_the_dashboard_does() -> None:
    """A certificate of another name opens nothing."""
    text = (ROOT / "docs" / "docker.md").read_text("utf-8")
    assert f"make dashboard:{device_name('clock', 2)}" in text
