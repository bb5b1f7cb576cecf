"""Commands on a log: verify it, copy it while it is recorded, put a copy back."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recorder.log.anchors import Anchor


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    log = subparsers.add_parser(
        "log",
        help="verify, back up and restore a recorder's log",
        description="A recorder's log as a file: whether it is whole, copies of it.",
    )
    actions = log.add_subparsers(required=True, metavar="ACTION")
    verify = actions.add_parser(
        "verify",
        help="whether every row is as it was written; exit status 1 when not",
        description="Reads the whole log: every row's hash, and the heads that were noted of it "
        "beside it, on paper or elsewhere. Prints the code of its head.",
    )
    verify.add_argument("log", type=Path, metavar="LOG", help="a recorder's tilecast.db")
    verify.add_argument(
        "--anchors", type=Path, metavar="FILE", help="noted heads (default: beside the log)"
    )
    verify.add_argument(
        "--code",
        action="append",
        default=[],
        metavar="CODE",
        help="from a slip, a director's page or another machine; repeatable",
    )
    verify.set_defaults(run=run_verify)
    backup = actions.add_parser(
        "backup",
        help="copy a log, also while it is recorded",
        description="Copies a log as it is at one moment, also while a recorder writes it, and "
        "verifies the copy.",
    )
    backup.add_argument("log", type=Path, metavar="LOG", help="a recorder's tilecast.db")
    backup.add_argument("copy", type=Path, metavar="COPY", help="a file that is not there yet")
    backup.set_defaults(run=run_backup)
    restore = actions.add_parser(
        "restore",
        help="put a copy in a log's place, when no recorder runs",
        description="Puts a verified copy in a log's place. The log that was there is kept beside "
        "it. Devices send again what the copy lacks and they still have.",
    )
    restore.add_argument("copy", type=Path, metavar="COPY", help="what log backup made")
    restore.add_argument("log", type=Path, metavar="LOG", help="a recorder's tilecast.db")
    restore.set_defaults(run=run_restore)


def run_verify(args: argparse.Namespace) -> int:
    """``tilecast log verify``: 0 for a log that is whole, 1 otherwise; says what is wrong."""
    from recorder.domain.errors import RecorderError
    from recorder.log.anchors import AnchorFile, complaint, read_code
    from recorder.log.copies import ANCHORS_NAME, head_of
    from recorder.log.sqlite import SqliteEventLog

    file = AnchorFile(args.anchors or args.log.with_name(ANCHORS_NAME))
    try:
        anchors = [*file.read(), *map(read_code, args.code)]
        with SqliteEventLog.open_reader(args.log) as log:
            wrong = complaint(log, anchors)
            head = head_of(log)
    except (RecorderError, OSError) as fault:
        return _fail(f"{args.log}: {fault}")
    if wrong is not None:
        return _fail(f"{args.log}: {wrong}")
    _print_whole(args.log, head, len(anchors))
    return 0


def _print_whole(log: Path, head: "Anchor | None", noted: int) -> None:
    if head is None:
        print(f"{log}: empty")
        return
    print(f"{log}: {head.seq} rows, all as they were written; {noted} noted heads agree")
    print(f"head         {head.code}")


def run_backup(args: argparse.Namespace) -> int:
    """``tilecast log backup``: 0 when the copy is there and whole."""
    from recorder.domain.errors import RecorderError
    from recorder.log.copies import back_up

    try:
        head = back_up(args.log, args.copy)
    except (RecorderError, OSError) as fault:
        return _fail(str(fault))
    print(f"{args.copy}: {head.seq if head else 0} rows" + (f", head {head.code}" if head else ""))
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """``tilecast log restore``: 0 when the copy is in the log's place."""
    from recorder.domain.errors import RecorderError
    from recorder.log.copies import put_back
    from recorder.service.process import only_writer

    try:
        args.log.parent.mkdir(parents=True, exist_ok=True)
        with only_writer(args.log):
            aside = put_back(args.copy, args.log)
    except (RecorderError, OSError) as fault:
        return _fail(str(fault))
    print(f"{args.log}: restored from {args.copy}")
    if aside is not None:
        print(f"what was there is {aside}")
    return 0


def _fail(text: str) -> int:
    print(f"tilecast log: {text}", file=sys.stderr)
    return 1
