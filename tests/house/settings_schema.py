"""JSON Schema of every settings file, drawn from what reads it: docs/schema/settings.

An editor that knows the schema of a TOML file completes its keys and marks what is wrong.
"""

from calibration.venue import programs_file
from dashboard.overlays import event_files, slots
from devices.agent_process import table_file
from devices.cameras import profile
from devices.sensors import scale_profile
from recorder.service import venue_file
from tests.recorder.wire.wire_schema import FOLDER as MESSAGES
from tests.recorder.wire.wire_schema import Schema, of_codec, titled

FOLDER = MESSAGES / "settings"


def schemas() -> dict[str, Schema]:
    return titled(
        {
            "venue": of_codec(venue_file.VENUE_FILE),
            "table": _of_table_file(),
            "programs": of_codec(programs_file.PROGRAMS_FILE),
            "slots": _of_slots(),
            "tournament": _of_tournament(),
            "branding": of_codec(event_files.BRANDING),
            "board-profile": _versioned(of_codec(profile.BOARD), 1, profile.VERSION),
            "rack-profile": _versioned(of_codec(profile.RACK), profile.VERSION),
            "scale-profile": _versioned(of_codec(scale_profile.SCALE), scale_profile.VERSION),
        }
    )


def _of_table_file() -> Schema:
    """Each device is of its kind; the broker may come from the environment."""
    found = of_codec(table_file.TABLE_FILE)
    kinds = [of_codec(settings) for settings in table_file.DEVICES.values()]
    for kind in kinds:
        kind["required"].insert(0, "kind")
        kind["properties"]["kind"] = {"const": kind["properties"]["kind"]["enum"][0]}
    found["properties"]["device"] = {"type": "array", "minItems": 1, "items": {"oneOf": kinds}}
    found["required"] = ["device"]
    return found


def _of_slots() -> Schema:
    """A slot is named by its key."""
    found, slot = of_codec(slots.SLOTS_FILE), of_codec(slots.SLOT)
    slot["required"].remove("name")
    by_name = found["properties"]["slots"]
    by_name["patternProperties"] = dict.fromkeys(by_name["patternProperties"], slot)
    by_name["additionalProperties"] = False
    return found


def _of_tournament() -> Schema:
    found = of_codec(event_files.TOURNAMENT)
    for name in ("player", "players"):
        found["properties"][name]["items"] = of_codec(event_files.CARD)
    return found


def _versioned(schema: Schema, *versions: int) -> Schema:
    schema["properties"] = {"version": {"enum": [*versions]}, **schema["properties"]}
    schema["required"] = ["version", *schema["required"]]
    return schema
