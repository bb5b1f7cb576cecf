"""A logo or a player's picture that carries a script never runs in a page."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.overlays.event_files import read_branding
from dashboard.overlays.faces import Faces
from recorder.domain.errors import NotationError

SCRIPT = b"<script>alert(1)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">' + SCRIPT + b"</svg>"


def _png() -> bytes:
    done, content = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))
    assert done
    return content.tobytes()


def _png_with_script() -> bytes:
    """A whole PNG, with markup as a text between its chunks and again behind its end."""
    png, chunk = _png(), b"tEXt" + SVG
    text = struct.pack(">I", len(SVG)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png[:33] + text + png[33:] + SVG


BEFORE = (
    b"", b'<?xml version="1.0"?>', b"\xef\xbb\xbf", b"<html>", b"GIF89a", b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBP",
)  # fmt: skip


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("name", ["logo.svg", "logo.png", "logo.svgz"])
def test_markup_is_no_picture(tmp_path: Path, name: str, before: bytes) -> None:
    """Whatever it is called, and whatever stands before it."""
    (tmp_path / name).write_bytes(before + SVG)
    for what in ("logo", "sponsor", "backdrop"):
        settings = tmp_path / "b.toml"
        settings.write_text(f'{what} = "{name}"', "utf-8")
        with pytest.raises(NotationError, match="PNG"):
            read_branding(settings)
    assert not Faces(tmp_path).address("logo")


def test_a_picture_with_a_script_in_it_is_a_picture_and_nothing_else(tmp_path: Path) -> None:
    """Served as what it is; no browser guesses otherwise, and no page of ours lets it run."""
    for name in ("logo.png", "Ann.png"):
        (tmp_path / name).write_bytes(_png_with_script())
    settings = tmp_path / "b.toml"
    settings.write_text('logo = "logo.png"', "utf-8")
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access, branding=settings))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        for path in ("/branding/logo", "/branding/logo?x=.svg"):
            head = client.get(path).headers
            assert head["content-type"] == "image/png"
            assert head["x-content-type-options"] == "nosniff"
            policy = head["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "unsafe-inline" not in policy.partition("style-src")[0]
    assert Faces(tmp_path).address("Ann").startswith("/face/")
