"""Commands on a log: verify, copy, back up, restore, migrate and repair it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer, at_work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recorder.log.anchors import Anchor
    from recorder.log.port import EventLog

_MOST_ROWS = 20


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    log = subparsers.add_parser("log")
    actions = log.add_subparsers(required=True, metavar="ACTION")
    verify = actions.add_parser("verify", run=run_verify)
    verify.add_argument("log", metavar="LOG")
    verify.add_argument("--anchors", type=Path, metavar="FILE")
    verify.add_argument("--code", action="append", default=[], metavar="CODE")
    verify.add_argument("--pictures", type=Path, metavar="DIR")
    copy = actions.add_parser("copy", run=run_copy)
    copy.add_argument("source", metavar="FROM")
    copy.add_argument("target", metavar="TO")
    backup = actions.add_parser("backup", run=run_backup)
    backup.add_argument("log", metavar="LOG")
    backup.add_argument("copy", type=Path, metavar="COPY")
    restore = actions.add_parser("restore", run=run_restore)
    restore.add_argument("copy", type=Path, metavar="COPY")
    restore.add_argument("log", metavar="LOG")
    migrate = actions.add_parser("migrate", run=run_migrate)
    migrate.add_argument("log", metavar="LOG")
    repair = actions.add_parser("repair", run=run_repair)
    repair.add_argument("log", metavar="LOG")
    repair.add_argument("--anchors", type=Path, metavar="FILE")
    for action in (verify, copy, backup, restore, migrate, repair):
        add_json(action)


def run_verify(args: argparse.Namespace) -> int:
    """``tilecast log verify``: 0 for a log that is whole, 1 otherwise; says what is wrong."""
    from recorder.domain.errors import RecorderError
    from recorder.log.anchors import AnchorFile, complaint, read_code
    from recorder.log.copies import ANCHORS_NAME, head_of
    from recorder.log.places import log_place, open_log_reader, shown_place, sibling_path

    place = log_place(args.log)
    shown = args.shown = shown_place(place)
    file = AnchorFile(args.anchors or sibling_path(place, ".db").with_name(ANCHORS_NAME))
    anchors = [*file.read(), *map(read_code, args.code)]
    with open_log_reader(place) as log, at_work(f"reading {shown}"):
        wrong = complaint(log, anchors)
        head = head_of(log)
        named = _pictures_named(log) if args.pictures and wrong is None else {}
    if wrong is not None:
        raise RecorderError(f"{shown}: {wrong}")
    pictures = None if args.pictures is None else _look_at_pictures(args.pictures, named)
    if pictures is not None and not pictures:
        raise RecorderError(f"{args.pictures}: there is no such folder")
    document = {"log": shown, **_head_document(head), "noted": len(anchors)}
    lines = [*_whole(shown, head, len(anchors)), *_on_pictures(args.pictures, pictures)]
    answer(args, {**document, "pictures": pictures}, *lines)
    if pictures and pictures["changed"]:
        rows = _rows(pictures["changed"])
        raise RecorderError(
            f"{args.pictures}: {len(pictures['changed'])} pictures were changed, of rows {rows}"
        )
    return 0


def _pictures_named(log: "EventLog") -> dict[str, int]:
    """Every picture that a row names, with the first that does."""
    named: dict[str, int] = {}
    for row in log.read_from(1):
        if row.picture:
            named.setdefault(row.picture, row.seq)
    return named


def _look_at_pictures(folder: Path, named: dict[str, int]) -> dict[str, Any]:
    """How many are named and whole, the rows of those that are not; nothing without the folder."""
    from recorder.log.evidence import Pictures

    pictures = Pictures(folder)
    if not pictures.are_visible:
        return {}
    looked = pictures.look_for(named)
    return {
        "named": len(named),
        "whole": len(looked.whole),
        "missing": sorted(named[digest] for digest in looked.missing),
        "changed": sorted(named[digest] for digest in looked.changed),
    }


def _on_pictures(folder: Path, found: "dict[str, Any] | None") -> "Iterator[str]":
    if found is None:
        return
    yield f"{folder}: {found['whole']} of {found['named']} pictures are there, as they were taken"
    if missing := found["missing"]:
        yield f"             {len(missing)} are not there, of rows {_rows(missing)}"


def _rows(seqs: "Sequence[int]") -> str:
    return ", ".join(map(str, seqs[:_MOST_ROWS])) + (" ..." if len(seqs) > _MOST_ROWS else "")


def _whole(log: str, head: "Anchor | None", noted: int) -> "Iterator[str]":
    if head is None:
        yield f"{log}: empty"
        return
    agree = f"{noted} noted heads agree" if noted else "no head was noted of it"
    yield f"{log}: {head.seq} rows, all as they were written; {agree}"
    yield f"head         {head.code}"
    if not noted:
        yield "             so rows cut off at its end would not show: give a --code from a slip,"
        yield "             or the head that log backup printed"


def _head_document(head: "Anchor | None") -> dict[str, Any]:
    return {"rows": head.seq if head else 0, "head": head.code if head else None}


def run_copy(args: argparse.Namespace) -> int:
    """``tilecast log copy``: 0 when the copy is there, with the same head."""
    from recorder.log.moving import copy_log
    from recorder.private import keep_private

    keep_private()
    with at_work("copying rows"):
        head = copy_log(args.source, args.target)
    summary = f"{head.seq} rows copied, head {head.code}" if head else "an empty log copied"
    answer(args, _head_document(head), summary)
    return 0


def run_backup(args: argparse.Namespace) -> int:
    """``tilecast log backup``: 0 when the copy is there and whole."""
    from recorder.log.copies import back_up
    from recorder.log.places import refuse_database
    from recorder.private import keep_private

    keep_private()
    file = refuse_database(args.log)
    with at_work(f"copying {file}, and reading the copy"):
        head = back_up(file, args.copy)
    summary = f"{head.seq} rows, head {head.code}" if head else "0 rows"
    answer(args, {"copy": str(args.copy), **_head_document(head)}, f"{args.copy}: {summary}")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """``tilecast log restore``: 0 when the copy is in the log's place."""
    from recorder.log.copies import put_back
    from recorder.log.opening import only_writer
    from recorder.log.places import refuse_database
    from recorder.private import keep_private

    keep_private()
    file = refuse_database(args.log)
    file.parent.mkdir(parents=True, exist_ok=True)
    with only_writer(file), at_work(f"reading {args.copy}"):
        aside = put_back(args.copy, file)
    document = {"log": str(args.log), "aside": None if aside is None else str(aside)}
    kept = () if aside is None else (f"what was there is {aside}",)
    answer(args, document, f"{args.log}: restored from {args.copy}", *kept)
    return 0


def run_repair(args: argparse.Namespace) -> int:
    """``tilecast log repair``: 0 when the log is sound, 1 when nothing of it can be read."""
    from recorder.log.anchors import AnchorFile
    from recorder.log.copies import ANCHORS_NAME
    from recorder.log.opening import only_writer
    from recorder.log.places import open_log_reader, refuse_database, refuse_missing
    from recorder.log.port import ForeignPartsError
    from recorder.log.repair import damage_of, repair
    from recorder.private import keep_private
    from recorder.texts.telling import coded_text

    keep_private()
    file = refuse_database(args.log)
    refuse_missing(file)
    with only_writer(file), at_work(f"reading {file}"):
        try:
            is_sound = not damage_of(file)
            if is_sound:
                with open_log_reader(file) as log:
                    is_sound = log.verify() is None
        except ForeignPartsError:
            is_sound = False
        anchors = AnchorFile(args.anchors or file.with_name(ANCHORS_NAME))
        done = None if is_sound else repair(file, anchors)
    document = {
        "log": str(args.log),
        "aside": None if done is None else str(done.aside),
        "kept": None if done is None else done.kept,
        "lost": 0 if done is None else done.lost,
    }
    found = "sound; nothing was done" if done is None else coded_text(done.warning, "log_warning")
    answer(args, document, f"{args.log}: {found}")
    return 0


def run_migrate(args: argparse.Namespace) -> int:
    """``tilecast log migrate``: 0 when the log is one of this release."""
    from recorder.log.migrating import migrate_log
    from recorder.log.opening import only_writer
    from recorder.log.places import refuse_database
    from recorder.private import keep_private

    keep_private()
    file = refuse_database(args.log)
    with only_writer(file), at_work(f"reading {file}"):
        done = migrate_log(file)
    rows = ", ".join(f"{count} of version {version}" for version, count in done.rows.items())
    kept = f"steps taken  {', '.join(done.steps)}; as it was it is {done.copy}"
    answer(
        args,
        {
            "log": str(args.log),
            **_head_document(done.head),
            "versions": {str(version): count for version, count in done.rows.items()},
            "steps": list(done.steps),
            "aside": None if done.copy is None else str(done.copy),
        },
        f"{args.log}: {sum(done.rows.values())} rows ({rows or 'none'}), all as they were written",
        *(() if done.head is None else (f"head         {done.head.code}",)),
        "it has the form of this release already" if done.copy is None else kept,
    )
    return 0
