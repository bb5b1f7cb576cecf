"""TSH's division files (``a.t``): a line for each player, read and written.

A line is name, rating and opponents; scores; then named vectors. ``00`` is a gap, ``#`` begins a
comment. ``#division A`` parts several divisions in one text, ``#config spread_cap = 350`` says what
is in ``config.tsh`` otherwise: TSH reads past both.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import (
    Event,
    EventDivision,
    EventPlayer,
    PlayerRound,
    Raw,
)
from recorder.feeds.fault import FeedFault
from recorder.feeds.forfeits import as_feeds_have
from recorder.feeds.tourney_js import (
    MOST_PLAYERS,
    Feed,
    initial_record,
    name_and_ident,
    vectors_of,
    whole_number,
)

_REST = (
    r"(?P<rating>-?\d+)(?:[.+]\d+)*\s*(?P<opponents>[\d\s]*)"
    r"(?:;\s*(?P<scores>[-\d\s]*)(?P<more>(?:;.*)?))?$"
)
_LINE = re.compile(r"(?P<name>[^;]+?\S)\s+" + _REST)
_NUMBERED = re.compile(r"(?P<name>[^;]+?\d)\s{2,}" + _REST)
"""The same for a name that ends in a number, as "Player 12": blanks part it from the rating."""
_DIVISION = re.compile(
    r"#\s*division\s+(\S.*)|#begin_file\s+name=(\S+?)(?:[.]t)?\s*$", re.IGNORECASE
)
"""Where another division begins: in one file, or in an archive of several."""
_OF_THE_EVENT = re.compile(r"\s*(?:config\s+\S+\s*=|division\s+\S+\s+\S+\.t\s*$)", re.IGNORECASE)
"""A line of ``config.tsh``, as an archive has them in front: of no player."""
_SETTING = re.compile(r"#\s*config\s+(max_rounds|spread_cap)\s*=\s*(\d{1,4})\s*$")
_VECTOR_END = re.compile(r"(?<!\\);")
_GAP = "00"
_NOBODY = "nobody"
"""The name in the place of a number that nobody has."""


def read_division_file(text: str, name: str) -> Feed:
    """The divisions of a text, the first called ``name``; NotationError where nobody is in it.

    Whether a line that is no player's holds a number shows in the pairings: whichever way more
    of them have both players say the same.
    """
    feed = _read(text, name, strays_count=True)
    if all(fault.code != "not_a_player" for fault in feed.faults):
        return feed
    other = _read(text, name, strays_count=False)
    return other if _agreeing(other) > _agreeing(feed) else feed


def _agreeing(feed: Feed) -> int:
    return sum(len(division.games) for division in feed.event.divisions)


def _read(text: str, name: str, *, strays_count: bool) -> Feed:
    faults: list[FeedFault] = []
    divisions: dict[str, list[EventPlayer]] = {}
    settings: dict[tuple[str, str], int] = {}
    lines: Counter[str] = Counter()
    current = name
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        content = line.strip()
        parted = _DIVISION.match(content)
        current = (parted[1] or parted[2]) if parted else current
        if setting := _SETTING.match(content):
            settings[current, setting[1]] = int(setting[2])
        if not content or content.startswith("#") or _OF_THE_EVENT.match(content):
            continue
        players = divisions.setdefault(current, [])
        player = _read_line(content, lines[current] + 1)
        lines[current] += player is not None or strays_count
        if player is None:
            message = (
                f"is not a player: {content[:60]!r}. A line is `Name rating opponents; scores;`"
            )
            faults.append(
                FeedFault(code="not_a_player", message=message, division=current, line=number)
            )
            if not strays_count:
                continue
            player = EventPlayer(number=lines[current], name=content.split(";")[0][:60].strip())
        if not _is_empty_place(player):
            players.append(player)
    if not any(player.rating is not None for them in divisions.values() for player in them):
        raise NotationError("has no line of a player: `Name rating opponents; scores;`")
    made = tuple(
        EventDivision(
            name=key, players=tuple(players), last_round=settings.get((key, "max_rounds")),
            spread_cap=settings.get((key, "spread_cap")) or None,
        )
        for key, players in divisions.items()
    )  # fmt: skip
    return Feed(event=Event(divisions=made), faults=faults)


def _is_empty_place(player: EventPlayer) -> bool:
    nothing = not (player.rating or player.rounds) and player.absence_margin is not None
    return nothing and player.name == _NOBODY


def _parts(content: str) -> re.Match[str] | None:
    """A line taken apart: the first number is the rating, unless the lists say that it is not."""
    usual, other = _LINE.match(content), _NUMBERED.match(content)
    if usual is None or other is None:
        return usual or other
    board = dict(_vectors(usual["more"] or "")).get("board", ())
    known = {len((usual["scores"] or "").split()), len(board)}
    return usual if len(usual["opponents"].split()) in known else other


def _read_line(content: str, number: int) -> EventPlayer | None:
    match = _parts(content)
    if match is None:
        return None
    vectors = dict(_vectors(match["more"] or ""))
    opponents = [_known(word) for word in match["opponents"].split()]
    scores = [_known(word) for word in (match["scores"] or "").split()]
    tables, starts, penalties = (_whole(vectors.get(key)) for key in ("board", "p12", "penalty"))
    rounds = tuple(
        PlayerRound(
            opponent=_at(opponents, place),
            score=_at(scores, place),
            start=start if (start := _at(starts, place)) in (1, 2) else None,
            table=_at(tables, place) or None,
            penalty=_at(penalties, place) or 0,
        )
        for place in range(max(len(opponents), len(scores)))
    )
    off = _whole(vectors.get("off"))
    own = {"board", "p12", "penalty", "off", "initrec"}
    name, ident = name_and_ident(match["name"], vectors.get("xtid"))
    return EventPlayer(
        number=number,
        name=name,
        ident=ident,
        rating=int(match["rating"]),
        rounds=rounds,
        absence_margin=(_at(off, 0) or 0) if "off" in vectors else None,
        brought=initial_record([_decimal(word) for word in vectors.get("initrec", ())]),
        extra={key: values for key, values in vectors.items() if key not in own},
    )


def _vectors(text: str) -> Iterator[tuple[str, tuple[Raw, ...]]]:
    for part in _VECTOR_END.split(text):
        key, *words = re.sub(r"\\([\\;])", r"\1", part).split() or [""]
        if key:
            yield key, tuple(_raw(word) for word in words)


def _raw(word: str) -> Raw:
    if word == _GAP:
        return None
    number = whole_number(word)
    return word if number is None else number


def _known(word: str) -> int | None:
    return None if word == _GAP else whole_number(word)


def _whole(values: Sequence[Raw] | None) -> list[int | None]:
    return [whole_number(value) for value in values or ()]


def _decimal(word: Raw) -> Raw:
    """Halves are wins and losses too."""
    halves = isinstance(word, str) and re.fullmatch(r"-?\d{1,6}[.]\d{1,3}", word)
    return float(str(word)) if halves else word


def _at(values: Sequence[int | None], place: int) -> int | None:
    return values[place] if place < len(values) else None


def write_division_file(event: Event) -> str:
    """An event as the text of division files, one after the other."""
    return "".join(
        f"#division {division.name}\n{_settings(division)}{write_division(division)}"
        for division in event.divisions
    )


def _settings(division: EventDivision) -> str:
    known = {"max_rounds": division.last_round, "spread_cap": division.spread_cap}
    return "".join(f"#config {name} = {value}\n" for name, value in known.items() if value)


def write_division(division: EventDivision) -> str:
    """A division as the text of its file; a number nobody has is an empty place that stays off.

    NotationError when a player's number is no place in a file that a program could read.
    """
    division = as_feeds_have(division)
    players = division.by_number
    highest = max(players, default=0)
    if highest > MOST_PLAYERS:
        raise NotationError(
            f"division {division.name}: {players[highest].name} has number {highest}; a division"
            f" file has a line for each number, at most {MOST_PLAYERS}: number the players from 1"
        )
    lines = []
    for number in range(1, highest + 1):
        player = players.get(number)
        lines.append(_written(player) if player else f"{_NOBODY:<22}     0 ; ; off 0")
    return "".join(f"{line}\n" for line in lines)


def _written(player: EventPlayer) -> str:
    opponents = " ".join(_gapped([seen.opponent for seen in player.rounds]))
    scores = " ".join(_gapped([seen.score for seen in player.rounds]))
    line = f"{player.name:<22} {player.rating or 0:>5} {opponents}; {scores}"
    for key, values in vectors_of(player).items():
        if values:
            words = " ".join(_GAP if value is None else str(value) for value in values)
            escaped = re.sub(r"([\\;])", r"\\\1", words)
            line += f"; {key} {escaped}"
    return line


def _gapped(values: list[int | None]) -> Iterator[str]:
    """Words of a vector: gaps inside are ``00``, those at the end are left out."""
    last = max((n for n, value in enumerate(values, start=1) if value is not None), default=0)
    yield from (_GAP if value is None else str(value) for value in values[:last])
