"""Imports: a diary goes out as a zip and comes back whole; Day One's zips; what is there already, what is skipped, and workers that die."""

import json
import os
import pathlib
import secrets
import shutil
import tempfile
import uuid
import zipfile

import pytest

import http_client
from erasure_remains import erase, wait_erased
from processes import wait_for
from rig import Rig
from test_budgets import set_for_worker
from test_reprocess import reprocess
from test_segments import SPOKEN, correct
from user import SAMPLE, sha256
from whole_diary import audio_of, entries_of, kept, zip_of
from zips import announce, day_one, day_one_entry, imported, report, send, shown, voice_entry, wait_import

LONG = os.environ.get("DIARY_TIMES") == "1"


def patch(user, entry, **change):
    return user.call("PATCH", f"/v1/entries/{entry}", 200, json=change, headers={"If-Match": "*"}).json()


def diary(rig):
    """A diary with everything that an entry may have."""
    user = rig.user()
    rig.script("speech", segments=SPOKEN)
    kept = {"tags": ["Straße", "río"], "metadata": {"cue_id": "42", "client_filename": "walk.m4a"}}
    spoken = user.record(title="Walk", mood="calm", favorite=True, recorded_at="2026-03-28T23:30:00Z", **kept)
    user.wait_done(spoken)
    correct(user, spoken, 1, "Hello, Anna.")
    for segment, speaker in ((2, "A"), (3, "C")):
        user.call("PATCH", f"/v1/entries/{spoken}/segments/{segment}", 200, json={"speaker": speaker}, headers={"If-Match": "*"})
    user.call("PATCH", f"/v1/entries/{spoken}/speakers", 200, json={"A": {"name": "Anna"}}, headers={"If-Match": "*"})
    for text, at in (("Ask *her*.", 1.25), ("of all of it", None)):
        user.call("POST", f"/v1/entries/{spoken}/notes", 200, json={"text": text, "at_s": at, "created_at": "2026-03-28T23:31:00Z"})
    patch(user, spoken, text="first words")
    patch(user, spoken, text="second words")
    heard = user.record(SAMPLE.read_bytes() + b"\0", recorded_at="2026-03-01T08:00:00Z", time_zone="Asia/Kathmandu", keep_audio=True)
    user.wait_done(heard)
    rig.script("speech", says="other words entirely")
    reprocess(user, heard, stage="transcribe")
    user.wait_done(heard)
    rig.unscript()
    user.create_text("<b>Only</b> text, \u202eturned \U0001f600", recorded_at="1999-12-31T23:59:59.123Z", time_zone="Pacific/Kiritimati")
    return user


@pytest.mark.long
def test_a_diary_comes_back_whole_into_a_new_account_and_only_once(rig):
    user = diary(rig)
    before, content = kept(user), zip_of(user)
    wait_erased(rig, erase(user)["receipt"])

    other = rig.user()
    made = imported(other, content)
    assert made["source"] == "diary" and made["counts"] == {"created": 3, "unchanged": 0, "skipped": 0, "failed": 0}, made
    assert made["progress"] == {"percent": 100, "entries": 3, "entries_total": 3}
    # Recordings are checked like any other, and not recognised again.
    rig.script("speech", fail="permanent")
    for entry in entries_of(other):
        other.wait_done(entry["id"])
    rig.unscript()
    after = kept(other)
    assert after.keys() == before.keys()
    for entry, was in before.items():
        assert after[entry] == was

    again = imported(other, content)
    assert again["counts"] == {"created": 0, "unchanged": 3, "skipped": 0, "failed": 0}
    assert report(other, again["id"]) == []
    # The owner goes on where they were: a later change has a later version.
    edited = next(entry for entry, was in after.items() if was["earlier edited"])
    patch(other, edited, text="third words")
    path = f"/v1/entries/{edited}/revisions?layer=edited"
    assert [r["text"] for r in other.call("GET", path, 200).json()["items"]] == ["second words", "first words"]


def test_the_feed_shows_imported_entries_and_their_tags_are_found(rig):
    user = rig.user()
    since = user.call("GET", "/v1/changes", 200).json()["next_since"]
    made = imported(user, day_one([day_one_entry(n, tags=["Río", "sea"]) for n in range(3)]))
    assert made["counts"]["created"] == 3
    changes = user.call("GET", f"/v1/changes?since={since}", 200).json()
    assert len(changes["items"]) == 3
    assert len(user.call("GET", "/v1/entries?tag=r%C3%8DO", 200).json()["items"]) == 3


def test_a_day_one_zip_keeps_ids_times_words_tags_and_recordings(rig):
    user = rig.user()
    spoken, files = voice_entry(starred=True, tags=["walk"], photos=[{"md5": "ff", "type": "jpeg"}] * 3, uuid=uuid.uuid4().hex.upper())
    second = {"md5": "beef", "identifier": uuid.uuid4().hex, "format": "aac"}
    spoken["audios"].append(second)
    files |= {"audios/beef.m4a": SAMPLE.read_bytes() + b"\0", "photos/ff.jpeg": b"jpeg", "readme.txt": b"?"}
    written = day_one_entry(5, tags=[f"t{n}" for n in range(25)])
    content = day_one([spoken, written], files, "Reise nach Köln.json")

    made = imported(user, content)

    assert made["source"] == "day_one" and made["counts"] == {"created": 3, "unchanged": 0, "skipped": 0, "failed": 0}
    ids = {str(uuid.UUID(entry["uuid"])): entry for entry in (spoken, written)}
    entries = {entry["id"]: entry for entry in entries_of(user)}
    assert ids.keys() < entries.keys() and len(entries) == 3
    for entry in entries:
        user.wait_done(entry)
    voice = user.entry(str(uuid.UUID(spoken["uuid"])))
    assert (voice["text"], voice["favorite"], voice["tags"]) == ("Said on the way home.", True, ["walk"])
    assert voice["kind"] == "voice" and voice["transcript_raw"], "recognised, and the words of its owner are shown"
    assert voice["recorded_at"] == spoken["creationDate"].replace("Z", ".000Z") and voice["time_zone"] == "America/New_York"
    assert voice["sha256"] == sha256(SAMPLE.read_bytes()) == audio_of(user, voice["id"])
    text = user.entry(str(uuid.UUID(written["uuid"])))
    assert text["text"] == "# Day 5\n\nIt rained. We stayed in!" and len(text["tags"]) == 20
    assert [(i["outcome"], i["code"], i["count"]) for i in report(user, made["id"])] == [
        ("skipped", "attachment_not_supported", 3),
        ("skipped", "tags_dropped", 5),
        ("skipped", "unknown_files", 1),
    ]
    again = imported(user, content)
    assert again["counts"] == {"created": 0, "unchanged": 3, "skipped": 0, "failed": 0}


def test_entries_with_one_recording_come_back_with_their_own_texts_from_zips_of_their_own(rig):
    user, other = rig.user(), rig.user()
    # Without a digest the second is not compared with the first.
    entries = [user.record(title=title) for title in ("Monday", "Tuesday")]
    for entry in entries:
        user.wait_done(entry)
        user.call("PATCH", f"/v1/entries/{entry}", 200, headers={"If-Match": "*"}, json={"text": f"mine {entry}", "tags": [entry[-6:]]})
    zips = [zip_of(user, entry_ids=[entry], mail=False) for entry in entries]

    for entry, content in zip(entries, zips, strict=True):
        assert imported(other, content)["counts"] == {"created": 1, "unchanged": 0, "skipped": 0, "failed": 0}
    for entry, title in zip(entries, ("Monday", "Tuesday"), strict=True):
        came = other.wait_done(entry)
        assert (came["title"], came["text"], came["tags"]) == (title, f"mine {entry}", [entry[-6:]])
    user.call("DELETE", f"/v1/entries/{entries[1]}", 204)
    assert imported(user, zips[1])["counts"]["created"] == 1, "also beside the other, which is there"


def test_what_the_account_has_or_has_deleted_is_recognised(rig):
    user = rig.user()
    own = user.record()
    user.wait_done(own)
    # The same recording under another id, once with words of its own.
    spoken, files = voice_entry()
    silent, more = voice_entry("0b", text="")
    deleted = day_one_entry(3)
    content = day_one([spoken, silent, deleted], files | more)
    made = imported(user, content)
    assert made["counts"] == {"created": 2, "unchanged": 1, "skipped": 0, "failed": 0}
    assert {(i["code"], i["entry_id"]) for i in report(user, made["id"])} == {("same_recording", own)}
    assert user.entry(str(uuid.UUID(spoken["uuid"])))["kind"] == "text"

    # What was deleted comes back, once.
    user.call("DELETE", f"/v1/entries/{uuid.UUID(deleted['uuid'])}", 204)
    assert imported(user, content)["counts"] == {"created": 1, "unchanged": 2, "skipped": 0, "failed": 0}
    assert imported(user, content)["counts"] == {"created": 0, "unchanged": 3, "skipped": 0, "failed": 0}
    texts = [entry["text"] for entry in entries_of(user)]
    assert texts.count("# Day 3\n\nIt rained. We stayed in!") == 1


def test_a_zip_of_changes_overwrites_and_deletes_nothing_and_says_what_differs(rig):
    user = rig.user()
    edited, gone = (user.create_text(f"words {n}", recorded_at="2026-03-01T12:00:00Z")["entry_id"] for n in range(2))
    whole = zip_of(user)
    first = user.call("GET", "/v1/exports", 200).json()["items"][0]["id"]
    patch(user, edited, text="later words")
    user.call("DELETE", f"/v1/entries/{gone}", 204)
    changes = zip_of(user, since_export=first)

    older_first, newest_first = rig.user(), rig.user()
    assert imported(older_first, whole)["counts"]["created"] == 2
    made = imported(older_first, changes)
    assert made["counts"] == {"created": 0, "unchanged": 1, "skipped": 0, "failed": 0}
    assert {(i["outcome"], i["code"], i["entry_id"]) for i in report(older_first, made["id"])} == {
        ("unchanged", "other_version", edited),
        ("unchanged", "deleted_in_zip", gone),
    }
    assert older_first.entry(edited)["text"] == "words 0" and older_first.entry(gone)["text"] == "words 1"

    made = imported(newest_first, changes)
    assert made["counts"]["created"] == 1 and report(newest_first, made["id"]) == []
    made = imported(newest_first, whole)
    assert made["counts"] == {"created": 1, "unchanged": 1, "skipped": 0, "failed": 0}
    assert [(i["code"], i["entry_id"]) for i in report(newest_first, made["id"])] == [("other_version", edited)]
    assert newest_first.entry(edited)["text"] == "later words"


def test_the_ids_of_others_say_nothing(rig):
    first, second = rig.user(), rig.user()
    content = day_one([day_one_entry()])
    assert imported(first, content)["counts"]["created"] == 1
    assert imported(second, content)["counts"] == {"created": 1, "unchanged": 0, "skipped": 0, "failed": 0}
    assert entries_of(first)[0]["id"] == entries_of(second)[0]["id"]


def test_a_recording_that_is_none_fails_its_check_and_its_words_stay(rig):
    user = rig.user()
    rig.script("probe", fail="permanent")
    spoken, files = voice_entry()
    made = imported(user, day_one([spoken], files))
    assert made["counts"]["created"] == 1
    entry = str(uuid.UUID(spoken["uuid"]))
    user.wait_done(entry, status="failed")
    assert user.entry(entry)["text"] == "Said on the way home."
    user.call("GET", f"/v1/entries/{entry}/audio/url", 409)


def test_25_a_new_import_shows_itself(rig):
    user = rig.user()
    made = announce(user, 100)
    assert made["import"] == shown(user, made["import"]["id"]) and made["import"]["status"] == "awaiting_upload"


def test_an_import_is_uploaded_as_a_recording_is(rig):
    user = rig.user()
    content = day_one([day_one_entry()], {"photos/aa.jpeg": secrets.token_bytes(6 << 20)})
    user.call("POST", "/v1/imports", 422, json={"size_bytes": 0})
    user.call("POST", "/v1/imports", 422, json={"size_bytes": 1 << 50})
    key = {"Idempotency-Key": secrets.token_hex(8)}
    body = {"size_bytes": len(content), "sha256": sha256(content), "parts": True}
    made = user.call("POST", "/v1/imports", 201, json=body, headers=key).json()
    again = user.call("POST", "/v1/imports", 201, json=body, headers=key)
    assert again.json()["import"]["id"] == made["import"]["id"] and again.headers["idempotency-replayed"] == "true"
    user.call("POST", "/v1/imports", 422, json={**body, "parts": False}, headers=key)
    path, uploads = (f"/v1/{kind}/{made['import']['id']}" for kind in ("imports", "uploads"))
    user.call("POST", f"{uploads}/complete", 409)

    # Other bytes, another length and another type are refused by the signed URL.
    wrong = {**made["upload"]["headers"], "Content-Type": "audio/mp4"}
    assert http_client.put(made["upload"]["url"], data=content, headers=wrong).status_code == 403
    assert http_client.put(made["upload"]["url"], data=content[:-1], headers=made["upload"]["headers"]).status_code == 403
    assert http_client.put(made["upload"]["url"], data=content[:-1] + b"?", headers=made["upload"]["headers"]).status_code == 403
    renewed = user.call("POST", f"{uploads}/url", 200).json()
    assert renewed["import"]["id"] == made["import"]["id"] and renewed["upload"]["method"] == "PUT" and "entry" not in renewed

    offer = user.call("POST", f"{uploads}/parts", 200).json()
    assert offer["part_count"] == len(offer["parts"]) > 1

    def put(part):
        chunk = content[(part["number"] - 1) * offer["part_size"] :][: part["size_bytes"]]
        assert http_client.put(part["url"], data=chunk, headers=part["headers"]).status_code == 200

    put(offer["parts"][0])
    user.call("DELETE", f"{uploads}/parts", 204)
    assert user.call("GET", f"{uploads}/parts", 200).json()["items"] == []
    offer = user.call("POST", f"{uploads}/parts", 200).json()
    for part in offer["parts"]:
        put(part)
    user.call("POST", f"{uploads}/complete", 202)
    wait_import(user, made["import"]["id"])
    user.call("POST", f"{uploads}/complete", 202)
    user.call("POST", f"{uploads}/url", 409)
    # The zip goes when it has been read.
    wait_for(lambda: not [p for p in rig.store.files_of(user.id)], 20, "the end of the zip")
    made = made["import"]["id"]
    for query, found in (("", [made]), ("?status=finished", [made]), ("?status=failed", [])):
        assert [i["id"] for i in user.call("GET", f"/v1/imports{query}", 200).json()["items"]] == found
    user.call("DELETE", path, 204)
    user.call("GET", path, 404)
    user.call("POST", "/v1/imports", 404, json=body, headers=key)
    assert len(entries_of(user)) == 1


def test_an_import_that_is_not_confirmed_expires_and_says_so_and_leaves_no_zip(rig):
    user = rig.user()
    content = day_one([day_one_entry()])
    made = announce(user, len(content))
    path = f"/v1/uploads/{made['import']['id']}"
    user.put(made["upload"], content)
    waiting = shown(user, made["import"]["id"])
    assert waiting["status"] == "awaiting_upload" and waiting["upload_expires_at"] and rig.store.files_of(user.id)

    rig.postgres.sql("diary", "update imports set upload_expires_at = now() where id = %s", made["import"]["id"])

    expired = wait_import(user, made["import"]["id"], "failed", 20)
    assert (expired["code"], expired["upload_expires_at"], expired["progress"]["percent"]) == ("upload_expired", None, 0)
    assert expired["finished_at"] and user.call("GET", "/v1/imports", 200).json()["items"] == [expired]
    wait_for(lambda: rig.store.files_of(user.id) == [], 20, "the end of the zip")
    assert user.call("POST", f"{path}/complete", 202).json() == {"import": expired}
    for method, place in (("POST", "url"), ("POST", "parts"), ("GET", "parts"), ("DELETE", "parts")):
        refused = user.call(method, f"{path}/{place}", 409).json()
        assert refused["code"] == "upload_finished" and "expired" in refused["detail"], place
    assert user.put(made["upload"], content, expect=None).status_code in (403, 404, 410, 412)
    assert rig.store.files_of(user.id) == [] and entries_of(user) == []
    assert imported(user, content)["counts"]["created"] == 1


def stored(user):
    return user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"]


def test_limits_of_the_app_hold(own_rig):
    rig = own_rig
    set_for_worker(rig, "limits.import_max_bytes=600000", "limits.import_max_entries=3", "limits.storage_bytes=300000")

    def applied():
        return http_client.get(rig.url + "/v1/config", headers={"Diary-App": "my-day"}).json()["limits"]["import_max_entries"] == 3

    wait_for(applied, 20, "the settings")
    user = rig.user()
    announce(user, 600_001, 422)
    assert imported(user, day_one([day_one_entry(n) for n in range(4)]), "failed")["code"] == "zip_too_large"
    assert entries_of(user) == []
    # One recording fits, the next does not, and a text does: texts do not count, as with POST /v1/entries.
    size = len(SAMPLE.read_bytes())
    assert size < 300_000 < 2 * size
    before = stored(user)
    (one, files), (two, more) = voice_entry("aa", uuid=uuid.uuid4().hex), voice_entry("bb", uuid=uuid.uuid4().hex)
    more["audios/bb.m4a"] += b"\0"
    made = imported(user, day_one([one, two, day_one_entry(9)], files | more))
    assert made["counts"] == {"created": 2, "unchanged": 0, "skipped": 0, "failed": 1}
    assert [(i["code"], i["entry_id"]) for i in report(user, made["id"])] == [("storage_exceeded", str(uuid.UUID(two["uuid"])))]
    wait_for(lambda: len(rig.store.files_of(user.id)) == 1, 20, "one recording alone")
    assert before == 0 and stored(user) == size
    user.create_text("A text by the API fits as well.")
    assert imported(user, day_one([day_one_entry(10)]))["counts"]["created"] == 1
    # Of an element with two recordings the one that fits is kept, with the words.
    other = rig.user()
    both, files = voice_entry("cc", uuid=uuid.uuid4().hex)
    both["audios"].append({"md5": "dd", "identifier": uuid.uuid4().hex, "format": "aac"})
    made = imported(other, day_one([both], files | {"audios/dd.m4a": SAMPLE.read_bytes() + b"\0"}))
    assert made["counts"] == {"created": 1, "unchanged": 0, "skipped": 0, "failed": 1}
    assert [i["code"] for i in report(other, made["id"])] == ["storage_exceeded"]
    assert [(entry["id"], entry["text"]) for entry in entries_of(other)] == [(str(uuid.UUID(both["uuid"])), "Said on the way home.")]
    wait_for(lambda: len(rig.store.files_of(other.id)) == 1, 20, "one recording alone")
    # Where no recordings are taken the words are.
    set_for_worker(rig, "limits.audio_max_bytes=0")
    third = rig.user()
    wait_for(lambda: third.call("GET", "/v1/config", 200).json()["limits"]["audio_max_bytes"] == 0, 20, "the setting")
    spoken, files = voice_entry("ee", uuid=uuid.uuid4().hex)
    made = imported(third, day_one([spoken, day_one_entry(11)], files))
    assert [i["code"] for i in report(third, made["id"])] == ["recording_too_large"]
    assert {entry["text"] for entry in entries_of(third)} >= {"Said on the way home."}


@pytest.fixture(scope="module")
def dying():
    """For the tests that stop or kill its worker."""
    rig = Rig()
    yield rig
    rig.end()


@pytest.mark.parametrize("point", ["I01:1", "I02:3", "I03:2"])
def test_a_worker_that_dies_loses_and_doubles_nothing(dying, point):
    """A6: the entry before the death is there once, and counted once."""
    rig, user = dying, dying.user()
    entries, files = [], {}
    for number in range(6):
        entry, its = voice_entry(f"{number:02d}", uuid=uuid.uuid4().hex, photos=[{"md5": "x", "type": "jpeg"}])
        its[f"audios/{number:02d}.m4a"] += bytes([number])
        entries.append(entry)
        files |= its
    rig.stop("work")
    once = rig.folder / f"once-{point[:3]}"
    rig.start("work", DIARY_FAIL=f"{point}:kill", DIARY_FAIL_ONCE=str(once))
    import_id = send(user, day_one(entries, files))
    wait_for(lambda: rig.supervise("work", DIARY_FAIL=f"{point}:kill", DIARY_FAIL_ONCE=str(once)), 30, "the death")
    made = wait_import(user, import_id)
    assert made["counts"] == {"created": 6, "unchanged": 0, "skipped": 0, "failed": 0}
    assert [(i["code"], i["count"]) for i in report(user, import_id)] == [("attachment_not_supported", 1)] * 6
    for entry in entries:
        user.wait_done(str(uuid.UUID(entry["uuid"])))
    assert len(entries_of(user)) == 6
    assert [p for p in (rig.folder / "tmp").rglob("*") if p.is_file() and p.suffix != ".lock"] == []


def test_an_import_that_is_deleted_while_it_runs_ends(dying):
    rig, user = dying, dying.user()
    rig.stop("work")
    import_id = send(user, day_one([day_one_entry(n) for n in range(50)]))
    user.call("DELETE", f"/v1/imports/{import_id}", 204)
    rig.start("work")
    assert imported(user, day_one([day_one_entry(77)]))["counts"]["created"] == 1
    assert len(entries_of(user)) == 1
    wait_for(lambda: rig.store.files_of(user.id) == [], 20, "the end of the zips")


@pytest.mark.skipif(not LONG, reason="2 GiB are for a quiet machine, and take long: DIARY_TIMES=1")
def test_two_gibibytes_of_day_one_are_imported_with_little_memory(own_rig):
    rig, user = own_rig, own_rig.user()
    folder = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        path, count, hashes = folder / "day-one.zip", 400, {}
        entries = []
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for number in range(count):
                entry, _ = voice_entry(f"{number:04x}", uuid=uuid.uuid4().hex)
                entries.append(entry)
                audio = SAMPLE.read_bytes() + secrets.token_bytes(5_400_000)
                hashes[str(uuid.UUID(entry["uuid"]))] = sha256(audio)
                archive.writestr(f"audios/{number:04x}.m4a", audio)
            archive.writestr("Journal.json", json.dumps({"metadata": {"version": "1.0"}, "entries": entries}), zipfile.ZIP_DEFLATED)
        size = path.stat().st_size
        assert size >= 2 << 30
        made = announce(user, size)
        offer = user.call("POST", f"/v1/uploads/{made['import']['id']}/parts", 200).json()
        with path.open("rb") as file:
            for part in offer["parts"]:
                file.seek((part["number"] - 1) * offer["part_size"])
                answer = http_client.put(part["url"], data=file.read(part["size_bytes"]), headers=part["headers"], timeout=60)
                assert answer.status_code == 200
        user.call("POST", f"/v1/uploads/{made['import']['id']}/complete", 202, timeout=300)
        done = wait_import(user, made["import"]["id"], seconds=1_200)
        assert done["counts"] == {"created": count, "unchanged": 0, "skipped": 0, "failed": 0}
        found = {entry["id"]: entry["sha256"] for entry in entries_of(user)}
        assert found == hashes
        status = pathlib.Path(f"/proc/{rig.processes['work'].pid}/status").read_text()
        peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024
        print(f"row 6: {size >> 20} MiB, {count} recordings, worker at {peak} MiB")
        assert peak < 300
    finally:
        shutil.rmtree(folder)
