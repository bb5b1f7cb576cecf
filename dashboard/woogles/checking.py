"""What a key may do, and whether games can go where they are to go; changes nothing there."""

from dataclasses import dataclass, field

from dashboard.woogles.client import RefusedError, Woogles
from dashboard.woogles.mirror import OurGame, Target, check_key, other_letters
from recorder.declared.codec import Json
from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event, EventDivision
from recorder.woogles import shapes
from recorder.woogles.letters import distribution, distribution_of
from recorder.woogles.names import find_in_feed

_MOST_FAULTS = 3
_NO_TABLE = 2**31 - 1
"""No tournament has it: a claim says who may claim, and makes nothing."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a log says of the games that are to be mirrored: its event, and each table's newest."""

    event: Event = field(default_factory=Event)
    games: tuple[OurGame, ...] = ()


@dataclass(slots=True)
class Found:
    """What a check found: for people by line, for programs as JSON values."""

    document: Json = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    ok: bool = True

    def say(self, name: str, value: object, line: str, *, ok: bool = True) -> None:
        """One more thing; with ``ok`` False games cannot be mirrored before it is put right."""
        self.document[name] = value
        self.lines.append(line if ok else f"NOT READY: {line}")
        self.ok = self.ok and ok


def check_access(woogles: Woogles, target: Target, known: Known) -> Found:
    """Ask what can be asked. UnreachableError where the service does not answer."""
    found = Found()
    try:
        unfinished = shapes.read_game_ids(woogles.ask(shapes.unfinished_games()))
    except RefusedError as fault:
        check_key(woogles, fault)
        raise
    found.say("key", True, "the key is known to Woogles")  # noqa: FBT003
    found.document["unfinished"] = list(unfinished)
    if target.slug:
        _check_broadcast(woogles, target.slug, known, found)
        return found
    address = f"{woogles.site}/editor/{unfinished[0]}" if unfinished else ""
    found.say(
        "can_create",
        not unfinished,
        "a new game can be made"
        if not unfinished
        else f"one game is unfinished ({address}), and blocks new ones: finish or delete it",
        ok=not unfinished,
    )
    return found


def _check_broadcast(woogles: Woogles, slug: str, known: Known, found: Found) -> None:
    try:
        there = shapes.read_broadcast(woogles.ask(shapes.get_broadcast(slug)))
    except RefusedError as fault:
        if fault.code != "not_found":
            raise
        text = f"there is no broadcast {slug!r}: its name is the end of its address on woogles.io"
        found.say("broadcast", None, text, ok=False)
        return
    rule, feed, tiles = there.rule, there.broadcast_url, there.letter_distribution
    found.say("broadcast", there.name, f"broadcast {there.name}: {there.lexicon}, {feed}")
    found.say(
        "challenge_rule",
        rule,
        f"challenge rule {rule}"
        if rule != "VOID"
        else "its challenge rule is VOID, by which phonies and challenges are refused: set the"
        " tournament's in the broadcast",
        ok=rule != "VOID",
    )
    try:
        distribution(tiles)
    except NotationError as fault:
        found.say("letters", tiles, str(fault), ok=False)
    may, text = _may_claim(woogles, slug)
    found.say("may_claim", may, text, ok=may)
    played = [ours for ours in known.games if not ours.over]
    letters = {distribution_of(ours.tile_set).name: ours.table for ours in played}
    for name in set(letters) - {tiles}:
        text = f"table {letters[name]} has {name} tiles, and the broadcast"
        found.say("letters_here", name, f"{text} {other_letters(tiles)}", ok=False)
    others = {ours.challenge: ours.table for ours in played}
    for other, table in others.items():
        if other not in ("", rule):
            text = f"table {table} plays by challenge rule {other}: its game there gets it too"
            found.say("challenge_rule_here", other, text)
    for division in known.event.divisions:
        _check_feed(woogles, slug, division, found)


def _check_feed(woogles: Woogles, slug: str, division: EventDivision, found: Found) -> None:
    """Whether their feed has the newest round of a division as it is paired here."""
    number = division.paired_rounds
    games = [game for game in division.games if game.round == number and game.table]
    if not games:
        return
    call = shapes.broadcast_games(slug, number, division.name)
    theirs = shapes.read_broadcast_games(woogles.ask(call))
    faults = []
    for game in games:
        names = [division.player(player).name for player in game.players]
        try:
            find_in_feed(theirs, number, game.table or 0, names)
        except NotationError as fault:
            faults.append(str(fault))
    feeds = {**found.document.get("feeds", {}), division.name: not faults}
    for text in faults[:_MOST_FAULTS]:
        found.say("feeds", feeds, text, ok=False)
    if not faults:
        text = f"their feed has round {number} of {division.name}: {len(games)} tables"
        found.say("feeds", feeds, text)


def _may_claim(woogles: Woogles, slug: str) -> tuple[bool, str]:
    try:
        woogles.ask(shapes.claim_game(slug, 1, _NO_TABLE, "-"))
    except RefusedError as fault:
        if fault.code == "permission_denied":
            return False, (
                f"the key's account may claim no table of {slug!r}: the broadcast's"
                " director can add it as an annotator"
            )
    return True, "the key's account may claim tables"
