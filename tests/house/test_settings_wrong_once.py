"""Every settings file with each of its keys wrong once: the reader names file, key and remedy.

The keys are those of the declarations, by the schema that is drawn from them; nobody lists them.
"""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from calibration.venue.programs_file import read_programs_file
from dashboard.overlays.event_files import read_branding, read_tournament
from devices.agent_process.table_file import DEVICES, read_table_file
from devices.cameras.profile import BOARD_FILE, RACK_FILE
from devices.sensors.scale_profile import SCALE_FILE
from recorder.domain.errors import NotationError
from recorder.service.venue_file import read_record_file
from tests.house.settings_schema import schemas
from tests.house.test_settings_schema import FILES
from tests.recorder.wire.wire_schema import of_codec

Keys = tuple[str | int, ...]
READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "venue": ("venue.toml", read_record_file),
    "table": ("table.toml", read_table_file),
    "programs": ("programs.toml", lambda path: read_programs_file(path.parent)),
    "tournament": ("tournament.toml", read_tournament),
    "branding": ("branding.toml", read_branding),
    "board-profile": ("cam-1.json", BOARD_FILE.load),
    "rack-profile": ("rack-1.json", RACK_FILE.load),
    "scale-profile": ("scale-1.json", SCALE_FILE.load),
}
SCHEMAS = schemas()
WRONG: list[Any] = [[[7]]]
"""Three lists in one another: no key of any file is that."""
OPEN = {"tournament", "board-profile", "rack-profile", "scale-profile"}
"""Other programs write these, and may say more than we read."""
DEVICE = {"name": "x-1", "source": "0", "port": "/dev/ttyUSB0", "profile": "x.json", "side": "L"}


def keys_of(schema: dict[str, Any], file: Any, root: dict[str, Any]) -> Iterator[Keys]:
    """Where a file can have a key: what is declared, in the sections that the file has."""
    schema = root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for name, part in schema.get("properties", {}).items():
        yield (name,)
        if isinstance(file, dict) and isinstance(file.get(name), dict):
            yield from ((name, *rest) for rest in keys_of(part, file[name], root))
        if isinstance(file, dict) and isinstance(file.get(name), list) and "items" in part:
            first = file[name][0] if file[name] else None
            yield from ((name, 0, *rest) for rest in keys_of(part["items"], first, root))
    named = [*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")]
    for part in filter(lambda part: isinstance(part, dict), named):
        for name, inside in file.items() if isinstance(file, dict) else ():
            yield (name,)
            yield from ((name, *rest) for rest in keys_of(part, inside, root))


CASES = [
    (name, keys)
    for name, schema in SCHEMAS.items()
    if name in READERS  # slots that cannot be read are put aside, and overlays go on
    for keys in keys_of(schema, FILES[name], {"$defs": schema.get("$defs", {})})
]


def said_of(name: str, document: Any, folder: Path) -> str:
    file, read = READERS[name]
    path = folder / file
    is_toml = path.suffix == ".toml"
    path.write_text(tomlkit.dumps(document) if is_toml else json.dumps(document), "utf-8")
    with pytest.raises(NotationError) as fault:
        read(path)
    return str(fault.value)


def with_wrong(document: Any, keys: Keys, value: Any) -> Any:
    """A copy of a file in which one key says something else."""
    changed = copy.deepcopy(document)
    inside = changed
    for key in keys[:-1]:
        inside = inside[key]
    inside[keys[-1]] = value
    return changed


@pytest.mark.slow
@pytest.mark.parametrize(("name", "keys"), CASES, ids=str)
def test_a_wrong_key_is_named(name: str, keys: Keys, tmp_path: Path) -> None:
    """By file and key; a misspelled one beside it too, with the nearest of those that can be."""
    said = said_of(name, with_wrong(FILES[name], keys, WRONG), tmp_path)
    assert READERS[name][0] in said
    assert str(keys[-1]) in said
    if name not in OPEN:
        misspelled = (*keys[:-1], f"{keys[-1]}x")
        said = said_of(name, with_wrong(FILES[name], misspelled, 1), tmp_path)
        assert str(misspelled[-1]) in said
        assert "unknown key" not in said or f"(did you mean {keys[-1]}?)" in said


@pytest.mark.parametrize("kind", DEVICES)
def test_a_wrong_key_of_a_device_is_named(kind: str, tmp_path: Path) -> None:
    """Every key of every kind; an empty name, source, port or profile is a wrong one."""
    schema = of_codec(DEVICES[kind])
    device = {"kind": kind} | {
        key: DEVICE[key] for key in schema["properties"] if key in DEVICE and key != "kind"
    }
    file = {"broker": {"url": "mqtt://127.0.0.1"}, "device": [device]}
    for key in schema["properties"]:
        said = said_of("table", with_wrong(file, ("device", 0, key), WRONG), tmp_path)
        assert "table.toml [[device]] 1" in said
        assert key in said
    for key in {"name", "source", "port"} & device.keys():
        for empty in ("", "  "):
            said = said_of("table", with_wrong(file, ("device", 0, key), empty), tmp_path)
            assert f"[[device]] 1: {key} must be" in said
