"""Programs beside schemas of other versions, and schemas whose rights were changed."""

import json
import shutil
import subprocess

import http_client
from processes import PROGRAM, wait_for
from servers import ROOT

LAST = {
    "diary": sorted((ROOT / "migrations/main").glob("*.sql"))[-1].name,
    "diary_keys": sorted((ROOT / "migrations/keys").glob("*.sql"))[-1].name,
}
NAMES = {"diary": "main", "diary_keys": "keys"}


def run(rig, *words, **more):
    return subprocess.run([PROGRAM, *words], env={**rig.environment, **more}, capture_output=True, text=True, timeout=60)


def readiness(rig):
    answer = http_client.get(rig.url + "/readyz", timeout=5)
    return answer.status_code, answer.json()["schema"]


def test_an_older_schema_is_refused_and_a_newer_one_allowed_while_processes_are_replaced(own_rig):
    assert readiness(own_rig) == (200, "current")
    wait_for(lambda: "worker starts" in (own_rig.folder / "logs/work.log").read_text(), 20, "the worker's start")
    for database, file in LAST.items():
        number, name = int(file[:4]), file[5:-4]
        row = own_rig.postgres.sql(database, "delete from schema_migrations where number = %s returning name, sha256", number)
        assert row[0][0] == name

        # A process that runs says so; one that starts refuses.
        wait_for(lambda: readiness(own_rig) == (503, "older"), 20, "the state of the schema")
        for command in ("serve", "work"):
            done = run(own_rig, command, DIARY_LISTEN=f"{own_rig.folder}/other.sock")
            assert done.returncode != 0
            assert f"{NAMES[database]} database" in done.stderr and f"{number} {name}" in done.stderr and "diary migrate up" in done.stderr

        own_rig.postgres.sql(database, "insert into schema_migrations (number, name, sha256) values (%s, %s, %s)", number, *row[0])
        wait_for(lambda: readiness(own_rig) == (200, "current"), 20, "the schema again")

    later = int(LAST["diary"][:4]) + 1
    own_rig.postgres.sql("diary", "insert into schema_migrations (number, name, sha256) values (%s, 'later', 'ff')", later)
    own_rig.stop("serve")
    own_rig.start("serve")
    assert readiness(own_rig) == (200, "newer")
    assert own_rig.user().create_text("written by the older program")
    assert f"{later} later are newer than this program" in own_rig.log_text()
    # So an older package can be put back: its migrations are the first thing that its installation runs.
    done = run(own_rig, "migrate", "up")
    assert done.returncode == 0 and "main: up to date" in done.stdout and "later" in done.stderr
    refused = run(own_rig, "migrate", "verify")
    assert refused.returncode != 0 and f"{later} later" in refused.stderr


def test_a_database_that_was_away_at_the_start_is_compared_when_it_answers(own_rig):
    number = int(LAST["diary"][:4])
    own_rig.postgres.sql("diary", "delete from schema_migrations where number = %s", number)
    own_rig.stop("work")
    own_rig.postgres.stop()
    worker = own_rig.start("work", "late")
    wait_for(lambda: "worker starts" in (own_rig.folder / "logs/late.log").read_text(), 20, "the worker's start")
    assert worker.poll() is None
    own_rig.postgres.start()

    assert worker.wait(30) != 0
    own_rig.processes.pop("late")
    assert "run `diary migrate up`" in (own_rig.folder / "logs/late.log").read_text()


def test_migrations_of_another_version_than_the_programs_are_refused_by_name(rig, tmp_path):
    shutil.copytree(ROOT / "migrations", tmp_path / "migrations")
    shutil.copy(ROOT / "openapi.yaml", tmp_path)
    (tmp_path / "migrations/main" / LAST["diary"]).unlink()

    for command in ("up", "status", "verify"):
        done = run(rig, "migrate", command, DIARY_SHARE=str(tmp_path))
        assert done.returncode != 0, command
        assert f"{tmp_path}/migrations does not hold" in done.stderr and f"main/{LAST['diary']} is missing" in done.stderr


def test_verify_names_a_right_that_a_restore_lost(rig):
    assert run(rig, "migrate", "verify").returncode == 0
    # As after `pg_dump` and `pg_restore` without -C.
    rig.postgres.sql("diary", "grant temporary on database diary to public")
    rig.postgres.sql("diary_keys", "revoke select on user_keys from diary_worker")

    done = run(rig, "migrate", "verify")
    assert done.returncode != 0 and "unexpected: database: PUBLIC TEMPORARY" in done.stderr
    rig.postgres.sql("diary", "revoke temporary on database diary from public")
    done = run(rig, "migrate", "verify")
    assert done.returncode != 0 and "missing: table user_keys: diary_worker DELETE, SELECT" in done.stderr
    assert "unexpected: table user_keys: diary_worker DELETE" in done.stderr
    rig.postgres.sql("diary_keys", "grant select on user_keys to diary_worker")
    assert run(rig, "migrate", "verify").returncode == 0


def test_a_command_before_the_first_migration_says_what_to_run(rig):
    rig.postgres.sql("postgres", "create database empty owner diary_owner")
    words = ("tenant", "create", "my-day", "--name", "My Day", "--mail-from", "diary@example.org")
    done = run(rig, *words, DIARY_DATABASE_URL=rig.postgres.conninfo("empty"))
    rig.postgres.sql("postgres", "drop database empty")

    assert done.returncode != 0 and "diary migrate" in done.stderr


def test_the_version_is_that_of_the_contract_and_of_the_log(rig):
    version = run(rig, "--version").stdout.strip()

    assert http_client.get(rig.url + "/v1/config").json()["version"] == version.split("+")[0]
    lines = [json.loads(line) for line in (rig.folder / "logs/serve.log").read_text().splitlines() if line.startswith("{")]
    assert any(line.get("version") == version for line in lines)
