"""Waiting with a limit for what a trial should bring: a message, or that something holds."""

import queue
import time
from collections.abc import Callable

from recorder.bus.port import Message


def message_with(
    inbox: "queue.Queue[Message]", payload: bytes, within_s: float, *, acks: bool = True
) -> Message | None:
    """The message with that payload; others are passed over."""
    end = time.monotonic() + within_s
    while (left_s := end - time.monotonic()) > 0:
        try:
            message = inbox.get(timeout=left_s)
        except queue.Empty:
            return None
        if message.payload == payload:
            if acks:  # Mosquitto as it comes hands out twenty, then waits
                message.ack()
            return message
        message.ack()
    return None


def comes_true(claim: Callable[[], bool], within_s: float) -> bool:
    """Whether it does within so many seconds."""
    end = time.monotonic() + within_s
    while not claim():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
