"""The calibration page: the camera's picture with the grid over it, and each device's step."""

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body, FastAPI, HTTPException, Response
from fastapi.concurrency import run_in_threadpool

from calibration.guide.jobs import Bench, Job
from calibration.own_page import Door, own_app, static_pages

_SHOWN = ("check", "fixed", "up", "letters", "set")
"""The options that the page shows."""


def create_app(bench: Bench, door: Door) -> FastAPI:
    """The application; its jobs are ended with it."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(bench.give_up)

    page = APIRouter()
    page.include_router(
        static_pages("guide.html", "guide.js", "texts.js", "guide.css", section="guide")
    )
    page.include_router(_steps(bench))
    return own_app("Tilecast calibration", page, door, lifespan)


def _steps(bench: Bench) -> APIRouter:
    router = APIRouter()

    def job_of(name: str) -> Job:
        job = bench.jobs.get(name)
        if job is None:
            raise HTTPException(404, f"no device {name!r} in {bench.table.name}")
        return job

    @router.get("/state")
    def state() -> dict[str, Any]:
        return {"table": bench.table.name, "jobs": [job.state() for job in bench.jobs.values()]}

    @router.get("/picture/{name}")
    def picture(name: str) -> Response:
        data = job_of(name).picture()
        if not data:
            raise HTTPException(404, "no picture yet")
        return Response(data, media_type="image/jpeg")

    @router.post("/start/{name}")
    def start(name: str, options: dict[str, Any]) -> dict[str, bool]:
        shown = {name: options[name] for name in _SHOWN if name in options}
        return {"done": job_of(name).start(shown)}

    @router.post("/answer/{name}")
    def answer(
        name: str, text: Annotated[str, Body(embed=True, max_length=40)] = ""
    ) -> dict[str, bool]:
        return {"done": job_of(name).answer(text)}

    @router.post("/give-up/{name}")
    def give_up(name: str) -> dict[str, bool]:
        job_of(name).give_up()
        return {"done": True}

    return router
