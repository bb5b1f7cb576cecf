"""The event as single texts, for text sources of streamers: standings, pairings, one player.

Drawn from the model that the public pages have, so as late as they are. Empty where there is
nothing to say.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from recorder.domain.event.draws import in_halves
from recorder.texts import figure, signed

DIVISION_TEXTS = (
    "name", "date", "division", "round", "standings", "pairings", "results", "high_games", "leader",
)  # fmt: skip
"""Texts of the event and of a division."""
PLAYER_TEXTS = (
    "player", "record", "place", "spread", "rating", "table", "opponent", "opponent_record",
)  # fmt: skip
"""Texts of one player."""
LINES = 10
"""Lines of a longer text."""
_DASH = "\N{EN DASH}"


def event_texts(model: Mapping[str, Any], division: str = "", player: int = 0) -> dict[str, str]:
    """All texts of a division, the first unless named; with those of a player by number."""
    names = (*DIVISION_TEXTS, *PLAYER_TEXTS)
    found = next((d for d in model["divisions"] if division in ("", d["name"])), None)
    texts = {"name": model["name"], "date": model["date"]}
    if found is not None:
        texts |= _of_division(found)
        texts |= _of_player(found, player)
    return {name: texts.get(name, "") for name in names}


def _of_division(division: Mapping[str, Any]) -> dict[str, str]:
    round_, rounds, places = division["round"], division["rounds"], division["standings"]
    by_number = {row["id"]: row for row in places}
    here = [row for row in places if row["rank"] is not None]
    title = f"Round {round_}" + (f" of {rounds}" if rounds else "")
    return {
        "division": division["name"],
        "round": title if round_ else "",
        "leader": here[0]["name"] if here and division["after"] else "",
        "standings": _lines(
            f"{row['rank']} {row['name']} {_record(row)} {signed(row['spread'])}" for row in here
        ),
        "pairings": _lines(_pair(game, by_number) for game in division["games"]),
        "results": _lines(_result(result) for result in division["results"]),
        "high_games": _lines(f"{high['score']} {high['name']}" for high in division["high"]),
    }


def _of_player(division: Mapping[str, Any], number: int) -> dict[str, str]:
    by_number = {row["id"]: row for row in division["standings"]}
    row = by_number.get(number)
    if row is None:
        return {}
    game = next((g for g in division["games"] if number in g["players"]), None)
    other = by_number[next(n for n in game["players"] if n != number)] if game else None
    return {
        "player": row["name"],
        "record": _record(row),
        "place": "" if row["rank"] is None else str(row["rank"]),
        "spread": signed(row["spread"]),
        "rating": str(row["rating"] or ""),
        "table": str((game and game["table"]) or ""),
        "opponent": other["name"] if other else "",
        "opponent_record": _record(other) if other else "",
    }


def _record(row: Mapping[str, Any]) -> str:
    return _DASH.join(in_halves(Fraction(row[key])) for key in ("wins", "losses"))


def _pair(game: Mapping[str, Any], by_number: Mapping[int, Any]) -> str:
    names = f" {_DASH} ".join(by_number[number]["name"] for number in game["players"])
    return f"{game['table'] or ''} {names}".strip()


def _result(result: Mapping[str, Any]) -> str:
    first, second = result["names"]
    counted = [f"({signed(margin)})" for margin in result["margins"] or ()]
    if result["forfeited"]:
        own, other = map(signed, result["scores"])
    else:
        own, other = (
            " ".join([figure(str(score)), *counted[at : at + 1]])
            for at, score in enumerate(result["scores"])
        )
    return f"{first} {own} {_DASH} {other} {second}"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join([*lines][:LINES])
