"""All files of a venue as text, from what was wished for: nothing is written here.

Keys come from the system's random numbers. They stand in files for their owner alone, never in
what a command prints.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.venue.programs_file import FILE, KEYS
from calibration.venue.setup import broker_files
from calibration.venue.setup.broker_files import BrokerUser
from calibration.venue.setup.wishes import ClockKind, TableWishes, Wishes, roles_of, tables_of

_ORDERS_KEY = "console.key"
OWN_CONFIRMED = {"wespa4": ("overtime", "endgame")}
"""What version 4 of the rules inherits, and must be said to hold for a game's end to count."""


def new_key() -> str:
    """192 random bits, fit for addresses and for command lines."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Every secret of a venue; ``orders`` seals a director's orders on their way to the recorder.

    ``broker`` are the passwords there, by user.
    """

    director: str = field(default_factory=new_key, repr=False)
    commentator: str = field(default_factory=new_key, repr=False)
    orders: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    broker: Mapping[str, str] = field(default_factory=dict, repr=False)


def make_keys(wishes: Wishes) -> Keys:
    """New keys for everybody."""
    clocks = [table.clock_name for table in tables_of(wishes) if wishes.clock is ClockKind.MQTT]
    tables = [_agent_user(table) for table in tables_of(wishes)]
    users = ["recorder", "console", "doctor", *tables, *clocks]
    return Keys(broker={user: new_key() for user in users})


def files_of(wishes: Wishes, keys: Keys) -> dict[str, str]:
    """The text of every file, by its place in the venue's folder."""
    users = _users(wishes, keys)
    tables = {_agent_file(table): _agent_text(wishes, table, keys) for table in tables_of(wishes)}
    network = wishes.broker_port if wishes.clock is ClockKind.MQTT else None
    broker = broker_files.FOLDER
    return {
        "venue.toml": _recorder_text(wishes, keys),
        **tables,
        FILE: _programs_text(wishes),
        KEYS: _keys_text(wishes, keys),
        _ORDERS_KEY: f"{keys.orders}\n",
        f"{broker}/mosquitto.conf": broker_files.configuration(local_port(wishes), network),
        f"{broker}/passwords": broker_files.passwords(users),
        f"{broker}/acl": broker_files.access_list(wishes.name, users),
        **_clock_files(wishes, keys),
    }


def local_port(wishes: Wishes) -> int:
    """Where the broker listens for our own programs; networked clocks have the port that is known.

    Two listeners cannot share a port, and clocks of others expect the usual one.
    """
    return wishes.broker_port + (wishes.clock is ClockKind.MQTT)


def _agent_file(table: TableWishes) -> str:
    return f"table-{table.number}.toml"


def _agent_user(table: TableWishes) -> str:
    return f"table-{table.number}"


def _url(wishes: Wishes, keys: Keys, user: str) -> str:
    return f"mqtt://{user}:{keys.broker[user]}@127.0.0.1:{local_port(wishes)}"


def _users(wishes: Wishes, keys: Keys) -> list[BrokerUser]:
    """Everybody at the broker, each with the devices that they speak for."""
    speaks: dict[str, tuple[str, ...]] = {"console": ("console",), "doctor": ("doctor",)}
    for table in tables_of(wishes):
        names = tuple(roles_of(wishes, table))
        speaks["console"] += tuple(name for name in names if name.startswith("phone-"))
        local = tuple(name for name in names if not name.startswith("phone-"))
        if wishes.clock is ClockKind.MQTT:
            speaks[table.clock_name] = (table.clock_name,)
            local = (table.camera_name,)
        speaks[_agent_user(table)] = local
    return [
        BrokerUser(name=name, password=password, speaks_for=speaks.get(name, ()))
        for name, password in keys.broker.items()
    ]


def _recorder_text(wishes: Wishes, keys: Keys) -> str:
    head = f"""\
# What the recorder records. Edit players, games and rules; check with: tilecast record --check
# Written by tilecast init. It holds a password: for its owner's eyes alone.

[venue]
name = {_text(wishes.name)}

[broker]
url = {_text(_url(wishes, keys, "recorder"))}

[recorder]
folder = "record"
console_key = "{_ORDERS_KEY}"   # only orders with its seal count
"""
    return head + "".join(_table_text(wishes, table) for table in tables_of(wishes))


def _table_text(wishes: Wishes, table: TableWishes) -> str:
    confirmed = OWN_CONFIRMED.get(wishes.rules, ())
    roles = ", ".join(f'{name} = "{role}"' for name, role in roles_of(wishes, table).items())
    minutes = "" if wishes.minutes is None else f"minutes = {wishes.minutes:g}\n"
    return f"""
[[table]]
number = {table.number}
game = "round-1-table-{table.number}"   # another one for each game
players = {_text(list(table.players))}   # the one who moves first in front
tiles = {_text(wishes.tiles)}
rules = {_text(wishes.rules)}
confirmed = {_text(list(confirmed))}
{minutes}devices = {{ {roles} }}
"""


def _agent_text(wishes: Wishes, table: TableWishes, keys: Keys) -> str:
    clock = ""
    if wishes.clock is ClockKind.SERIAL:
        clock = f"""
[[device]]
kind = "serial-clock"
name = {_text(table.clock_name)}
port = {_text(table.port)}
"""
    return f"""\
# The devices of table {table.number} at this machine. Check with: tilecast agent --check
# Written by tilecast init. It holds a password: for its owner's eyes alone.

[venue]
name = {_text(wishes.name)}

[broker]
url = {_text(_url(wishes, keys, _agent_user(table)))}

[agent]
folder = "table-{table.number}"

[[device]]
kind = "board-camera"
name = {_text(table.camera_name)}
source = {_text(table.camera)}
tiles = {_text(wishes.tiles)}
{clock}"""


def _programs_text(wishes: Wishes) -> str:
    host = "0.0.0.0" if wishes.address else "127.0.0.1"  # noqa: S104  others were asked in
    options = ["--console-key", _ORDERS_KEY]
    options += ["--allow-host", wishes.address] if wishes.address else []
    files = [_agent_file(table) for table in tables_of(wishes)]
    return f"""\
# What tilecast venue starts. Written by tilecast init; the keys of pages are in keys.env.

[venue]
name = {_text(wishes.name)}

[broker]
config = "{broker_files.FOLDER}/mosquitto.conf"
port = {local_port(wishes)}

[recorder]
file = "venue.toml"

[dashboard]
host = {_text(host)}
port = {wishes.dashboard_port}
delay = {wishes.delay_s:g}
options = {_text(options)}

[agents]
files = {_text(files)}
"""


def _keys_text(wishes: Wishes, keys: Keys) -> str:
    return f"""\
# The keys of the pages, and the dashboard's password at the broker. For its owner's eyes alone.
TILECAST_DIRECTOR_TOKEN={keys.director}
TILECAST_COMMENTATOR_TOKEN={keys.commentator}
TILECAST_MQTT_URL={_url(wishes, keys, "console")}
"""


def _clock_files(wishes: Wishes, keys: Keys) -> dict[str, str]:
    """What a networked clock must be told, in the form that the reference firmware reads."""
    if wishes.clock is not ClockKind.MQTT:
        return {}
    files = {}
    for table in tables_of(wishes):
        name = table.clock_name
        settings = {
            "venue": wishes.name,
            "name": name,
            "broker": wishes.address or "127.0.0.1",
            "port": wishes.broker_port,
            "user": name,
            "broker_password": keys.broker[name],
        }
        files[f"clocks/{name}.json"] = json.dumps(settings, indent=1) + "\n"
    return files


def _text(value: object) -> str:
    """A text or a list of texts as TOML writes it, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False)
