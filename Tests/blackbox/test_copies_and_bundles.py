"""An entry once more: as a second one with the same recording, and as a zip that is made while it is sent."""

import json
import secrets

import pytest

import http_client
from export_reading import Zip, exported
from test_segments import SPOKEN, correct, transcript
from user import SAMPLE
from whole_diary import audio_of
from zips import imported

OWN = ("id", "filename", "created_at", "updated_at", "version", "processing")
"""Members of a copy that are its own."""


def words(entry):
    return {name: value for name, value in entry.items() if name not in OWN}


def copied(user, entry, expect=201, key=None):
    headers = {"Idempotency-Key": key} if key else {}
    return user.call("POST", f"/v1/entries/{entry}/copy", expect, headers=headers)


def bundle(user, entry):
    answer = user.call("GET", f"/v1/entries/{entry}/bundle.zip", 200)
    assert answer.headers["content-type"] == "application/zip" and int(answer.headers["content-length"]) == len(answer.content)
    return answer


@pytest.fixture
def spoken(rig):
    """A user with a recording of several speakers, one of them of the account, corrected and titled."""
    user = rig.user()
    rig.script("speech", segments=SPOKEN)
    entry = user.record(title="Walk", tags=["río"], favorite=True, recorded_at="2026-03-28T23:30:00.123Z")
    user.wait_done(entry)
    rig.unscript()
    correct(user, entry, 1, "Hello, Anna.")
    anna = user.call("POST", "/v1/speakers", 201, json={"name": "Anna"}).json()["id"]
    user.call("PATCH", f"/v1/entries/{entry}/speakers", 200, json={"A": {"speaker_id": anna}}, headers={"If-Match": "*"})
    user.call("POST", f"/v1/entries/{entry}/notes", 200, json={"text": "Ask her.", "at_s": 0.5})
    user.call("PATCH", f"/v1/entries/{entry}", 200, json={"text": "before"}, headers={"If-Match": "*"})
    user.call("PATCH", f"/v1/entries/{entry}", 200, json={"text": "Hello."}, headers={"If-Match": "*"})
    return user, entry


def test_a_copy_has_the_recording_and_the_words_and_neither_ends_the_other(rig, spoken):
    user, entry = spoken
    before, said = user.entry(entry), transcript(user, entry)["segments"]
    [named] = [speaker for speaker in transcript(user, entry)["speakers"] if speaker["speaker_id"]]
    stored = user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"]

    answer = copied(user, entry)
    made = answer.json()

    assert answer.headers["location"] == f"/v1/entries/{made['id']}" and answer.headers["etag"] == '"1"'
    assert made["id"] != entry and (made["status"], made["text"], made["version"]) == ("uploaded", "Hello.", 1)
    done = user.wait_done(made["id"])
    assert words(done) == words(before) and done["filename"][:19] == before["filename"][:19]
    assert transcript(user, made["id"])["segments"] == said and named in transcript(user, made["id"])["speakers"]
    listed = user.call("GET", "/v1/entries", 200, params={"speaker": named["speaker_id"]}).json()["items"]
    assert {one["id"] for one in listed} == {entry, made["id"]}
    assert audio_of(user, made["id"]) == audio_of(user, entry)
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == 2 * stored
    assert user.call("GET", f"/v1/entries/{made['id']}/revisions?layer=edited", 200).json()["items"] == []
    correct(user, made["id"], 1, "Hello, Hannah.")
    assert transcript(user, entry)["segments"] == said

    user.call("DELETE", f"/v1/entries/{entry}?permanent=true", 204)
    assert audio_of(user, made["id"]) and transcript(user, made["id"])["segments"][1:] == said[1:]
    user.call("DELETE", f"/v1/entries/{made['id']}?permanent=true", 204)
    assert not rig.store.names(user.id)


def test_a_repeated_copy_makes_one_and_a_text_is_copied_too(rig):
    user, key = rig.user(), secrets.token_hex(8)
    text = user.create_text("Both of us wrote.", title="Mine", tags=["home"], mood="calm")["entry"]

    first, again = copied(user, text["id"], key=key), copied(user, text["id"], key=key)

    assert again.headers["idempotency-replayed"] == "true" and again.json() == first.json()
    assert words(first.json()) == words(text) and len(user.call("GET", "/v1/entries?tag=home", 200).json()["items"]) == 2
    assert copied(user, first.json()["id"], 422, key).json()["code"] == "idempotency_mismatch"
    user.call("DELETE", f"/v1/entries/{first.json()['id']}?permanent=true", 204)
    assert copied(user, text["id"], 410, key).json()["code"] == "entry_deleted"


def test_what_is_not_there_yet_is_neither_copied_nor_bundled(rig):
    user = rig.user()
    waiting = user.create_voice()["entry_id"]
    assert copied(user, waiting, 409).json()["code"] == "audio_not_ready"
    assert user.call("GET", f"/v1/entries/{waiting}/bundle.zip", 409).json()["code"] == "audio_not_ready"
    # A recording that was removed leaves its words.
    entry = user.record()
    user.wait_done(entry)
    user.call("DELETE", f"/v1/entries/{entry}/audio", 200)
    made = copied(user, entry).json()
    assert (made["status"], made["text"]) == ("transcribed", user.entry(entry)["text"]) and made["audio_removed_at"]
    assert Zip(bundle(user, entry).content).entries[entry]["gaps"] == [{"missing": "audio", "reason": "removed"}]


def test_a_bundle_is_the_zip_of_an_export_without_earlier_texts_and_an_import_takes_it(rig, spoken):
    user, entry = spoken

    answer = bundle(user, entry)
    made, of_export = Zip(answer.content), exported(user, formats=["txt", "metadata_json"], entry_ids=[entry], **{"from": None, "to": None})

    name = made.entries[entry]["files"][-1]["path"].removeprefix("audio/").removesuffix(".m4a")
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}.zip"'
    assert sorted(made.names) == sorted(of_export.names)
    whole = of_export.entries[entry]
    assert whole.pop("revisions") and made.entries[entry] == whole
    for role in ("audio", "txt", "metadata_json"):
        assert made.file(entry, role) == of_export.file(entry, role)
    assert made.file(entry, "audio") == SAMPLE.read_bytes() and json.loads(made.file(entry, "metadata_json"))["title"] == "Walk"
    assert made.manifest["selection"] == {"entry_ids": [entry]} and user.call("GET", "/v1/exports", 200).json()["items"][1:] == []

    other = rig.user()
    assert imported(other, answer.content)["counts"]["created"] == 1
    came = other.wait_done(entry)
    assert (came["title"], came["text"]) == ("Walk", "Hello.") and audio_of(other, entry) == audio_of(user, entry)


def test_a_bundle_ends_with_the_entry_and_names_no_other_account(rig, spoken):
    user, entry = spoken
    assert rig.user().call("GET", f"/v1/entries/{entry}/bundle.zip", 404).json()["code"] == "not_found"
    assert http_client.get(f"{rig.url}/v1/entries/{entry}/bundle.zip").status_code == 401
    head = user.call("HEAD", f"/v1/entries/{entry}/bundle.zip", 200)
    assert int(head.headers["content-length"]) > len(SAMPLE.read_bytes())
    user.call("DELETE", f"/v1/entries/{entry}", 204)
    user.call("GET", f"/v1/entries/{entry}/bundle.zip", 404)


def test_a_bundle_says_that_its_recording_is_lost_and_a_copy_that_it_is_to_be_tried_again(rig):
    user = rig.user()
    entry = user.record(title="Walk")
    user.wait_done(entry)
    [(held,)] = rig.postgres.sql("diary", "select object_id::text from entries where id::text = %s", entry)
    [name] = [name for name in rig.store.names(user.id) if name[3] == held]
    content = rig.store.read(name)

    rig.store.remove(name)
    lost = Zip(bundle(user, entry).content)
    refused = copied(user, entry, 503).json()
    rig.store.write(name, content)

    line = lost.entries[entry]
    assert line["gaps"] == [{"missing": "audio", "reason": "missing"}] and "audio" not in {file["role"] for file in line["files"]}
    assert json.loads(lost.file(entry, "metadata_json"))["title"] == "Walk"
    assert refused["retryable"] and Zip(bundle(user, entry).content).file(entry, "audio") == SAMPLE.read_bytes()
