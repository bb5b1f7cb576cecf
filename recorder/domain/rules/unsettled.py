"""What to ask the director where the rule set in force leaves something open."""

from recorder.domain.errors import NotationError
from recorder.domain.rules.force import Rules


def ask(rules: Rules, name: str) -> tuple[str, ...]:
    """The question that a parameter leaves open; none when the rule set settles it."""
    try:
        rules[name]
    except NotationError as err:
        return (str(err),)
    return ()


def ask_all(rules: Rules, *names: str) -> tuple[str, ...]:
    """The questions that some parameters leave open, in this order."""
    return tuple(question for name in names for question in ask(rules, name))


def listed(rules: Rules, name: str) -> tuple[str, ...]:
    """The words of a parameter that names several; none where it is open."""
    value = rules.get(name)
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def whole(rules: Rules, name: str) -> int:
    """The whole number of a parameter; NotationError says what is missing where it is open."""
    value = rules[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{rules.name}: {name} is {value!r}, not a whole number")
    return value
