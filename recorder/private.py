"""Files of a program that holds racks, keys and withheld notices are for its owner alone."""

import os


def keep_private() -> None:
    """From now on, whatever this process and its children make can be read by its owner only."""
    os.umask(0o077)
