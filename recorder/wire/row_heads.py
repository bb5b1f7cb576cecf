"""What is found of a row without reading what it says, which is for ``recorder.wire.rows``."""

from collections.abc import Mapping
from typing import Any

from recorder.domain.row_kind import Kind

ROW_VERSION = 2
"""Of the rows that are written; in version 1 signatures and procedures were notes."""
STARTED_TYPE = "game.started"
CORRECTION = "correction"
"""What a *corrected* row is called where types are shown; it has none itself."""


def type_of(kind: Kind, body: Mapping[str, Any]) -> str:
    """What a row is called, without reading it: looks are large, and few want them."""
    return CORRECTION if kind is Kind.CORRECTED else str(body.get("type", ""))


def device_of(body: Mapping[str, Any]) -> str:
    """The device that a row came from, without reading it; empty where there is none."""
    return str(body.get("dev", ""))


def device_ms_of(body: Mapping[str, Any]) -> int:
    """The device's own time of a row, in its milliseconds; 0 where it did not say."""
    return int(body.get("t", 0))


def received_of(body: Mapping[str, Any]) -> int:
    """When the recorder had what a device said; 0 where the row's own time is that."""
    return int(body.get("received", 0))


def picture_of(body: Mapping[str, Any]) -> str:
    """The SHA-256 of the picture that a row's device keeps as evidence; empty without one."""
    data = body.get("data")
    return str(data.get("picture") or "") if isinstance(data, Mapping) else ""
