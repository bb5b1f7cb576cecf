"""Runs the benches in this folder, prints their figures and writes ``build/bench.json``.

``python tests/bench/run.py [WORD]``: only the files ``bench_*.py`` with WORD in their name. Each
offers ``run()``, which gives figures by name.
"""

import importlib.util
import json
import sys
from pathlib import Path

from tests.bench.figures import Figures

HERE = Path(__file__).parent
REPORT = HERE.parents[1] / "build" / "bench.json"


def main(arguments: list[str]) -> int:
    """0 when every bench ran; 1 when none fits WORD; 2 for wrong usage."""
    if len(arguments) > 1:
        print("usage: python tests/bench/run.py [WORD]", file=sys.stderr)
        return 2
    word = arguments[0] if arguments else ""
    files = [file for file in sorted(HERE.rglob("bench_*.py")) if word in file.stem]
    if not files:
        names = " ".join(file.stem.removeprefix("bench_") for file in HERE.rglob("bench_*.py"))
        print(f"no bench has {word!r} in its name; there are: {names}", file=sys.stderr)
        return 1
    figures: Figures = {}
    for file in files:
        print(f"running {file.name} ...", file=sys.stderr, flush=True)
        for name, figure in run_file(file).items():
            if name in figures:
                raise ValueError(f"{file.name}: a second figure is called {name!r}")
            figures[name] = figure
    print(table(figures))
    REPORT.parent.mkdir(exist_ok=True)
    kept = {name: figure.fields() for name, figure in figures.items()}
    REPORT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


def run_file(file: Path) -> Figures:
    """The figures of one bench."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    figures: Figures = module.run()
    return figures


def table(figures: Figures) -> str:
    """One line per figure; nothing where there is no baseline."""
    rows = [("name", "unit", "median", "p95", "baseline", "ratio")]
    rows += [(name, *map(_text, figure.fields().values())) for name, figure in figures.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, unit, *numbers in rows:
        cells = [name.ljust(widths[0]), unit.ljust(widths[1])]
        cells += [text.rjust(width) for text, width in zip(numbers, widths[2:], strict=True)]
        lines.append("  ".join(cells))
    return "\n".join(lines)


def _text(value: object) -> str:
    return "-" if value is None else str(value)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
