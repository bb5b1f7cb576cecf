"""Files as dataclasses declare them: a mistake is named with its place and with what helps.

``Settings`` reads a section that people write; a key that nobody declared is a mistake.
``FileCodec`` reads what programs wrote, where a later release may have said more; ``ProgramFile``
is such a file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from recorder.declared.codec import Codec, Json, shown
from recorder.declared.json_objects import parse_json
from recorder.domain.errors import NotationError
from recorder.systems import read_file, replace_file
from recorder.toml_text import toml_of

_T = TypeVar("_T")
_AS_TOML_SAYS = {"an object": "a section [%s]", "an array of objects": "sections [[%s]]"}


def load_toml(path: Path, remedy: str) -> Json:
    """The content of a file; ``remedy`` is what to do where there is none.

    NotationError when it is missing or no TOML. Whether its keys are known is for the caller.
    """
    try:
        return toml_of(read_file(path).decode("utf-8"), str(path))
    except FileNotFoundError:
        raise NotationError(f"{path}: no such file; {remedy}") from None
    except IsADirectoryError:
        raise NotationError(f"{path}: is a folder; name the file in it") from None
    except PermissionError:
        remedy = "run this as its owner, or let your user read it"
        raise NotationError(f"{path}: we may not read it: {remedy}") from None
    except OSError as err:
        raise NotationError(f"{path}: {err.strerror}") from None
    except UnicodeDecodeError as err:
        number = err.object.count(b"\n", 0, err.start) + 1
        wanted = "save the file as UTF-8, as editors offer it"
        raise NotationError(f"{path}: a letter in line {number} is not UTF-8: {wanted}") from err


class FileCodec(Codec[_T]):
    """Reads a file, or a part of one. What is wrong is a NotationError."""

    error: ClassVar[type[NotationError]] = NotationError


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFile(Generic[_T]):
    """A JSON file that a program keeps; ``what`` names such files, ``remedy`` says what helps.

    ``version`` is what is written, ``readable`` what is read; none of both where a file says none.
    """

    codec: FileCodec[_T]
    what: str
    remedy: str
    version: int | None = None
    readable: tuple[int, ...] = ()

    def load(self, path: Path) -> _T:
        """What the file says. NotationError names what is wrong, and the remedy."""
        try:
            return self._read(path)
        except FileNotFoundError:
            raise NotationError(f"{path}: no such {self.what}; {self.remedy}") from None
        except NotationError as err:
            raise NotationError(f"{err}; {self.remedy}") from err
        except (OSError, ValueError, RecursionError) as err:
            raise NotationError(f"{path}: not a {self.what} ({err}); {self.remedy}") from err

    def _read(self, path: Path) -> _T:
        document = parse_json(read_file(path).decode("utf-8"))
        said = document.get("version") if isinstance(document, dict) else None
        if self.readable and said not in self.readable:
            known = " and ".join(map(str, self.readable))
            raise ValueError(f"version {said}, {known} can be read")
        return self.codec.read(document, str(path))

    def save(self, value: _T, path: Path) -> None:
        """Write it again; it is on the disk, whole, when this returns."""
        head = {} if self.version is None else {"version": self.version}
        text = json.dumps(head | self.codec.write(value), indent=2, ensure_ascii=False)
        replace_file(path, text + "\n")


class Settings(FileCodec[_T]):
    """Reads a section of settings; ``hints`` say by key what helps to get it right."""

    is_closed: ClassVar[bool] = True

    def __init__(
        self, kind: type[Any], *, hints: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        super().__init__(kind, **options)
        self._hints = dict(hints or {})

    def fault(self, data: Json, name: str, wanted: str, where: str) -> str:
        """The complaint about a key, with what helps."""
        hint = f"; {self._hints[name]}" if name in self._hints else ""
        if wanted in _AS_TOML_SAYS:
            wanted = _AS_TOML_SAYS[wanted] % name
        if name not in data:
            return f"{where}: {name} is missing{hint or f': it must be {wanted}'}"
        return f"{where}: {name} must be {wanted}, got {shown(data[name])}{hint}"

    @staticmethod
    def place(where: str, name: str, number: int | None) -> str:
        """Sections as TOML writes them, those that there are several of counted from 1."""
        return f"{where} [{name}]" if number is None else f"{where} [[{name}]] {number + 1}"
