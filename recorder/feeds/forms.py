"""The forms in which an event goes to other programs, by name."""

from collections.abc import Callable, Mapping

from recorder.domain.event.divisions import Event, EventDivision
from recorder.domain.rules.core.parameters import Rules
from recorder.feeds.csv_table import write_csv
from recorder.feeds.division_file import write_division_file
from recorder.feeds.rating_office import write_archive, write_standings, write_tou
from recorder.feeds.tourney_js import rank_vectors, write_tourney_js

RulesOf = Callable[[EventDivision], Rules]
FORMS: Mapping[str, Callable[[Event, RulesOf], str]] = {
    "tourney.js": lambda event, rules_of: write_tourney_js(event, rank_vectors(event, rules_of)),
    "tsh": lambda event, rules_of: write_division_file(event),  # noqa: ARG005
    "archive": lambda event, rules_of: write_archive(event),  # noqa: ARG005
    "tou": lambda event, rules_of: write_tou(event),  # noqa: ARG005
    "csv": lambda event, rules_of: write_csv(event),  # noqa: ARG005
    "standings": write_standings,
}
SUFFIXES = {"tsh": "t", "archive": "tsh", "standings": "csv"}
"""How a file of a form ends, where not as the form is called."""
