"""Recordings as browsers and phones make them: transcribed, played as AAC in MP4 everywhere, drawn, exported; with the real ffmpeg."""

import io
import json
import subprocess
import zipfile

import pytest

import http_client
from processes import wait_for
from user import sha256

pytestmark = pytest.mark.any_store

ORPHANS = """
    with o as (select %s::uuid[] as ids, e.tenant_id, e.user_id from entries e where e.id = %s)
    select ids[place::int]::text
    from o, sweep_orphans(
        array(select 'audio'::text from unnest(ids)), array(select tenant_id from unnest(ids)), array(select user_id from unnest(ids)), ids) as place
"""
QUIET = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"]


@pytest.fixture(scope="module")
def real():
    from rig import Rig

    made = Rig()
    made.stop("work")
    made.start("work", DIARY_PROBE="ffmpeg")
    yield made
    made.end()


@pytest.fixture(scope="module")
def speech(real):
    """Two seconds of words with a second of silence before them."""
    words, path = real.folder / "words.wav", real.folder / "speech.wav"
    subprocess.run(["flite", "-t", "We walked along the river.", words], check=True, timeout=60)
    delayed = ["-af", "adelay=1000:all=1,apad=whole_dur=3", "-t", "3", "-ar", "48000"]
    subprocess.run([*QUIET, "-i", words, *delayed, path], check=True, timeout=60)
    return path


def encoded(speech, name, *encoding):
    path = speech.with_name(name)
    subprocess.run([*QUIET, "-i", speech, *encoding, path], check=True, timeout=60)
    return path.read_bytes()


def probed(real, audio):
    path = real.folder / "played"
    path.write_bytes(audio)
    shown = ["-show_entries", "stream=codec_name,channels:format=duration,format_name", "-of", "json"]
    return json.loads(subprocess.run(["ffprobe", "-v", "error", *shown, path], check=True, capture_output=True, timeout=60).stdout)


def played(user, entry_id, query=""):
    link = user.call("GET", f"/v1/entries/{entry_id}/audio/url{query}", 200).json()
    whole = http_client.get(link["url"], timeout=20)
    assert whole.status_code == 200 and len(whole.content) == link["size_bytes"]
    assert whole.headers["content-type"] == link["content_type"]
    part = http_client.get(link["url"], headers={"Range": "bytes=100-999"})
    assert part.status_code == 206 and part.content == whole.content[100:1000]
    return link, whole.content


def objects(real, user):
    return {name[-1] for name in real.store.names(user.id)}


def test_what_a_browser_records_is_transcribed_played_drawn_exported_and_deleted(real, speech):
    user = real.user()
    audio = encoded(speech, "live.webm", "-c:a", "libopus", "-live", "1", "-f", "webm")
    entry_id = user.record(audio, content_type="audio/webm;codecs=opus")
    entry = user.wait_done(entry_id)
    assert entry["transcript_raw"].startswith("um scripted words")
    assert entry["content_type"] == "audio/webm" and entry["sha256"] == sha256(audio) and entry["size_bytes"] == len(audio)
    assert abs(entry["duration_s"] - 3) < 0.05

    link, copy = played(user, entry_id)
    assert link["content_type"] == "audio/mp4" and link["url"].split("?")[0].endswith(".m4a")
    facts = probed(real, copy)
    assert [stream["codec_name"] for stream in facts["streams"]] == ["aac"] and "m4a" in facts["format"]["format_name"]
    assert abs(float(facts["format"]["duration"]) - entry["duration_s"]) < 0.05

    link, original = played(user, entry_id, "?original=true")
    assert original == audio and link["content_type"] == "audio/webm" and link["url"].split("?")[0].endswith(".webm")
    assert played(user, entry_id, "?original=false")[1] == copy

    drawn = user.call("GET", f"/v1/entries/{entry_id}/waveform", 200).json()
    assert len(drawn["peaks"]) == 800 and drawn["duration_s"] == entry["duration_s"]
    # A second of silence in three, then words.
    assert max(drawn["peaks"][:250]) <= 2 and max(drawn["peaks"][270:]) > 40
    stored = real.postgres.sql("diary", "select waveform from entry_renditions where entry_id = %s", entry_id)
    assert bytes(drawn["peaks"][270:300]) not in bytes(stored[0][0]), "sealed"

    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == len(audio) + len(copy)
    assert len(objects(real, user)) == 2

    user.export()
    archive = zipfile.ZipFile(io.BytesIO(user.download(user.export_links()[-1])))
    names = [name for name in archive.namelist() if name.startswith("audio/")]
    assert names == [f"audio/{entry['filename'].removesuffix('.webm')}.m4a"] and archive.read(names[0]) == copy
    assert sha256(copy) in archive.read("manifest.json").decode()

    user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    assert not [name for name in real.store.names(user.id) if name[0] == "audio"]
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == 0
    user.call("GET", f"/v1/entries/{entry_id}/waveform", 404)


def test_an_app_may_keep_the_copy_alone_which_plays_and_is_transcribed_again(real, speech):
    user = real.user()
    audio = encoded(speech, "phone.caf", "-c:a", "alac")
    real.diary("tenant", "set", "my-day", "recordings.keep_original=off")
    try:
        wait_for(lambda: not user.call("GET", "/v1/config", 200).json()["keeps_originals"], 20, "the app's setting")
        # A new worker has read it.
        real.stop("work")
        real.start("work", DIARY_PROBE="ffmpeg")
        entry_id = user.record(audio, content_type="audio/x-caf")
        entry = user.wait_done(entry_id)
    finally:
        real.diary("tenant", "unset", "my-day", "recordings.keep_original")

    link, copy = played(user, entry_id)
    assert link["content_type"] == "audio/mp4" and entry["sha256"] == sha256(audio)
    assert user.call("GET", f"/v1/entries/{entry_id}/audio/url?original=true", 409).json()["code"] == "original_not_kept"
    wait_for(lambda: len(objects(real, user)) == 1, 10, "the copy alone")
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == len(copy)

    before = user.entry(entry_id)["transcript_raw"]
    user.call("POST", f"/v1/entries/{entry_id}/reprocess", 202, json={"stage": "transcribe"})
    # The scripted words name the bytes that were heard.
    assert user.wait_done(entry_id)["transcript_raw"] == before

    removed = user.call("DELETE", f"/v1/entries/{entry_id}/audio", 200).json()
    assert removed["audio_removed_at"] and removed["transcript_raw"] == before
    wait_for(lambda: not objects(real, user), 10, "no copy")
    assert http_client.get(link["url"], timeout=20).status_code == 404
    for path in ("audio/url", "audio/url?original=true", "waveform"):
        assert user.call("GET", f"/v1/entries/{entry_id}/{path}", 410).json()["code"] == "audio_removed"
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == 0


def test_an_m4a_is_played_as_it_is_and_what_is_no_recording_is_refused(real, speech):
    user = real.user()
    audio = encoded(speech, "phone.m4a", "-c:a", "aac")
    entry_id = user.record(audio, content_type="audio/x-m4a")
    user.wait_done(entry_id)
    assert played(user, entry_id)[1] == played(user, entry_id, "?original=true")[1] == audio
    assert len(user.call("GET", f"/v1/entries/{entry_id}/waveform", 200).json()["peaks"]) == 800
    assert user.call("GET", f"/v1/entries/{entry_id}/audio/url?original=x", 422).json()["code"] == "invalid_fields"

    refused = user.wait_done(user.record(b"no recording" * 100, content_type="audio/webm"), status="failed")
    assert refused["processing"]["code"] == "media_unreadable" and refused["processing"]["stage"] == "verify"
    assert user.call("GET", f"/v1/entries/{refused['id']}/waveform", 409).json()["code"] == "audio_not_ready"
    text = user.create_text("words")["entry_id"]
    assert user.call("GET", f"/v1/entries/{text}/waveform", 409).json()["code"] == "not_a_voice_entry"
    # As an entry of a version without waveforms.
    real.postgres.sql("diary", "delete from entry_renditions where entry_id = %s", entry_id)
    assert user.call("GET", f"/v1/entries/{entry_id}/waveform", 409).json()["code"] == "waveform_unavailable"


def test_a_worker_killed_after_it_stored_a_copy_stores_another_and_the_first_is_an_orphan(real, speech):
    user = real.user()
    audio = encoded(speech, "killed.ogg", "-c:a", "libopus")
    once = real.folder / "once-S03"
    real.stop("work")
    real.start("work", DIARY_PROBE="ffmpeg", DIARY_FAIL="S03:1:kill", DIARY_FAIL_ONCE=str(once))
    entry_id = user.record(audio, content_type="audio/ogg")
    wait_for(lambda: real.processes["work"].poll() is not None, 40, "the death")
    real.supervise("work", DIARY_PROBE="ffmpeg")
    user.wait_done(entry_id, seconds=60)

    link, _ = played(user, entry_id)
    kept = link["url"].split("?")[0].split("/")[-2]
    stored = objects(real, user)
    orphans = real.postgres.sql("diary", ORPHANS, sorted(stored), entry_id)
    assert len(stored) == 3 and len(orphans) == 1 and orphans[0][0] != kept
