"""What is reported of tiles in games in which everything odd is allowed: nothing should be.

Tiles drawn to the table, in two goes, late, or before the press, holds with courtesy tiles, plays
challenged off after their draw, challenges that fail, exchanges of any number, in the recorder as
it runs, with sensors that are never wrong. What is reported is a false alarm then.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import devices.lab
from recorder.domain.game import Exchanged, GameEvent, Played
from recorder.domain.tiles import RACK_SIZE
from recorder.gcg import read_gcg
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import read_scenario
from recorder.rulesets import rule_set_names
from tests.scenarios.playing import looks_read_once

GAMES = 40
"""A game takes some eight seconds; all of them five minutes of a core."""
ODDITIES = ("plain", "to_table", "two_goes", "late", "before_press", "courtesy", "failed")
BEFORE = (*[""] * 6, "exchange", "upheld")
"""What goes before a play: nothing mostly; the opponent passes then, and the play comes."""
FALSE = ("device_contradicts", "overdraw", "underdraw", "loose_tile", "spill", "improper_return")
RULES = rule_set_names()
SENSORS = ("counters scale", "counters", "scale")
"""What looks after tiles: both kinds of sensors, or one alone."""
_HEAD = """\
tiles english
players Anna Ben
minutes 60
sensors clock camera {sensors} box
draw 1 7
+5
draw 2 7
+5
start
"""
Figure = dict[str, Any]


def run() -> dict[str, Figure]:
    """False alarms by what they say, over all games."""
    source = Path(devices.lab.__path__[0]) / "games" / "english.gcg"
    events = [
        event
        for event in read_gcg(source.read_bytes()).events
        if isinstance(event, Played | Exchanged)
    ]
    said: Counter[str] = Counter()
    file = Path("build") / "lawful.scn"
    file.parent.mkdir(exist_ok=True)
    began = time.perf_counter()
    with looks_read_once():
        for seed in range(GAMES):
            file.write_text("\n".join(_game(events, seed)))
            rules = RULES[seed % len(RULES)]
            played = play_through(read_scenario(file, rules))
            said.update(notice.code for notice in played.record.told)
    spent = round((time.perf_counter() - began) / GAMES, 2)
    unit = f"in {GAMES} games"
    figures = {f"lawful tiles: false {code}": _figure(unit, said[code]) for code in FALSE}
    return figures | {"lawful tiles: a game": _figure("s", spent)}


def _figure(unit: str, ours: float) -> Figure:
    return {"unit": unit, "median": ours, "p95": None, "baseline": None, "ratio": None}


def _game(events: Sequence[GameEvent], seed: int) -> Iterator[str]:
    """The game as a scenario, every draw in a way of its own."""
    chance = random.Random(seed)
    yield _HEAD.format(sensors=SENSORS[seed % len(SENSORS)])
    bag, held = 100 - 2 * RACK_SIZE, [RACK_SIZE, RACK_SIZE]
    for event in events:
        player = event.player + 1
        yield "+30"
        if isinstance(event, Exchanged):
            yield _exchange(player, event.count)
            continue
        if not isinstance(event, Played):
            continue
        laid = len(event.laid)
        due = min(laid, bag)
        before = chance.choice(BEFORE) if bag >= RACK_SIZE else ""
        if before:
            tiles = chance.randint(1, RACK_SIZE)
            play = f"{event.placement.position} {event.placement.word}"
            yield _exchange(player, tiles) if before == "exchange" else _upheld(player, play, due)
            yield f"say {3 - player} pass\n+2\npress {3 - player}\n+15"
        held[event.player] += due - laid
        bag -= due
        yield f"lay {event.placement.position} {event.placement.word}\n+3"
        odd = chance.choice(ODDITIES) if due else "plain"
        yield from _drawn(odd, player, due, held[event.player], chance)


def _exchange(player: int, tiles: int) -> str:
    """So many are laid aside, as many drawn to the table, then the first go into the bag."""
    return f"""\
say {player} exchange {tiles}
aside {player} {tiles}
+2
press {player}
+6
draw {player} {tiles} table
+5
return {player} {tiles}
+3
rack {player} {RACK_SIZE}
+10"""


def _upheld(player: int, play: str, drawn: int) -> str:
    """A play is challenged while tiles are drawn for it, and is removed; they go back."""
    return f"""\
lay {play}
+3
press {player}
+5
say {3 - player} challenge
draw {player} {drawn}
+1
stop
+40
verdict bad
+4
take {play}
+6
return {player} {drawn}
+2
rack {player} {RACK_SIZE}
+3
go {3 - player}
+20"""


def _drawn(odd: str, player: int, due: int, full: int, chance: random.Random) -> Iterator[str]:
    """The press and the draw of a play."""
    press, draw = f"press {player}", f"draw {player} {due}"
    wait = chance.randint(2, 15)
    match odd:
        case "to_table":
            yield f"{press}\n+6\n{draw} table\n+{wait}\nrack {player} {full}"
        case "two_goes" if due > 1:
            yield f"{press}\n+6\ndraw {player} 1\n+{wait}\ndraw {player} {due - 1}"
        case "late":
            yield f"{press}\n+{20 + wait}\n{draw}"
        case "before_press":
            yield f"{draw}\n+2\n{press}"
        case "failed":
            other = 3 - player
            yield f"{press}\n+5\nsay {other} challenge\n+1\nstop\n+30\nverdict good\n+3"
            yield f"go {other}\n+5\n{draw}"
        case "courtesy":
            other = 3 - player
            yield f"{press}\n+3\nsay {other} hold\n+70\n{draw} table\n+{wait}"
            yield f"say {other} accept\n+3\nrack {player} {full}"
        case _:
            yield f"{press}\n+6\n{draw}" if due else press
