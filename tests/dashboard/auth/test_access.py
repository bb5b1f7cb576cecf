"""Keys, cookies and origins."""

import pytest

from dashboard.auth.access import Access, Role, is_loopback, same_origin, trusted_hosts
from recorder.domain.errors import NotationError

LATE = Access(director_token="director-key-1", commentator_token="commentator-1", delay_ms=60_000)


def test_each_key_opens_its_own_role() -> None:
    assert LATE.role_of_token("director-key-1") is Role.DIRECTOR
    assert LATE.role_of_token("commentator-1") is Role.COMMENTATOR
    assert LATE.role_of_token("") is None
    assert LATE.role_of_token("dírector-key-1") is None


@pytest.mark.parametrize(
    ("holder", "opened"),
    [
        (Role.VIEWER, {Role.VIEWER}),
        (Role.OVERLAY, {Role.VIEWER, Role.OVERLAY}),
        (Role.COMMENTATOR, {Role.VIEWER, Role.COMMENTATOR}),
        (Role.SCORER, {Role.VIEWER, Role.SCORER}),
        (Role.CAMERA, {Role.VIEWER, Role.CAMERA}),
        (Role.CHECK_IN, {Role.VIEWER, Role.CHECK_IN}),
        (Role.DIRECTOR, set(Role) - {Role.ADMIN}),
        (Role.ADMIN, set(Role)),
    ],
)
def test_each_role_opens_what_it_is_for(holder: Role, opened: set[Role]) -> None:
    """A scorer sees no racks, a commentator presses no clock, the director manages no accounts."""
    assert {wanted for wanted in Role if holder.opens(wanted)} == opened


def test_a_short_key_is_refused() -> None:
    """A key that can be guessed is no key; the message names the length that is needed."""
    with pytest.raises(NotationError, match="at least 12 characters"):
        Access(director_token="short", commentator_token="commentator-1")


@pytest.mark.parametrize(
    ("headers", "same"),
    [
        ({"host": "127.0.0.1:8015"}, True),
        ({"host": "127.0.0.1:8015", "origin": "http://127.0.0.1:8015"}, True),
        ({"host": "127.0.0.1:8015", "origin": "http://127.0.0.1:9000"}, False),
        ({"host": "127.0.0.1:8015", "origin": "https://evil.example"}, False),
        ({"host": "127.0.0.1:8015", "origin": "null"}, False),
    ],
    ids=["no page", "own page", "other port", "other site", "file"],
)
def test_only_own_pages_may_connect(headers: dict[str, str], same: bool) -> None:  # noqa: FBT001
    """Browsers let any page open a WebSocket: the origin is checked here."""
    assert same_origin(headers) is same


def test_names_of_the_server() -> None:
    """A loopback server answers to loopback names only; a public one to its own as well."""
    assert trusted_hosts("127.0.0.1", ()) == ["127.0.0.1", "localhost"]
    public = trusted_hosts("0.0.0.0", ("obs.example",))
    assert "obs.example" in public
    assert "0.0.0.0" not in public
    assert is_loopback("127.0.0.1")
    assert is_loopback("localhost")
    assert not is_loopback("192.168.1.5")
