"""What differs between systems: each name has a twin on Windows, which is simulated here."""

import os
import runpy
import signal
import sys
from types import SimpleNamespace

import pytest

import recorder.systems

SOURCE = str(recorder.systems.__file__)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The module as Windows reads it, where nothing of POSIX can be called."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(signal, "SIGBREAK", signal.SIGUSR1, raising=False)
    names = runpy.run_path(SOURCE)
    for gone in ("geteuid", "nice", "killpg", "openpty", "sysconf"):
        monkeypatch.delattr(os, gone)
    return SimpleNamespace(**names)


def test_windows_has_a_twin_of_everything(windows: SimpleNamespace) -> None:
    """No name is missing there, and each does what can be done."""
    public = {
        name
        for name, value in vars(recorder.systems).items()
        if name == "STOP_SIGNALS" or getattr(value, "__module__", "") == recorder.systems.__name__
    }
    assert len(public) > 7
    assert public <= set(vars(windows))
    ended: list[str] = []
    windows.kill_session(SimpleNamespace(kill=lambda: ended.append("killed")))
    assert ended == ["killed"]
    assert windows.is_superuser() is False
    assert windows.machine_ms() <= windows.machine_ms()
    assert windows.processor_ms(1) is None
    windows.give_way(5)
    with pytest.raises(OSError, match="pseudo-terminals do not exist"):
        windows.open_terminal()
