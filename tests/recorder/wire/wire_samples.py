"""One message of every type at least: what the tests of the wire and of its page go through."""

import json
import random
from functools import partial
from typing import Any

from recorder.declared.codec import Json
from recorder.domain.board import Square
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
    Withdrawn,
)
from recorder.domain.instruments import (
    BagLifted,
    BagReturned,
    BagWeighed,
    BoardStill,
    CountEstimate,
    EventsMissing,
    PictureEdge,
    ReachedIn,
    SlipEntry,
    SlipMark,
    SlipSeen,
    TurnedTile,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import coded
from recorder.domain.observations import (
    SYMBOLS,
    Acted,
    Announced,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
    CameraDoubted,
    CameraExchanged,
    ClockAct,
    ClockChanged,
    ClockDoubted,
    ClockFault,
    ClockPressed,
    ClockSynced,
    DeviceBack,
    DeviceLost,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    Say,
    Side,
    SquareChange,
    SquareCosts,
    TimeSet,
    TurnAct,
)
from recorder.domain.plays import parse_placement
from recorder.domain.record import GameStarted
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.wire import control
from recorder.wire.control import (
    Ack,
    Command,
    Control,
    DeviceConfig,
    DeviceInfo,
    DeviceState,
    Heartbeat,
    Presence,
    RecorderState,
    Response,
    TimeReply,
)
from recorder.wire.envelope import Envelope

EV = "tc/v1/main/up/clock-07/ev"
BOOT = "9c31f0aa"
COSTS = SquareCosts(random.Random(7).randbytes(225 * len(SYMBOLS)))

OBSERVATIONS: list[Observation] = [
    BoardSeen(
        frame="cam-1#77",
        squares=COSTS,
        corners=((10.5, 20.0), (910.0, 22.25), (905.0, 918.0), (8.0, 920.0)),
        pose_score=0.93,
        turn_margin=41.5,
        covered=0.02,
        still_ms=400,
        picture="ab" * 32,
    ),
    BoardSeen(
        frame="cam-1#79",
        squares=COSTS,
        corners=((10.5, 20.0), (910.0, 22.25), (905.0, 918.0), (8.0, 920.0)),
        pose_score=0.93,
        turn_margin=41.5,
        covered=0.02,
        still_ms=0,
        since="cam-1#77",
        changes=(
            SquareChange(square=112, was=read_tile("."), now=read_tile("Ä"), confidence=0.97),
            SquareChange(square=224, was=read_tile("?"), now=read_tile("."), confidence=0.5),
        ),
        hidden=(0, 1, 15),
        moving=True,
        letters_turned=270,
        turned_tiles=(TurnedTile(square=7, degrees=180),),
    ),
    BoardNotSeen(frame="cam-1#78", reason="no board in the picture"),
    BoardStirred(frame="cam-1#79"),
    BoardStill(frame="cam-1#77"),
    ReachedIn(
        frame="cam-1#80",
        edges=(PictureEdge.TOP, PictureEdge.UNCLEAR),
        arms=(PictureEdge.LEFT, PictureEdge.TOP),
        ended=True,
    ),
    ClockPressed(side=Side.LEFT, left_ms=1_400_000, right_ms=-3_000, running=Side.RIGHT),
    ClockChanged(act=ClockAct.FLAG, left_ms=0, right_ms=5, running=Side.NONE),
    Announced(side=Side.RIGHT, say=Say.EXCHANGE, count=7),
    Acted(side=Side.LEFT, act=TurnAct.BLANK, count=1, letter=read_tile("Ä")),
    RackSeen(
        side=Side.LEFT,
        letters=read_tiles("AEI?ST"),
        slots=read_tiles("AE.I?ST"),
        confidence=0.97,
        doubtful=(4,),
    ),
    RackSeen(
        side=Side.RIGHT,
        letters=read_tiles(""),
        slots=read_tiles(""),
        confidence=0,
        picture="cd" * 32,
    ),
    RackTyped(side=Side.LEFT, letters=read_tiles("ZEPHYR?")),
    RackTyped(side=Side.RIGHT, letters=read_tiles("")),
    RackCounted(side=Side.LEFT, places="####.##.", confidence=0.99),
    BagWeighed(
        grams=93.25,
        spread_g=0.03,
        settled=True,
        taken=CountEstimate(7, 0.95, ((8, 0.04), (6, 0.01))),
        tiles=CountEstimate(62, 0.8),
    ),
    BagWeighed(grams=-0.5, spread_g=2.0, settled=False),
    BagLifted(grams=103.5),
    BagLifted(grams=None),
    BagReturned(away_ms=8_500),
    SlipSeen(
        entries=(
            SlipEntry(
                mark=SlipMark.LETTER,
                letter=read_tile("Ä"),
                confidence=0.98,
                marked=read_tiles("ÄB"),
            ),
            SlipEntry(mark=SlipMark.EMPTY, confidence=1),
        ),
        picture="ef" * 32,
        challenge="01" * 32,
    ),
    ClockSynced(
        reference="recorder", device_ms=50, offset_ms=1.5e12, error_ms=3.5, drift_ppm=-12.0
    ),
    ClockSynced(reference="agent", device_ms=50, offset_ms=-7.5, error_ms=3.0),
    ClockDoubted(
        device="clock-07",
        fault=ClockFault.REMAINING,
        detail=coded("half_changed", half="L", by_ms=2000),
    ),
    CameraDoubted(device="cam-2", sees=1),
    CameraExchanged(device="cam-2", table=1),
    TimeSet(by_ms=-30_000, ahead_ms=-30_000),
    DeviceLost(device="clock-07", reason=coded("no_heartbeat", ms=3500)),
    DeviceBack(device="clock-07"),
    EventsMissing(device="clock-07", boot="9c31f0aa", first=40, last=43, count=3),
]
EVENTS: list[GameEvent] = [
    Played(0, parse_placement("8D FI.NS"), 22, read_tiles("FINSAB?")),
    Played(1, parse_placement("H1 bLÜ?"), 8),
    Exchanged(1, 3, read_tiles("VVU"), read_tiles("VVUAEIO")),
    Exchanged(0, 7),
    Passed(0, read_tiles("Q")),
    NoPlay(1),
    IllegallyPlayed(
        1,
        ((Square(55), read_tile("L")), (Square(70), read_tile("o")), (Square(152), read_tile("?"))),
        (LayingFault.NOT_IN_LINE, LayingFault.NOT_TOUCHING),
        4,
        read_tiles("LO?EIRS"),
        (Square(152),),
    ),
    Unseen(1, ((Square(55), read_tile("L")),), 3, 1_796_000_000_000, 1_796_000_060_000),
    Withdrawn(0, 22),
    ChallengeBonus(1, 5),
    EndRackPoints(0, 12, read_tiles("QI?")),
    EndRackPenalty(1, 6, read_tiles("QI?")),
    TimePenalty(1, 10),
    Penalty(0, 5, "CHAL-4"),
    Conceded(1, 100, "overtime"),
]
CONTROLS: list[Control] = [
    DeviceState(state=Presence.READY, boot=BOOT, reason="calibrated"),
    DeviceInfo(
        kind="clock", model="TCC1", firmware="1.0", serial="x1", capabilities=("press", "flag")
    ),
    Heartbeat(boot=BOOT, t_ms=5, seq_high=9, outbox=2, rssi_dbm=-70, battery_percent=88),
    Heartbeat(boot=BOOT, t_ms=5, seq_high=9, outbox=2),
    Ack(boot=BOOT, upto=421),
    Command(id="c1", cmd="resend", args={"from": 3, "to": 9}),
    Response(id="c1", ok=False, error="unknown command"),
    DeviceConfig(table=12, role="board-cam", settings={"still_ms": 300}),
    TimeReply(t_ms=5, received_ms=1_700_000_000_000, sent_ms=1_700_000_000_001),
    RecorderState(
        state=Presence.READY, since_ms=1_700_000_000_000, head=77, version="0.1.0+g1a2b3c4"
    ),
]
READERS = {kind: partial(control.decode_control, kind) for kind in control.CONTROLS}
STARTED = GameStarted(
    game="2026-r3-t12",
    table=12,
    players=("Jörg Ä.", "Ann O'Neil"),
    tile_set="german",
    rules="wespa4",
    starts_ms=(1_500_000, 1_500_000),
    left_player=1,
    overrides={
        "challenge.default": {"NWL": "double"},
        "late.grace_s": 120,
        "hold.max_s": "no_limit",
    },
    confirmed=("overtime.points", "overtime.rounding"),
    rules_checksum="0123456789abcdef" * 4,
    words=("our list", "fedcba9876543210" * 4),
)


def through_json(data: Json) -> Json:
    arrived: Json = json.loads(json.dumps(data))
    return arrived


def envelope(**other: Any) -> Envelope:
    side = {"side": "L", "left_ms": 1, "right_ms": 2, "running": "R"}
    usual = {"dev": "clock-07", "boot": BOOT, "seq": 421, "t_ms": 1500123}
    return Envelope(**{**usual, "type": "clock.press", "data": side, **other})
