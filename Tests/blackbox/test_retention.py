"""Recordings that are removed while their texts stay, and deleted entries that come back from the trash."""

import collections
import io
import json
import secrets
import subprocess
import uuid
import zipfile

import pytest

import http_client
from processes import PROGRAM, wait_for

pytestmark = pytest.mark.any_store


@pytest.fixture(scope="module")
def app(shared_rig):
    """An app with a trash, of this file alone."""
    slug = "keep-" + secrets.token_hex(3)
    shared_rig.tenant(slug)
    shared_rig.diary("tenant", "set", slug, "trash_days=30")
    shared_rig.wait_for_app(slug)
    seen(shared_rig, slug, lambda limits: limits["trash_days"] == 30)
    return slug


def seen(rig, slug, condition):
    def known():
        config = http_client.get(rig.url + "/v1/config", headers={"Diary-App": slug}, timeout=10).json()
        return condition(config["limits"])

    wait_for(known, 15, "the app's settings")


def files(rig, user):
    return sorted(kind for kind, *_ in rig.store.names(user.id))


def feed(user, since="0"):
    return user.call("GET", f"/v1/changes?since={since}&limit=200", 200).json()


def manifest(user):
    made = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31", "mail": False}).json()
    path = f"/v1/exports/{made['id']}"
    wait_for(lambda: user.call("GET", path, 200).json()["status"] == "ready", 40, "the export")
    url = user.call("GET", f"{path}/url", 200).json()["url"]
    archive = zipfile.ZipFile(io.BytesIO(http_client.get(url, timeout=30).content))
    return archive.namelist(), json.loads(archive.read("manifest.json"))["entries"]


def code(user, method, path, status, **more):
    return user.call(method, path, status, **more).json()["code"]


def test_a_removed_recording_is_gone_everywhere_and_its_text_stays(rig):
    user = rig.user()
    entry_id = user.record()
    path = f"/v1/entries/{entry_id}"
    before = user.wait_done(entry_id)
    link = user.call("GET", f"{path}/audio/url", 200).json()["url"]
    since = feed(user)["next_since"]
    assert code(user, "DELETE", f"{path}/audio", 412, headers={"If-Match": '"9"'}) == "precondition_failed"

    removed = user.call("DELETE", f"{path}/audio", 200, headers={"If-Match": '"1"'}).json()
    assert removed == {**before, "audio_removed_at": removed["audio_removed_at"], "updated_at": removed["updated_at"]}
    assert user.call("DELETE", f"{path}/audio", 200).json() == removed, "it may be repeated"
    # A client whose first `complete` had no answer.
    assert user.complete(entry_id).json() == {"entry": removed}

    wait_for(lambda: files(rig, user) == [], 10, "the deletion of the object")
    assert feed(user, since)["items"] == [removed]
    assert code(user, "GET", f"{path}/audio/url", 410) == "audio_removed"
    assert http_client.get(link, timeout=10).status_code == 404
    assert code(user, "POST", f"{path}/reprocess", 410, json={"stage": "transcribe"}) == "audio_removed"
    user.call("POST", f"{path}/reprocess", 202, json={"stage": "clean"})
    assert user.wait_done(entry_id)["text"] == before["text"]
    stats = user.call("GET", "/v1/me/stats", 200).json()
    for counts in (stats, *stats["months"]):
        assert (counts["size_bytes"], counts["duration_s"], counts["recordings"]) == (0, before["duration_s"], 1)
    names, entries = manifest(user)
    assert not [name for name in names if name.startswith("audio/")]
    # The manifest has times to the microsecond.
    assert [(e["gaps"], e["audio_removed_at"][:23]) for e in entries] == [
        ([{"missing": "audio", "reason": "removed"}], removed["audio_removed_at"][:23])
    ]


def test_only_the_recording_of_a_finished_entry_can_be_removed(rig):
    user = rig.user()
    waiting = user.create_voice()["entry_id"]
    typed = user.create_text("a text")["entry_id"]
    rig.script("speech", fail="permanent")

    assert code(user, "DELETE", f"/v1/entries/{waiting}/audio", 409) == "transcript_not_ready"
    assert code(user, "DELETE", f"/v1/entries/{typed}/audio", 409) == "not_a_voice_entry"


def test_an_entry_comes_back_from_the_trash_whole(rig, app):
    user = rig.user(app=app)
    entry_id = user.record()
    path = f"/v1/entries/{entry_id}"
    user.wait_done(entry_id)
    patch = {"title": "Lake", "tags": ["summer"], "favorite": True, "keep_audio": True}
    before = user.call("PATCH", path, 200, json=patch, headers={"If-Match": "*"}).json()
    stored = user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"]
    since = feed(user)["next_since"]

    user.call("DELETE", path, 204)
    (tombstone,) = feed(user, since)["deleted"]
    assert tombstone["id"] == entry_id and "text" not in tombstone
    (trashed,) = user.call("GET", "/v1/trash", 200).json()["items"]
    assert {k: v for k, v in trashed.items() if k not in ("deleted_at", "trash_ends_at", "updated_at")} == {
        k: v for k, v in before.items() if k != "updated_at"
    }
    assert (trashed["deleted_at"], trashed["trash_ends_at"]) == (tombstone["deleted_at"], tombstone["trash_ends_at"])
    assert user.call("GET", "/v1/trash?view=summary", 200).json()["items"][0]["text"] is None
    for method, place, more in (("GET", "", {}), ("GET", "/audio/url", {}), ("DELETE", "", {}), ("DELETE", "/audio", {})):
        user.call(method, path + place, 404, **more)
    user.call("PATCH", path, 404, json={"title": "x"}, headers={"If-Match": "*"})
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []
    assert manifest(user)[1] == []
    stats = user.call("GET", "/v1/me/stats", 200).json()
    assert (stats["entries"], stats["usage"]["storage_bytes"]) == (0, stored), "it is no part of the diary, and counts as stored"

    after = user.call("POST", f"{path}/restore", 200).json()
    assert after == {**before, "updated_at": after["updated_at"]}
    assert user.call("POST", f"{path}/restore", 200).json() == after, "it may be repeated"
    assert feed(user, since)["items"] == [after] and user.call("GET", "/v1/trash", 200).json()["items"] == []
    audio = user.call("GET", f"{path}/audio/url", 200).json()["url"]
    assert len(http_client.get(audio, timeout=10).content) == before["size_bytes"]


def test_an_entry_in_the_trash_is_on_the_day_of_the_present_setting(rig, app):
    user = rig.user(app=app)
    # Half past one at night, by its own clock.
    id = user.create_text("at night", recorded_at="2026-03-10T00:30:00Z", time_zone="Europe/Berlin")["entry_id"]
    user.call("DELETE", f"/v1/entries/{id}", 204)
    since = feed(user)["next_since"]

    for ends_at, day in (("03:00", "2026-03-09"), ("01:30", "2026-03-10"), ("01:31", "2026-03-09")):
        user.call("PATCH", "/v1/me", 200, json={"day_ends_at": ends_at})
        for view in ("full", "summary"):
            (trashed,) = user.call("GET", f"/v1/trash?view={view}", 200).json()["items"]
            assert trashed["local_date"] == day, (ends_at, view)
    unchanged = feed(user, since)
    assert (unchanged["items"], unchanged["deleted"]) == ([], []), "a deletion is told once"

    assert user.call("POST", f"/v1/entries/{id}/restore", 200).json()["local_date"] == "2026-03-09"


def test_what_ends_in_the_trash_does_not_come_back(rig, app):
    user = rig.user(app=app)
    ids = [user.create_text(f"text {number}")["entry_id"] for number in range(4)]
    for entry_id in ids[:3]:
        user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    user.call("DELETE", f"/v1/entries/{ids[3]}?permanent=true", 204)
    assert [e["id"] for e in user.call("GET", "/v1/trash", 200).json()["items"]] == ids[2::-1]

    user.call("DELETE", f"/v1/entries/{ids[0]}", 404)
    refused = user.call("DELETE", f"/v1/entries/{ids[0]}?permanent=true", 412, headers={"If-Match": '"9"'}).json()
    assert refused["current"]["id"] == ids[0]
    user.call("DELETE", f"/v1/entries/{ids[0]}?permanent=true", 204, headers={"If-Match": f'"{refused["current"]["version"]}"'})
    user.call("DELETE", f"/v1/entries/{ids[0]}?permanent=true", 404)
    rig.postgres.sql("diary", "update entries set trash_ends_at = now() where id = %s", ids[1])

    def ended():
        query = "select id::text from entries where user_id = %s and personal is null and trash_ends_at is null"
        return {row[0] for row in rig.postgres.sql("diary", query, user.id)} == {ids[0], ids[1], ids[3]}

    wait_for(ended, 20, "the end of the time in the trash")
    for entry_id in (ids[0], ids[1], ids[3]):
        user.call("POST", f"/v1/entries/{entry_id}/restore", 404)
    user.call("POST", f"/v1/entries/{ids[2]}/restore", 200)
    assert [e["id"] for e in user.call("GET", "/v1/entries", 200).json()["items"]] == [ids[2]]


def test_an_upload_goes_on_in_the_trash(rig, app):
    user = rig.user(app=app)
    rig.stop("work")
    made, waiting = user.create_voice(), user.create_voice()
    path, other = (f"/v1/entries/{each['entry_id']}" for each in (made, waiting))
    for each in (path, other):
        user.call("DELETE", each, 204)

    for each in (made, waiting):
        user.put(each["upload"])
    user.complete(made["entry_id"], 404)
    restored = user.call("POST", f"{path}/restore", 200)
    assert restored.json()["status"] == "awaiting_upload" and '"entries"' not in restored.headers["ratelimit"]

    # The sweeper finds what has arrived, and seals what waits in the trash.
    rig.start("work")
    assert user.wait_done(made["entry_id"])["text"]
    wait_for(lambda: {name[0] for name in rig.store.names(user.id)} == {"audio"}, 20, "the end of staging")
    restored = user.call("POST", f"{other}/restore", 200)
    assert restored.json()["status"] == "uploaded"
    assert '"entries"' in restored.headers["ratelimit"], "its work begins, which counts as a new entry"
    assert user.wait_done(waiting["entry_id"])["text"]


def test_a_batch_deletes_into_the_trash_and_removes_recordings(rig, app):
    user = rig.user(app=app)
    spoken, typed = user.record(), user.create_text("a text")["entry_id"]
    user.wait_done(spoken)
    operations = [{"op": "delete_audio", "id": spoken}, {"op": "delete_audio", "id": typed}, {"op": "delete", "id": typed}]

    for _ in range(2):
        results = user.call(
            "POST", "/v1/entries/batch", 200, json={"operations": operations}, headers={"Idempotency-Key": "batch-" + user.id}
        ).json()["results"]
        assert [result["status"] for result in results] == [200, 409, 204]
        assert results[0]["entry"]["audio_removed_at"] and results[1]["problem"]["code"] == "not_a_voice_entry"
    assert [e["id"] for e in user.call("GET", "/v1/trash", 200).json()["items"]] == [typed]


def test_recordings_older_than_their_days_are_removed(rig):
    slug = "days-" + secrets.token_hex(3)
    rig.tenant(slug)
    rig.wait_for_app(slug)
    rig.diary("tenant", "set", slug, "recordings.retention_days=30")
    seen(rig, slug, lambda limits: limits["recordings_retention_days"] == 30)
    patient, hasty = rig.user(app=slug), rig.user(app=slug)
    hasty.call("PATCH", "/v1/me", 200, json={"recordings_retention_days": 5})
    for days in (-1, 36_501, "5"):
        hasty.call("PATCH", "/v1/me", 422, json={"recordings_retention_days": days})
    old, kept, young = patient.record(), patient.record(keep_audio=True), hasty.record()
    for user, entry_id in ((patient, old), (patient, kept), (hasty, young)):
        user.wait_done(entry_id)
    shift = "update entries set uploaded_at = uploaded_at - make_interval(days => %s) where id = %s"
    for days, entry_id in ((31, old), (31, kept), (6, young)):
        rig.postgres.sql("diary", shift, days, entry_id)

    # A worker looks for them when it starts, and every few minutes.
    rig.start("work", "work of retention")
    try:
        wait_for(lambda: "audio_removed_at" in patient.entry(old) and "audio_removed_at" in hasty.entry(young), 20, "the removal")
        wait_for(lambda: (files(rig, patient), files(rig, hasty)) == (["audio"], []), 20, "the deletion of the objects")
    finally:
        rig.stop("work of retention")
    assert "audio_removed_at" not in patient.entry(kept)

    rig.diary("tenant", "set", slug, "recordings.retention_choice=off")

    def refused():
        answer = hasty.call("PATCH", "/v1/me", json={"recordings_retention_days": 4})
        return answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "/recordings_retention_days"

    wait_for(refused, 15, "the app's own days")
    # Both mean the app's days, which clients may always say.
    for nothing in (0, None):
        assert hasty.call("PATCH", "/v1/me", 200, json={"recordings_retention_days": nothing}).json()["recordings_retention_days"] is None


def test_objects_are_verified_against_rows(rig):
    user = rig.user()
    entries = [user.record() for _ in range(3)]
    for entry_id in entries:
        user.wait_done(entry_id)

    def verify():
        done = subprocess.run(
            [PROGRAM, "objects", "verify", "--json", "--sample", "100000"], env=rig.environment, capture_output=True, text=True, timeout=120
        )
        *found, summary = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == (2 if found else 0), done.stderr
        assert summary["findings"] == collections.Counter(line["finding"] for line in found)
        return {(line["finding"], line["id"]) for line in found if line["user"] == user.id}, summary["counts"]

    found, counts = verify()
    assert not found and counts["hashed"] >= 3 and counts["objects"] >= 3

    query = "select object_id::text from entries where user_id = %s and id = %s"
    place = ("audio", rig.tenants["my-day"], user.id)
    missing, altered = [(*place, rig.postgres.sql("diary", query, user.id, entry_id)[0][0]) for entry_id in entries[:2]]
    # Just stored under a name that no row has: it might be of work under way.
    rig.store.write((*place, str(uuid.uuid4())), rig.store.read(missing))
    rig.store.remove(missing)
    sealed = bytearray(rig.store.read(altered))
    sealed[-1] ^= 1
    rig.store.write(altered, bytes(sealed))

    assert verify()[0] == {("missing_object", entries[0]), ("damaged_object", entries[1])}
