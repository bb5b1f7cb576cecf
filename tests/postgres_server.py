"""A PostgreSQL server for tests: Debian's, in a folder of its own, without a network."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDERS = "/usr/lib/postgresql/*/bin"


def server_programs() -> Path | None:
    """The folder of initdb and pg_ctl; None where no server is installed."""
    found = sorted(Path("/").glob(_FOLDERS.lstrip("/")), key=lambda folder: folder.parent.name)
    return found[-1] if found else None


class DatabaseServer:
    """A fresh server, whose database is at ``address`` up to ``?host=``; or a standby of one.

    Unless ``is_durable`` it leaves the disk alone: quick, and what it stores outlives a crash of
    its own, not of the machine.
    """

    def __init__(
        self,
        programs: Path,
        folder: Path,
        primary: "DatabaseServer | None" = None,
        *,
        is_durable: bool = False,
    ) -> None:
        self._flushes = "on" if is_durable else "off"
        self._control, self._folder = str(programs / "pg_ctl"), folder
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # the server refuses to be root's
            shutil.chown(folder, "postgres")
            self._as_user = ["runuser", "-u", "postgres", "--"]
        self.address = f"postgresql://tilecast@/postgres?host={folder}"
        if primary is None:
            make = ("-U", "tilecast", "-A", "trust", "--no-sync")
            self._run(str(programs / "initdb"), "-D", f"{folder}/data", *make)
        else:  # a copy that goes on receiving what the primary writes
            source = ("-h", str(primary.folder), "-U", "tilecast", "-R", "-X", "stream")
            copied = ("-D", f"{folder}/data", "-c", "fast", "--no-sync")
            self._run(str(programs / "pg_basebackup"), *source, *copied)
        self.start()

    @property
    def folder(self) -> Path:
        """Where its socket is: the ``host`` of its address."""
        return self._folder

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-k {self._folder} -c listen_addresses='' -c fsync={self._flushes}"
        self._act("-w", "-l", f"{self._folder}/log", "-o", options, "start")

    def crash(self) -> None:
        """End it as a machine ends that is switched off: nothing is written any more."""
        if (self._folder / "data" / "postmaster.pid").exists():
            self._act("-m", "immediate", "stop")

    def promote(self) -> None:
        """Make the primary of a standby, and wait until it takes rows."""
        self._act("-w", "promote")

    def _act(self, *words: str) -> None:
        self._run(self._control, "-D", f"{self._folder}/data", *words)

    def _run(self, *words: str) -> None:
        command = [*self._as_user, *words]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, timeout=120)


@contextmanager
def running_server(
    programs: Path, primary: DatabaseServer | None = None, *, is_durable: bool = False
) -> Iterator[DatabaseServer]:
    """A server that is gone afterwards; with ``primary`` a standby of that."""
    folder = Path(tempfile.mkdtemp(prefix="tilecast-pg-"))
    try:
        server = DatabaseServer(programs, folder, primary, is_durable=is_durable)
        try:
            yield server
        finally:
            server.crash()
    finally:
        shutil.rmtree(folder)
