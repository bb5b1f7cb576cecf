"""The documents as tests read them: a page, and the pages that are part of it, as one text."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def document(name: str) -> str:
    files = [DOCS / f"{name}.md", *sorted(DOCS.glob(f"{name}-*.md"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
