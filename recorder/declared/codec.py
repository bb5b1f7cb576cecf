"""A dataclass declares a JSON object: its reader, writer and schema follow from it.

Types and limits are those of the dataclass (``recorder.domain.limits``); a field with a default may
be left out, or null. A ``Codec`` says only where the object differs from the dataclass. pydantic's
core does the work: it checks a value and builds the dataclass itself, so that no class of messages
stands beside those of the domain. Knows no message, no file and no bus.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cached_property, partial
from operator import eq
from typing import Any, ClassVar, Generic, TypeVar, get_type_hints

from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    SchemaSerializer,
    SchemaValidator,
    ValidationError,
    core_schema,
)

from recorder.declared.field_types import FieldType, type_of_field
from recorder.declared.near_names import meant
from recorder.domain.errors import DeviceError, TilecastError

T = TypeVar("T")
Json = dict[str, Any]
"""One JSON object."""


@dataclass(frozen=True, slots=True)
class RuleFault:
    """What a rule finds: the field that does not go with the others, and what was wanted of it."""

    field: str
    wanted: str
    value: object


class _BrokenRuleError(ValueError):
    """Carries a fault through pydantic, which notes the place."""

    def __init__(self, fault: RuleFault) -> None:
        super().__init__(f"{fault.field} must be {fault.wanted}, got {shown(fault.value)}")


class Codec(Generic[T]):
    """One kind of JSON object. ``where`` opens every complaint about it.

    ``renamed`` gives the JSON names of fields that have another one there. ``spared`` are written
    only when they are not at their default. ``inline`` are fields whose own fields stand in this
    object. ``derived`` are properties that are written too, and must agree when they are read.
    ``types`` say by type how fields are written that are not plain. ``rule`` holds fields against
    each other. ``made`` makes another value of the dataclass, ``taken`` gives the object of that.
    """

    error: ClassVar[type[TilecastError]] = DeviceError
    """What complaints are raised as."""
    is_closed: ClassVar[bool] = False
    """Whether fields that nobody declared are refused; else they are ignored."""

    def __init__(  # noqa: PLR0913 - each is named where it is given
        self,
        kind: type[Any],
        where: str = "",
        *,
        renamed: Mapping[str, str] | None = None,
        spared: Sequence[str] = (),
        inline: Mapping[str, "Codec[Any]"] | None = None,
        derived: Sequence[str] = (),
        types: "Mapping[Any, FieldType | Codec[Any]] | None" = None,
        rule: Callable[[Any], RuleFault | None] | None = None,
        made: Callable[[Any], T] | None = None,
        taken: Callable[[T], Json] | None = None,
    ) -> None:
        self.kind, self.where = kind, where
        self.inline = dict(inline or {})
        self.derived = tuple(derived)
        self._renamed, self._spared = dict(renamed or {}), frozenset(spared)
        self._types, self._rule = dict(types or {}), rule
        self._made, self._taken = made, taken

    def read(self, data: object, where: str = "") -> T:
        """The value of an object. Raises DeviceError naming the field at fault."""
        where = where or self.where
        if not isinstance(data, dict):
            raise self.error(f"{where}: expected an object, got {shown(data)}")
        given: Json = self._given(data)
        if self.inline:
            given = {**given}
        for name, codec in self.inline.items():
            if name in self.required or not codec.names.isdisjoint(given):
                given[name] = codec.read(data, where)
            else:
                given.pop(name, None)
        try:
            value = self._validator.validate_python(given)
        except ValidationError as err:
            raise self.error(self._complaint(err, data, where)) from None
        for name in self.derived:
            count = getattr(value, name)
            if data.get(name) != count or isinstance(data[name], bool):
                raise self.error(self.fault(data, name, f"a whole number {count}..{count}", where))
        return value  # type: ignore[no-any-return]

    def write(self, value: T) -> Json:
        """The object of a value."""
        if self._taken is not None:
            return self._taken(value)
        written: Json = self._serializer.to_python(
            value, mode="json", by_alias=True, warnings=False, fallback=dict
        )
        for name, codec in self.inline.items():
            inside = getattr(value, name)
            if inside is not None:
                written |= codec.write(inside)
        return written | {name: getattr(value, name) for name in self.derived}

    @cached_property
    def names(self) -> frozenset[str]:
        """The JSON names of all that may stand in the object."""
        inside = [codec.names for codec in self.inline.values()]
        return frozenset(self.fields).union(self.derived, *inside)

    @cached_property
    def required(self) -> frozenset[str]:
        """The fields that have no default."""
        return frozenset(field.name for field in fields(self.kind) if _needed(field))

    @cached_property
    def fields(self) -> Mapping[str, FieldType]:
        """By JSON name, what the object's own fields may hold."""
        hints = get_type_hints(self.kind, include_extras=True)
        own = [field.name for field in fields(self.kind) if field.name not in self.inline]
        return {
            self._renamed.get(name, name): type_of_field(hints[name], self._known) for name in own
        }

    def _known(self, kind: Any) -> FieldType | None:
        """How a type is written that is not plain; a dataclass is an object of its fields."""
        known = self._types.get(kind)
        if known is None and is_dataclass(kind):
            known = type(self)(kind)  # type: ignore[arg-type]
        return known.nested if isinstance(known, Codec) else known

    @cached_property
    def own(self) -> CoreSchema:
        """What pydantic's core makes of the dataclass; what stands inline is made before."""
        names = [field.name for field in fields(self.kind)]
        arguments = core_schema.dataclass_args_schema(
            self.kind.__name__,
            [self._field(field) for field in fields(self.kind)],
            extra_behavior="forbid" if self.is_closed else "ignore",
        )
        checks_itself = hasattr(self.kind, "__post_init__")
        return core_schema.dataclass_schema(
            self.kind, arguments, names, slots=True, post_init=checks_itself
        )

    @cached_property
    def nested(self) -> FieldType:
        """The object as a field of another one."""
        if self.inline or self.derived:
            raise TypeError(f"{self.kind}: only a message itself has fields inline or derived")
        written = core_schema.plain_serializer_function_ser_schema(self.write)
        schema = core_schema.no_info_before_validator_function(
            self._given, self._whole, serialization=written if self._taken else None
        )
        return FieldType(schema=schema, wanted="an object", many="objects", inside=self.fields)

    @property
    def _whole(self) -> CoreSchema:
        """With its rule, and made into what it stands for."""
        schema = self.own
        for step in (self._ruled if self._rule else None, self._made):
            if step is not None:
                schema = core_schema.no_info_after_validator_function(step, schema)
        return schema

    @cached_property
    def _validator(self) -> SchemaValidator:
        return SchemaValidator(self._whole)

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return SchemaSerializer(self.own)

    def _field(self, field: "Field[Any]") -> core_schema.DataclassField:
        name = self._renamed.get(field.name, field.name)
        is_inline = field.name in self.inline
        schema = core_schema.any_schema() if is_inline else self.fields[name].schema
        if field.default is not MISSING:
            schema = core_schema.with_default_schema(schema, default=field.default)
        elif field.default_factory is not MISSING:
            schema = core_schema.with_default_schema(schema, default_factory=field.default_factory)
        return core_schema.dataclass_field(
            field.name,
            schema,
            kw_only=True,
            validation_alias=name,
            serialization_alias=name,
            serialization_exclude=is_inline or None,
            serialization_exclude_if=self._at_default(field),
        )

    def _at_default(self, field: "Field[Any]") -> Callable[[Any], bool] | None:
        return partial(eq, _default(field)) if field.name in self._spared else None

    def _given(self, data: Any) -> Any:
        """What is null is not given, but where a field must be there and may be null."""
        if not isinstance(data, dict) or None not in data.values():
            return data
        needed = self._needed_names
        return {name: value for name, value in data.items() if value is not None or name in needed}

    @cached_property
    def _needed_names(self) -> frozenset[str]:
        return frozenset(self._renamed.get(name, name) for name in self.required)

    def fault(self, data: Json, name: str, wanted: str, where: str) -> str:
        """The complaint about a field that is missing or wrong."""
        if name not in data:
            return f"{where}: {name} is missing (expected {wanted})"
        return f"{where}: {name} must be {wanted}, got {shown(data[name])}"

    @staticmethod
    def place(where: str, name: str, number: int | None) -> str:
        """Where an inner object is; ``number``, from 0, is its place in an array."""
        del number
        return f"{where} {name}"

    def _complaint(self, err: ValidationError, data: Json, where: str) -> str:
        """The first thing that is wrong, named by the innermost object and its field."""
        found = err.errors(include_url=False)
        strange = (fault for fault in found if fault["type"] == "unexpected_keyword_argument")
        first = next(strange, found[0])
        path: list[int | str] = list(first["loc"])
        broken = first.get("ctx", {}).get("error")
        known: Mapping[str, FieldType] = self.fields
        while path:
            name = str(path.pop(0))
            if name not in known:
                near = meant(name, known)
                return f"{where}: unknown key {name!r}{near}; allowed: {', '.join(known)}"
            held, value, number = known[name], data.get(name), None
            while path and isinstance(value, list) and path[0] in range(len(value)):
                number = int(path.pop(0))
                value = value[number]
            if held.inside is None or not isinstance(value, dict) or not (path or broken):
                if broken:
                    return f"{where}: {name}: {broken}"
                if path and isinstance(value, dict) and path[0] in value:
                    data = {**data, name: {path[0]: value[path[0]]}}  # the entry that is wrong
                return self.fault(data, name, held.wanted, where) + _near_value(first)
            known, data, where = held.inside, value, self.place(where, name, number)
        return f"{where}: {broken}"

    def _ruled(self, value: Any) -> Any:
        broken = None if self._rule is None else self._rule(value)
        if broken is not None:
            raise _BrokenRuleError(broken)
        return value


class Kinds(dict[str, Codec[T]]):
    """The kinds of object that one place can hold, each by the name of its type."""

    def __init__(self, what: str, *codecs: Codec[Any]) -> None:
        super().__init__((codec.where, codec) for codec in codecs)
        self._what, self._of = what, {codec.kind: codec for codec in codecs}

    def of(self, value: T) -> tuple[str, Json]:
        """The type name and the JSON object of a value."""
        codec = self._of[type(value)]
        return codec.where, codec.write(value)

    def value(self, type_name: str, data: object) -> T:
        """The value of that type. Raises DeviceError naming an unknown type or a bad field."""
        if type_name not in self:
            raise DeviceError(f"unknown {self._what} {type_name!r}")
        return self[type_name].read(data)


_PASSWORD = re.compile(r"://[^/\s]*@")


def _near_value(fault: ErrorDetails) -> str:
    """Which of the names that can stand there may have been meant."""
    expected, given = fault.get("ctx", {}).get("expected", ""), fault["input"]
    return meant(given, re.findall("'([^']*)'", expected)) if isinstance(given, str) else ""


def shown(value: object) -> str:
    """A value short enough for a message, and no password of an address in it."""
    text = _PASSWORD.sub("://...@", repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def _needed(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _default(field: "Field[Any]") -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
