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
    """A fresh server, whose database is at ``address`` up to ``?host=``."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._control, self._folder = str(programs / "pg_ctl"), folder
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # the server refuses to be root's
            shutil.chown(folder, "postgres")
            self._as_user = ["runuser", "-u", "postgres", "--"]
        self.address = f"postgresql://tilecast@/postgres?host={folder}"
        make = ("-U", "tilecast", "-A", "trust", "--no-sync")
        self._run(str(programs / "initdb"), "-D", f"{folder}/data", *make)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-k {self._folder} -c listen_addresses='' -c fsync=off"
        self._act("-w", "-l", f"{self._folder}/log", "-o", options, "start")

    def crash(self) -> None:
        """End it as a machine ends that is switched off: nothing is written any more."""
        self._act("-m", "immediate", "stop")

    def _act(self, *words: str) -> None:
        self._run(self._control, "-D", f"{self._folder}/data", *words)

    def _run(self, *words: str) -> None:
        command = [*self._as_user, *words]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, timeout=120)


@contextmanager
def running_server(programs: Path) -> Iterator[DatabaseServer]:
    """A server that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="tilecast-pg-"))
    try:
        server = DatabaseServer(programs, folder)
        try:
            yield server
        finally:
            server.crash()
    finally:
        shutil.rmtree(folder)
