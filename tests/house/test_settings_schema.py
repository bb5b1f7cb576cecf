"""docs/schema/settings says what the readers of settings take: for editors, for other programs."""

import json
import tomllib
from typing import Any

import jsonschema
import pytest

from calibration.venue.setup.files import files_of, make_keys
from calibration.venue.setup.wishes import SetupAnswers
from devices.agent_process import table_file
from devices.cameras.profile import (
    BOARD,
    RACK,
    VERSION,
    CalibrationProfile,
    KindColour,
    RackProfile,
)
from recorder.service import venue_file
from tests.house.settings_schema import FOLDER, schemas
from tests.recorder.wire.wire_schema import written

SCHEMAS = schemas()
BOARD_PROFILE = CalibrationProfile(
    source="0",
    tile_set="english",
    image_size=(1920, 1080),
    corners=((1.5, 2.0), (900.0, 3.0), (905.0, 899.0), (0.0, 890.0)),
    residual_px=0.7,
    empty={"NONE": KindColour(lab=(120.0, 128.0, 131.5), spread=4.0)},
)
RACK_PROFILE = RackProfile(
    source="1", image_size=(1280, 720), region=(10, 20, 900, 120), tile_px=60.5
)
FILES: dict[str, Any] = {
    "table": tomllib.loads(table_file.example()),
    "venue": tomllib.loads(venue_file.example()),
    "programs": tomllib.loads(files_of(SetupAnswers(), make_keys(SetupAnswers()))["programs.toml"]),
    "slots": {"slots": {"main": {"table": 7, "racks": True}, "star": {"follow": "Anna"}}},
    "tournament": {"round": 5, "next": {"players": ["A", "B"]}, "player": [{"name": "A"}]},
    "branding": {"title": "Open", "colours": {"player_1": "#58a9ff", "player_2": "#ffb638"}},
    "board-profile": {"version": VERSION, **BOARD.write(BOARD_PROFILE)},
    "rack-profile": {"version": VERSION, **RACK.write(RACK_PROFILE)},
    "scale-profile": {
        "version": 1,
        "zero_counts": 0,
        "counts_per_g": 400,
        "bag_g": 30,
        "tile_g": 1.5,
        "tile_spread_g": 0.05,
    },
}


def _fits(name: str, data: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMAS[name]).is_valid(data))


def test_the_published_schemas_are_those_of_the_settings() -> None:
    """A file may say something new? ``make schema`` makes them again."""
    published = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    assert published == {name: written(schema) for name, schema in SCHEMAS.items()}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_what_the_readers_take_fits(name: str) -> None:
    """The examples that the commands print, and files as programs write them."""
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert _fits(name, json.loads(json.dumps(FILES[name])))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("table", {"clock": {}}),
        ("table", {"device": [{"kind": "sundial", "name": "a"}]}),
        ("table", {"device": [{"kind": "serial-clock", "name": "a", "port": "b", "prot": 1}]}),
        ("table", {"device": [{"name": "a", "port": "b"}]}),
        ("venue", {"recorder": {"consoles": ["Console"]}}),
        ("venue", {"table": [{"number": 1, "players": ["Ada"], "devices": {}}]}),
        ("programs", {"dashboard": {"port": 0}}),
        ("slots", {"slots": {"Main": {"table": 1}}}),
        ("tournament", {"player": [{"wins": 3}]}),
        ("branding", {"colors": {}}),
        ("board-profile", {"version": 3}),
        ("rack-profile", {"kind": "board"}),
        ("scale-profile", {"tile_g": 0}),
    ],
)
def test_what_the_readers_refuse_does_not_fit(name: str, change: dict[str, Any]) -> None:
    """As far as a schema can say it."""
    assert not _fits(name, {**FILES[name], **change})
