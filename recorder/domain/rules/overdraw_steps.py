"""The steps of the overdraw procedures, to be read out (OVERDRAW-2 to OVERDRAW-5)."""

from recorder.domain.rules.procedure import Step, Who, into_bag

STOP = Step(who=Who.EITHER, act="Stop the clock; nobody draws", rule="OVERDRAW-1")
RESTART = Step(
    who=Who.EITHER,
    act="Restart the clock of the player on turn; a draw that was interrupted is finished",
    rule="OVERDRAW-8",
)


def tiles(count: int) -> str:
    """So many tiles, in words: ``1 tile``, ``3 tiles``."""
    return f"{count} tile" if count == 1 else f"{count} tiles"


def shown_steps(
    *,
    pool: int,
    mixed: bool,
    revealed: int,
    returned: int,
    seconds: int | None,
    opponent_keeps: bool,
) -> tuple[Step, ...]:
    """OVERDRAW-2: some tiles of the pool are turned up, both see them, the opponent chooses."""
    rule = "OVERDRAW-2"
    whole = "all tiles, old and new," if mixed else "the new tiles"
    kept = revealed - returned
    choice = f"Choose {tiles(returned)} of these to go back"
    if opponent_keeps:
        choice = f"Choose {tiles(kept)} of these for the player to keep"
    return (
        STOP,
        Step(
            who=Who.PLAYER,
            act=f"Lay {whole} face down, {pool} in all, and mix them",
            rule=rule,
            tiles=pool,
        ),
        Step(
            who=Who.OPPONENT,
            act=f"Turn up {tiles(revealed)}; both players see them",
            rule=rule,
            tiles=revealed,
        ),
        Step(who=Who.OPPONENT, act=choice, rule=rule, tiles=returned, seconds=seconds),
        into_bag(Who.EITHER, f"Put {tiles(returned)} back into the bag; mix it", returned, rule),
        Step(
            who=Who.PLAYER,
            act="Take all other tiles, without showing those that lay face down",
            rule=rule,
            done_when="rack=7",
        ),
        RESTART,
    )


def whole_rack_steps(held: int, returned: int) -> tuple[Step, ...]:
    """OVERDRAW-3: the whole rack is shown, the opponent picks what goes back."""
    rule = "OVERDRAW-3"
    return (
        STOP,
        Step(
            who=Who.PLAYER,
            act=f"Show the opponent all {held} tiles, old and new",
            rule=rule,
            tiles=held,
        ),
        Step(
            who=Who.OPPONENT,
            act=f"Choose {tiles(returned)} to go back into the bag",
            rule=rule,
            tiles=returned,
        ),
        into_bag(Who.EITHER, f"Put {tiles(returned)} back into the bag", returned, rule),
        Step(who=Who.PLAYER, act="Take the rest back", rule=rule, done_when="rack=7"),
        RESTART,
    )


def hidden_steps(*, pool: int, taken: int, returned: int, seconds: int | None) -> tuple[Step, ...]:
    """OVERDRAW-4: the opponent takes tiles unseen, and gives some back."""
    rule = "OVERDRAW-4"
    given = taken - returned
    return (
        STOP,
        Step(
            who=Who.OPPONENT,
            act=f"Take {taken} of the {tiles(pool)} without showing them, onto the own rack",
            rule=rule,
            tiles=taken,
        ),
        Step(
            who=Who.OPPONENT,
            act=f"Choose: {given} to give back to the player, {returned} for the bag",
            rule=rule,
            tiles=taken,
            seconds=seconds,
        ),
        into_bag(
            Who.OPPONENT, f"Put {tiles(returned)} into the bag without showing", returned, rule
        ),
        Step(
            who=Who.OPPONENT,
            act=f"Give {tiles(given)} to the player; the own rack is as large as before",
            rule=rule,
            tiles=given,
            done_when="rack=7",
        ),
        RESTART,
    )


def play_off_steps(played: int, shown_back: int) -> tuple[Step, ...]:
    """OVERDRAW-5: the play comes off before the overdraw is settled."""
    rule = "OVERDRAW-5"
    first = Step(
        who=Who.PLAYER,
        act=f"Take the play off the board: it scores 0. Its {tiles(played)} stay apart, they are"
        " yours but not in the pool",
        rule=rule,
        tiles=played,
        done_when=f"board-{played}",
    )
    if not shown_back:
        return (first,)
    again = into_bag(
        Who.PLAYER,
        f"Show the {tiles(shown_back)} just drawn and put them back into the bag",
        shown_back,
        rule,
    )
    return (first, again)
