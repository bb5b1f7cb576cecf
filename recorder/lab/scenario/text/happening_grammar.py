"""The lines of a scenario that say what happens: words become happenings."""

import re
from collections.abc import Callable, Mapping, Sequence

from recorder.domain.board import Square, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.observations import STANDARD_ORDER
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tile, TileSet, face
from recorder.lab.scenario import steps
from recorder.lab.scenario.steps import Happening, Said, Sensor, SlipLook, TableMishap
from recorder.lab.scenario.text.order_grammar import read_order_line
from recorder.lab.scenario.text.words import LineWords

_CLOCK = re.compile(r"(-?)(\d{1,3}):([0-5]\d)")
_SQUARE_TILE = re.compile(r"([A-Oa-o0-9]{2,3})=(\S+)")
_LONGEST_S = 24 * 3600


def time_passes(words: LineWords) -> Happening:
    """A line such as ``+3``."""
    text = words.next().removeprefix("+")
    words.end()
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST_S:
        raise NotationError(f"+{text}: seconds of play are needed, as +3 or +0.5")
    return steps.TimePasses(seconds)


def _lay(words: LineWords) -> Happening:
    said = words.all("tiles: a play, as 8F CAT, or squares, as H8=C J8=T")
    player = 0
    if len(said) > 2 and said[-2] == "by":
        player = LineWords(said.pop(), words.tile_set).player()
        said.pop()
    tiles, through = _tiles_named(said, words.tile_set)
    return steps.LayTiles(tiles, through, player)


def _take(words: LineWords) -> Happening:
    if words.left() and all(_is_square(word) for word in words.peek_all()):
        return steps.TakeTiles(tuple((_square(word), EMPTY) for word in words.all("a square")))
    named = words.all("tiles: a play, as 8F CAT, or squares, as H8 J8")
    tiles, _ = _tiles_named(named, words.tile_set)
    return steps.TakeTiles(tiles)


def _tiles_named(
    named: Sequence[str], tile_set: TileSet
) -> tuple[tuple[tuple[Square, Tile], ...], tuple[Square, ...]]:
    """Tiles by square, from a play's notation or square by square; then where tiles lie already."""
    if any("=" in word for word in named):
        tiles = tuple(_square_tile(word, tile_set) for word in named)
    elif len(named) == 2:
        placement = parse_placement(" ".join(named), tile_set)
        squares = placement.squares()
        if len(squares) < len(placement.word):
            raise NotationError(f"{placement} runs off the board")
        laid = placement.new_tiles()
        tiles = tuple((sq, _of_set(tile, tile_set)) for sq, tile in laid.items())
        return tiles, tuple(sq for sq in squares if sq not in laid)
    else:
        raise NotationError(
            f"{' '.join(named)!r} names no tiles; write a play, as 8F CAT, or squares, as H8=C J8=T"
        )
    if len({square for square, _ in tiles}) < len(tiles):
        raise NotationError("a square is named twice")
    return tiles, ()


def _square_tile(word: str, tile_set: TileSet) -> tuple[Square, Tile]:
    match = _SQUARE_TILE.fullmatch(word)
    if match is None:
        raise NotationError(f"{word!r} names no tile on a square; write H8=C, or H8=c for a blank")
    return _square(match[1]), _tile(match[2], tile_set)


def _tile(text: str, tile_set: TileSet) -> Tile:
    tiles = read_tiles(text, tile_set)
    if len(tiles) != 1:
        raise NotationError(
            f"{text!r} is not a tile: write a letter, a lower-case one for a blank, or ?"
        )
    return _of_set(tiles[0], tile_set)


def _of_set(tile: Tile, tile_set: TileSet) -> Tile:
    """A tile, which a table may have of another set of the same signs; NotationError for none."""
    if tile is EMPTY or not (tile_set.has(tile) or tile in STANDARD_ORDER or tile.is_blank):
        raise NotationError(
            f"{str(tile)!r} is not a tile: write a letter, a lower-case one for a blank, or ?"
        )
    return tile


def _square(name: str) -> Square:
    return parse_square(name.upper())[0]


def _is_square(word: str) -> bool:
    try:
        _square(word)
    except NotationError:
        return False
    return True


def _next_square(words: LineWords) -> Square:
    return _square(words.next("a square, as H8"))


def _turn(words: LineWords) -> Happening:
    square = _next_square(words)
    return steps.TurnTile(square, words.whole("degrees clockwise, as 180", least=0, most=359))


def _clock(words: LineWords) -> Happening:
    player = words.player()
    text = words.next("the time left, as 12:30")
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a time; write minutes and seconds, such as 12:30")
    left_ms = 1000 * (60 * int(match[2]) + int(match[3]))
    return steps.SetTime(player, -left_ms if match[1] else left_ms)


def _draw(words: LineWords) -> Happening:
    player, count = words.player(), _count(words)
    to_table = words.left() > 0 and words.one_of(("table",), "where the tiles go") == "table"
    return steps.DrawTiles(player, count, to_table=to_table)


def _count(words: LineWords, least: int = 1) -> int:
    return words.whole("how many tiles", least=least, most=120)


def _rack(words: LineWords) -> Happening:
    player = words.player()
    text = words.next("how many tiles, or which, as CATXYZ?")
    if text.isdecimal():
        return steps.RackHolds(player, int(text))
    tiles = read_tiles(text, words.tile_set)
    for tile in tiles:
        if face(_of_set(tile, words.tile_set)) is not tile:
            wanted = "capital letters, ? for a blank"
            raise NotationError(f"{str(tile)!r} is not a tile of a rack: {wanted}")
    return steps.RackHolds(player, len(tiles), tiles)


def _say(words: LineWords) -> Happening:
    player = words.player()
    return _announced(player, Said(words.one_of([*Said], "what is announced")), words)


def _announced(player: int, what: Said, words: LineWords) -> Happening:
    match what:
        case Said.EXCHANGE:
            return steps.SayAloud(player, what, words.whole("how many tiles", least=1, most=7))
        case Said.SCORE:
            return steps.SayAloud(player, what, words.whole("the points", least=0, most=2000))
        case Said.BLANK:
            said = words.next("the letter of the blank").upper()
            letter = _letter(said, words.tile_set)
            if not letter:
                raise NotationError(f"{said!r} is not a letter for a blank")
            return steps.SayAloud(player, what, letter=letter)
        case _:
            return steps.SayAloud(player, what)


def _letter(text: str, tile_set: TileSet) -> Tile:
    """The one letter that a text is; ``EMPTY`` where it is none."""
    try:
        tiles = read_tiles(text, tile_set)
    except NotationError:
        return EMPTY
    return tiles[0] if len(tiles) == 1 and tiles[0] is not BLANK else EMPTY


def _slip(words: LineWords) -> Happening:
    player = words.player()
    text = words.rest().replace(" ", "")
    if not text:
        raise NotationError("what the slip shows is missing: T, or T,R, or unclear, or empty")
    if text == SlipLook.EMPTY:
        return steps.SlipShows(player)
    letters, word = list[Tile](), ""
    for part in text.split(","):
        if part == SlipLook.UNCLEAR:
            letters.append(EMPTY)
        elif letter := _letter(part.upper(), words.tile_set):
            letters.append(letter)
        elif len(part) > 1 and part.isalpha() and part.isupper():
            word = part
        else:
            raise NotationError(f"{part!r} is not a letter, unclear, or a word in capitals")
    return steps.SlipShows(player, tuple(letters), word)


def _verdict(words: LineWords) -> Happening:
    return steps.GiveVerdict(words.one_of(("good", "bad"), "the verdict") == "good")


def _sensor(words: LineWords) -> Sensor:
    return Sensor(words.one_of([*Sensor], "a sensor"))


def _wrong(words: LineWords) -> Happening:
    sensors = (Sensor.CAMERA, Sensor.COUNTERS, Sensor.RACKS, Sensor.SCALE)
    sensor = Sensor(words.one_of(sensors, "a sensor that can be wrong"))
    match sensor:
        case Sensor.CAMERA:
            said = words.all("what it reads, as H8=C")
            return steps.SensorErrs(
                sensor, tiles=tuple(_square_tile(word, words.tile_set) for word in said)
            )
        case Sensor.SCALE:
            return steps.SensorErrs(sensor, amount=words.whole("grams an hour", least=1, most=100))
        case _:
            return steps.SensorErrs(sensor, words.player(), _count(words, least=0))


def _bare(what: Said) -> Callable[[LineWords], Happening]:
    return lambda words: _announced(0, what, words)


def _mishap(what: TableMishap) -> Callable[[LineWords], Happening]:
    return lambda _: steps.HaveMishap(what)


HAPPENING_LINES: Mapping[str, Callable[[LineWords], Happening]] = {
    "start": lambda _: steps.StartClocks(),
    "lay": _lay,
    "take": _take,
    "move": lambda words: steps.MoveTile(_next_square(words), _next_square(words)),
    "flip": lambda words: steps.FlipTile(_next_square(words)),
    "turn": _turn,
    "press": lambda words: steps.PressClock(words.player()),
    "stop": lambda _: steps.StopClocks(),
    "go": lambda words: steps.RunClock(words.player()),
    "clock": _clock,
    "swap": lambda _: steps.SwapClocks(),
    "draw": _draw,
    "return": lambda words: steps.ReturnTiles(words.player(), _count(words)),
    "rack": _rack,
    "spill": lambda words: steps.SpillTiles(words.player(), _count(words)),
    "aside": lambda words: steps.LayAside(words.player(), _count(words)),
    "say": _say,
    **{str(what): _bare(what) for what in Said},
    "slip": _slip,
    "verdict": _verdict,
    "director": read_order_line,
    **{str(what): _mishap(what) for what in TableMishap},
    "lose": lambda words: steps.LoseSensor(_sensor(words)),
    "back": lambda words: steps.RegainSensor(_sensor(words)),
    "wrong": _wrong,
    "right": lambda words: steps.SensorRight(_sensor(words)),
}
"""Every line of a happening, by its first word."""
