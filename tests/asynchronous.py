"""Coroutines in tests that share a process with a browser, whose driver keeps a loop running."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def finish(coroutine: Coroutine[Any, Any, object], within_s: float) -> None:
    """Run a coroutine in a loop and a thread of its own; TimeoutError when it takes longer."""

    async def run() -> None:
        await asyncio.wait_for(coroutine, within_s)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, run()).result()
