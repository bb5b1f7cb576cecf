"""Lines that begin with ``expect``: words become expectations."""

from collections.abc import Callable, Collection, Mapping

from recorder.domain.board import parse_square
from recorder.domain.errors import NotationError
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.lab.scenario import expectations as expect
from recorder.lab.scenario.codes import (
    AUDIENCES,
    FACTS,
    FACTS_OF_STEP,
    GAME_ENDINGS,
    KNOWN,
    PROCEDURES,
    STEPS,
    known,
)
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.text.words import LineWords

_OF_NOTICE = "code of what is reported"
_KINDS = ("play", "exchange", "pass", "no_play", "withdraw", "illegal", "unseen")


def read_expectation(words: LineWords) -> Expectation:
    """The expectation after ``expect``. NotationError says what can stand there."""
    name = words.one_of([*_READERS], "what can be expected")
    found = _READERS[name](words)
    words.end()
    return found


def _turn(words: LineWords) -> Expectation:
    number = words.whole("the number of the turn", least=1)
    player, kind = words.player(), words.one_of(_KINDS, "a kind of turn")
    said = words.peek_all()
    score = None
    if said and said[-1].lstrip("-").isdecimal():
        score = int(said.pop())
    words.rest()
    if len(said) > 2:
        words.fail(f"{' '.join(said)!r}: a place, a word and a score can stand there")
    place = said[0].upper() if said else None
    if place is not None:
        parse_square(place)
    word = _word(kind, said[1], words) if len(said) > 1 else None
    return expect.ExpectTurn(
        number=number, player=player, kind=kind, place=place, word=word, score=score
    )


def _word(kind: str, text: str, words: LineWords) -> str:
    """A word as the record writes it; of an exchange the number of tiles."""
    return text if kind == "exchange" else write_tiles(read_tiles(text, words.tile_set))


def _told(words: LineWords) -> Expectation:
    first = words.next("what is reported, and to whom")
    if first in AUDIENCES:
        code = known(words.next("the code of what is reported"), KNOWN, _OF_NOTICE)
        return expect.ExpectTold(code, first, _facts(words))
    to = None
    if words.left() % 2:
        to = words.one_of(AUDIENCES, "to whom it is reported")
    return expect.ExpectTold(known(first, KNOWN, _OF_NOTICE), to, _facts(words))


def _not(words: LineWords) -> Expectation:
    first = words.next("what is not reported")
    to = first if first in AUDIENCES else None
    code = first if to is None else words.next("what is not reported")
    known(code, KNOWN, _OF_NOTICE)
    if to is None and words.left():
        to = words.one_of(AUDIENCES, "to whom it is not reported")
    return expect.ExpectNot(code, to)


def _facts(words: LineWords, names: Collection[str] = FACTS) -> dict[str, str]:
    """Names and values in turn, to the end of the line."""
    facts = {}
    while words.left():
        name = known(words.next(), names, "fact")
        facts[name] = words.next(f"the value of {name}")
    return facts


def _open(words: LineWords) -> Expectation:
    code = known(words.next("the code of a procedure"), PROCEDURES, "code of a procedure")
    return expect.ExpectOpen(code, _facts(words))


def _step(words: LineWords) -> Expectation:
    code = known(words.next("the code of a step"), STEPS, "code of a step")
    return expect.ExpectStep(code, _facts(words, FACTS_OF_STEP))


def _no(words: LineWords) -> Expectation:
    words.one_of(("procedure",), "what there is none of")
    return expect.ExpectNoProcedure()


def _totals(words: LineWords) -> Expectation:
    return expect.ExpectTotals((words.whole("the total of player 1"), words.whole("of player 2")))


def _board(words: LineWords) -> Expectation:
    square, _ = parse_square(words.next("a square, as H8").upper())
    text = words.next("a tile, or . for none")
    tiles = read_tiles(text, words.tile_set)
    if len(tiles) != 1:
        raise NotationError(f"{text!r} is not a tile; write a letter, ?, or . for none")
    return expect.ExpectBoard(square, tiles[0])


def _end(words: LineWords) -> Expectation:
    kind = known(words.next("how the game ended, as play_out"), GAME_ENDINGS, "ending of a game")
    return expect.ExpectEnd(kind, words.whole("the points") if words.left() else None)


_READERS: Mapping[str, Callable[[LineWords], Expectation]] = {
    "turn": _turn,
    "turns": lambda words: expect.ExpectTurns(words.whole("how many turns", least=0)),
    "totals": _totals,
    "told": _told,
    "not": _not,
    "silence": lambda _: expect.ExpectSilence(),
    "open": _open,
    "step": _step,
    "no": _no,
    "doubt": lambda words: expect.ExpectDoubt(words.whole("the number of a turn", least=1)),
    "board": _board,
    "bag": lambda words: expect.ExpectBag(words.whole("how many tiles", least=0)),
    "end": _end,
}
