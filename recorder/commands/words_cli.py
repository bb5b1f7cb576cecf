"""The command on word lists, ``tilecast words check``: it never prints the words of a list."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer, at_work

if TYPE_CHECKING:
    from recorder.domain.lexicon import WordList


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    from recorder.tilesets import tile_set_argument

    words = subparsers.add_parser("words")
    actions = words.add_subparsers(required=True, metavar="ACTION")
    check = actions.add_parser("check", run=run_words_check)
    check.add_argument("list", type=Path, metavar="LIST")
    check.add_argument("words", nargs="*", metavar="WORD")
    check.add_argument("--tiles", type=tile_set_argument, metavar="SET", default="english")
    add_json(check)


def run_words_check(args: argparse.Namespace) -> int:
    """``tilecast words check``: 0 whatever the verdict, 1 when there is no such list or word."""
    from recorder.domain.errors import NotationError
    from recorder.domain.lexicon import adjudicate
    from recorder.domain.tile_text import typed_words
    from recorder.tilesets import load_tile_set
    from recorder.word_lists import load_word_list

    tile_set = load_tile_set(args.tiles)
    with at_work(f"reading {args.list}"):
        listed = load_word_list(args.list, tile_set)
    words = typed_words(args.words, tile_set)
    alien = [word for word, tiles in zip(args.words, words, strict=True) if not tiles]
    if alien:
        raise NotationError(f"no such tiles: {', '.join(alien)}")
    document: dict[str, Any] = list_json(listed)
    if args.words:
        document["verdict"] = adjudicate(words, listed).value
    lines = [f"{key:<8} {value}" for key, value in document.items()]
    answer(args, document, *([document["verdict"]] if args.words else lines), indent=1)
    return 0


def list_json(listed: "WordList") -> dict[str, Any]:
    """What the record and a screen may say of a list, as JSON values."""
    return {
        "name": listed.name,
        "sha256": listed.sha256,
        "words": listed.count,
        "twos": listed.twos,
        "threes": listed.threes,
        "skipped": listed.skipped,
    }
