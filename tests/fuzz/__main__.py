"""``python -m tests.fuzz [--messages N] [--others N] [--seed N] [WORD]``: break whatever reads.

Messages over a real Mosquitto to a recorder, then every reader of lines, files, pictures, requests
and sockets. WORD chooses targets by name. What breaks one is kept in ``build/fuzz`` (copy it beside
``tests/fuzz/broke`` with the fixing); status 1 when something did.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.doors import served
from tests.fuzz.judging import Outcome, Target, judge
from tests.fuzz.readers import readers
from tests.fuzz.wire import recording

FOUND = Path("build") / "fuzz"
_SHOWN = 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("word", nargs="?", default="", metavar="WORD")
    parser.add_argument("--messages", type=int, default=100_000, metavar="N")
    parser.add_argument("--others", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    outcomes = []
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as open_:
        folder = Path(name)
        for part in ("wire", "served"):
            (folder / part).mkdir()
        targets = [
            *open_.enter_context(recording(folder / "wire")),
            *readers(folder),
            *open_.enter_context(served(folder / "served")),
        ]
        for target in targets:
            if args.word in target.name:
                count = args.messages if target.name == "messages" else args.others
                outcomes.append(_told(target, count, args.seed))
    return 0 if outcomes and all(outcome.is_sound for outcome in outcomes) else 1


def _told(target: Target, count: int, seed: int) -> Outcome:
    begun = time.monotonic()
    outcome = judge(target, target.inputs(count, seed))
    print(f"{outcome}, {time.monotonic() - begun:.0f} s", flush=True)
    for number, (data, trace) in enumerate(outcome.faults[:_SHOWN], start=1):
        FOUND.mkdir(parents=True, exist_ok=True)
        path = FOUND / f"{target.name}-{seed}-{number}.bin"
        path.write_bytes(data)
        print(f"  {path}:\n{trace}", file=sys.stderr)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
