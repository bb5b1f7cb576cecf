"""What ``docker/`` says agrees with the program; ``test_containers.py`` runs the containers."""

import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from ruamel.yaml import YAML

import tilecast
from recorder.bus.broker import free_port, mosquitto_config
from recorder.service.venue_file import read_record_file
from recorder.wire.topics import own_topics
from tests.eventually import eventually

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
OF_THE_PLACE = {"user", "listener", "persistence_location"}
"""Settings that depend on where the broker runs."""
WHO_MAY = {
    "cafile", "certfile", "keyfile", "crlfile", "tls_version", "allow_anonymous",
    "require_certificate", "use_identity_as_username", "acl_file",
}  # fmt: skip
"""Settings of who gets in; our child listens on the loopback and takes everybody."""


def settings(text: str) -> set[str]:
    """The settings of a Mosquitto configuration that do not depend on the place."""
    lines = [line.strip() for line in text.splitlines()]
    return {
        line
        for line in lines
        if line and line[0] != "#" and line.split()[0] not in OF_THE_PLACE | WHO_MAY
    }


def test_the_broker_of_the_containers_has_our_settings():
    """Mosquitto's defaults drop messages; the container's broker has the settings of our child."""
    ours = mosquitto_config(1883, Path("/"))
    assert settings((DOCKER / "mosquitto.conf").read_text(encoding="utf-8")) == settings(ours)


def test_the_access_list_of_the_containers_names_what_a_device_says():
    """Each topic and no other; what the doctor tries is among them."""
    lines = (DOCKER / "acl").read_text(encoding="utf-8").splitlines()
    named = {line.split()[-1] for line in lines if line.startswith("pattern") and "/up/" in line}
    assert named == {topic.replace("device", "%u") for topic in own_topics("main", "device")}


def test_the_recorder_of_the_containers_takes_its_file():
    """The file records the simulated table's devices into the shared volume."""
    plan = read_record_file(DOCKER / "venue.toml")
    assert plan.folder == Path("/record")
    assert plan.broker == "mqtts://broker?certs=/tls&as=recorder"
    assert set(plan.plan.tables[0].devices) == {"cam-1", "clock-1"}


def test_the_compose_file_with_a_database_says_what_its_programs_take():
    """The recorder's file names the same database as the dashboard, whose words are all known."""
    base, over = (
        YAML(typ="safe").load((DOCKER / name).read_text(encoding="utf-8"))["services"]
        for name in ("compose.yaml", "compose.postgres.yaml")
    )
    made = over["database"]["environment"]
    dashboard, recorder = over["dashboard"], over["recorder"]
    address = dashboard["environment"]["TILECAST_LOG"]
    plan = read_record_file(DOCKER / "venue-postgres.toml")
    assert plan.log == address
    assert address == f"postgresql://{made['POSTGRES_USER']}@database/{made['POSTGRES_DB']}"
    for service in (dashboard, recorder):
        assert service["depends_on"]["database"]["condition"] == "service_healthy"
        assert "TILECAST_DATABASE_PASSWORD" in service["environment"]["PGPASSWORD"]
    program, *words = dashboard["entrypoint"]
    parsed = tilecast._parser().parse_args(words)
    assert (program, parsed.log, str(parsed.folder)) == ("tilecast", None, "/record")
    (file,) = recorder["volumes"]
    assert file.partition(":")[2] in {
        path.partition(":")[2] for path in base["recorder"]["volumes"]
    }
    assert (DOCKER / file.partition(":")[0]).is_file()


def test_the_program_takes_the_line_that_each_container_starts_with():
    """Entry and command of each stage, with what compose.yaml puts in their place."""
    services = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    stages = (DOCKER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    started = {}
    for stage in stages:
        found = dict(re.findall(r"^(ENTRYPOINT|CMD) (\[.*\])$", stage, re.MULTILINE))
        name = re.search(r" AS (\w+)\n", stage)
        if name is None or "ENTRYPOINT" not in found:
            continue
        command = services.get(name[1], {}).get("command") or json.loads(found.get("CMD", "[]"))
        started[name[1]] = [*json.loads(found["ENTRYPOINT"]), *command]
    assert started.keys() == {"certificates", "recorder", "dashboard", "agent", "table"}
    parsed = {
        name: tilecast._parser().parse_args(words[1:])
        for name, words in started.items()
        if words[0] == "tilecast"
    }
    assert parsed.keys() == {"recorder", "dashboard", "agent"}
    assert str(parsed["dashboard"].log) == "/record/tilecast.db"
    (config,) = [v for v in services["recorder"]["volumes"] if "/config/" in v]
    assert started["recorder"][-1] == config.split(":")[1]
    assert Path(DOCKER, config.split(":")[0]).is_file()


def test_containers_find_what_is_mounted_and_are_told_what_is_read():
    """Each volume is declared, each file there; of each variable a program or a file reads."""
    document = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))
    programs = [ROOT / "tilecast.py", *DOCKER.glob("*.py")]
    for package in ("recorder", "dashboard", "devices"):
        programs += (ROOT / package).rglob("*.py")
    read = "".join(program.read_text(encoding="utf-8") for program in programs)
    used = set()
    for name, service in document["services"].items():
        for volume in service.get("volumes", ()):
            source, place = volume.split(":")[:2]
            assert place.startswith("/"), (name, volume)
            if source.startswith("."):
                assert (DOCKER / source).is_file(), (name, volume)
            else:
                used.add(source)
        for variable in service.get("environment", {}):
            assert f'"{variable}"' in read, (name, variable)
    assert used == set(document["volumes"])


@pytest.mark.further
@pytest.mark.parametrize("with_tls", [True, False])
def test_the_dashboards_health_check_asks_a_page_that_it_has(tmp_path: Path, *, with_tls: bool):
    """The command of the image, against this program: well while it runs, and not afterwards."""
    script, *asked = health_check("dashboard")[1:]
    port = free_port()
    assert (script, *asked) == ("/opt/tilecast/healthy.py", "pages", "8015")
    check = [sys.executable, str(DOCKER / "healthy.py"), "pages", str(port)]
    words = ["--log", f"{tmp_path}/tilecast.db", "--port", str(port), "--host", "0.0.0.0"]
    if with_tls:
        if shutil.which("openssl") is None:
            pytest.skip("needs openssl")
        script = DOCKER / "certificates.sh"
        mine = {**os.environ, "CLIENT_UID": str(os.getuid())}
        subprocess.run(
            ["bash", script, tmp_path, "make", "web:overlays.example"],
            env=mine, check=True, capture_output=True,
        )  # fmt: skip
        words += ["--tls", f"{tmp_path}/web/web.crt", f"{tmp_path}/web/web.key"]

    def is_well() -> bool:
        return not subprocess.run(check, cwd=ROOT, check=False, capture_output=True).returncode

    command = [sys.executable, "-m", "tilecast", "dashboard", *words]
    told = {**os.environ, "TILECAST_DIRECTOR_TOKEN": "choose-a-long-key"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=told) as process:
        try:
            eventually(is_well, "the dashboard is well")
        finally:
            process.terminate()
    assert not is_well()


def health_check(target: str) -> list[str]:
    stages = (DOCKER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    stage = next(one for one in stages if f" AS {target}\n" in one)
    found = re.search(r"HEALTHCHECK [^\n]*CMD \\\n *(\[.*\])\n", stage)
    words: list[str] = json.loads(found[1])
    return words


def healthy() -> ModuleType:
    spec = importlib.util.spec_from_file_location("healthy", DOCKER / "healthy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OTHER_NAMES = {
    'folder = "/record"': 'folder = "/record"\nname = "second"',
    "[broker]": '[venue]\nname = "hall"\n\n[broker]',
}


@pytest.mark.parametrize("changed", [{}, OTHER_NAMES])
def test_the_recorders_health_check_asks_for_the_recorder_of_its_file(
    tmp_path: Path, changed: dict[str, str]
):
    """Its own name and venue, given or left out: another would be ill for ever."""
    services = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    (mounted,) = [v for v in services["recorder"]["volumes"] if "/config/" in v]
    assert health_check("recorder")[-2:] == ["recorder", mounted.split(":")[1]]
    text = (DOCKER / "venue.toml").read_text("utf-8")
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "venue.toml"
    file.write_text(text, "utf-8")
    plan = read_record_file(file).plan
    assert healthy().recorder_in(file) == (plan.recorder, plan.venue)


def test_programs_of_the_containers_are_told_to_end_while_they_begin():
    """As process 1 they would not hear SIGTERM before they listen for it, and be killed at last."""
    services = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    staying = services.keys() - {"certificates"}
    assert {name for name in staying if services[name].get("init") is True} == staying


def test_containers_leave_nothing_that_grows():
    """Docker would keep each line for ever, and for each new broker a volume without a name."""
    services = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    staying = services.keys() - {"certificates"}
    assert all(services[name]["logging"] == {"driver": "local"} for name in staying)
    kept = [*services["broker"]["tmpfs"], *(v.split(":")[1] for v in services["broker"]["volumes"])]
    assert {"/mosquitto/data", "/mosquitto/log"} <= set(kept)


def test_the_brokers_health_check_leaves_its_log_alone():
    """It asks the kernel: a connection without a handshake is an error in the log, every 5 s."""
    services = YAML(typ="safe").load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    broker = services["broker"]
    how, line = broker["healthcheck"]["test"]
    assert how == "CMD-SHELL"
    if shutil.which("netstat") is None:
        pytest.skip("needs netstat: apt install net-tools")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        listener.settimeout(0)
        check = line.replace("8883", str(port))
        assert subprocess.run(["sh", "-c", check], check=False).returncode == 0
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert subprocess.run(["sh", "-c", check], check=False).returncode == 1


def test_images_copy_all_that_is_installed():
    """Every package and file that the wheel is made of is copied into the image."""
    dockerfile = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    let_in = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (
        "recorder",
        "devices",
        "dashboard",
        "calibration",
        "tilecast.py",
        "pyproject.toml",
    ):
        assert f"COPY {name} " in dockerfile or f" {name} " in dockerfile, name
        assert f"!{name}" in let_in
    for script in re.findall(r"COPY (docker/\S+)", dockerfile):
        assert f"!{script}" in let_in
        assert (ROOT / script).is_file()


def test_no_container_runs_as_root_and_each_says_whether_it_is_well():
    """Programs that stay up are of a user without rights, with a health check and a dead disk."""
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    stages = (DOCKER / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    for service in ("recorder", "dashboard", "table"):
        stage = next(one for one in stages if f" AS {service}\n" in one)
        assert stage.startswith("tilecast AS ")
        assert "HEALTHCHECK" in stage
        assert f"  {service}:\n    <<: *service\n" in text
    assert "USER 10001" in next(one for one in stages if " AS tilecast\n" in one)
    assert 'user: "1883"' in text


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("hadolint", ["--failure-threshold", "info", "docker/Dockerfile"]),
        ("check-jsonschema", ["--builtin-schema", "vendor.compose-spec", "docker/compose.yaml"]),
        (
            "check-jsonschema",
            ["--builtin-schema", "vendor.compose-spec", "docker/compose.postgres.yaml"],
        ),
    ],
)
def test_what_linters_say(program: str, arguments: list[str]):
    """The Dockerfile is clean; the compose file fits the published schema."""
    found = shutil.which(program, path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip(f"{program} has no build for this machine")
    done = subprocess.run(
        [found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
