"""A value made of frozen dataclasses as plain JSON, each part of it written once.

What a ``Codec`` writes is a message: a tree, checked against limits. This is for what the program
keeps for itself: parts that stand in a value several times stay one and the same object when it is
read again, floats are kept to the last bit, and what can be read follows from the dataclass alone.
Nothing that is read can be anything else than the declared dataclasses, tuples and plain values.

The JSON is a list of nodes, a node being ``[kind, content]``: dataclasses and tuples of any length,
each after those that it names by their places. The last is the value itself.
"""

import base64
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

Shared = TypeVar("Shared")
Plain = Any
TextForm = tuple[Callable[[str], Any], Callable[[Any], str]]
"""How a value is read from a text, and written as one."""
"""What JSON has: a list, a text, a number, a truth value, null."""


class UnreadableValueError(ValueError):
    """What was to be read is no such value."""


@dataclass(slots=True)
class _Written:
    """The nodes so far, and the place of each object by its kind (an empty tuple has several)."""

    nodes: list[Plain]
    places: dict[tuple[int, int], int]


@dataclass(slots=True)
class _Read:
    """What the nodes so far are: their kinds and their values."""

    kinds: list[int]
    values: list[Any]


WritePart = Callable[[Any, _Written], Plain]
ReadPart = Callable[[Plain, _Read], Any]


@dataclass(frozen=True, slots=True)
class _Form:
    """How one type is written and read, where it stands."""

    write: WritePart
    read: ReadPart


class SharedValues(Generic[Shared]):
    """Writes and reads values of one dataclass.

    ``given`` are values that every such value shares and that are not written, by their type, such
    as the tile set of a game: who reads has them at hand. ``as_text`` are types that are written
    as a text, with how it is read and written.
    """

    def __init__(
        self,
        kind: type[Shared],
        given: Mapping[type[Any], Any],
        as_text: Mapping[Any, TextForm] | None = None,
    ) -> None:
        self._given, self._as_text = dict(given), dict(as_text or {})
        self._kinds: list[ReadPart] = []
        self._forms: dict[Any, _Form] = {}
        self._root = self._form(kind)

    def write(self, value: Shared) -> list[Plain]:
        """The nodes of a value; ValueError where a given value is another one in it."""
        written = _Written([], {})
        self._root.write(value, written)
        return written.nodes

    def read(self, nodes: Plain) -> Shared:
        """The value that was written. UnreadableValueError where it was not."""
        read = _Read([], [])
        try:
            for kind, content in nodes:
                self._read_node(kind, content, read)
            return self._root.read(len(nodes) - 1, read)  # type: ignore[no-any-return]
        except UnreadableValueError:
            raise
        except (TypeError, ValueError, LookupError, struct.error) as fault:
            raise UnreadableValueError(f"{type(fault).__name__}: {fault}") from fault

    def _read_node(self, kind: Plain, content: Plain, read: _Read) -> None:
        if type(kind) is not int or not 0 <= kind < len(self._kinds):
            raise UnreadableValueError(f"no kind {kind!r}")
        value = self._kinds[kind](content, read)
        read.kinds.append(kind)
        read.values.append(value)

    def _form(self, annotation: Any) -> _Form:
        """The form of a type; each is made once, so that types may hold themselves."""
        if annotation not in self._forms:
            self._forms[annotation] = self._made(annotation)
        return self._forms[annotation]

    def _made(self, annotation: Any) -> _Form:
        if annotation in self._as_text:
            read_text, write_text = self._as_text[annotation]
            return _Form(lambda value, _: write_text(value), lambda content, _: read_text(content))
        origin, inside = get_origin(annotation), get_args(annotation)
        if origin is not None:
            return self._holding(origin, inside)
        if annotation in self._given:
            return _given(self._given[annotation])
        if hasattr(annotation, "__supertype__"):
            return self._form(annotation.__supertype__)
        return self._object(annotation) if is_dataclass(annotation) else _plain(annotation)

    def _holding(self, origin: Any, inside: tuple[Any, ...]) -> _Form:
        """The form of a type that is made of others."""
        if origin is Annotated:
            return self._form(inside[0])
        if origin in (Union, UnionType):
            return self._either(inside)
        if origin is tuple and inside[-1:] == (Ellipsis,):
            return self._array(inside[0])
        forms = [self._form(entry) for entry in inside]
        if origin is tuple:
            return _row(forms)
        return _set(*forms) if origin is frozenset else _mapping(*forms)

    def _object(self, kind: Any) -> _Form:
        """A dataclass: its fields in order, but those that it works out itself."""
        mine = len(self._kinds)
        names = [field.name for field in fields(kind) if field.init]
        forms: list[_Form] = []

        def read(content: Plain, read: _Read) -> Any:
            return kind(
                **{
                    name: form.read(part, read)
                    for name, form, part in zip(names, forms, content, strict=True)
                }
            )

        def write(value: Any, written: _Written) -> Plain:
            return [
                form.write(getattr(value, name), written)
                for name, form in zip(names, forms, strict=True)
            ]

        self._kinds.append(read)
        self._forms[kind] = form = _node(mine, write, kind)
        hints = get_type_hints(kind, include_extras=True)
        forms += [self._form(hints[name]) for name in names]
        return form

    def _array(self, entry: Any) -> _Form:
        """A tuple of any length, each entry of the same type; floats as their very bits."""
        mine = len(self._kinds)
        if entry is float:
            self._kinds.append(lambda content, _: _floats(content))
            return _node(mine, lambda value, _: _bits(value), tuple)
        forms: list[_Form] = []

        def read(content: Plain, read: _Read) -> Any:
            (form,) = forms
            return tuple([form.read(part, read) for part in _listed(content)])

        def write(value: Any, written: _Written) -> Plain:
            (form,) = forms
            return [form.write(part, written) for part in value]

        self._kinds.append(read)
        forms.append(self._form(entry))
        return _node(mine, write, tuple)

    def _either(self, options: tuple[Any, ...]) -> _Form:
        """A value or none, or one of several plain ones."""
        held = [option for option in options if option not in (NoneType, tuple[()])]
        if len(held) > 1:
            return _plain(*(get_args(option)[0] if get_args(option) else option for option in held))
        form = self._form(held[0])
        return _Form(
            lambda value, written: None if value is None else form.write(value, written),
            lambda content, read: None if content is None else form.read(content, read),
        )


def _node(mine: int, content: WritePart, kind: type[Any]) -> _Form:
    """What is a node of its own, named by its place."""

    def write(value: Any, written: _Written) -> Plain:
        known = (mine, id(value))
        place = written.places.get(known)
        if place is None:
            if not isinstance(value, kind):
                raise TypeError(f"{value!r} is no {kind.__name__}")
            inside = content(value, written)
            place = written.places[known] = len(written.nodes)
            written.nodes.append([mine, inside])
        return place

    def read(place: Plain, read: _Read) -> Any:
        if type(place) is not int or place < 0 or read.kinds[place] != mine:
            raise UnreadableValueError(f"no {kind.__name__} at {place!r}")
        return read.values[place]

    return _Form(write, read)


def _given(value: Any) -> _Form:
    def write(found: Any, _: _Written) -> Plain:
        if found != value:
            raise ValueError(f"{found!r} is not {value!r}")

    return _Form(write, lambda _content, _read: value)


def _row(forms: list[_Form]) -> _Form:
    """A tuple with a type for each entry."""

    def write(value: Any, written: _Written) -> Plain:
        return [form.write(part, written) for form, part in zip(forms, value, strict=True)]

    def read(content: Plain, read: _Read) -> Any:
        parts = zip(forms, _listed(content), strict=True)
        return tuple([form.read(part, read) for form, part in parts])

    return _Form(write, read)


def _set(form: _Form) -> _Form:
    return _Form(
        lambda value, written: sorted(form.write(part, written) for part in value),
        lambda content, read: frozenset(form.read(part, read) for part in _listed(content)),
    )


def _mapping(keys: _Form, values: _Form) -> _Form:
    def write(value: Any, written: _Written) -> Plain:
        return [
            [keys.write(key, written), values.write(held, written)] for key, held in value.items()
        ]

    def read(content: Plain, read: _Read) -> Any:
        pairs = ((keys.read(key, read), values.read(held, read)) for key, held in _listed(content))
        return MappingProxyType(dict(pairs))

    return _Form(write, read)


def _plain(*kinds: Any) -> _Form:
    """A value of one of these types as JSON has it. TypeError for a type that it has not."""
    (kind, *others) = kinds
    if not others and isinstance(kind, type) and issubclass(kind, Enum):
        known = {member.value: member for member in kind}
        return _Form(lambda value, _: value.value, lambda content, _: known[content])
    if not others and kind is bytes:
        return _Form(lambda value, _: _text(value), lambda content, _: _unpacked(content))
    if not set(kinds) <= {int, str, bool, float}:
        raise TypeError(f"no value is kept of {kinds}")

    def read(content: Plain, _: _Read) -> Any:
        if type(content) not in kinds:
            raise UnreadableValueError(f"{content!r} is none of {kinds}")
        return content

    return _Form(lambda value, _: value, read)


def _listed(content: Plain) -> list[Plain]:
    if type(content) is not list:
        raise UnreadableValueError(f"{content!r} is not a list")
    return content


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _unpacked(content: Plain) -> bytes:
    return base64.b64decode(content, validate=True)


def _bits(numbers: tuple[float, ...]) -> str:
    return _text(struct.pack(f"<{len(numbers)}d", *numbers))


def _floats(content: Plain) -> tuple[float, ...]:
    data = _unpacked(content)
    return struct.unpack(f"<{len(data) // 8}d", data)
