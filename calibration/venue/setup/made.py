"""What a venue was made of: kept beside its files, so that tables can be added without new keys."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from calibration.venue.setup.files import Keys
from calibration.venue.setup.links import SHEET, Link, links_of, sheet
from calibration.venue.setup.wishes import SetupAnswers
from recorder.domain.errors import NotationError

SETUP = "setup.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The answers and every key. ``phones`` are the keys in the links of each table's phones."""

    wishes: SetupAnswers
    keys: Keys = field(repr=False)
    phones: Sequence[str] = field(repr=False)


_MADE = TypeAdapter(Made)


def keep_setup(made: Made, folder: Path, password: str | None) -> list[Link]:
    """Write the file of answers and keys, and the sheet with all links; the links.

    ``password`` is the administrator's, None where there was one before.
    """
    (folder / SETUP).write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
    links = links_of(made.wishes, made.keys, made.phones)
    (folder / SHEET).write_text(sheet(made.wishes, links, password), encoding="utf-8")
    return links


def read_setup(folder: Path) -> Made:
    """What the venue in a folder was made of. NotationError where that is not known."""
    path = folder / SETUP
    try:
        return _MADE.validate_json(path.read_bytes())
    except FileNotFoundError:
        raise NotationError(
            f"{path}: no such file: tables are added to a venue that tilecast init or the page of"
            " tilecast venue made"
        ) from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise NotationError(f"{path}: {where}: {first['msg']}") from None
