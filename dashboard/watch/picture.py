"""A game as a picture and in a line, for the preview that a chat shows of a link."""

import io
from collections.abc import Mapping, Sequence

from dashboard.live.views import premium_classes
from recorder.domain.board import SIZE, Square, parse_square
from recorder.domain.tile_text import label_text, read_tiles
from recorder.domain.tiles import EMPTY
from recorder.frames.public import PublicLine, WatchModel
from recorder.printing.typeface import composed, fitted, legible, sized
from recorder.texts import apart, load_catalogue

WIDTH, HEIGHT = 1200, 630
_SQUARE, _LEFT, _TOP, _RIGHT = 38, 30, 30, 30
_NAME_PX = 44
_GROUND, _INK, _SOFT, _TILE, _TILE_INK, _BLANK = (
    "#0d121b", "#f5f7fa", "#a9b4c4", "#f3e8cf", "#1d1a15", "#c8323e",
)  # fmt: skip
_PLAYERS = ("#58a9ff", "#ffb638")
_SQUARES = {"no": "#222c3d", "tw": "#8c3b43", "dw": "#74505c", "tl": "#28588c", "dl": "#3f607f"}


def upto_move(model: WatchModel, move: int | None) -> list[PublicLine]:
    """The lines of a game until a move was complete; all of them where none is named."""
    lines = [model["sheet"][key] for key in sorted(model["sheet"], key=int)]
    return [line for line in lines if move is None or line["n"] <= move]


def title_of(model: WatchModel, lines: Sequence[PublicLine]) -> str:
    """``Ida Marlow 331 – 357 Tom Reyes, Round 3``."""  # noqa: RUF002 - as pages write scores
    first, second = model["players"]
    totals = lines[-1]["totals"] if lines else [0, 0]
    names = apart(first["name"]), apart(second["name"])
    scores = f"{names[0]} {totals[0]} \N{EN DASH} {totals[1]} {names[1]}"
    return ", ".join(filter(None, (scores, model.get("event", {}).get("round", ""))))


def picture(model: WatchModel, lines: Sequence[PublicLine]) -> bytes:
    """The position after some lines, with names and scores, as PNG."""
    from PIL import Image, ImageDraw  # only who asks for a picture waits for it

    image = Image.new("RGB", (WIDTH, HEIGHT), _GROUND)
    draw = ImageDraw.Draw(image)
    tiles, last = _tiles_after(lines), lines[-1] if lines else None
    is_play = last is not None and last["kind"] == "play"
    fresh = {parse_square(name)[0] for name in last["squares"]} if last and is_play else set()
    for sq, premium in enumerate(premium_classes().split()):
        x, y = _LEFT + sq % SIZE * _SQUARE, _TOP + sq // SIZE * _SQUARE
        tile = tiles.get(Square(sq))
        box = (x + 1, y + 1, x + _SQUARE - 2, y + _SQUARE - 2)
        draw.rounded_rectangle(box, 4, fill=_TILE if tile else _SQUARES[premium])
        if tile and tile != "?":
            ink = _BLANK if tile != tile.upper() else _TILE_INK
            face = sized(28 if len(tile) == 1 else 18)
            draw.text((x + _SQUARE / 2, y + _SQUARE / 2), tile.upper(), ink, face, anchor="mm")
        if sq in fresh:
            draw.rounded_rectangle(box, 4, outline=_PLAYERS[last["player"] if last else 0], width=3)
    for number, player in enumerate(model["players"]):
        y = 70 + 190 * number
        draw.rectangle((640, y, 650, y + 150), fill=_PLAYERS[number])
        name = legible(player["name"]) or load_catalogue().text(
            "word", "unnamed", number=number + 1
        )
        short = fitted(name, _NAME_PX, WIDTH - _RIGHT - 676)
        draw.text((676, y), composed(short), _INK, sized(_NAME_PX))
        total = last["totals"][number] if last is not None else 0
        draw.text((676, y + 56), str(total).replace("-", "\N{MINUS SIGN}"), _INK, sized(84))
    if last is not None and last["kind"] == "play" and last["words"]:
        word = "".join(map(label_text, read_tiles(last["words"][0]))).upper()
        draw.text((640, 470), f"{word}  +{last['score']}", _PLAYERS[last["player"]], sized(56))
    event = model.get("event", {})
    about = " \N{MIDDLE DOT} ".join(filter(None, (event.get("title"), event.get("round"))))
    draw.text((640, 556), composed(fitted(about, 30, WIDTH - _RIGHT - 640)), _SOFT, sized(30))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _tiles_after(lines: Sequence[PublicLine]) -> Mapping[Square, str]:
    """What lies where after some lines."""
    tiles: dict[Square, str] = {}
    for line in lines:
        squares = [parse_square(name)[0] for name in line["squares"]]
        if line["kind"] == "withdraw":
            tiles = {sq: tile for sq, tile in tiles.items() if sq not in squares}
        else:
            laid = [tile for tile in read_tiles(line["tiles"] or line["word"]) if tile != EMPTY]
            tiles |= zip(squares, map(label_text, laid), strict=False)
    return tiles
