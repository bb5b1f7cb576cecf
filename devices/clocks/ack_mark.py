"""How far a clock's events have been kept, on disk: survives a kill between any two steps.

The mark is written *before* the event goes to the outbox and names the number that the event will
get there. After a restart the outbox's own newest number shows whether it got that far: neither
a lost event nor a doubled one, without a transaction over two files.
"""

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from recorder.declared.json_objects import parse_json
from recorder.declared.settings_file import FileCodec
from recorder.systems import read_file, replace_file

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AckMark:
    """Event ``seq`` of the clock's ``boot`` becomes ``outlet_seq`` of the outlet's boot."""

    boot: str
    seq: int
    outlet_boot: str
    outlet_seq: int

    def upto(self, outlet_boot: str, seq_high: int) -> int:
        """The last event that is kept, given how far the outlet has got."""
        was_kept = outlet_boot != self.outlet_boot or seq_high >= self.outlet_seq
        return self.seq if was_kept else self.seq - 1


_MARK: FileCodec[AckMark] = FileCodec(AckMark)


class AckMarkFile:
    """The mark of one clock in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> AckMark | None:
        """The mark, or None when there is none that can be read (said in the log)."""
        try:
            return _MARK.read(parse_json(read_file(self._path).decode("utf-8")), "mark")
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as err:
            _LOG.warning("%s cannot be read, starting without it: %s", self._path, err)
            return None

    def save(self, mark: AckMark) -> None:
        """On the disk when this returns."""
        replace_file(self._path, json.dumps(asdict(mark)))
