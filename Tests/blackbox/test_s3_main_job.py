"""The main job with a bucket: the recording goes from the client to the bucket by a signed PUT, and everything else through the API."""

import io
import json
import os
import secrets
import uuid
import zipfile

import pytest

import http_client
from processes import wait_for
from rig import SHIPPED, Rig
from speech_server import SpeechServer
from stores import BucketStore
from user import SAMPLE, sha256

pytestmark = pytest.mark.any_store


@pytest.fixture
def bucket_rig(s3_url):
    # A release build has no scripted engine.
    server = SpeechServer() if SHIPPED in os.environ else None
    rig = Rig(store=BucketStore(s3_url), **(server.settings if server else {}))
    yield rig
    rig.end()
    if server:
        server.end()


def exported(rig, user, name):
    """What waits in staging is plain there, and not in an export."""
    waiting, out = ("staging", *name[1:3], str(uuid.uuid4())), rig.folder / "exported"
    # Workers would verify or remove it.
    rig.stop("work")
    rig.store.write(waiting, b"plain")
    manifest = json.loads(rig.diary("tenant", "export", user.app, "--to", str(out), "--json"))
    rig.store.remove(waiting)
    assert manifest == json.loads((out / "manifest.json").read_text()) and (manifest["gaps"], manifest["waiting"]) == ([], 1)
    objects = {file["path"]: file["sha256"] for file in manifest["files"] if file["path"].startswith("objects/")}
    stored = {"/".join(("objects", *other)): sha256(rig.store.read(other)) for other in rig.store.names()}
    assert objects == stored and "/".join(("objects", *name)) in objects
    assert (out / "objects").joinpath(*name).read_bytes() == rig.store.read(name)
    rig.start("work")


def test_a_recording_goes_all_the_way_with_a_bucket(bucket_rig, s3_url):
    rig, store, user = bucket_rig, bucket_rig.store, bucket_rig.user()
    found = json.loads(rig.diary("objects", "check", "--json"))
    assert not [check for check in found["checks"] if check["state"] == "fault"], found
    audio = SAMPLE.read_bytes() + secrets.token_bytes(16)

    made = user.create_voice(audio, title="A walk", sha256=sha256(audio))
    entry = made["entry_id"]
    assert made["upload"]["url"].startswith(f"{s3_url}/{store.bucket}/")
    refused = http_client.put(made["upload"]["url"], data=audio + b"x", headers=made["upload"]["headers"])
    assert refused.status_code == 403 and not store.names(user.id)
    user.put(made["upload"], audio)
    ((kind, *_),) = store.names(user.id)
    assert kind == "staging"
    user.complete(entry)
    done = user.wait_done(entry, seconds=120)
    assert done["sha256"] == sha256(audio) and done["text"] == done["transcript_clean"]

    # Verified: sealed, at a key that no URL covers.
    (name,) = wait_for(
        lambda: (names := store.names(user.id)) and not any(kind == "staging" for kind, *_ in names) and names, 10, "promotion"
    )
    assert name[0] == "audio" and audio[1000:1100] not in store.read(name)
    assert user.call("GET", f"/v1/entries/{entry}/transcript/file?format=txt", 200).content.decode() == done["text"]
    link = user.audio_url(entry)
    assert http_client.get(link).content == audio
    part = http_client.get(link, headers={"Range": "bytes=65530-65545"})
    assert part.status_code == 206 and part.content == audio[65530:65546]

    user.export()
    with zipfile.ZipFile(io.BytesIO(user.download(user.export_links()[0]))) as archive:
        assert archive.testzip() is None and archive.read(f"audio/{done['filename']}") == audio
    counts = json.loads(rig.diary("objects", "verify", "--json").splitlines()[-1])
    assert not any(counts["findings"].values()) and counts["counts"]["hashed"] == 1, counts

    exported(rig, user, name)
    user.call("DELETE", f"/v1/entries/{entry}", 204)
    wait_for(lambda: {kind for kind, *_ in store.names(user.id)} <= {"export"}, 20, "the end of the recording")
    receipt = user.call("DELETE", "/v1/me", 202, json={"password": user.password}).json()["receipt"]
    wait_for(lambda: http_client.get(f"{rig.url}/v1/deletions/{receipt}").json()["status"] == "erased", 30, "the erasure")
    assert not store.names(user.id)


def test_a_recording_whose_check_failed_is_sealed_and_found_when_it_is_tried_again(bucket_rig):
    rig, store, user = bucket_rig, bucket_rig.store, bucket_rig.user()
    rig.script("probe", fail="permanent")
    audio = SAMPLE.read_bytes() + secrets.token_bytes(16)
    entry = user.record(audio, sha256=sha256(audio))
    user.wait_done(entry, status="failed")

    # A worker looks when it starts, and then every few minutes.
    rig.stop("work")
    rig.start("work")
    (name,) = wait_for(lambda: (names := store.names(user.id)) and {kind for kind, *_ in names} == {"audio"} and names, 20, "the sealing")
    assert audio[1000:1100] not in store.read(name)
    assert user.entry(entry)["processing"]["code"] == "media_unreadable"
    counts = json.loads(rig.diary("objects", "verify", "--json").splitlines()[-1])
    assert not any(counts["findings"].values()) and counts["counts"]["recordings"] == 0, counts

    # It does not play, and its owner has it back.
    assert user.call("GET", f"/v1/entries/{entry}/audio/url", 409).json()["code"] == "audio_not_ready"
    link = user.call("GET", f"/v1/entries/{entry}/audio/url?original=true", 200).json()
    assert (link["content_type"], link["size_bytes"]) == ("application/octet-stream", len(audio))
    given = http_client.get(link["url"])
    assert given.content == audio and given.headers["content-disposition"].startswith("attachment")

    rig.unscript()
    ((job,),) = rig.postgres.sql("diary", "select id::text from jobs where subject = %s and kind = 'verify'", entry)
    rig.diary("jobs", "retry", job)
    assert user.wait_done(entry)["sha256"] == sha256(audio)
    assert store.names(user.id) == {name}


def test_a_recording_that_is_sent_again_after_its_check_does_not_stay_plain(bucket_rig):
    rig, store, user = bucket_rig, bucket_rig.store, bucket_rig.user()
    audio = SAMPLE.read_bytes() + secrets.token_bytes(16)
    made = user.create_voice(audio, sha256=sha256(audio))
    user.put(made["upload"], audio)
    user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])

    user.put(made["upload"], audio)
    assert {kind for kind, *_ in store.names(user.id)} == {"staging", "audio"}
    # A worker looks when it starts, and then every few minutes.
    rig.stop("work")
    rig.start("work")

    wait_for(lambda: {kind for kind, *_ in store.names(user.id)} == {"audio"}, 20, "the end of staging")
    link = user.audio_url(made["entry_id"])
    assert http_client.get(link).content == audio
