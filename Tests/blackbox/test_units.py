"""The units of deploy/, and what the program does for a service manager. systemd itself is not run."""

import json
import os
import platform
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys

import pytest
import yaml

import http_client
from processes import PROGRAM, free_port, wait_for
from servers import ROOT

UNITS = ROOT / "deploy/systemd"


def unit(name):
    """Section -> key -> values, in their order."""
    found = {}
    for line in (UNITS / name).read_text().splitlines():
        if section := re.fullmatch(r"\[(\w+)\]", line):
            here = found.setdefault(section[1], {})
        elif line and not line.startswith("#"):
            key, value = line.split("=", 1)
            here.setdefault(key, []).append(value)
    return found


def credentials(name):
    service = unit(name)["Service"]
    named = {line.split(":")[0]: line.split(":")[1] for line in service["LoadCredential"]}
    assert all(path == f"/etc/diary/keys/{credential}" for credential, path in named.items()), name
    for credential in named:
        assert any(line.endswith(f"_FILE=%d/{credential}") for line in service["Environment"]), (name, credential)
    return named, {line.split(":")[0] for line in service.get("SetCredential", [])}


# The files


def test_every_key_file_that_the_example_names_is_handed_to_the_units_that_read_it():
    example = (ROOT / ".env.example").read_text()
    named = set(re.findall(r"^#?DIARY_\w+_FILE=/etc/diary/keys/(\S+)$", example, re.M))
    common, s3 = {"master-keys", "service-secret"}, {"s3-secret-key", "s3-session-token"}
    api = {"signing-key.pem", "apple.p8"} | s3
    mail = {"smtp-password", "sendgrid-key", "ses-secret-key", "ses-session-token"}
    worker = {"apple.p8", "speech-key", "cleanup-key"} | mail | s3
    assert named == common | api | worker
    for name, own in (("diary-api.service", api), ("diary-api@.service", api), ("diary-worker.service", worker)):
        loaded, optional = credentials(name)
        # What may be missing has a stand-in: without one systemd does not start the unit.
        assert set(loaded) == common | own and optional == own, name
    assert "LoadCredential" not in unit("diary-migrate.service")["Service"]
    admin = (ROOT / "deploy/diary-admin").read_text()
    assert set(re.findall(r"^key (\S+) DIARY_\w+_FILE$", admin, re.M)) == named


def test_each_unit_sees_the_database_passwords_of_its_own_role_alone():
    roles = {"diary-api.service": "api", "diary-api@.service": "api", "diary-worker.service": "worker", "diary-migrate.service": "owner"}
    roles["diary-export-schedules.service"] = "worker"
    for name, role in roles.items():
        service = unit(name)["Service"]
        assert service["BindReadOnlyPaths"] == [f"-/etc/diary/pgpass/{role}:/run/diary-{role}.pgpass"], name
        assert f"PGPASSFILE=/run/diary-{role}.pgpass" in service["Environment"], name


def test_a_database_that_is_away_at_boot_leaves_nothing_down():
    for path in UNITS.glob("*.service"):
        found = unit(path.name)
        # A requirement would fail with the first try of the migrations, for good.
        assert "Requires" not in found["Unit"] and "BindsTo" not in found["Unit"], path.name
        assert found["Unit"]["StartLimitIntervalSec"] == ["0"] and found["Service"]["RestartPreventExitStatus"] == ["78"], path.name
        if path.name == "diary-export-schedules.service":
            # Its timer is what tries it again.
            assert found["Service"]["Type"] == ["oneshot"] and "Restart" not in found["Service"]
        elif path.name == "diary-speech.service":
            # Needs no database.
            assert found["Service"]["Restart"] == ["always"] and "Wants" not in found["Unit"]
        elif path.name == "diary-migrate.service":
            assert found["Service"]["Restart"] == ["on-failure"] and found["Service"]["RestartSec"] == ["5"]
        else:
            assert found["Service"]["Restart"] == ["always"] and found["Service"]["Type"] == ["notify"]
            # Nor may a try that fails stop or restart what runs.
            assert "PartOf" not in found["Unit"]
            assert all("diary-migrate.service" in found["Unit"][key][0].split() for key in ("Wants", "After"))
            assert int(found["Service"]["WatchdogSec"][0]) >= 30


def test_the_speech_server_is_apart_from_network_settings_and_keys_and_the_worker_goes_on_without_it():
    server, worker = unit("diary-speech.service"), unit("diary-worker.service")
    service = server["Service"]
    assert service["PrivateNetwork"] == ["yes"] and service["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert "LoadCredential" not in service and service["EnvironmentFile"] == ["-/etc/diary/speech.env"]
    assert {"-/etc/diary", "-/var/lib/diary"} <= set(service["InaccessiblePaths"][0].split())
    example = (ROOT / ".env.example").read_text()
    (place,) = re.findall(r"^#?DIARY_SPEECH_SOCKET=(.+)$", example, re.M)
    assert service["ExecStart"][0].endswith(f" --socket {place}") and place == f"/run/{service['RuntimeDirectory'][0]}/speech.sock"
    assert worker["Service"]["SupplementaryGroups"] == service["Group"] == ["diary-speech"] and service["RuntimeDirectoryMode"] == ["0750"]
    for key in ("Wants", "After"):
        assert "diary-speech.service" in worker["Unit"][key][0].split()
    api = list(unit("diary-api.service")["Service"].items())
    hardening = dict(api[[name for name, _ in api].index("NoNewPrivileges") :])
    # CTranslate2 makes machine code, and onnxruntime reads /proc/cpuinfo.
    del hardening["MemoryDenyWriteExecute"], hardening["ProcSubset"]
    assert {name: service[name] for name in hardening} == {**hardening, "RestrictAddressFamilies": ["AF_UNIX"]}


def test_timer_and_cronjob_run_the_same_command_as_the_worker_and_need_no_key():
    service, timer = unit("diary-export-schedules.service"), unit("diary-export-schedules.timer")
    assert service["Service"]["ExecStart"] == ["/usr/bin/diary exports run-due"] and "LoadCredential" not in service["Service"]
    assert timer["Timer"]["Persistent"] == ["yes"] and timer["Install"]["WantedBy"] == ["timers.target"]
    job = yaml.safe_load((ROOT / "deploy/kubernetes/export-schedules-cronjob.yaml").read_text())
    assert (job["apiVersion"], job["kind"], job["spec"]["timeZone"]) == ("batch/v1", "CronJob", "Etc/UTC")
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["args"] == ["exports", "run-due", "--json"] and "command" not in container
    assert {variable["name"] for variable in container["env"]} == {"DIARY_DATABASE_URL", "PGPASSFILE"}
    # The mode of a secret's file is not what libpq asks for where there is an fsGroup: a copy has it.
    (copied,) = pod["initContainers"]
    password = next(variable["value"] for variable in container["env"] if variable["name"] == "PGPASSFILE")
    assert copied["command"][:3] == ["install", "-m", "0600"] and copied["command"][-1] == password and password.startswith("/tmp/")
    assert container["securityContext"]["readOnlyRootFilesystem"] and pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False


def test_one_api_and_several_have_the_same_units():
    for kind, different in (("service", {"Description", "Wants"}), ("socket", {"Description", "ListenStream"})):
        one, many = unit(f"diary-api.{kind}"), unit(f"diary-api@.{kind}")
        for section in one.keys() | many.keys():
            for key in (one[section].keys() | many[section].keys()) - different:
                assert one[section][key] == many[section][key], (kind, section, key)
    assert "diary-api.socket" in unit("diary-api.service")["Unit"]["Wants"][0]
    assert "diary-api@%i.socket" in unit("diary-api@.service")["Unit"]["Wants"][0]
    assert unit("diary-api.socket")["Socket"]["ListenStream"] == ["127.0.0.1:8080"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_no_fault_in_the_units(tmp_path):
    for path in UNITS.iterdir():
        name = path.name.replace("@.", "@8081.")
        (tmp_path / name).write_text(re.sub("=(/usr/bin/diary|/var/lib/diary-speech/venv/bin/python) ", "=/bin/true ", path.read_text()))
    files = sorted(tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True, timeout=60)
    ours = [line for line in done.stderr.splitlines() if "diary" in line]
    assert ours == [] and done.returncode == 0, done.stderr


# The wrapper


def test_the_wrapper_hands_arguments_over_as_they_are_and_keeps_the_owners_settings_to_migrations(tmp_path):
    """A stand-in for systemd-run notes its arguments. It does with "$$" what systemd does."""
    for name, text in {
        "id": "echo 0",
        "systemd-run": f'printf "%s\\0" "$@" > {tmp_path}/line\nexit 7',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(stat.S_IRWXU)
    environment = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin", "SUDO_USER": "anna"}
    words = ["tenant", "create", "my-day", "--name", "A & B's $HOME $$ %h \\ ; *", "--mail-from", "a@example.org"]
    done = subprocess.run([ROOT / "deploy/diary-admin", *words], env=environment, timeout=20)
    line = (tmp_path / "line").read_text().split("\0")[:-1]
    assert done.returncode == 7
    begin = line.index("--") + 1
    assert line[begin] == "/usr/bin/diary" and [word.replace("$$", "$") for word in line[begin + 1 :]] == words
    assert "--uid=diary" in line and "EnvironmentFile=/etc/diary/diary.env" in line and "--setenv=SUDO_USER=anna" in line
    assert "EnvironmentFile=-/etc/diary/admin.env" in line and not any("migrate.env" in word for word in line)
    subprocess.run([ROOT / "deploy/diary-admin", "migrate", "verify"], env=environment, timeout=20)
    assert "EnvironmentFile=-/etc/diary/migrate.env" in (tmp_path / "line").read_text().split("\0")


# The program


class Manager:
    """A service manager's socket."""

    def __init__(self, path):
        self.path, self.socket = path, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(20)

    def next(self):
        return self.socket.recv(4096).decode()

    def drain(self):
        """What is there already."""
        self.socket.setblocking(False)
        found = []
        try:
            while True:
                found.append(self.next())
        except BlockingIOError:
            self.socket.settimeout(20)
        return found


@pytest.mark.parametrize("what", ["serve", "work"])
def test_the_service_manager_is_notified_of_start_life_and_stop(own_rig, tmp_path, what):
    manager = Manager(tmp_path / "notify")
    settings = {"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "400000", "DIARY_LISTEN": f"127.0.0.1:{free_port()}"}
    environment = {**own_rig.environment, **settings}
    if what == "serve":
        # Settings of workers.
        for name in ("DIARY_TEMPORARY", "DIARY_MAIL_OUTBOX", "DIARY_SPEECH", "DIARY_PROBE", "DIARY_CLEANUP"):
            environment.pop(name)
    with open(own_rig.folder / "logs" / "supervised.log", "ab") as log:
        process = subprocess.Popen([PROGRAM, what], env=environment, stdout=log, stderr=log)
    own_rig.processes["supervised"] = process
    heard = []
    while "READY=1" not in heard:
        heard.append(manager.next())
    if what == "serve":
        assert http_client.get(f"http://{settings['DIARY_LISTEN']}/livez", timeout=5).status_code == 200
    while manager.next() != "WATCHDOG=1":
        pass
    # Frozen, it is silent: what it had sent before is read, then nothing comes for several times its interval.
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: re.search(r"^State:\s+T", open(f"/proc/{process.pid}/status").read(), re.M), 5, "the stop")
    manager.drain()
    manager.socket.settimeout(1.5)
    with pytest.raises(TimeoutError):
        manager.next()
    manager.socket.settimeout(20)
    process.send_signal(signal.SIGCONT)
    while manager.next() != "WATCHDOG=1":
        pass
    assert own_rig.stop("supervised") == 0
    assert "STOPPING=1" in manager.drain()


@pytest.mark.parametrize("what", ["serve", "work"])
def test_one_start_names_every_fault_of_the_settings_and_ends_with_78(rig, what):
    environment = {**rig.environment, "DIARY_RATE_FACTOR": "hunter2", "DIARY_SANDBOX": "hunter2"}
    for name in ("DIARY_PUBLIC_URL", "DIARY_REDIS_URL", "DIARY_OBJECTS", "DIARY_TEMPORARY"):
        environment.pop(name)
    done = subprocess.run([PROGRAM, what], env=environment, capture_output=True, text=True, timeout=60)
    named = set(re.findall(r"DIARY_\w+", done.stderr))
    common = {"DIARY_PUBLIC_URL", "DIARY_REDIS_URL", "DIARY_OBJECTS", "DIARY_RATE_FACTOR"}
    assert named == common | ({"DIARY_TEMPORARY", "DIARY_SANDBOX"} if what == "work" else set()), done.stderr
    assert done.returncode == 78 and "hunter2" not in done.stderr


def test_a_command_on_a_database_without_the_schema_says_to_migrate_first(rig):
    rig.postgres.sql("postgres", "create database fresh owner diary_owner")
    environment = {**rig.environment, "DIARY_DATABASE_URL": rig.postgres.conninfo("fresh")}
    words = ["tenant", "create", "other", "--name", "Other", "--mail-from", "a@example.org"]
    done = subprocess.run([PROGRAM, *words], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "run diary migrate up first" in done.stderr, done.stderr


# The sandbox under the worker's unit

CALLS = {"x86_64": {"sethostname": 170, "pivot_root": 155}, "aarch64": {"sethostname": 161, "pivot_root": 41}}

REFUSE = """
import ctypes, os, struct, sys
numbers = [int(n) for n in sys.argv[1].split(",")]
# Classic BPF on struct seccomp_data, whose first word is the number of the call (seccomp(2)).
code = [(0x20, 0, 0, 0)]
code += [(0x15, len(numbers) - i, 0, number) for i, number in enumerate(numbers)]
code += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | 1)]
filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(filter))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs a program that gets EPERM from some system calls, as under SystemCallFilter with SystemCallErrorNumber=EPERM."""


def work_refusing(rig, call, **settings):
    """Starts `diary work`; its isolation, or None and what it said when it did not start."""
    log = rig.folder / "logs" / f"{call}.log"
    environment = {**rig.environment, "DIARY_PROBE": "ffmpeg", **settings}
    number = CALLS[platform.machine()][call]
    with open(log, "wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", REFUSE, str(number), str(PROGRAM), "work"], env=environment, stdout=out, stderr=out
        )
    rig.processes[call] = process

    def said():
        lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
        return [line["isolation"] for line in lines if "isolation" in line]

    wait_for(lambda: process.poll() is not None or "worker starts" in log.read_text(), 30, "the worker's start")
    if process.poll() is not None:
        rig.processes.pop(call)
        return process.returncode, log.read_text()
    rig.stop(call)
    return said()[0], log.read_text()


@pytest.mark.skipif(platform.machine() not in CALLS, reason="no numbers of system calls for this processor")
def test_d4_where_the_unit_refuses_sethostname_the_sandbox_holds_and_where_it_does_not_hold_no_worker_starts(own_rig):
    own_rig.stop("work")
    isolation, _ = work_refusing(own_rig, "pivot_root")
    assert isolation == "limits_only"
    status, text = work_refusing(own_rig, "pivot_root", DIARY_SANDBOX="required")
    assert status == 78 and "DIARY_SANDBOX" in text
    trial = ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "true"]
    if subprocess.run(trial, capture_output=True).returncode:
        pytest.skip("namespaces are forbidden here")
    isolation, _ = work_refusing(own_rig, "sethostname", DIARY_SANDBOX="required")
    assert isolation == "namespaces"


@pytest.mark.parametrize("inherited", [False, True])
def test_on_a_unix_socket_the_api_warns_that_every_client_counts_as_one_unless_unix_is_trusted(rig, tmp_path, inherited):
    def log(proxies):
        manager, path = Manager(tmp_path / f"notify-{proxies}"), tmp_path / f"{proxies}.sock"
        settings = {"NOTIFY_SOCKET": str(manager.path), "DIARY_TRUSTED_PROXIES": proxies}
        with socket.socket(socket.AF_UNIX) as listening, open(tmp_path / f"{proxies}.log", "wb") as log:
            if inherited:
                listening.bind(str(path))
                listening.listen()
                line, passed = f'exec 3<&{listening.fileno()}; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve', (listening.fileno(),)
            else:
                settings["DIARY_LISTEN"] = str(path)
                line, passed = 'exec "$0" serve', ()
            rig.processes["unix"] = subprocess.Popen(
                ["bash", "-c", line, str(PROGRAM)], env={**rig.environment, **settings}, stdout=log, stderr=log, pass_fds=passed
            )
        while manager.next() != "READY=1":
            pass
        assert rig.stop("unix") == 0
        return (tmp_path / f"{proxies}.log").read_text()

    assert "every client counts as one" in log("127.0.0.1")
    assert "every client counts as one" not in log("unix")
