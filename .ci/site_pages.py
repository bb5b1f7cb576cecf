"""Gathers the pages of the documents' site: ``python .ci/site_pages.py FOLDER``.

The site has docs/ and every page at the repository's top except the README, in lower case. Any
other file that a page links to, wherever it is in the repository, is copied to the same place
below FOLDER, so that its link works there too. A link that leads out of the repository, or to no
file, stays as it is: mkdocs reports it.
"""

import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
_LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def gather(pages: Path) -> None:
    """Write all pages and what they link to into a folder, which is emptied first."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    sources = [page for page in sorted(ROOT.glob("*.md")) if page.name != "README.md"]
    sources += sorted(DOCS.rglob("*.md"))
    for source in sources:
        page = pages / place_of(source)
        relinked = partial(_relinked, source, pages)
        page.write_text(_LINK.sub(relinked, source.read_text("utf-8")), encoding="utf-8")


def place_of(file: Path) -> Path:
    """Where a file of the repository is below the folder of pages."""
    if file.is_relative_to(DOCS):
        return file.relative_to(DOCS)
    inside = file.relative_to(ROOT)
    return Path(inside.name.lower()) if inside.parent == Path() else inside


def _relinked(source: Path, pages: Path, link: re.Match[str]) -> str:
    target = (source.parent / link[1]).resolve()
    if not target.is_file() or not target.is_relative_to(ROOT):
        return link[0]
    place = pages / place_of(target)
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(target, place)
    path = os.path.relpath(place, (pages / place_of(source)).parent)
    return f"]({Path(path).as_posix()}{link[2] or ''})"


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
