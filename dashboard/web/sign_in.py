"""Signing in and out, and what an administrator may see and revoke. Thin handlers."""

import asyncio
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Body, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from dashboard.auth.access import Role
from dashboard.auth.addresses import visitor
from dashboard.auth.guard import COOKIE, Guard, address_of, guard_of, requires
from dashboard.auth.names import normal_name
from dashboard.web.counting import counted
from dashboard.web.pages import PageLanguage, Pages
from recorder.domain.limits import MOST_TABLES
from recorder.texts import TextError

_MOST_LOGIN_BYTES = 2048
_MOST_WAITING, _MOST_OF_ONE = 16, 5
_HOME = {
    Role.ADMIN: "/admin",
    Role.DIRECTOR: "/director",
    Role.COMMENTATOR: "/commentator",
    Role.SCORER: "/pad",
    Role.CAMERA: "/camera",
    Role.CHECK_IN: "/check-in",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """Addresses that wait for their try, one at a time; how many from each."""

    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    waiting: Counter[str] = field(default_factory=Counter)


Text = Annotated[str, Body(embed=True, max_length=200)]


def login_routes(pages: Pages) -> APIRouter:
    """The form."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])
    # A password costs 64 MB and a tenth of a second while it is tried: two at a time, of which
    # one is for addresses that somebody has signed in from. In the other line those that have
    # failed stand behind the rest, which wait for one of them at most.
    known, new, failed = _Line(), _Line(), _Line()

    @router.get("/login", response_class=HTMLResponse)
    def form(to: Annotated[str, Query(max_length=500)] = "") -> str:
        return pages.login(_local(to))

    @router.post("/login")
    async def login(request: Request) -> Response:
        body = await request.body()
        if len(body) > _MOST_LOGIN_BYTES:
            raise HTTPException(413, TextError("login_too_long"))
        fields = parse_qs(body.decode("utf-8", "replace"))
        name, password, to = (fields.get(field, [""])[0] for field in ("name", "password", "to"))
        guard = guard_of(request)
        who = address_of(request)
        wait_s = -(-guard.wait_ms(who, name) // 1000)
        if wait_s:
            refused = pages.login(_local(to), "too_many_tries", seconds=wait_s)
            return HTMLResponse(refused, 429)
        line = known if guard.knows(who) else failed if guard.has_failed(who) else new
        place, waiting = visitor(who), line.waiting
        is_crowded = waiting[place] >= _MOST_OF_ONE or waiting.total() >= _MOST_WAITING
        if is_crowded and line is not known:
            return HTMLResponse(pages.login(_local(to), "many_sign_in"), 429)
        guard.tried(who, name)
        with counted(waiting, place):
            async with line.turn, new.turn if line is failed else nullcontext():
                role = await asyncio.to_thread(_role_of, guard, name, password)
        if role is None:
            return HTMLResponse(pages.login(_local(to), "wrong_password"), 401)
        guard.succeeded(who, name)
        key = "" if name else password
        home = _HOME[role] + _table_of(guard, name)
        return _enter(request, name or f"{role} (key)", role, _local(to) or home, key)

    return router


def key_routes(pages: Pages) -> APIRouter:
    """The links that were printed at the start, or given to an account, and the way out."""
    router = APIRouter(dependencies=[requires(Role.VIEWER)])

    @router.get("/enter/{key}")
    def enter(
        key: str,
        request: Request,
        table: int | None = None,
        to: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        guard, who = guard_of(request), address_of(request)
        wait_s = -(-guard.wait_ms(who, "") // 1000)
        if wait_s:
            raise HTTPException(429, TextError("many_tries", seconds=wait_s))
        guard.tried(who, "")
        role = guard.access.role_of_token(key)
        account = guard.accounts.entered_by(key) if role is None else None
        if account is not None:
            name, role = account
            home = _HOME[role] + _table_of(guard, name)
            key = ""
        elif role is not None:
            name, home = f"{role} (link)", _HOME[role] + (f"?table={table}" if table else "")
        else:
            return HTMLResponse(pages.login(_local(to), "old_link"), 401)
        guard.succeeded(who, "")
        target = _local(to) or home
        now = guard.session(request.cookies)
        if now is not None and now.role is not role and now.role.opens(role):
            return RedirectResponse(target, 303)  # who may do more keeps that
        return _enter(request, name, role, target, key)

    @router.post("/logout")
    def logout(request: Request) -> Response:
        guard = guard_of(request)
        session = guard.session(request.cookies)
        if session is not None:
            guard.accounts.end(session.id)
        response = RedirectResponse("/", 303)
        response.delete_cookie(COOKIE, path="/")
        return response

    return router


def admin_routes(pages: Pages) -> APIRouter:
    """Users, sessions and overlay tokens: list, make, revoke."""
    router = APIRouter(dependencies=[requires(Role.ADMIN)])

    @router.get("/admin", response_class=HTMLResponse)
    def page(lang: PageLanguage = "") -> str:
        return pages.tool("admin", lang)

    @router.get("/api/access")
    def access(request: Request) -> dict[str, Any]:
        accounts = guard_of(request).accounts
        serving = accounts.tables_served()
        return {
            "users": [
                {"name": name, "role": role}
                | ({"table": serving[name]} if serving.get(name) else {})
                for name, role in accounts.users()
            ],
            "roles": [role for role in Role if role not in (Role.VIEWER, Role.OVERLAY)],
            "sessions": [
                {"id": s.id, "name": s.name, "role": s.role, "since": s.since_ms, "seen": s.seen_ms}
                for s in accounts.sessions()
            ],
            "locked": [
                {"who": who, "wait_s": -(-wait_ms // 1000)}
                for who, wait_ms in guard_of(request).locked()
            ],
        }

    @router.delete("/api/locked")
    def unlock(request: Request) -> Any:
        guard_of(request).unlock()
        return {"ok": True}

    @router.post("/api/users")
    def set_user(
        request: Request,
        name: Text,
        role: Annotated[Role, Body()],
        password: Text,
        table: Annotated[int, Body(ge=0, le=MOST_TABLES)] = 0,
    ) -> Any:
        guard = guard_of(request)
        if role in (Role.VIEWER, Role.OVERLAY):
            raise HTTPException(422, TextError("no_sign_in_as", role=role))
        guard.accounts.set_user(name, role, password, guard.now(), table)
        return {"ok": True}

    @router.delete("/api/users/{name}")
    def remove_user(request: Request, name: str) -> Any:
        return _found(guard_of(request).accounts.remove_user(name), TextError("no_user", name=name))

    @router.delete("/api/sessions/{session_id}")
    def end(request: Request, session_id: str) -> Any:
        return _found(guard_of(request).accounts.end(session_id), TextError("no_session"))

    return router


def token_routes() -> APIRouter:
    """Tokens of overlays that show more than the public may see."""
    router = APIRouter(dependencies=[requires(Role.DIRECTOR)])

    @router.get("/api/tokens")
    def tokens(request: Request) -> Any:
        return guard_of(request).accounts.tokens()

    @router.post("/api/tokens")
    def make(
        request: Request,
        label: Text,
        scope: Annotated[str, Body(pattern=r"^racks:(table-[1-9][0-9]{0,3}|\*)$")],
    ) -> Any:
        guard = guard_of(request)
        return {"token": guard.accounts.make_token(label, scope, guard.now()), "scope": scope}

    @router.delete("/api/tokens/{token_id}")
    def revoke(request: Request, token_id: str) -> Any:
        return _found(guard_of(request).accounts.revoke(token_id), TextError("no_token"))

    return router


def _role_of(guard: Guard, name: str, password: str) -> Role | None:
    """By name and password, or without a name by a key. Slow on purpose: not on the event loop."""
    if name:
        return guard.accounts.role_of(name, password)
    return guard.access.role_of_token(password)


def _enter(request: Request, name: str, role: Role, to: str, key: str = "") -> Response:
    response = RedirectResponse(to, 303)
    secure = request.url.scheme == "https"
    guard_of(request).sign_in(response, name, role, secure=secure, key=key)
    return response


def _table_of(guard: Guard, name: str) -> str:
    table = guard.accounts.tables_served().get(normal_name(name), 0)
    return f"/{table}" if table else ""


def _local(to: str) -> str:
    """A target on this server, else nothing: a form must not send people elsewhere."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) else ""


def _found(found: bool, what: TextError) -> Any:  # noqa: FBT001 - the answer to one question
    if not found:
        raise HTTPException(404, what)
    return {"ok": True}
