"""What ``docker/`` says agrees with the program; containers themselves are not run here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recorder.bus.broker import mosquitto_config
from recorder.service.venue_file import read_record_file
from recorder.wire.topics import own_topics

ROOT = Path(__file__).parents[1]
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
    named = {line.removeprefix("pattern readwrite ") for line in lines if "/up/%u/" in line}
    assert named == {topic.replace("device", "%u") for topic in own_topics("main", "device")}


def test_the_recorder_of_the_containers_takes_its_file():
    """The file records the simulated table's devices into the shared volume."""
    plan = read_record_file(DOCKER / "venue.toml")
    assert plan.folder == Path("/record")
    assert plan.broker == "mqtts://broker?certs=/tls&as=recorder"
    assert set(plan.plan.tables[0].devices) == {"cam-1", "clock-1"}


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
