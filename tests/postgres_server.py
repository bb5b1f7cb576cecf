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


@contextmanager
def running_server(programs: Path) -> Iterator[str]:
    """The address of a fresh server's database, up to ``?host=``; it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="tilecast-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to be root's
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(*words: str) -> None:
        subprocess.run([*as_user, *words], check=True, capture_output=True, cwd=folder, timeout=120)

    data, control = f"{folder}/data", str(programs / "pg_ctl")
    try:
        run(str(programs / "initdb"), "-D", data, "-U", "tilecast", "-A", "trust", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        run(control, "-D", data, "-w", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield f"postgresql://tilecast@/postgres?host={folder}"
        finally:
            run(control, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
