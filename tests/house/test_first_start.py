"""A first start on a machine that is not as it should be: one sentence each, with what helps."""

import errno
import os
import sys
import urllib.request

import pytest

import tilecast
from recorder.operations.answers import plain_words


def test_an_old_python_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is read that it could not read."""
    monkeypatch.setattr(sys, "version_info", (3, 10, 12, "final", 0))
    assert tilecast.main(["demo"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    for part in ("Python 3.11 or newer", "3.10.12", sys.executable):
        assert part in said


@pytest.mark.parametrize("given", ["", "intranet.example"])
def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """What the user spared already stays spared; other addresses still go through it."""
    monkeypatch.setenv("http_proxy", "http://192.0.2.1:3128")
    monkeypatch.setenv("no_proxy", given)
    assert tilecast.main([]) == 0
    assert urllib.request.proxy_bypass("127.0.0.1:8015")
    assert urllib.request.proxy_bypass("localhost")
    assert not urllib.request.proxy_bypass("results.example")
    assert bool(urllib.request.proxy_bypass("intranet.example")) == bool(given)


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_where_nothing_can_be_written_the_folder_is_named(code: int) -> None:
    """With what is wrong and what helps."""
    said = plain_words(OSError(code, os.strerror(code), "hall"))
    assert said.startswith(f"hall: {os.strerror(code)}: ")
    assert "choose" in said
