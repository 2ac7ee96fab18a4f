"""What an operator sees: log lines, readiness, names of connections; and several database servers in one setting (A4, A5)."""

import contextlib
import json
import os
import pty
import select
import socket
import subprocess
import uuid

import http_client
from contract import CONTRACT, STAGES
from processes import PROGRAM, free_port, wait_for


def lines(rig, name):
    """Of a process' log; libdispatch writes some that are not JSON."""
    found = []
    for line in (rig.folder / "logs" / f"{name}.log").read_text().splitlines():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def readiness(rig):
    answer = http_client.get(rig.url + "/readyz", timeout=10)
    CONTRACT.check(answer)
    return answer.status_code, answer.json()


def becomes(rig, status, **checks):
    """Waits for this readiness; every state here serves requests."""

    def reached():
        code, found = readiness(rig)
        assert code == 200, found
        return found["status"] == status and all(found["checks"][name] == state for name, state in checks.items())

    wait_for(reached, 20, f"{status} {checks}")


def test_log_lines_have_numbers_and_name_app_entry_version_and_process(rig):
    user = rig.user()
    entry = user.record()
    user.wait_done(entry)
    missing = str(uuid.uuid4())
    user.call("GET", f"/v1/entries/{missing}", 404)

    requests = [line for line in lines(rig, "serve") if line["message"] == "request"]
    for line in requests:
        assert type(line["status"]) is int and type(line["bytes"]) is int and isinstance(line["duration_ms"], int | float), line
        assert line["process"].endswith(f"/{rig.processes['serve'].pid}") and line["version"], line
    assert [line for line in requests if line["status"] == 404 and line.get("tenant") == rig.tenants["my-day"]]
    assert missing not in rig.log_text()

    def ended():
        found = [line for line in lines(rig, "work") if line["message"] == "job ended" and line.get("entry") == entry]
        return found if {line["kind"] for line in found} == set(STAGES) else None

    for line in wait_for(ended, 20, "the jobs' lines"):
        assert type(line["attempt"]) is int and type(line["duration_ms"]) is int, line
        assert line["tenant"] == rig.tenants["my-day"] and line["outcome"] == "done" and line["version"], line
        assert line["process"].endswith(f"/{rig.processes['work'].pid}"), line
    assert user.id not in rig.log_text() and user.address not in rig.log_text()


def test_a_start_that_fails_is_a_line_of_the_log_that_names_the_setting(rig):
    environment = {name: value for name, value in rig.environment.items() if name != "DIARY_SERVICE_SECRET"}
    for what, label in (("serve", "diary-api"), ("work", "diary-worker")):
        done = subprocess.run([PROGRAM, what], env=environment, capture_output=True, text=True, timeout=30)
        line = json.loads(done.stderr.splitlines()[-1])
        assert done.returncode == 78 and done.stdout == ""
        assert (line["level"], line["logger"]) == ("critical", label) and "DIARY_SERVICE_SECRET" in line["error"], line


def test_each_role_has_its_own_name_in_postgres(rig):
    rows = rig.postgres.sql("postgres", "select distinct usename::text, application_name from pg_stat_activity where usename ~ '^diary_'")
    assert {("diary_api", "diary-api"), ("diary_auth", "diary-auth"), ("diary_worker", "diary-worker")} <= set(rows)
    assert all(name == role.replace("_", "-") for role, name in rows if role != "diary_owner"), rows


def test_a4_readiness_tells_a_missing_worker_and_a_redis_that_takes_no_writes(own_rig):
    rig = own_rig
    user = rig.user()
    becomes(rig, "ready", workers="ok", redis="ok", storage="ok")
    # Stopped: it withdraws.
    rig.stop("work")
    becomes(rig, "degraded", workers="down", redis="ok")
    rig.start("work")
    becomes(rig, "ready")
    # Killed: its last report grows old.
    worker = rig.processes.pop("work")
    worker.kill()
    worker.wait()
    rig.postgres.sql("diary", "update workers set seen_at = seen_at - interval '1 minute'")
    becomes(rig, "degraded", workers="down")
    waiting = user.record()
    shown = json.loads(rig.diary("jobs", "list", "--entry", waiting, "--json"))
    assert shown["workers_alive"] == 0 and "no worker is alive" in shown["note"]
    rig.start("work")
    becomes(rig, "ready")
    user.wait_done(waiting)

    rig.redis.cli("replicaof", "127.0.0.1", "1")
    becomes(rig, "degraded", redis="degraded", workers="ok")
    for number in range(30):
        user.create_text(f"written while Redis takes no writes {number}")
    user.wait_done(user.record(b"another" * 1000))
    told = [line for line in lines(rig, "serve") if "READONLY" in line.get("reason", "")]
    assert len(told) == 1, told
    rig.redis.cli("replicaof", "no", "one")
    becomes(rig, "ready", redis="ok")


def test_a5_a_frozen_first_database_server_costs_its_timeout_and_not_the_service(own_rig):
    rig = own_rig
    with socket.socket() as frozen:
        # The kernel accepts; no one ever answers.
        frozen.bind(("127.0.0.1", 0))
        frozen.listen(256)
        servers = f"host=127.0.0.1,{rig.postgres.folder} port={frozen.getsockname()[1]},5432"
        for setting, database in (("DIARY_DATABASE_URL", "diary"), ("DIARY_KEYS_DATABASE_URL", "diary_keys")):
            rig.environment[setting] = f"{servers} dbname={database} connect_timeout=1 target_session_attrs=read-write"
        for name in ("serve", "work"):
            rig.stop(name)
            rig.start(name)

        user = rig.user()
        user.wait_done(user.record())
        assert "did not answer in time" in rig.log_text()


def test_check_names_every_fault_of_the_settings_at_once(rig):
    wrong = {k: v for k, v in rig.environment.items() if k not in ("DIARY_OBJECTS", "DIARY_SERVICE_SECRET")}
    wrong |= {"DIARY_OBJEKTS": "/hunter2", "DIARY_POOL_SIZE": "hunter2"}
    done = subprocess.run([PROGRAM, "check"], env=wrong, capture_output=True, text=True, timeout=30)
    as_json = subprocess.run([PROGRAM, "check", "--json"], env=wrong, capture_output=True, text=True, timeout=30)

    assert done.returncode == as_json.returncode == 78 and "Usage" not in done.stderr
    names = {"DIARY_OBJECTS", "DIARY_SERVICE_SECRET", "DIARY_OBJEKTS", "DIARY_POOL_SIZE"}
    assert {row["name"] for row in json.loads(as_json.stdout)["faults"]} == names
    assert all(name in done.stderr for name in names) and "did you mean DIARY_OBJECTS?" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr + as_json.stdout + as_json.stderr
    assert "acceptable" in rig.diary("check")


@contextlib.contextmanager
def at_a_terminal(rig, *words, **more):
    """A command whose standard error is a terminal; gives its process and a function that reads what it has written until a text is in it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], env={**rig.environment, **more}, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen = bytearray()

    def until(text):
        def reads():
            with contextlib.suppress(OSError):  # EIO: the other end is closed.
                if select.select([ours], [], [], 0.1)[0]:
                    seen.extend(os.read(ours, 65536))
            return text.encode() in seen

        wait_for(reads, 30, f"{text!r} in {bytes(seen)!r}")
        return seen.decode().replace("\r\n", "\n")

    try:
        yield process, until
    finally:
        process.kill()
        process.communicate()
        os.close(ours)


def test_log_lines_at_a_terminal_are_plain(rig):
    with at_a_terminal(rig, "serve", DIARY_LISTEN=f"127.0.0.1:{free_port()}", DIARY_OBJEKTS="x") as (_, until):
        text = until("starting")
        assert '{"' not in text and "warning   unknown setting" in text and "did you mean DIARY_OBJECTS?" in text
    with at_a_terminal(rig, "work", DIARY_OBJECTS="", DIARY_REDIS_URL="") as (process, until):
        text = until("DIARY_OBJECTS: is required")
        assert "Error: setting DIARY_REDIS_URL: is required\nsetting DIARY_OBJECTS: is required" in text
        assert process.wait(10) == 78
