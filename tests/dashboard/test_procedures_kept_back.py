"""A procedure tells what its notice tells: what rules keep back, it keeps back too (INT-2)."""

import pytest

from dashboard.live.views import open_to_director


@pytest.mark.parametrize(
    ("manner", "signed", "shown"),
    [("withheld", False, False), ("withheld", True, True), ("alert", False, True)],
)
@pytest.mark.parametrize(
    ("code", "notice"), [("out_of_order", "out_of_order"), ("orientation", "wrong_way_round")]
)
def test_a_procedure_of_a_withheld_notice_waits_for_both_signatures(
    code: str, notice: str, manner: str, *, signed: bool, shown: bool
) -> None:
    """A challenge of the same turn is called by a player, and shown."""
    items = [
        {"notice": {"code": notice, "director": manner}, "group": 7, "superseded_by": None},
        {"group": 7, "superseded_by": None},
    ]
    standing = [{"code": code, "group": 7}, {"code": "challenge", "group": 7}]
    told = open_to_director(standing, items, signed=signed)
    assert [procedure["code"] for procedure in told] == [*([code] if shown else []), "challenge"]
