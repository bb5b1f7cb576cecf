"""Results on their way back into the program that pairs: as lines to type or pipe, and as CSV."""

import csv
import io
from collections.abc import Sequence

from recorder.domain.event.orders import EnterResult
from recorder.feeds.csv_table import text_cell

RESULT_COLUMNS = ("division", "round", "player", "score", "opponent", "opponent score")


def result_lines(results: Sequence[EnterResult]) -> str:
    """As TSH takes them, ``5 431 2 388``; a line that begins with ``#`` above each round.

    What is no result of a game is such a line, too: TSH has to pair that player with nobody.
    """
    lines: list[str] = []
    above = ""
    for result in results:
        head = f"# division {result.division}, round {result.round}"
        if head != above:
            above = head
            lines.append(head)
        score = f"{result.first} {result.first_score}"
        no_game = f"# {result.first} plays nobody, which counts {result.first_score}"
        lines.append(f"{score} {result.second} {result.second_score}" if result.second else no_game)
    return "".join(f"{line}\n" for line in lines)


def result_table(results: Sequence[EnterResult]) -> str:
    """As CSV, a row for each game."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(RESULT_COLUMNS)
    writer.writerows(
        (text_cell(r.division), r.round, r.first, r.first_score, r.second, r.second_score)
        for r in results
    )
    return out.getvalue()
