"""Coded texts as JSON objects: a code, and the values that its text names."""

from recorder.domain.notices import CodedText, PlainValue
from recorder.wire.fields import Fields, Json

_MOST_TEXT = 2_000


def encode_coded(one: CodedText) -> Json:
    """``code``, and ``values`` by name."""
    return {"code": one.code, "values": dict(one.values)}


def decode_coded(told: object, where: str) -> CodedText:
    """What ``encode_coded`` gave. DeviceError names the field at fault."""
    fields = Fields(told, where)
    return CodedText(
        fields.text("code", least=1, most=64), tuple(decode_values(fields, "values").items())
    )


def decode_values(fields: Fields, name: str) -> dict[str, PlainValue]:
    """An object of plain values: whole numbers, printable texts, truth values."""
    told = fields.object(name)
    inner = Fields(told, name)
    return {key: _value(inner, key, value) for key, value in told.items()}


def _value(fields: Fields, key: str, value: object) -> PlainValue:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return fields.integer(key, -(2**53), 2**53 - 1)
    return fields.text(key, most=_MOST_TEXT)
