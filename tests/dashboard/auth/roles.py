"""What a route asks of those who open it."""

from typing import Any

from dashboard.auth.access import Role


def roles_of(route: Any) -> set[Role]:
    """The roles that a route asks for, by its dependencies; empty when it asks for none."""
    dependant = getattr(route, "dependant", None)
    calls = (
        [dependency.call for dependency in dependant.dependencies] if dependant is not None else []
    )
    return {call.role for call in calls if isinstance(getattr(call, "role", None), Role)}
