"""All files of a venue as text, from what was wished for: nothing is written here.

Keys come from the system's random numbers. They stand in files for their owner alone, never in
what a command prints.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from calibration.venue.programs_file import FILE, KEYS
from calibration.venue.setup import broker_files
from calibration.venue.setup.broker_files import BrokerUser
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, TableWishes, roles_of, tables_of
from recorder.rulesets import load_rule_set
from recorder.service.venue_file import end_to_confirm, usual_minutes

_ORDERS_KEY, WEB = "console.key", "web"


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


def make_keys(wishes: SetupAnswers, known: Keys | None = None) -> Keys:
    """Keys for everybody: those that are ``known``, and new ones."""
    clocks = [table.clock_name for table in tables_of(wishes) if table.clock is ClockKind.MQTT]
    tables = [_agent_user(table) for table in tables_of(wishes)]
    users = ["recorder", "console", "doctor", *tables, *clocks]
    if known is None:
        return Keys(broker={user: new_key() for user in users})
    return replace(known, broker={user: known.broker.get(user) or new_key() for user in users})


def files_of(wishes: SetupAnswers, keys: Keys) -> dict[str, str]:
    """The text of every file, by its place in the venue's folder."""
    users = _users(wishes, keys)
    tables = {
        _agent_file(wishes, table): _agent_text(wishes, table, keys) for table in tables_of(wishes)
    }
    broker = broker_files.FOLDER
    configuration = broker_files.configuration(
        wishes.local_port, wishes.clock_port, wishes.agents_port, has_tls=wishes.has_tls
    )
    return {
        "venue.toml": _recorder_text(wishes, keys),
        **tables,
        FILE: _programs_text(wishes),
        KEYS: _keys_text(wishes, keys),
        _ORDERS_KEY: f"{keys.orders}\n",
        f"{broker}/mosquitto.conf": configuration,
        f"{broker}/passwords": broker_files.passwords(users),
        f"{broker}/acl": broker_files.access_list(wishes.name, users),
        **_clock_files(wishes, keys),
        **_words_for_machines(wishes),
    }


def machine_folder(number: int) -> str:
    """What is carried to the machine of a table that has one of its own."""
    return f"machines/table-{number}"


def _agent_file(wishes: SetupAnswers, table: TableWishes) -> str:
    name = f"table-{table.number}.toml"
    is_here = table.number not in wishes.elsewhere
    return name if is_here else f"{machine_folder(table.number)}/{name}"


def _agent_user(table: TableWishes) -> str:
    return f"table-{table.number}"


def _url(wishes: SetupAnswers, keys: Keys, user: str) -> str:
    return f"mqtt://{user}:{keys.broker[user]}@127.0.0.1:{wishes.local_port}"


def _agent_url(wishes: SetupAnswers, table: TableWishes, keys: Keys) -> str:
    """The broker as a table's agent reaches it, from this machine or from its own."""
    user = _agent_user(table)
    if table.number not in wishes.elsewhere:
        return _url(wishes, keys, user)
    if wishes.has_tls:
        return f"mqtts://{wishes.address}:{wishes.agents_port}?certs=tls&as={user}"
    return f"mqtt://{user}:{keys.broker[user]}@{wishes.address}:{wishes.agents_port}"


def _users(wishes: SetupAnswers, keys: Keys) -> list[BrokerUser]:
    """Everybody at the broker, each with the devices that they speak for."""
    speaks: dict[str, tuple[str, ...]] = {"console": ("console",), "doctor": ("doctor",)}
    for table in tables_of(wishes):
        names = tuple(roles_of(wishes, table))
        speaks["console"] += tuple(name for name in names if name.startswith("phone-"))
        local = tuple(name for name in names if not name.startswith("phone-"))
        if table.clock is ClockKind.MQTT:
            speaks[table.clock_name] = (table.clock_name,)
            local = (table.camera_name,)
        speaks[_agent_user(table)] = local
    return [
        BrokerUser(name=name, password=password, speaks_for=speaks.get(name, ()))
        for name, password in keys.broker.items()
    ]


def _recorder_text(wishes: SetupAnswers, keys: Keys) -> str:
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


def _table_text(wishes: SetupAnswers, table: TableWishes) -> str:
    confirmed = end_to_confirm(wishes.rules)
    roles = ", ".join(f'{name} = "{role}"' for name, role in roles_of(wishes, table).items())
    minutes = "" if wishes.minutes is None else f"minutes = {wishes.minutes:g}\n"
    game = f"""\
game = "round-1-table-{table.number}"   # another one for each game
players = {_text(list(table.players))}   # the one who moves first in front
"""
    return f"""
[[table]]
number = {table.number}
{"" if wishes.is_event else game}tiles = {_text(wishes.tiles)}
rules = {_text(wishes.rules)}
confirmed = {_text(confirmed)}
{minutes}devices = {{ {roles} }}
"""


def _agent_text(wishes: SetupAnswers, table: TableWishes, keys: Keys) -> str:
    clock = ""
    if table.clock is ClockKind.NONE:
        clock = "divides_turns = true   # no clock says whose turn it is\n"
    if table.clock is ClockKind.SERIAL:
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
url = {_text(_agent_url(wishes, table, keys))}

[agent]
folder = "table-{table.number}"

[[device]]
kind = "board-camera"
name = {_text(table.camera_name)}
source = {_text(table.camera)}
tiles = {_text(wishes.tiles)}
{clock}"""


def _programs_text(wishes: SetupAnswers) -> str:
    host = "0.0.0.0" if wishes.address else "127.0.0.1"  # noqa: S104  others were asked in
    options = ["--console-key", _ORDERS_KEY]
    options += ["--allow-host", wishes.address] if wishes.address else []
    options += ["--tls", f"{WEB}/web.crt", f"{WEB}/web.key"] if wishes.has_tls else []
    here = [table for table in tables_of(wishes) if table.number not in wishes.elsewhere]
    files = [_agent_file(wishes, table) for table in here]
    return f"""\
# What tilecast venue starts. Written by tilecast init; the keys of pages are in keys.env.

[venue]
name = {_text(wishes.name)}

[broker]
config = "{broker_files.FOLDER}/mosquitto.conf"
port = {wishes.local_port}

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


def _keys_text(wishes: SetupAnswers, keys: Keys) -> str:
    return f"""\
# The keys of the pages, and the addresses of dashboard and doctor at the broker, with their
# passwords. For its owner's eyes alone.
TILECAST_DIRECTOR_TOKEN={keys.director}
TILECAST_COMMENTATOR_TOKEN={keys.commentator}
TILECAST_MQTT_URL={_url(wishes, keys, "console")}
TILECAST_DOCTOR_URL={_url(wishes, keys, "doctor")}
"""


def _clock_files(wishes: SetupAnswers, keys: Keys) -> dict[str, str]:
    """What a networked clock must know, in the form that the reference firmware reads."""
    minutes = wishes.minutes or usual_minutes(load_rule_set(wishes.rules))
    files = {}
    for table in tables_of(wishes):
        if table.clock is not ClockKind.MQTT:
            continue
        name = table.clock_name
        proof = {"user": name, "broker_password": keys.broker[name]}
        if wishes.has_tls:
            proof = {"authority": "ca.crt", "certificate": f"{name}.crt", "key": f"{name}.key"}
        settings = {
            "venue": wishes.name,
            "name": name,
            "broker": wishes.address or "127.0.0.1",
            "port": wishes.broker_port,
            "minutes": int(minutes) if minutes == int(minutes) else minutes,
            **proof,
        }
        files[f"clocks/{name}.json"] = json.dumps(settings, indent=1) + "\n"
    return files


def _words_for_machines(wishes: SetupAnswers) -> dict[str, str]:
    """What to do with the folder of a machine, for anyone who carries it there."""
    return {
        f"{machine_folder(number)}/README.txt": f"""\
Table {number} of the venue {wishes.name}: what its own machine needs.

1. Install Tilecast there: make setup, or the container.
2. Copy this folder to it, by a stick or by scp -r; it holds a secret of this table's devices.
3. Put in table-{number}.toml what is the camera and the clock there: tilecast devices lists them.
4. tilecast doctor venue table-{number}.toml   names what is wrong: address, firewall, camera, port.
5. tilecast agent table-{number}.toml

It must reach {wishes.address} at port {wishes.agents_port}.
Lost or stolen: tilecast init --overwrite makes all secrets again.
"""
        for number in wishes.elsewhere
    }


def _text(value: object) -> str:
    """A text or a list of texts as TOML writes it, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False)
