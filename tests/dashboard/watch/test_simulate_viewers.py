"""Simulated viewers, and what a hundred thousand would cost on paper."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import tilecast
from dashboard.lab.viewer_costs import Prices, Taken, on_paper
from tests.cases import first_of

TAKEN = Taken(visit=150_000, update=160, frame=1_600, unchanged=570, idle_a_second=11)


def test_a_hundred_thousand_on_paper() -> None:
    """By sockets a room full of dashboards, by a cache one request a second and a bill."""
    paper = on_paper(TAKEN, 30, Prices(gigabyte=0.02, million=0.6), 100_000)
    assert paper["sockets"]["dashboards"] == 167
    assert paper["sockets"]["megabits_at_a_play"] == 128
    cache = paper["cache"]
    assert cache["requests_a_second"] == 50_000
    assert cache["of_them_to_the_dashboard"] == 1
    bytes_each = 150_000 + 30 * 1_600 + 1_770 * 570
    assert cache["gigabytes"] == pytest.approx(100_000 * bytes_each / 1e9, abs=0.001)
    assert cache["cost"] == pytest.approx(cache["gigabytes"] * 0.02 + 180 * 0.6, abs=0.01)


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("way", first_of(1, [["--asking"], []]))
def test_viewers_of_a_real_dashboard(way: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each has every play; what came over the wire is the paper's beginning."""
    words = ["simulate", "viewers", "--viewers", "3", "--every", "0.1", "--json", *way]
    with ThreadPoolExecutor(1) as apart:  # a browser's driver keeps a loop running in this one
        assert apart.submit(tilecast.main, words).result() == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["viewers"], document["turns"], document["missed"]) == (3, 6, 0)
    assert document["late_ms"]["median"] <= document["late_ms"]["p95"]
    size = document["bytes"]
    assert size["frame" if way else "update"] > 50
    assert [row["viewers"] for row in document["an_hour_of_one_table"]][-1] == 100_000


def test_numbers_that_cannot_be_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, with what can be, and nothing is started."""
    assert tilecast.main(["simulate", "viewers", "--viewers", "601"]) == 2
    assert "1 to 600" in capsys.readouterr().err
