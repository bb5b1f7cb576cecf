"""What a dashboard is started with: read and checked without what serves it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dashboard.auth.access import Access
from dashboard.commentator.analysis import Analysis
from recorder.log.places import LogPlace
from recorder.projections.health.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one dashboard process needs to know. ``host`` and ``port`` are where it listens.

    ``folder`` has the dashboard's own files where the log is a database, and none lie beside it.
    ``accounts`` is the file of passwords and sessions; None keeps them in memory. ``broker`` is the
    URL of the venue's broker, empty where no phone is a clock and nobody gives orders. ``console``
    is the name under which orders go to the recorder, sealed with ``console_key``; ``pictures`` a
    folder of devices' pictures. ``clocks`` has the settings of networked clocks, for those that ask
    to join.
    ``venue_faults`` finds what is wrong with the venue's files and disk.
    ``tls`` are certificate and key, ``proxy`` the address whose forwarded headers are believed.
    ``follow`` is the feed of the program that pairs, empty where the event is kept here.
    ``cached``: pages at home ask addresses that caches keep, and hold no socket.
    ``analysis`` is the event's word list, and who finds plays with it. ``webhook`` is the address
    that bingos and results are posted to, empty for none.
    """

    log: LogPlace
    access: Access
    host: str = "127.0.0.1"
    port: int = 8015
    table: int = 1
    allow_hosts: tuple[str, ...] = ()
    accounts: Path | None = None
    broker: str = ""
    venue: str = "main"
    console: str = "console"
    console_key: bytes = field(default=b"", repr=False)
    pictures: Path | None = None
    clocks: Path | None = None
    folder: Path = Path()
    slots: Path | None = None
    tournament: Path | None = None
    follow: str = ""
    branding: Path | None = None
    photos: Path | None = None
    photos_from: str = ""
    tls: tuple[Path, Path] | None = None
    proxy: str = ""
    cached: bool = False
    analysis: Analysis = field(default_factory=Analysis)
    webhook: str = field(default="", repr=False)
    venue_faults: Callable[[], Sequence[Finding]] = tuple
