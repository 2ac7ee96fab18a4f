"""G4, G5, B15: erasing an account, with work in flight, and what is left of it."""

import concurrent.futures
import secrets
import shutil
import subprocess
import threading
import time

import pytest
import requests

import http_client
from erasure_remains import deletion, erase, files_below, files_of, nothing_left, rate_keys, wait_erased
from processes import wait_for
from repetitions import repetitions
from rig import Rig
from servers import as_server_user
from user import SAMPLE


@pytest.fixture(scope="module")
def erasure_rig():
    rig = Rig(DIARY_SPEECH_SLOTS="16")
    yield rig
    rig.end()


@pytest.fixture
def rig(erasure_rig):
    yield erasure_rig
    erasure_rig.unscript()


def test_b15_every_token_and_link_of_the_account_is_dead_with_the_answer(rig):
    user = rig.user()
    entry = user.record()
    user.wait_done(entry)
    user.export()
    waiting = user.create_voice()["upload"]
    phone = {
        "kind": "voice",
        "audio": "device",
        "transcript": {"text": "we swam", "language": "en", "source": "phone"},
        "recognise": "never",
    }
    user.call("POST", "/v1/entries", 201, json=phone)
    api = user.call("POST", "/v1/me/tokens", 201, json={"name": "watch", "scopes": ["all"]}).json()["token"]
    user.call("GET", "/v1/entries", 200, headers={"Authorization": f"Bearer {api}"})
    playback = user.audio_url(entry)
    link = user.export_links()[0]
    file = http_client.post(f"{link}/download", allow_redirects=False, timeout=10).headers["location"]
    second = user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password, "device": "tablet"}).json()
    assert http_client.get(playback, timeout=10).status_code == 200
    assert http_client.get(rig.url + file, timeout=10).status_code == 200

    rig.stop("work")
    receipt = erase(user)["receipt"]

    # No worker has run: all this is the tombstone's.
    bodies = set()
    for token in (user.tokens["access_token"], second["access_token"], api):
        for method, path in (
            ("GET", "/v1/me"),
            ("GET", "/v1/entries"),
            ("DELETE", "/v1/me"),
            ("POST", "/v1/entries"),
            ("GET", f"/v1/entries/{entry}"),
        ):
            if token == api and method == "DELETE":
                continue  # No API token may, whether it is one or not.
            body = {"kind": "text", "text": "again"} if method == "POST" else None
            answer = user.call(method, path, 401, headers={"Authorization": f"Bearer {token}"}, json=body)
            bodies.add(answer.json()["code"])
    for token in (user.tokens["refresh_token"], second["refresh_token"]):
        user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": token})
    assert bodies == {"unauthorized"}
    user.call("POST", "/v1/auth/email", 401, json={"email": user.address, "password": user.password})
    assert http_client.get(playback, timeout=10).status_code == 404
    assert http_client.get(playback, headers={"Range": "bytes=0-9"}, timeout=10).status_code == 404
    assert http_client.get(link, timeout=10).status_code == 410
    assert http_client.get(rig.url + file, timeout=10).status_code == 410
    assert user.put(waiting, expect=None).status_code in (403, 410)
    assert deletion(rig, receipt)["status"] == "erasing"

    rig.start("work")
    seen = wait_erased(rig, receipt)
    assert seen["counts"] | {"objects": 2, "entries": 3, "exports": 1, "keys": 1} == seen["counts"]
    assert seen["counts"]["sessions"] == 2 and seen["counts"]["mails"] >= 1
    assert user.id not in str(seen) and seen["key_destroyed_at"] <= seen["erased_at"]
    nothing_left(rig, user)


def test_the_address_is_free_at_once_and_the_new_account_knows_nothing(rig):
    user = rig.user()
    user.create_text("first life")
    mails = len(rig.mails(user.address))

    rig.stop("work")
    erase(user)
    user.http.headers.pop("Authorization")
    sent = user.call("POST", "/v1/auth/email/register", 202, json={"email": user.address, "password": user.password}).json()
    rig.start("work")

    wait_for(lambda: len(rig.mails(user.address)) > mails, 20, "the new code's mail")
    known = user.id
    user.use(
        user.call(
            "POST", "/v1/auth/email/verify", 200, json={"email": user.address, "code": user.code(), "request": sent["request"]}
        ).json()
    )
    assert user.id != known
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []


def test_proof_is_asked_for_and_without_it_nothing_happens(rig):
    user = rig.user()
    user.create_text("still here")

    def refused(code="reauthentication_required", **more):
        assert user.call("DELETE", "/v1/me", 403, **more).json()["code"] == code

    refused("password_refused", json={"password": "not the right passphrase"})
    rig.postgres.sql("diary", "update sessions set proved_at = proved_at - interval '11 minutes' where user_id = %s", user.id)
    refused()
    refused(json={})
    refused(json={"password": None})
    refused("password_refused", json={"password": "not the right passphrase"})

    assert len(user.call("GET", "/v1/entries", 200).json()["items"]) == 1
    user.call("DELETE", "/v1/me", 422, json={"password": 7})
    user.call("DELETE", "/v1/me", 415, data="password=x", headers={"Content-Type": "text/plain"})
    user.call("DELETE", "/v1/me", 415, data=b"x")
    user.call("DELETE", "/v1/me", 400, data="{", headers={"Content-Type": "application/json"})

    # A session that has just signed in needs no password, an old one does.
    fresh = user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json()
    other = rig.user()
    other_receipt = other.call("DELETE", "/v1/me", 202).json()["receipt"]
    receipt = user.call("DELETE", "/v1/me", 202, headers={"Authorization": "Bearer " + fresh["access_token"]}).json()["receipt"]
    wait_erased(rig, receipt)
    wait_erased(rig, other_receipt)
    nothing_left(rig, user)


def test_a_receipt_names_no_person_and_cannot_be_guessed(rig):
    users = [rig.user() for _ in range(3)]
    receipts = [erase(user)["receipt"] for user in users]

    assert len({r for r in receipts}) == 3 and all(len(r) == 32 for r in receipts)
    for path in ("x", receipts[0][:-1], receipts[0] + "A", receipts[0].swapcase(), users[0].id, secrets.token_urlsafe(24)):
        assert http_client.get(f"{rig.url}/v1/deletions/{path}", timeout=10).status_code == 404
    for receipt in receipts:
        wait_erased(rig, receipt)
    # Neither the receipt nor whose it is lies in the row, and in no log.
    rows = rig.postgres.sql("diary", "select to_jsonb(d)::text from deletions d")
    logs = rig.log_text()
    for user, receipt in zip(users, receipts):
        assert not any(receipt in row[0] or user.id in row[0] for row in rows)
        assert receipt not in logs and user.address not in logs
    # They end after 30 days.
    rig.postgres.sql("diary", "update deletions set erased_at = erased_at - interval '31 days', swept_at = now(), subject_sealed = null")
    rig.stop("work")
    rig.start("work")
    wait_for(lambda: http_client.get(f"{rig.url}/v1/deletions/{receipts[0]}", timeout=10).status_code == 404, 20, "the end of the receipt")


def test_g5_erased_within_a_minute_with_twenty_jobs_in_flight(rig):
    user, neighbour = rig.user(), rig.user()
    kept = neighbour.record()
    neighbour.wait_done(kept)
    rig.script("speech", delay_seconds=20)
    before = rate_keys(rig)
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda n: user.record(SAMPLE.read_bytes() + bytes([n])), range(20)))
    mine = rate_keys(rig) - before
    texts = [user.create_text(f"words {n}") for n in range(30)]
    user.call("POST", "/v1/speakers", 201, json={"name": "Anna"})
    export = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"]
    busy = "select count(*) from jobs where user_id = %s and state in ('ready', 'leased')"
    wait_for(
        lambda: (
            rig.postgres.sql("diary", "select count(*) from jobs where user_id = %s and state = 'leased' and kind = 'transcribe'", user.id)[
                0
            ][0]
            >= 8
        ),
        20,
        "recognitions under way",
    )
    in_flight = rig.postgres.sql("diary", busy, user.id)[0][0]
    assert in_flight >= 20 and export and len(texts) == 30 and mine

    began = time.monotonic()
    receipt = erase(user)["receipt"]
    assert rig.postgres.sql("diary", busy, user.id)[0][0] == 0
    seen = wait_erased(rig, receipt)
    took = time.monotonic() - began

    assert took < 60 and seen["counts"]["entries"] == 50 and seen["counts"]["objects"] >= 20
    nothing_left(rig, user)
    # What was under way ends quietly: recreates nothing, leaves no dead letter, and its plain recording is gone.
    rig.unscript()
    wait_for(lambda: not [p for p in files_below(rig.folder / "tmp") if p.name == "recording"], 40, "the end of the jobs")
    nothing_left(rig, user)
    assert rig.postgres.sql("diary", "select count(*) from jobs where state = 'dead'") == [(0,)]
    assert not (mine & rate_keys(rig)), "what the rate limiter remembered"
    assert neighbour.entry(kept)["status"] == "transcribed"
    print(f"G5: {in_flight} jobs in flight, erased after {took:.1f} s: 0 rows, 0 objects, 0 Redis keys")


@pytest.mark.long
def test_g5_races_between_work_and_erasure_recreate_nothing(rig):
    rig.script("speech", delay_seconds=0.05)
    users, receipts = [rig.user() for _ in range(repetitions(20, 7))], []

    def race(number):
        user = users[number]
        stop = threading.Event()

        def write():
            while not stop.is_set():
                try:
                    made = user.http.post(
                        rig.url + "/v1/entries",
                        json={
                            "kind": "voice",
                            "content_type": "audio/mp4",
                            "size_bytes": SAMPLE.stat().st_size,
                            "recorded_at": "2026-03-01T12:00:00Z",
                        },
                        timeout=20,
                    )
                    if made.status_code != 201:
                        assert made.status_code == 401, made.text
                        stop.wait(0.05)
                        continue
                    made = made.json()
                    put = http_client.put(made["upload"]["url"], data=SAMPLE.read_bytes(), headers=made["upload"]["headers"], timeout=20)
                    assert put.status_code in (200, 403, 404), put.text
                    done = user.http.post(f"{rig.url}/v1/uploads/{made['entry_id']}/complete", timeout=20)
                    assert done.status_code in (202, 401, 404), done.text
                    asked = user.http.post(rig.url + "/v1/exports", json={"from": "2026-01-01", "to": "2026-12-31"}, timeout=20)
                    assert asked.status_code in (202, 401), asked.text
                except requests.ConnectionError:
                    pass

        writers = [concurrent.futures.ThreadPoolExecutor(1) for _ in range(2)]
        running = [w.submit(write) for w in writers]
        time.sleep(0.05 * (number % 7))
        receipts.append(erase(user)["receipt"])
        time.sleep(0.5)
        stop.set()
        for one in running:
            one.result(60)

    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        list(pool.map(race, range(len(users))))
    for receipt in receipts:
        wait_erased(rig, receipt)

    # A put whose address was checked before the tombstone may land after the rows are gone: the next looks find it.
    wait_for(lambda: not [p for user in users for p in files_of(rig, user)], 60, "the looks for late objects")
    nothing_left(rig, *users)
    assert rig.postgres.sql("diary", "select count(*) from jobs where state = 'dead'") == [(0,)]
    assert " 500 " not in rig.log_text() and '"status":500' not in rig.log_text()


def test_g4_a_backup_from_before_stays_unreadable(own_rig):
    rig = own_rig
    user, neighbour = rig.user(), rig.user()
    for person in (user, neighbour):
        person.kept = person.record(title="a walk")
        person.wait_done(person.kept)
        person.create_text("dear diary")
        person.export()
    playback = user.audio_url(user.kept)
    link = user.export_links()[0]
    dump = rig.folder / "before.sql"
    dump.write_bytes(
        subprocess.run(
            as_server_user()
            + [f"{rig.postgres.binaries}/pg_dump", "-h", rig.postgres.folder, "-U", "diary_backup", "--clean", "--if-exists", "diary"],
            capture_output=True,
            check=True,
            cwd="/",
        ).stdout
    )
    shutil.copytree(rig.folder / "objects", rig.folder / "objects-before")

    receipt = erase(user)["receipt"]
    wait_erased(rig, receipt)
    nothing_left(rig, user)
    rig.stop("work")
    rig.stop("serve")
    subprocess.run(
        as_server_user() + [f"{rig.postgres.binaries}/psql", "-q", "-h", rig.postgres.folder, "-U", "postgres", "-d", "diary"],
        input=dump.read_bytes(),
        check=True,
        cwd="/",
        capture_output=True,
    )
    shutil.rmtree(rig.folder / "objects")
    shutil.copytree(rig.folder / "objects-before", rig.folder / "objects")
    rig.start("serve")
    rig.start("work")

    # The rows and objects are back, the key is not.
    assert rig.postgres.sql("diary", "select count(*) from entries where user_id = %s", user.id) == [(2,)]
    assert len(files_of(rig, user)) == 2
    assert rig.postgres.sql("diary_keys", "select count(*) from user_keys where user_id = %s", user.id) == [(0,)]
    again = user.call("POST", "/v1/auth/email", (200, 401), json={"email": user.address, "password": user.password})
    tokens = [user.tokens["access_token"]] + ([again.json()["access_token"]] if again.status_code == 200 else [])
    for token in tokens:
        for path in ("/v1/me", "/v1/entries", f"/v1/entries/{user.kept}", f"/v1/entries/{user.kept}/transcript"):
            user.call("GET", path, 401, headers={"Authorization": f"Bearer {token}"})
    assert http_client.get(playback, timeout=10).status_code == 404
    file = http_client.post(f"{link}/download", allow_redirects=False, timeout=10).headers["location"]
    assert http_client.get(rig.url + file, timeout=10).status_code == 404
    # Every sign-in method answers as it does for an unknown address (B8).
    unknown = f"{secrets.token_hex(8)}@example.org"
    code = {"code": "00000000", "request": "A" * 22}
    for path, body, status in (
        ("/v1/auth/email", {"password": user.password}, 401),
        ("/v1/auth/email", code, 403),
        ("/v1/auth/codes", {"purpose": "sign_in"}, 202),
        ("/v1/auth/codes", {"purpose": "new_password"}, 202),
        ("/v1/auth/email/reset/confirm", {**code, "password": user.password}, 403),
        ("/v1/auth/email/register", {"password": user.password}, 202),
        ("/v1/auth/codes", {"purpose": "sign_up", "request": "A" * 22}, 202),
        ("/v1/auth/email/verify", {"code": "00000000", "request": "A" * 22}, 403),
    ):
        seen = [user.call("POST", path, status, json={"email": address, **body}) for address in (user.address, unknown)]
        first, second = (
            {k: v for k, v in (answer.json() if answer.content else {}).items() if k not in ("request_id", "request")} for answer in seen
        )
        assert first == second, path
    # Nor does anything of it open for who holds every other key: the neighbour's diary is as it was.
    assert neighbour.entry(neighbour.kept)["title"] == "a walk"


def test_objects_that_come_late_are_swept_until_the_last_upload_address_has_ended(own_rig):
    rig = own_rig
    user = rig.user()
    user.record()
    rig.postgres.sql("diary", "alter table deletions alter column sweep_until drop not null")

    receipt = erase(user)["receipt"]
    wait_erased(rig, receipt)
    # As if a put from before the tombstone landed only now.
    late = rig.folder / "objects/staging" / rig.tenants["my-day"] / user.id / "0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4053"
    late.parent.mkdir(parents=True)
    late.write_bytes(b"late")
    wait_for(lambda: not late.exists(), 30, "the second look")
    assert deletion(rig, receipt)["swept_at"] is None
    rig.postgres.sql("diary", "update deletions set sweep_until = now(), run_at = now()")

    swept = wait_for(lambda: (d := deletion(rig, receipt))["swept_at"] and d, 30, "the last look")
    assert swept["counts"]["objects"] == 2
    assert rig.postgres.sql("diary", "select count(*) from deletions where subject_sealed is not null") == [(0,)]
