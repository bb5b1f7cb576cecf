"""How the suite is run: by how many processes, and how patient its properties are."""

import os

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is, and nothing about the program.
settings.register_profile("tilecast", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tilecast")


def pytest_xdist_auto_num_workers() -> int:
    """As many as there are cores; two at least, for most of the long tests wait for something."""
    return max(2, os.cpu_count() or 1)
