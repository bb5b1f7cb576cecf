"""Notices as JSON objects of log rows: what was noticed, on what it rests, who may be reported."""

from typing import Annotated

from recorder.declared.codec import Codec, Json
from recorder.declared.field_types import converted, type_of_field
from recorder.domain.limits import AnyText
from recorder.domain.notices import CodedText, Phase, Routing, TableNotice
from recorder.wire.before_release.notices import decode_old, is_old
from recorder.wire.coded_text import CODED

NOTICE_TYPE = "table.notice"


_LATER = converted(
    type_of_field(Annotated[str, AnyText()]),
    lambda text: Phase(text) if text else None,
    lambda phase: phase.value if phase else "",
)
NOTICE: Codec[TableNotice] = Codec(
    TableNotice,
    NOTICE_TYPE,
    inline={"routing": Codec(Routing, types={Phase | None: _LATER})},
    types={CodedText: CODED},
)


def encode_notice(notice: TableNotice) -> Json:
    """The data of the row that holds a notice; turn and rows stand in the row itself."""
    written = NOTICE.write(notice)
    return {name: value for name, value in written.items() if name not in {"ref", "refs"}}


def decode_notice(data: Json, *, ref: int, refs: tuple[int, ...]) -> TableNotice:
    """The notice in the data of a row, of this release or an earlier one.

    ``ref`` is the turn that it is about, ``refs`` the rows that it rests on. DeviceError names the
    field at fault.
    """
    if is_old(data):
        return decode_old(data, ref=ref, refs=refs)
    return NOTICE.read({**data, "ref": ref, "refs": list(refs)})
