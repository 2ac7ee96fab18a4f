"""A20: backup and restore by the runbook of docs/backup.md, and what a restore must not break."""

import datetime
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import time

import pytest

import http_client
from erasure_remains import erase, files_below, wait_erased
from key_commands import kid, refreshed, sign_now
from processes import PROGRAM, wait_for
from rig import Rig
from runbook import BLOCKS, Runbook, script
from servers import ROOT
from user import SAMPLE
from zips import day_one, day_one_entry, send, shown, wait_import


@pytest.fixture
def rig():
    """Orphans are swept after a second, so that nothing but the keeping protects the recordings of the lost time."""
    rig = Rig(DIARY_ORPHAN_SECONDS="1")
    yield rig
    rig.end()


def diary(rig, *words, code=0, **more):
    done = subprocess.run([PROGRAM, *words], env={**rig.environment, **more}, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr if code else done.stdout


def check(rig, clean=False):
    """What `diary restore-check` finds: by kind the users, or ids where there is no user."""
    lines = [json.loads(line) for line in diary(rig, "restore-check", "--json", code=0 if clean else 2).splitlines()]
    found = {}
    for line in lines[:-1]:
        found.setdefault(line["finding"], []).append(line.get("user") or line.get("id"))
    assert {kind: len(places) for kind, places in found.items()} == lines[-1]["findings"]
    return found, lines[-1]["counts"]


def position(user, **query):
    return user.call("GET", "/v1/changes", 200, params=query).json()["next_since"]


def expired(user, since):
    return user.call("GET", "/v1/changes", (200, 410), params={"since": since}).status_code == 410


def recordings(rig):
    return {path for path in files_below(rig.folder / "objects" / "audio")}


def orphans(rig, *words):
    return json.loads(diary(rig, "objects", "orphans", "--json", *words))


def swept_once(rig):
    """The new worker has looked for orphans."""
    log = rig.folder / "logs" / "work.log"
    began = len(log.read_text()) if log.exists() else 0
    rig.start("work")
    wait_for(lambda: "orphan objects kept" in log.read_text()[began:], 30, "a look for orphans")


def sign_in(user):
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())


def import_until_a_death(rig, user):
    """An import of two entries whose worker dies after the first: its zip is sealed, and no worker runs."""
    rig.stop("work")
    worker = rig.start("work", DIARY_FAIL="I03:1:kill", DIARY_FAIL_ONCE=str(rig.folder / "once"))
    import_id = send(user, day_one([day_one_entry(1), day_one_entry(2)]))
    wait_for(lambda: worker.poll() is not None, 30, "the death")
    rig.processes.pop("work")
    return import_id


def unreadable(rig, user, entry):
    user.call("POST", "/v1/auth/email", 401, json={"email": user.address, "password": user.password})
    for path in ("/v1/me", "/v1/entries", f"/v1/entries/{entry}", f"/v1/entries/{entry}/transcript"):
        user.call("GET", path, 401)


def played(user, entry):
    place = user.call("GET", f"/v1/entries/{entry}/audio", 302).headers["location"]
    return http_client.get(place, timeout=20).content


@pytest.mark.long
def test_a20_an_older_main_database_ends_every_position_and_sweeps_no_recording(rig):
    book, anna, berta, carl = Runbook(rig), rig.user(), rig.user(), rig.user()
    entries = {}
    for user in (anna, berta):
        entries[user] = user.record(title="a walk")
        user.wait_done(entries[user])
    words = berta.create_text("dear diary")["entry_id"]
    rig.stop("work")
    # Uploaded at the time of the dump, verified in the time that is lost.
    waiting = carl.create_voice()
    carl.put(waiting["upload"])
    before = position(berta)
    old = book.back_up("old")
    rig.start("work")

    carl.complete(waiting["entry_id"])
    carl.wait_done(waiting["entry_id"])
    clara = rig.user()
    lost = {berta: berta.record(title="lost"), clara: clara.record()}
    positions = [before, position(berta, limit=1)]
    for number in range(4):
        berta.create_text(f"lost {number}")
        positions.append(position(berta))
    for user, entry in lost.items():
        user.wait_done(entry)
    positions += [position(berta), position(berta, limit=2)]
    moment = datetime.datetime.now(datetime.UTC).isoformat().replace("+00:00", "Z")
    assert not any(expired(berta, since) for since in positions)
    refreshed = berta.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": berta.tokens["refresh_token"]}).json()
    wait_erased(rig, erase(anna)["receipt"])
    new = book.back_up("new")
    stored = recordings(rig)

    book.stop()
    book.destroy("diary")
    book.run("restore roles")
    book.run("restore main", old)
    assert check(rig)[0]["old_epoch"] == [None]
    book.run("restore finish")
    found, counts = check(rig)
    assert (found["account_without_key"], found["key_of_lost_account"]) == ([anna.id], [clara.id])
    assert sorted(found.pop("object_without_row")) == sorted([berta.id, clara.id])
    assert "old_epoch" not in found and found.pop("missing_object") == [anna.id] and counts["accounts"] == 3 and counts["keys"] == 3
    rig.start("serve")
    swept_once(rig)

    assert recordings(rig) == stored, "0 recordings swept"
    kept = orphans(rig)
    assert kept["kept_times"] and {k["kind"]: k["kept"] for k in kept["kinds"]} == {"staging": 0, "audio": 2, "export": 0, "import": 0}
    # The access token is as old as the dump; what was refreshed since is not known.
    assert {e["id"] for e in berta.call("GET", "/v1/entries", 200).json()["entries"]} == {entries[berta], words}
    berta.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": refreshed["refresh_token"]})
    sign_in(berta)
    assert berta.entry(words)["text"] == "dear diary" and played(berta, entries[berta]) == SAMPLE.read_bytes()
    berta.call("GET", f"/v1/entries/{lost[berta]}", 404)
    clara.call("GET", "/v1/me", 401)
    unreadable(rig, anna, entries[anna])
    carl.complete(waiting["entry_id"])
    carl.wait_done(waiting["entry_id"])
    assert all(expired(berta, since) for since in [*positions, moment])
    # Also when the numbers have caught up and gone past.
    fresh = position(berta)
    old_ones = [*positions, moment]
    for number in range(25):
        berta.create_text(f"later {number}")
        assert expired(berta, old_ones[number % len(old_ones)])
    assert all(expired(berta, since) for since in old_ones)
    assert len(berta.call("GET", "/v1/changes", 200, params={"since": fresh}).json()["entries"]) == 25

    # A newer dump is restored, without `new-epoch`.
    book.stop()
    book.destroy("diary")
    book.run("restore main", new)
    log = rig.folder / "logs" / "work.log"
    rig.start("work")
    wait_for(lambda: "database restored" in log.read_text(), 30, "the worker's finding")
    rig.start("serve")
    sign_in(berta)
    assert played(berta, lost[berta]) == SAMPLE.read_bytes() and played(clara, lost[clara]) == SAMPLE.read_bytes()
    assert all(expired(berta, since) for since in [*positions, fresh, moment])
    assert recordings(rig) == stored and {k["kept"] for k in orphans(rig)["kinds"]} == {0}
    check(rig, clean=True)
    print(f"A20: {len(positions)} positions of the lost time, all 410; {len(stored)} recordings, 0 swept")


@pytest.mark.long
def test_a20_older_main_and_objects_with_newer_keys_fit_together_after_the_runbook(rig):
    book, anna, berta, dora = Runbook(rig), rig.user(), rig.user(), rig.user()
    entries = {}
    for user in (anna, berta):
        entries[user] = user.record(title="a walk")
        user.wait_done(entries[user])
    import_id = import_until_a_death(rig, dora)
    assert shown(dora, import_id)["status"] != "finished" and files_below(rig.folder / "objects/import")
    old = book.back_up("old")
    rig.start("work")
    wait_import(dora, import_id)
    clara = rig.user()
    lost = berta.record()
    berta.wait_done(lost)
    since = position(berta)
    wait_erased(rig, erase(anna)["receipt"])
    new = book.back_up("new")

    book.stop()
    book.destroy("diary", "diary_keys", objects=True)
    book.run("restore main", old)
    book.run("restore keys", new)
    book.run("restore objects", old)
    # The copy of the objects is younger than the dump, so that it also has one that no row names.
    (recording,) = [p for p in recordings(rig) if berta.id in str(p)]
    orphan = recording.with_name(secrets.token_hex(4) + recording.name[8:])
    shutil.copy(recording, orphan)
    book.run("restore finish")
    found, _ = check(rig)
    assert found == {"account_without_key": [anna.id], "key_of_lost_account": [clara.id], "object_without_row": [berta.id]}
    rig.start("serve")
    # The worker looks once, and leaves what is younger than DIARY_ORPHAN_SECONDS.
    wait_for(lambda: time.time() - orphan.stat().st_ctime > 1.2, 5, "the age of an orphan")
    swept_once(rig)

    assert orphan.exists() and expired(berta, since)
    sign_in(berta)
    assert berta.entry(entries[berta])["title"] == "a walk" and played(berta, entries[berta]) == SAMPLE.read_bytes()
    unreadable(rig, anna, entries[anna])
    sign_in(dora)
    assert wait_import(dora, import_id)["counts"] == {"created": 2, "unchanged": 0, "skipped": 0, "failed": 0}
    # What the check said.
    receipt = json.loads(diary(rig, "user", "erase", anna.app, anna.id, "--yes", "--json"))["receipt"]
    wait_erased(rig, receipt)
    assert not [p for p in recordings(rig) if anna.id in str(p)]
    tenant = rig.tenants["my-day"]
    assert "--yes" in diary(rig, "keys", "destroy", tenant, clara.id, code=1)
    assert "has this account" in diary(rig, "keys", "destroy", tenant, berta.id, "--yes", code=1)
    diary(rig, "keys", "destroy", tenant, clara.id, "--yes")
    assert "no such key" in diary(rig, "keys", "destroy", tenant, clara.id, "--yes", code=1)
    assert "--yes" in diary(rig, "objects", "orphans", "--delete", code=1) and orphan.exists()
    assert orphans(rig, "--delete", "--yes")["deleted"] == 1
    assert not orphan.exists() and recording.exists() and orphans(rig)["kept_times"] == []
    book.run("restore check")
    # Her address is free.
    mails = len(rig.mails(anna.address))
    anna.http.headers.pop("Authorization")
    anna.call("POST", "/v1/auth/email/register", 202, json={"email": anna.address, "password": anna.password})
    wait_for(lambda: len(rig.mails(anna.address)) > mails, 20, "a code's mail")


@pytest.mark.long
def test_a20_older_keys_bring_neither_an_erased_account_nor_a_retired_token_key_back(rig):
    def states():
        return {key["kid"]: key["state"] for key in json.loads(diary(rig, "keys", "list", "--json"))["signing"]}

    def signs(key):
        return kid(refreshed(thief)) == key

    def new_key():
        """It signs at once, as soon as processes have read it."""
        key = json.loads(diary(rig, "keys", "rotate", "--now", "--json"))["kid"]
        sign_now(rig, key)
        wait_for(lambda: signs(key), 20, "a token of the new key")
        return key

    book, anna, thief = Runbook(rig), rig.user(), rig.user()
    entry = anna.create_text("gone")["entry_id"]
    leaked = new_key()
    stolen = {"Authorization": "Bearer " + thief.tokens["access_token"]}
    assert thief.call("GET", "/v1/me", 200, headers=stolen)
    old = book.back_up("old")
    new_key()
    diary(rig, "keys", "retire", leaked, "--now")
    wait_for(lambda: thief.call("GET", "/v1/me", (200, 401), headers=stolen).status_code == 401, 15, "the end of the retired key's token")
    wait_erased(rig, erase(anna)["receipt"])

    book.stop()
    book.destroy("diary_keys")
    book.run("restore keys", old)
    # Older than any sign-up that might be under way.
    rig.postgres.sql("diary_keys", "update user_keys set created_at = created_at - interval '1 hour' where user_id = %s", anna.id)
    found, _ = check(rig)
    assert found["key_without_account"] == [anna.id] and found["token_key_restored"] == [leaked]
    book.start()

    assert thief.call("GET", "/v1/me", 401, headers=stolen).json()["code"] == "unauthorized"
    assert leaked not in [key["kid"] for key in http_client.get(rig.url + "/.well-known/jwks.json", timeout=10).json()["keys"]]
    assert states()[leaked] == "restored" and "retired token key refused" in rig.log_text()
    unreadable(rig, anna, entry)
    diary(rig, "keys", "retire", leaked)
    diary(rig, "keys", "destroy", rig.tenants["my-day"], anna.id, "--yes")
    assert states()[leaked] == "retired"
    check(rig, clean=True)


def test_a_wrong_master_key_or_service_secret_stops_every_start_and_the_commands_that_use_it(rig):
    user = rig.user()
    user.create_text("kept")
    book = Runbook(rig)
    book.stop()
    right = dict(rig.environment)
    wrong = {"DIARY_MASTER_KEYS": "m1:" + secrets.token_hex(32), "DIARY_SERVICE_SECRET": secrets.token_hex(32)}
    commands = {
        "DIARY_MASTER_KEYS": (("keys", "list"), ("keys", "rewrap")),
        "DIARY_SERVICE_SECRET": (("user", "show", user.app, user.address), ("user", "erase", user.app, user.id, "--yes")),
    }
    for name, value in wrong.items():
        for words in (("serve",), ("work",), *commands[name]):
            said = diary(rig, *words, code=78, **{name: value})
            assert f"setting {name}" in said and value not in said, (words, said)
        kind = {"DIARY_MASTER_KEYS": "wrong_master_key", "DIARY_SERVICE_SECRET": "wrong_service_secret"}[name]
        assert kind in diary(rig, "restore-check", code=2, **{name: value})

    # A second master is recorded when it is first seen, and another one under its name is refused from then on.
    second = f"{right['DIARY_MASTER_KEYS']},m2:{secrets.token_hex(32)}"
    diary(rig, "keys", "list", DIARY_MASTER_KEYS=second)
    other = f"{right['DIARY_MASTER_KEYS']},m2:{secrets.token_hex(32)}"
    assert "m2" in diary(rig, "work", code=78, DIARY_MASTER_KEYS=other)
    book.start()
    assert user.call("GET", "/v1/me", 200).json()["id"] == user.id
    check(rig, clean=True)


def test_a_backup_has_every_kind_of_object_in_the_order_in_which_they_move():
    cases = re.search(r"enum Kind: String.*?\n    }\n", (ROOT / "Sources/DiaryCore/Objects/ObjectKey.swift").read_text(), re.S)[0]
    listed = ", ".join(re.findall(r"^ +case (.+)$", cases, re.M)).split(", ")
    kinds = [re.sub(r'.* = "(\w+)"', r"\1", case) for case in listed]
    (copied,) = re.findall(r'objects\.tar" (.+?) \|\|', BLOCKS["backup"])
    assert len(kinds) > 3 and copied.split() == ["sweep-mark", "parts", *kinds]


def restored_by_root(folder):
    folder.chmod(0o755)
    source, objects = folder / "source", folder / "lib/objects"
    (source / "audio").mkdir(parents=True)
    for path in (source, source / "audio"):
        shutil.chown(path, "daemon", "daemon")
    subprocess.run(["tar", "-C", source, "-cf", folder / "objects.tar", "audio"], check=True)
    commands = script("restore objects", owner=("daemon", "daemon"), **{"/var/lib/diary/objects": str(objects)})
    subprocess.run(["bash", "-c", commands], env={"PATH": os.environ["PATH"], "BACKUP": str(folder)}, check=True)

    assert (objects.owner(), objects.stat().st_mode & 0o777, (objects / "audio").owner()) == ("daemon", 0o700, "daemon")
    for place in (objects, objects / "audio"):
        subprocess.run(["setpriv", "--reuid=daemon", "--regid=daemon", "--clear-groups", "mkdir", place / "tmp"], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="owners are root's to give")
def test_the_service_can_write_into_the_folder_of_objects_that_root_restored():
    # Below pytest's own folder no other user gets.
    with tempfile.TemporaryDirectory(prefix="diary-restore-", dir="/tmp") as folder:
        restored_by_root(pathlib.Path(folder))


def test_the_runbook_has_every_step_that_is_tested_and_asks_for_nothing_that_it_does_not_name():
    assert set(BLOCKS) == {f"restore {step}" for step in ("roles", "main", "keys", "objects", "finish", "check")} | {"runbook", "backup"}
    used = {name for block in BLOCKS.values() for name in re.findall(r"\$\{?([A-Z_]+)", block)}
    given = set(re.findall(r"([A-Z_]+)=", BLOCKS["runbook"]))
    assert used == {"MAIN", "KEYS", "MAIN_ROOT", "KEYS_ROOT", "BACKUP", "SHARE", "DIARY_OBJECTS"} and used - given == {"BACKUP"}
    # The password file of the role that dumps.
    file = re.search(r"PGPASSFILE=/etc/diary/pgpass/(\w+)", BLOCKS["runbook"])[1]
    assert re.search(rf"^\| `{file}` \|.*`diary_backup`", (ROOT / "docs/install.md").read_text(), re.M)
