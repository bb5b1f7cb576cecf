"""The clock's lines: round trips, damage, resync."""

import random

import pytest

from devices.tcc1.framing import LINE_LIMIT, Damage, LineReader, TccFrame, crc16
from devices.tcc1.messages import (
    Ack,
    Beep,
    Body,
    Event,
    Heartbeat,
    Hello,
    Load,
    Places,
    Resend,
    Run,
    SetTimes,
    Sync,
    SyncReply,
)
from recorder.domain.errors import DeviceError
from recorder.domain.observations import (
    Acted,
    Announced,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Say,
    Side,
    TurnAct,
)
from recorder.domain.tiles import Tile

TIMES = {"left_ms": 1_471_000, "right_ms": -12_500}
BODIES: dict[str, Body] = {
    "EV,PRESS,L,1471000,-12500,R": ClockPressed(side=Side.LEFT, **TIMES, running=Side.RIGHT),
    "EV,PAUSE,1471000,-12500,N": ClockChanged(act=ClockAct.PAUSE, **TIMES, running=Side.NONE),
    "EV,RESUME,1471000,-12500,L": ClockChanged(act=ClockAct.RESUME, **TIMES, running=Side.LEFT),
    "EV,RESET,1471000,-12500,N": ClockChanged(act=ClockAct.RESET, **TIMES, running=Side.NONE),
    "EV,FLAG,1471000,-12500,R": ClockChanged(act=ClockAct.FLAG, **TIMES, running=Side.RIGHT),
    "EV,ADJUST,1471000,-12500,N": ClockChanged(act=ClockAct.ADJUST, **TIMES, running=Side.NONE),
    "EV,SAY,L,EXCHANGE,7": Announced(side=Side.LEFT, say=Say.EXCHANGE, count=7),
    "EV,SAY,R,PASS,0": Announced(side=Side.RIGHT, say=Say.PASS, count=0),
    "EV,SAY,R,BONUS,10": Announced(side=Side.RIGHT, say=Say.BONUS, count=10),
    "EV,ACT,L,HOLD,0,-": Acted(side=Side.LEFT, act=TurnAct.HOLD),
    "EV,ACT,R,SCORE,1482,-": Acted(side=Side.RIGHT, act=TurnAct.SCORE, count=1482),
    "EV,ACT,R,BLANK,2,UE": Acted(side=Side.RIGHT, act=TurnAct.BLANK, count=2, letter=Tile("Ü")),
    "EV,ACT,R,BLANK,1,Lu00B7L": Acted(
        side=Side.RIGHT, act=TurnAct.BLANK, count=1, letter=Tile("L·L")
    ),
    "EV,ACT,L,BLANK,1,Q": Acted(side=Side.LEFT, act=TurnAct.BLANK, count=1, letter=Tile("Q")),
    "HB,1471000,-12500,R,42,3,87": Heartbeat(
        **TIMES, running=Side.RIGHT, seq_high=42, outbox=3, battery_percent=87
    ),
    "HELLO,1.2.0,esp32 two-button": Hello(firmware="1.2.0", model="esp32 two-button"),
    "SYNCR,7,1500123,1500124": SyncReply(id=7, received_ms=1_500_123, sent_ms=1_500_124),
    "ACK,3f9a,42": Ack(boot="3f9a", upto=42),
    "RESEND,40,42": Resend(first=40, last=42),
    "SET,1471000,-12500": SetTimes(**TIMES),
    "RUN,N": Run(side=Side.NONE),
    "SYNC,7": Sync(id=7),
    "BEEP,200": Beep(duration_ms=200),
    "LOAD,-8388608": Load(counts=-8_388_608),
    "RACK,93,0,100,5,5,5,5,5,5,5": Places(levels=(93, 0, 100, 5, 5, 5, 5, 5, 5, 5)),
}


def _frame_of(body: Body, seq: int = 42, t_ms: int = 1_500_123) -> TccFrame:
    is_event = isinstance(body, Event)
    return TccFrame(dev="C0FFEE", boot="3f9a", seq=seq if is_event else 0, t_ms=t_ms, body=body)


def _sealed(text: str) -> bytes:
    return b"$%s*%04X\r\n" % (text.encode(), crc16(text.encode()))


def test_the_checksum_is_the_published_one():
    """CRC-16/CCITT-FALSE has a check value that every firmware writer can compare with."""
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("text", BODIES)
def test_every_kind_is_written_and_read_back(text: str):
    """Each line of the protocol document and its frame are two spellings of one thing."""
    frame = _frame_of(BODIES[text])
    line = _sealed(f"TCC1,C0FFEE,3f9a,{frame.seq},1500123,{text}")
    assert frame.to_bytes() == line
    assert TccFrame.from_bytes(line) == frame
    assert len(line) <= LINE_LIMIT


@pytest.mark.parametrize(
    ("text", "complaint"),
    {
        "other protocol": ("TCC2,C0FFEE,3f9a,0,1,SYNC,7", "TCC2"),
        "unknown kind": ("TCC1,C0FFEE,3f9a,0,1,JUMP,7", "JUMP"),
        "unknown event": ("TCC1,C0FFEE,3f9a,1,1,EV,SLAM,1,2,N", "SLAM"),
        "too few arguments": ("TCC1,C0FFEE,3f9a,1,1,EV,PRESS,L,1,2", "takes 5"),
        "press of neither half": ("TCC1,C0FFEE,3f9a,1,1,EV,PRESS,N,1,2,N", "L or R"),
        "said by neither": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,N,PASS,0", "L or R"),
        "unknown word": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,HOLD,0", "HOLD"),
        "small word": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,pass,0", "pass"),
        "pass of one": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,PASS,1", "0 to 0, not 1"),
        "exchange of none": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,EXCHANGE,0", "1 to 7, not 0"),
        "exchange of eight": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,EXCHANGE,8", "1 to 7, not 8"),
        "bonus too big": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,BONUS,101", "1 to 100, not 101"),
        "said without count": ("TCC1,C0FFEE,3f9a,1,1,EV,SAY,L,PASS", "takes 4"),
        "said without number": ("TCC1,C0FFEE,3f9a,0,1,EV,SAY,L,PASS,0", "count from 1"),
        "python number": ("TCC1,C0FFEE,3f9a,0,1,SYNC,1_0", "1_0"),
        "leading plus": ("TCC1,C0FFEE,3f9a,0,1,SET,+5,5", "+5"),
        "leading zero": ("TCC1,C0FFEE,3f9a,0,1,SET,05,5", "05"),
        "minus zero": ("TCC1,C0FFEE,3f9a,0,1,SET,-0,5", "-0"),
        "event without number": ("TCC1,C0FFEE,3f9a,0,1,EV,FLAG,1,2,N", "count from 1"),
        "heartbeat with number": ("TCC1,C0FFEE,3f9a,9,1,SYNC,1", "others say 0"),
        "device name": ("TCC1,C0F FEE,3f9a,0,1,SYNC,1", "C0F FEE"),
        "boot": ("TCC1,C0FFEE,xyz,0,1,SYNC,1", "xyz"),
        "unknown act": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,SHOUT,0,-", "SHOUT"),
        "hold of one": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,HOLD,1,-", "0 to 0, not 1"),
        "hold of a letter": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,HOLD,0,A", "letter"),
        "third blank": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,BLANK,3,A", "1 to 2, not 3"),
        "blank with a digit": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,BLANK,1,u0031", "letter"),
        "blank without letter": ("TCC1,C0FFEE,3f9a,1,1,EV,ACT,L,BLANK,1,-", "letter"),
        "half a count": ("TCC1,C0FFEE,3f9a,0,1,LOAD,1.5", "1.5"),
        "two loads": ("TCC1,C0FFEE,3f9a,0,1,LOAD,1,2", "takes 1"),
        "numbered load": ("TCC1,C0FFEE,3f9a,3,1,LOAD,1", "others say 0"),
        "eleven places": ("TCC1,C0FFEE,3f9a,0,1,RACK" + ",5" * 11, "1 to 10 levels, got 11"),
        "no places": ("TCC1,C0FFEE,3f9a,0,1,RACK", "got 0"),
        "above all": ("TCC1,C0FFEE,3f9a,0,1,RACK,5,101", "101 is above 100"),
        "below none": ("TCC1,C0FFEE,3f9a,0,1,RACK,5,-1", "level 2"),
        "nothing": ("TCC1", "needs dev"),
    }.values(),
)
def test_a_wrong_line_is_refused_with_its_reason(text: str, complaint: str):
    """A builder's mistake is named even when the checksum fits."""
    with pytest.raises(DeviceError) as refused:
        TccFrame.from_bytes(_sealed(text))
    assert complaint in str(refused.value)


@pytest.mark.parametrize("portion", [1, 2, 7, 64, 4096])
def test_portions_of_a_serial_read_do_not_matter(portion: int):
    """The driver cuts the stream wherever it likes."""
    frames = [_frame_of(body) for body in BODIES.values()]
    stream = b"".join(frame.to_bytes() for frame in frames)
    reader = LineReader()
    found = []
    for start in range(0, len(stream), portion):
        found += reader.feed(stream[start : start + portion])
    assert found == frames


def test_endless_noise_takes_no_memory():
    """A clock that stutters for an hour does not fill the agent's memory."""
    reader = LineReader()
    found = reader.feed(b"U" * 1_000_000)
    assert len(reader._held) < LINE_LIMIT
    assert all(isinstance(item, Damage) and len(item.raw) <= LINE_LIMIT for item in found)


def _damaged(line: bytes, rng: random.Random) -> bytes:
    raw = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        spot = rng.randrange(len(raw))
        match rng.randrange(5):
            case 0:
                raw[spot] ^= 1 << rng.randrange(8)
            case 1:
                del raw[spot]
            case 2:
                raw.insert(spot, rng.randrange(256))
            case 3 if spot + 1 < len(raw):
                raw[spot], raw[spot + 1] = raw[spot + 1], raw[spot]
            case _:
                raw[spot:] = raw[spot : spot + rng.randrange(8)]
        if not raw:
            return b""
    return bytes(raw)


@pytest.mark.slow
def test_no_damaged_line_is_taken_for_another():
    """Of many thousands of lines, a third damaged: none accepted wrong, no whole one missed."""
    rng = random.Random(20261)
    reader = LineReader()
    sent: set[TccFrame] = set()
    whole: set[TccFrame] = set()
    got: list[TccFrame] = []
    for number in range(1, 12_001):
        frame = _frame_of(rng.choice(list(BODIES.values())), seq=number, t_ms=number)
        sent.add(frame)
        line = frame.to_bytes()
        if rng.random() < 0.33:
            line = _damaged(line, rng)
        else:
            whole.add(frame)
        got += [item for item in reader.feed(line) if isinstance(item, TccFrame)]
    assert len(whole) < 9_000
    assert set(got) - sent == set()
    assert whole - set(got) == set()
    assert len(set(got)) == len(got)
