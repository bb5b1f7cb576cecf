"""Words that the declarations of frames are written in."""

from typing import Annotated, TypeVar

Value = TypeVar("Value")

Maybe = Annotated[Value | None, "left out"]
"""None here, left out of what is sent."""
PlainValue = int | str | bool
Pair = Annotated[list[int], "[number, number]"]
"""Something of both players; who moves first is in front."""
