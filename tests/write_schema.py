"""``make schema``: writes what is drawn from declarations again, so that nothing goes stale."""

from pathlib import Path

from tests import command_pages, script_frames, script_messages
from tests.house import settings_schema
from tests.recorder.wire import wire_schema


def main() -> None:
    """Write docs/schema, the pages about commands, and the types of the pages' scripts."""
    for module in (wire_schema, settings_schema):
        _write(module.FOLDER, module.schemas())
    script_messages.FILE.write_text(script_messages.text(), encoding="utf-8")
    for file, text in (*script_frames.texts().items(), *command_pages.pages().items()):
        file.write_text(text, encoding="utf-8")


def _write(folder: Path, schemas: dict[str, wire_schema.Schema]) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    for name, schema in schemas.items():
        (folder / f"{name}.json").write_text(wire_schema.written(schema), encoding="utf-8")


if __name__ == "__main__":
    main()
