"""Codes with their values, as messages and rows carry them; old rows have sentences instead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic_core import core_schema

from recorder.declared.codec import Codec, Json
from recorder.declared.field_types import FieldType, type_of_field
from recorder.domain.limits import AnyText, Long
from recorder.domain.notices import CodedText, PlainValue, coded_with, in_words


@dataclass(frozen=True, slots=True)
class _Coded:
    """A code, and the values that its text names."""

    code: Annotated[str, Long(1, 64)]
    values: Mapping[str, PlainValue]


CODED: Codec[CodedText] = Codec(
    _Coded,
    "coded text",
    made=lambda given: coded_with(given.code, given.values),
    taken=lambda text: {"code": text.code, "values": dict(text.values)},
)


def encode_coded(text: CodedText) -> Json:
    """``{"code", "values"}``."""
    return CODED.write(text)


def coded_or_words() -> FieldType:
    """A coded text where releases before codes wrote a sentence, which is kept as it is."""
    sentence = type_of_field(Annotated[str, AnyText()])
    words = core_schema.no_info_after_validator_function(in_words, sentence.schema)
    either = core_schema.tagged_union_schema(
        {"words": words, "coded": CODED.nested.schema},
        discriminator=_spelled,
        serialization=core_schema.plain_serializer_function_ser_schema(encode_coded),
    )
    return FieldType(schema=either, wanted="a code with its values", many="codes with their values")


def _spelled(data: Any) -> str:
    return "words" if isinstance(data, str) else "coded"
