"""Third-party files are what they claim to be, and nothing is fetched from elsewhere."""

import hashlib
import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "dashboard" / "static"
TEMPLATES = STATIC.parent / "templates"


def test_vendored_files_are_byte_identical() -> None:
    """Every vendored file and font has the checksum it was taken with, and none is missing."""
    lines = (STATIC / "vendor" / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    listed = {line.split("  ")[1]: line.split("  ")[0] for line in lines}
    own = {"vendor/SHA256SUMS", "vendor/README.md"}
    folders = (STATIC / "vendor", STATIC / "fonts")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    there = {path.relative_to(STATIC).as_posix(): path for path in files}
    assert set(there) - own == set(listed)
    for name, digest in listed.items():
        assert hashlib.sha256(there[name].read_bytes()).hexdigest() == digest, name


def test_every_vendored_package_has_its_licence() -> None:
    """The licence text travels with the files."""
    for folder in [*(STATIC / "vendor").iterdir(), *(STATIC / "fonts").iterdir()]:
        if folder.is_dir():
            assert (folder / "LICENSE").stat().st_size > 500, folder


def test_pages_load_nothing_from_elsewhere() -> None:
    """A venue may have no internet: no address of another host in any page, style or script."""
    sources = [*TEMPLATES.glob("*.html"), *STATIC.rglob("js/**/*.js"), *STATIC.glob("css/*.css")]
    assert len(sources) > 15
    for path in sources:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", text), path
