"""Compressed sockets: what is long is deflated, what is short goes as it is.

All messages of a socket share one compressor (RFC 7692), which knows a frame's board and names from
the frames before as far back as its window reaches: 4 KiB, some 50 KB of memory a page. Answers
to pings are short and many; a minute of them would push everything worth remembering out of that
window, and a play would cost three times as much. Left alone they take no place in it.
"""

from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame
from websockets.typing import ExtensionParameter

_SHORT = 128
"""Bytes; a shorter message is sent as it is. The answer to a ping has about 55."""
_WINDOW_BITS = 12
_MEMORY = {"memLevel": 5}


class _DeflateLong(PerMessageDeflate):
    """The extension of one socket. Messages are never sent in parts, so each decides for itself."""

    def encode(self, frame: Frame) -> Frame:
        return frame if len(frame.data) < _SHORT else super().encode(frame)


class _Factory(ServerPerMessageDeflateFactory):
    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        answer, agreed = super().process_request_params(params, accepted_extensions)
        return answer, _DeflateLong(
            agreed.remote_no_context_takeover,
            agreed.local_no_context_takeover,
            agreed.remote_max_window_bits,
            agreed.local_max_window_bits,
            agreed.compress_settings,
        )


class DeflatingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket with this compression for pages that offer to read it.

    A page that answers no ping is dropped at once, with what it never took.
    """

    def __init__(self, *settings: Any, **options: Any) -> None:
        super().__init__(*settings, **options)
        self.conn.available_extensions = [
            _Factory(
                server_max_window_bits=_WINDOW_BITS,
                client_max_window_bits=_WINDOW_BITS,
                compress_settings=_MEMORY,
            )
        ]

    def keepalive_timeout(self) -> None:
        """See uvicorn; a close that is waited for would wait for a page that takes nothing."""
        super().keepalive_timeout()
        self.transport.abort()
