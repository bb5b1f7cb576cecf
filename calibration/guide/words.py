"""The guided calibrations' own sentences, in the language of the program."""

from pathlib import Path

from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue


def words(code: str, **values: PlainValue) -> str:
    """The sentence for a code of the catalogue's ``guide_says``."""
    return load_catalogue().text("guide_says", code, **values)


def kept_lines(path: Path, before: Path | None, picture: str = "") -> tuple[str, ...]:
    """That a profile is kept, with a picture where there is one, and where the one before is."""
    code = "kept_picture" if picture else "kept"
    is_kept = words(code, path=str(path), picture=picture)
    return (is_kept, words("before_is", path=str(before))) if before else (is_kept,)
