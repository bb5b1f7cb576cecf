"""What a field of a message may hold: the type of a dataclass' field, in terms of pydantic's core.

``type_of_field`` reads an annotation; its limits are those of ``recorder.domain.limits``. Knows no
message.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic_core import CoreSchema, core_schema

from recorder.domain.limits import (
    BIGGEST_INTEGER,
    LONGEST_TEXT,
    Above,
    AnyText,
    AsText,
    AtMost,
    Like,
    Long,
    OneOf,
    Wanted,
    Within,
)

PRINTABLE = r"^(?:[^\p{C}\p{Z}]|[ \u200C\u200D])*$"
"""What Python calls printable, and the joiners within names and emoji."""
FieldLimit = Within | Above | Long | AnyText | AsText | Like | OneOf | AtMost | Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldType:
    """How one type is written: what checks it, what a complaint wants of it, and the plural.

    ``inside`` are the fields of the objects that it is, or holds, by their names.
    """

    schema: CoreSchema
    wanted: str
    many: str
    inside: Mapping[str, "FieldType"] | None = None


Known = Callable[[Any], FieldType | None]
"""Shows of a type how it is written; None for one that is plain."""


def plain(_: Any) -> FieldType | None:
    """Where no type is written in its own way."""
    return None


def converted(
    given: FieldType, read: Callable[[Any], Any], write: Callable[[Any], Any]
) -> FieldType:
    """A type that is written as another one; ``read`` raises ValueError for what is none."""
    made = core_schema.no_info_plain_validator_function(read)
    schema = core_schema.chain_schema(
        [given.schema, made],
        serialization=core_schema.plain_serializer_function_ser_schema(write),
    )
    return FieldType(schema=schema, wanted=given.wanted, many=given.many)


def type_of_field(annotation: Any, known: Known = plain) -> FieldType:
    """What a field of this type may hold. TypeError for a type that no message has."""
    base, limits = _split(annotation)
    as_text = _limit(limits, AsText)
    found = _as_text(as_text) if as_text else known(base) or _found(base, limits, known)
    wanted = _limit(limits, Wanted)
    return found if wanted is None else replace(found, wanted=wanted.words)


def _as_text(limit: AsText) -> FieldType:
    return converted(_text([Like(limit.pattern)]), limit.read, limit.write)


def _found(base: Any, limits: list[FieldLimit], known: Known) -> FieldType:
    if get_origin(base) in (UnionType, Union):
        return _union([option for option in get_args(base) if option != tuple[()]], known)
    if get_origin(base) is tuple:
        return _array(get_args(base), limits, known)
    if get_origin(base) is Literal:
        return _literal(list(get_args(base)))
    if isinstance(base, type) and issubclass(base, StrEnum):
        return _choice(base, limits)
    if get_origin(base) is not None or base is dict:
        return _object(get_args(base), known)
    return _plain(base, limits)


def _split(annotation: Any) -> tuple[Any, list[FieldLimit]]:
    if get_origin(annotation) is not Annotated:
        return annotation, []
    base, *limits = get_args(annotation)
    return base, limits


def _limit(limits: list[FieldLimit], kind: type[Any]) -> Any:
    return next((limit for limit in limits if isinstance(limit, kind)), None)


def _union(options: list[Any], known: Known) -> FieldType:
    """A type that may also be null, or one of several plain ones."""
    held = [type_of_field(option, known) for option in options if option is not NoneType]
    found = held[0]
    if len(held) > 1:
        schema = core_schema.union_schema([option.schema for option in held])
        found = FieldType(
            schema=schema, wanted=" or ".join(option.wanted for option in held), many="values"
        )
    if NoneType not in options:
        return found
    nullable = core_schema.nullable_schema(found.schema)
    return FieldType(schema=nullable, wanted=found.wanted, many=found.many, inside=found.inside)


def _array(types: tuple[Any, ...], limits: list[FieldLimit], known: Known) -> FieldType:
    if types[-1] is Ellipsis:
        return _list(type_of_field(types[0], known), _limit(limits, AtMost))
    entries = [type_of_field(entry, known) for entry in types]
    schema = core_schema.tuple_schema([entry.schema for entry in entries])
    many = " and ".join(dict.fromkeys(entry.many for entry in entries))
    if len(entries) == 2:
        return FieldType(schema=schema, wanted=f"a pair of {many}", many=f"pairs of {many}")
    return FieldType(schema=schema, wanted=f"an array of {len(entries)} {many}", many="arrays")


def _list(item: FieldType, most: AtMost | None) -> FieldType:
    count = None if most is None else most.count
    schema = core_schema.tuple_schema([item.schema], variadic_item_index=0, max_length=count)
    wanted = item.many if most is None else f"at most {most.count} {item.many}"
    return FieldType(
        schema=schema, wanted=f"an array of {wanted}", many="arrays", inside=item.inside
    )


def _literal(values: list[Any]) -> FieldType:
    words = " or ".join(str(value) for value in values)
    return FieldType(schema=core_schema.literal_schema(values), wanted=words, many="values")


def _choice(kinds: type[StrEnum], limits: list[FieldLimit]) -> FieldType:
    schema: CoreSchema = core_schema.enum_schema(kinds, list(kinds), sub_type="str")
    words = "one of " + ", ".join(kind.value for kind in kinds)
    if only := _limit(limits, OneOf):
        schema, words = _only(schema, only), only.words
    return FieldType(schema=schema, wanted=words, many=words)


def _only(schema: CoreSchema, only: OneOf) -> CoreSchema:
    return core_schema.chain_schema([schema, core_schema.literal_schema(list(only.values))])


def _object(types: tuple[Any, ...], known: Known) -> FieldType:
    """Names and what they stand for; names without a limit may be any."""
    names, values = types or (str, Any)
    keys = core_schema.str_schema() if names is str else type_of_field(names, known).schema
    schema = core_schema.dict_schema(keys, type_of_field(values, known).schema, strict=True)
    return FieldType(schema=schema, wanted="an object", many="objects")


def _plain(base: Any, limits: list[FieldLimit]) -> FieldType:
    if base is bool:
        return FieldType(
            schema=core_schema.bool_schema(strict=True), wanted="true or false", many="truth values"
        )
    if base is int:
        return _whole(limits)
    if base is float:
        return _number(limits)
    if base is str:
        return _text(limits)
    if base is Any:
        return FieldType(schema=core_schema.any_schema(), wanted="a value", many="values")
    raise TypeError(f"no message has a {base}")


def _whole(limits: list[FieldLimit]) -> FieldType:
    within = _limit(limits, Within) or Within(0, BIGGEST_INTEGER)
    low, high = int(within.low), int(within.high)
    schema: CoreSchema = core_schema.int_schema(strict=True, ge=low, le=high)
    wanted = f"a whole number {low}..{high}"
    if only := _limit(limits, OneOf):
        schema, wanted = _only(schema, only), only.words
    return FieldType(schema=schema, wanted=wanted, many="whole numbers")


def _number(limits: list[FieldLimit]) -> FieldType:
    above = _limit(limits, Above)
    low = None if above is None else above.low
    schema = core_schema.float_schema(strict=True, allow_inf_nan=False, gt=low)
    wanted = "a number" if above is None else f"a number above {low:g}"
    if within := _limit(limits, Within):
        schema |= {"ge": within.low, "le": within.high}
        wanted = f"a number {within.low:g}..{within.high:g}"
    return FieldType(schema=schema, wanted=wanted, many="numbers")


def _text(limits: list[FieldLimit]) -> FieldType:
    if _limit(limits, AnyText):
        return FieldType(schema=core_schema.str_schema(strict=True), wanted="text", many="texts")
    if only := _limit(limits, OneOf):
        schema: CoreSchema = core_schema.literal_schema(list(only.values))
        return FieldType(schema=schema, wanted=only.words, many="texts")
    if like := _limit(limits, Like):
        schema = core_schema.str_schema(strict=True, pattern=f"^(?:{like.pattern})$")
        return FieldType(schema=schema, wanted=f"text like {like.pattern}", many="texts")
    long = _limit(limits, Long) or Long(0, LONGEST_TEXT)
    schema = core_schema.str_schema(
        strict=True, pattern=PRINTABLE, min_length=long.least, max_length=long.most
    )
    wanted = f"printable text of {long.least}..{long.most} characters"
    return FieldType(schema=schema, wanted=wanted, many="printable texts")
