"""Which program a settings file is for, by the sections in it: one may be given for another."""

from dataclasses import dataclass
from pathlib import Path

from recorder.declared.codec import Json
from recorder.domain.errors import NotationError


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file: what it is, which command takes it, its sections, how it is called."""

    what: str
    command: str
    sections: frozenset[str]
    mark: str
    usual_name: str


AGENT_FILE = FileKind(
    what="the file of a table's agent",
    command="tilecast agent FILE",
    sections=frozenset({"agent", "device"}),
    mark="[[device]]",
    usual_name="table-1.toml",
)
RECORD_FILE = FileKind(
    what="the recorder's file",
    command="tilecast record FILE",
    sections=frozenset({"table"}),
    mark="[[table]]",
    usual_name="venue.toml",
)
PROGRAMS_FILE = FileKind(
    what="the list of a venue's programs",
    command="tilecast venue with its folder",
    sections=frozenset({"dashboard", "agents"}),
    mark="[agents]",
    usual_name="programs.toml",
)


def refuse_other(document: Json, path: Path, wanted: FileKind) -> None:
    """NotationError where a file has none of the sections of its kind, but those of another.

    It says which file it is, which command takes it, and which file is wanted.
    """
    if wanted.sections & document.keys():
        return
    for kind in (AGENT_FILE, RECORD_FILE, PROGRAMS_FILE):
        if kind.sections & document.keys():
            raise NotationError(
                f"{path}: this is {kind.what}, for {kind.command}; name {wanted.what}, the one"
                f" with {wanted.mark} (tilecast init calls it {wanted.usual_name})"
            )
