"""``tilecast clock``: a simulated table clock on a serial port of its own, to try an agent on."""

import argparse
import sys


def register_clock(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``clock`` to the program's parser."""
    clock = subparsers.add_parser("clock", run=run_clock)
    clock.add_argument("--minutes", type=float, default=25.0, metavar="M")
    clock.add_argument("--speed", type=float, default=1.0, metavar="X")


def run_clock(args: argparse.Namespace) -> int:
    """``tilecast clock``: print the port's path, then obey the keys until q or end of input."""
    from devices.lab.peers.clock_firmware import ClockFace
    from devices.lab.peers.serial_peer import SerialPeer
    from recorder.domain.observations import Side

    time_ms = round(args.minutes * 60_000)
    with SerialPeer(face=ClockFace(left_ms=time_ms, right_ms=time_ms), speed=args.speed) as peer:
        keys = {
            "l": lambda: peer.press(Side.LEFT),
            "r": lambda: peer.press(Side.RIGHT),
            "p": lambda: peer.pause() if peer.face.running is not Side.NONE else peer.resume(),
            "u": lambda: peer.unplug() if peer.is_plugged else peer.replug(),
        }
        print(f"port: {peer.path}")
        print("l, r: press a half; p: pause or go on; u: pull or put the cable; q: end", flush=True)
        for line in sys.stdin:
            key = line.strip().lower()
            if key == "q":
                break
            keys.get(key, lambda: None)()
            face = peer.face
            times = f"{face.left_ms / 1000:.1f} s, right {face.right_ms / 1000:.1f} s"
            print(f"left {times}, running {face.running.value}", flush=True)
    return 0
