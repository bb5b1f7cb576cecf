"""A rule set as an argument of a command: the name of a set, or a club's own file."""

import argparse
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.rulesets.set_files import read_set, rule_set_names


def rule_set_name(text: str) -> str:
    """The name, or the whole path of the file, for files are named relative to other folders later.

    Raises argparse.ArgumentTypeError with what is wrong: file, line, nearest name.
    """
    if not text:
        return ""  # argparse sends a default of this kind through here too
    try:
        read_set(text)
    except NotationError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault
    return text if text in rule_set_names() else str(Path(text).resolve())
