"""Pauses before the next try."""

from recorder.backoff import Backoff


def test_each_failure_doubles_the_pause_up_to_the_longest():
    assert [Backoff(0.1, 1.0).after(failures) for failures in range(1, 7)] == [
        0.1, 0.2, 0.4, 0.8, 1.0, 1.0,
    ]  # fmt: skip
