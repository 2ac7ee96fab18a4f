"""The files of deploy/ for containers, as far as they can be looked at without an engine."""

import re
import shutil
import socket
import subprocess

import pytest
import yaml

from servers import ROOT
from shipped_files import shipped

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
OWN = ("migrate", "api", "worker", "admin")
ROLES = {"migrate": {"owner"}, "api": {"api", "auth"}, "worker": {"worker"}, "admin": {"owner", "worker", "admin", "backup"}}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Keys and passwords as the script makes them, in a folder of this user."""
    folder = tmp_path_factory.mktemp("containers")
    shutil.copy(DEPLOY / "containers/make-secrets", folder)
    tools = folder / "tools"
    tools.mkdir()
    (tools / "chown").write_text('#!/bin/sh\necho "$@" >>"$OWNERS"\n')
    (tools / "chown").chmod(0o755)
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "OWNERS": str(folder / "owners")}
    for _ in range(2):
        subprocess.run([folder / "make-secrets"], env=environment, check=True, capture_output=True)
        once = {path.name: path.read_bytes() for path in (folder / "secrets").iterdir()}
    return folder, once


def test_each_service_has_the_files_that_its_settings_name_and_the_script_makes_all(made):
    folder, files = made
    assert {name: entry["file"] for name, entry in COMPOSE["secrets"].items()} == {name: f"./containers/secrets/{name}" for name in files}
    for name, service in COMPOSE["services"].items():
        named = {value.removeprefix("/run/secrets/") for value in service.get("environment", {}).values() if "/run/secrets/" in value}
        assert named <= set(service.get("secrets", [])) <= set(files), name
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (folder / "secrets").iterdir())
    owned = {file: line.split()[0] for line in (folder / "owners").read_text().splitlines() for file in line.split()[1:]}
    for name in OWN:
        assert {owned[secret] for secret in COMPOSE["services"][name]["secrets"]} == {"10001:10001"}, name
    assert (folder / "secrets/redis-url").read_text() == f"redis://default:{files['redis-password'].decode().strip()}@redis"


def test_the_script_changes_nothing_that_is_there(made):
    folder, before = made
    environment = {"PATH": f"{folder}/tools:/usr/bin:/bin", "OWNERS": "/dev/null"}
    subprocess.run([folder / "make-secrets"], env=environment, check=True, capture_output=True)
    assert {path.name: path.read_bytes() for path in (folder / "secrets").iterdir()} == before


def test_a_service_sees_the_passwords_of_its_own_roles_and_the_keys_that_it_needs(made):
    _, files = made
    for name in OWN:
        seen = COMPOSE["services"][name]["secrets"]
        (passwords,) = [secret for secret in seen if secret.startswith("pgpass-")]
        assert set(re.findall(rb"diary_(\w+):", files[passwords])) == {role.encode() for role in ROLES[name]}
        assert ("signing-key.pem" in seen) == (name in ("api", "admin")), name
    for name in ("db", "redis", "bucket"):
        assert not {"master-keys", "service-secret", "signing-key.pem"} & set(COMPOSE["services"][name]["secrets"])


def test_containers_of_the_program_cannot_write_their_root_and_have_no_rights():
    for name in OWN:
        service = COMPOSE["services"][name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and "no-new-privileges:true" in service["security_opt"], name
        lifted = [option for option in service["security_opt"] if "unconfined" in option]
        assert bool(lifted) == (name == "worker"), name
    assert COMPOSE["services"]["worker"]["environment"]["DIARY_SANDBOX"] == "required"
    assert COMPOSE["networks"]["back"]["internal"] and COMPOSE["services"]["db"]["networks"] == ["back"]


def test_the_speech_server_has_a_socket_that_workers_may_use_and_no_network_secret_or_setting():
    server, worker = COMPOSE["services"]["speech"], COMPOSE["services"]["worker"]
    assert server["read_only"] and server["cap_drop"] == ["ALL"] and server["security_opt"] == ["no-new-privileges:true"]
    assert server["network_mode"] == "none" and server["mem_limit"] and not {"secrets", "env_file", "networks", "ports"} & server.keys()
    assert server["volumes"] == worker["volumes"] == ["speech:/run/diary-speech"]
    options = COMPOSE["volumes"]["speech"]["driver_opts"]["o"]
    assert "uid=10002,gid=10001,mode=0750" in options and "USER 10002:10001" in (DEPLOY / "Containerfile.speech").read_text()
    assert worker["depends_on"]["speech"] == {"condition": "service_started"}


@pytest.mark.parametrize("status", ["200 OK", "503 Service Unavailable"])
def test_the_speech_server_is_healthy_while_it_answers_200(tmp_path, status):
    path = tmp_path / "speech.sock"
    command, *words = COMPOSE["services"]["speech"]["healthcheck"]["test"][1:]
    words[-1] = words[-1].replace("/run/diary-speech/speech.sock", str(path))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        asking = subprocess.Popen([command, *words])
        connection, _ = listening.accept()
        with connection:
            assert connection.recv(1000).startswith(b"GET /health HTTP/1.1\r\n")
            connection.sendall(f"HTTP/1.1 {status}\r\n\r\n".encode())
        assert (asking.wait(10) == 0) == status.startswith("200")
    assert subprocess.run([command, *words], capture_output=True).returncode != 0


def test_every_setting_of_the_files_exists():
    known = set(re.findall(r"^#?(DIARY_\w+)=", (ROOT / ".env.example").read_text(), re.M))
    known |= {f"{name}_FILE" for name in known} | {name.removesuffix("_FILE") for name in known}
    used = {key for name in OWN for key in COMPOSE["services"][name]["environment"]}
    used |= set(re.findall(r"^#?(DIARY_\w+)=", (DEPLOY / "containers/settings.example.env").read_text(), re.M))
    assert {name for name in used if name.startswith("DIARY_")} <= known


def test_images_have_versions_and_the_program_the_packages_of_the_documents():
    images = [service["image"] for service in COMPOSE["services"].values() if not service["image"].startswith("localhost/")]
    text = (DEPLOY / "Containerfile").read_text()
    speech = (DEPLOY / "Containerfile.speech").read_text()
    for image in [*images, *re.findall(r"^FROM (\S+)", text + speech, re.M)]:
        assert re.search(r":v?\d", image) and image.count("/") >= 2, image
    by_hand = (ROOT / "docs/install.md").read_text().split("## Installing by hand")[1]
    wanted = set(re.search(r"apt-get install --no-install-recommends (libpq5.*?)\n[a-z]", by_hand, re.S)[1].replace("\\", "").split())
    installed = set(re.findall(r"install -y --no-install-recommends(.*?)&&", text.replace("\\\n", " "), re.S)[-1].split())
    python = {"python3", "python3-venv"}
    assert wanted - {"apt-get", "install"} - python <= installed, wanted - installed
    assert python <= set(re.search(r"install -y --no-install-recommends(.*)\\", speech)[1].split())
    assert "USER 10001:10001" in text and "USER 10002:10001" in speech


def test_the_image_has_every_file_that_the_program_reads_beside_itself():
    copied = set()
    for line in re.findall(r"^COPY (?!--)(?!\. \.)(.+)$", (DEPLOY / "Containerfile").read_text(), re.M):
        *sources, target = line.split()
        for source in sources:
            # A folder's content, or a file into a folder.
            inside = [path for path in (ROOT / source).rglob("*") if path.is_file()] if (ROOT / source).is_dir() else []
            copied |= {f"{target}/{path.relative_to(ROOT / source)}" for path in inside} if inside else {target + source.split("/")[-1]}
    assert {f"/usr/share/diary/{name}" for name in shipped()} <= copied
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    text = (DEPLOY / "Containerfile").read_text()
    assert "RUN scripts/contract --share\n" in text and "COPY --from=build /source/.build/share/ /usr/share/diary/\n" in text
    assert {"!speech", "!scripts/speech", "!scripts/contract", "!scripts/lib/contract", "!scripts/lib/machine.sh"} <= set(ignored)
    for name in shipped():
        assert f"!{name}" in ignored or f"!{name.split('/')[0]}" in ignored, name


def test_nothing_but_the_sources_reaches_the_builder():
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*" and all(
        re.fullmatch(r"!(docs/export-manifest\.schema\.json|scripts/(speech|contract|lib/contract|lib/machine\.sh)|[\w.]+)", line)
        for line in lines[1:]
    )
    assert not {"!deploy", "!.git", "!.env"} & set(lines)


@pytest.mark.parametrize("script", ["make-secrets", "databases.sh", "bucket.sh"])
def test_the_scripts_are_read_by_their_shells(script):
    shell = "sh" if script == "make-secrets" else "bash"
    subprocess.run([shell, "-n", DEPLOY / "containers" / script], check=True)
