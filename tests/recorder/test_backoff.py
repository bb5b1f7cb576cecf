"""Pauses before the next try."""

from recorder.backoff import Backoff


def test_each_failure_doubles_the_pause_up_to_the_longest():
    """From the first pause; the longest is not passed."""
    assert [Backoff(0.1, 1.0).after(failures) for failures in range(1, 7)] == [
        0.1, 0.2, 0.4, 0.8, 1.0, 1.0,
    ]  # fmt: skip


def test_a_device_that_is_away_for_weeks_is_still_tried_at_the_longest_pause():
    """A million failures in a row neither overflow nor take longer to work out."""
    assert Backoff(0.1, 10.0).after(1_000_000) == 10.0
