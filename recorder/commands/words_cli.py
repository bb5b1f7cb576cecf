"""Commands on word lists: ``tilecast words check`` and ``tilecast words measure``.

They print verdicts and figures, never the words of a list.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, at_work, plain_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recorder.domain.lexicon import Verdict, WordList
    from recorder.gcg import GcgGame


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    words = subparsers.add_parser(
        "words",
        help="look words up in a list, measure a list",
        description="Word lists of your own: one verdict for a play, and how a list fits games.",
    )
    actions = words.add_subparsers(required=True, metavar="ACTION")
    check = actions.add_parser(
        "check",
        help="one verdict for all words of a play, as an adjudicator gives it",
        description="Says 'good' when every word is in the list, else 'bad', and never which of "
        "them is not. Without words it says what list the file is.",
    )
    check.add_argument("list", type=Path, metavar="LIST", help="text, one word a line, or .kwg")
    check.add_argument("words", nargs="*", metavar="WORD", help="the words of one play")
    check.set_defaults(run=run_words_check)
    measure = actions.add_parser(
        "measure",
        help="how a list fits game records: what share of the plays that stood it accepts",
        description="Replays records and asks the list about every play: those that stood should "
        "be good, those that were challenged off bad.",
    )
    measure.add_argument("list", type=Path, metavar="LIST", help="text, one word a line, or .kwg")
    measure.add_argument("records", nargs="+", type=Path, metavar="GCG", help="game records")
    measure.set_defaults(run=run_words_measure)
    for parser in (check, measure):
        _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    from recorder.tilesets import tile_set_argument

    parser.add_argument(
        "--tiles",
        type=tile_set_argument,
        metavar="SET",
        default="english",
        help="tile set (default: english)",
    )
    add_json(parser)


def _load(args: argparse.Namespace) -> "WordList | None":
    from recorder.domain.errors import NotationError
    from recorder.tilesets import load_tile_set
    from recorder.word_lists import load_word_list

    try:
        with at_work(f"reading {args.list}"):
            return load_word_list(args.list, load_tile_set(args.tiles))
    except (NotationError, OSError) as fault:
        print(f"tilecast words: {plain_words(fault)}", file=sys.stderr)
        return None


def run_words_check(args: argparse.Namespace) -> int:
    """``tilecast words check``: 0 whatever the verdict, 1 when there is no such list or word."""
    from recorder.domain.lexicon import adjudicate
    from recorder.domain.tile_text import typed_words
    from recorder.tilesets import load_tile_set

    listed = _load(args)
    if listed is None:
        return 1
    words = typed_words(args.words, load_tile_set(args.tiles))
    alien = [word for word, tiles in zip(args.words, words, strict=True) if not tiles]
    if alien:
        print(f"tilecast words check: no such tiles: {', '.join(alien)}", file=sys.stderr)
        return 1
    document: dict[str, Any] = list_json(listed)
    if args.words:
        document["verdict"] = adjudicate(words, listed).value
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
    elif args.words:
        print(document["verdict"])
    else:
        print("\n".join(f"{key:<8} {value}" for key, value in document.items()))
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


@dataclass(slots=True)
class Fit:
    """How a list fits records: plays that stood, that it accepts; games without a wrong call."""

    games: int = 0
    games_accepted: int = 0
    stood: int = 0
    stood_accepted: int = 0
    withdrawn: int = 0
    withdrawn_refused: int = 0


def run_words_measure(args: argparse.Namespace) -> int:
    """``tilecast words measure``: 0, or 1 when the list or all records cannot be read."""
    from recorder.gcg import read_gcg
    from recorder.tilesets import load_tile_set

    listed = _load(args)
    if listed is None:
        return 1
    fit = Fit()
    for path in args.records:
        try:
            data = path.read_bytes()
        except OSError as err:
            print(f"{path}: cannot be read: {err.strerror}", file=sys.stderr)
            continue
        game = read_gcg(data, tile_set=load_tile_set(args.tiles))
        if game.ok:
            add_game(fit, game, listed)
        else:
            print(f"{path}: has errors, left out", file=sys.stderr)
    if not fit.games:
        print("tilecast words measure: no record without errors", file=sys.stderr)
        return 1
    document = {**list_json(listed), **fit_json(fit)}
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print(fit_text(fit))
    return 0


def add_game(fit: Fit, game: "GcgGame", listed: "WordList") -> None:
    """Count one game in."""
    from recorder.domain.lexicon import Verdict

    verdicts = list(_verdicts(game, listed))
    stood = [verdict for verdict, is_withdrawn in verdicts if not is_withdrawn]
    withdrawn = [verdict for verdict, is_withdrawn in verdicts if is_withdrawn]
    fit.games += 1
    fit.games_accepted += Verdict.BAD not in stood
    fit.stood += len(stood)
    fit.stood_accepted += sum(verdict is not Verdict.BAD for verdict in stood)
    fit.withdrawn += len(withdrawn)
    fit.withdrawn_refused += sum(verdict is Verdict.BAD for verdict in withdrawn)


def _verdicts(game: "GcgGame", listed: "WordList") -> "Iterator[tuple[Verdict, bool]]":
    """For every play the verdict, and whether it was taken back."""
    from recorder.domain.game import IllegallyPlayed, Played, Withdrawn, apply, new_game
    from recorder.domain.lexicon import adjudicate_play

    state = new_game(game.tile_set)
    open_play: Verdict | None = None
    for event in game.events:
        if isinstance(event, Withdrawn) and open_play is not None:
            yield open_play, True
            open_play = None
        elif isinstance(event, Played | IllegallyPlayed):
            if open_play is not None:
                yield open_play, False
            open_play = adjudicate_play(state.board, event.laid, listed)
        state = apply(state, event)
    if open_play is not None:
        yield open_play, False


def fit_json(fit: Fit) -> dict[str, Any]:
    """The counts as JSON values."""
    return {
        "games": fit.games,
        "games_accepted": fit.games_accepted,
        "stood": fit.stood,
        "stood_accepted": fit.stood_accepted,
        "withdrawn": fit.withdrawn,
        "withdrawn_refused": fit.withdrawn_refused,
    }


def fit_text(fit: Fit) -> str:
    """The counts in words."""
    share = 100 * fit.stood_accepted / fit.stood if fit.stood else 0.0
    return (
        f"{fit.stood_accepted} of {fit.stood} plays that stood are good ({share:.1f} %)\n"
        f"{fit.games_accepted} of {fit.games} games hold no play that the list calls bad\n"
        f"{fit.withdrawn_refused} of {fit.withdrawn} plays that were taken back are bad"
    )
