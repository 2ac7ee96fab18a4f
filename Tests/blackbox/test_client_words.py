"""Words that the phone has recognised, and recordings that stay on it."""

import json

import pytest

import http_client
from export_reading import Zip, exported
from processes import wait_for
from test_reprocess import texts
from test_segments import correct, transcript
from user import SAMPLE
from whole_diary import zip_of
from zips import imported

WORDS = {"text": "um we swam to the island", "language": "en", "source": "apple_speech"}
BY_WORD = [{"start": n / 2, "end": n / 2 + 0.4, "text": word, "confidence": 0.75} for n, word in enumerate(WORDS["text"].split())]
CLIENT = {"state": "heard", "engine": "client", "model": "apple_speech", "coverage": None, "gaps": []}
DEVICE = {"kind": "voice", "audio": "device", "duration_s": 4.2, "title": "Lake", "tags": ["summer"], "recorded_at": "2026-03-01T12:00:00Z"}


def give(user, entry, expect=200, **body):
    return user.call("PUT", f"/v1/entries/{entry}/transcript", expect, json={**WORDS, **body}).json()


def on_device(user, **more):
    answer = user.call("POST", "/v1/entries", 201, json={**DEVICE, **more}).json()
    assert "upload" not in answer
    return answer["entry"]


def add_audio(user, entry, expect=200, **more):
    body = {"size_bytes": SAMPLE.stat().st_size, "content_type": "audio/mp4", **more}
    return user.call("POST", f"/v1/entries/{entry}/audio", expect, json=body).json()


def found(user, word):
    return [one["entry"]["id"] for one in user.call("GET", "/v1/search", 200, params={"q": word}).json()["items"]]


def test_words_that_come_with_a_recording_are_shown_at_once_and_cleaned_after_its_check(rig):
    rig.script("speech", fail="permanent")
    user = rig.user()
    made = user.create_voice(key="phone", transcript={**WORDS, "segments": BY_WORD}, recognise="never")
    entry = made["entry"]
    assert (entry["status"], entry["text"], entry["language"]) == ("awaiting_upload", WORDS["text"], "en")
    assert entry["transcription"] == CLIENT and entry["version"] == 1 and found(user, "island") == [entry["id"]]
    assert user.create_voice(key="phone", transcript={**WORDS, "segments": BY_WORD}, recognise="never")["entry"] == entry

    user.put(made["upload"])
    user.complete(entry["id"])
    done = user.wait_done(entry["id"])

    assert (done["transcript_raw"], done["transcription"]) == (WORDS["text"], CLIENT) and "failed_run" not in done
    assert done["text"] == done["transcript_clean"] and "um" not in done["text"].lower().split()
    [segment] = transcript(user, entry["id"])["segments"]
    assert (segment["id"], segment["text"], segment["start"], segment["end"]) == (1, WORDS["text"], 0, 2.9)
    assert [(w["text"], w["start"], w["end"], w["confidence"]) for w in segment["words"]] == [
        (one["text"], one["start"], one["end"], one["confidence"]) for one in BY_WORD
    ]
    assert WORDS["text"].split()[-1] in transcript(user, entry["id"], "/file?format=srt")


def test_the_services_own_words_replace_those_of_the_phone_which_stay_among_the_revisions(rig):
    rig.script("speech", segments=[{"text": "um we ran to the highland"}])
    user = rig.user()
    made = user.create_voice(transcript=WORDS)
    entry = made["entry_id"]
    since = user.call("GET", "/v1/changes", 200).json()["next_since"]
    assert give(user, entry, text="um we swam home")["text"] == "um we swam home", "also while the upload waits"
    assert [one["text"] for one in user.call("GET", f"/v1/changes?since={since}", 200).json()["items"]] == ["um we swam home"]
    user.put(made["upload"])
    user.complete(entry)

    done = user.wait_done(entry)

    assert done["transcript_raw"] == "um we ran to the highland" and done["transcription"]["engine"] == "scripted"
    assert texts(user, entry, "raw") == [("um we swam home", "client"), (WORDS["text"], "client")]
    assert give(user, entry) == done, "the service has words of its own"

    edited = user.call("PATCH", f"/v1/entries/{entry}", 200, json={"text": "We swam."}, headers={"If-Match": "*"}).json()
    given = give(user, entry, recognise="never")
    assert (given["status"], given["transcript_raw"], given["text"]) == ("cleaning", WORDS["text"], "We swam.")
    assert given["version"] == edited["version"]
    again = user.wait_done(entry)
    assert again["transcription"] == CLIENT and again["transcript_clean"] and again["text"] == "We swam."
    assert texts(user, entry, "raw")[0] == ("um we ran to the highland", "scripted")
    assert give(user, entry, recognise="never") == again, "sent again after a lost answer"


def test_words_of_the_phone_stay_when_recognition_fails_and_rescue_a_recording_that_failed(rig):
    rig.script("speech", fail="permanent")
    user = rig.user()
    entry = user.record(transcript=WORDS)
    kept = user.wait_done(entry)
    assert kept["failed_run"]["stage"] == "transcribe" and kept["text"] == WORDS["text"]
    give(user, entry, recognise="never")
    cleaned = user.wait_done(entry)
    assert "failed_run" not in cleaned and cleaned["transcript_clean"]

    failed = user.record()
    user.wait_done(failed, status="failed")
    assert give(user, failed)["status"] == "cleaning"
    assert user.wait_done(failed)["transcript_clean"] == cleaned["transcript_clean"]

    sound = user.record(recognise="never")
    alone = user.wait_done(sound)
    assert alone["text"] is None and "transcription" not in alone and alone["duration_s"]
    rig.script("speech", segments=[{"text": "we ran"}])
    user.call("POST", f"/v1/entries/{sound}/reprocess", 202, json={"stage": "transcribe"})
    assert user.wait_done(sound)["transcript_raw"] == "we ran"


def test_corrected_words_of_the_phone_are_not_replaced_by_the_service(rig):
    rig.script("speech", segments=[{"text": "we ran to the highland"}])
    user = rig.user()
    made = user.create_voice(transcript={**WORDS, "segments": [{"start": 0, "end": 3, "text": WORDS["text"]}]})
    entry = made["entry_id"]
    correct(user, entry, 1, "we swam to Ireland")
    assert user.entry(entry)["text"] == "we swam to Ireland"
    user.put(made["upload"])
    user.complete(entry)

    done = user.wait_done(entry)

    assert (done["transcript_raw"], done["transcription"]) == (WORDS["text"], CLIENT) and "Ireland" in done["text"]
    [segment] = transcript(user, entry)["segments"]
    assert segment["is_edited"] and segment["text"] == "we swam to Ireland"
    user.call("POST", f"/v1/entries/{entry}/reprocess", 202, json={"stage": "transcribe"})
    assert user.wait_done(entry)["transcript_raw"] == "we ran to the highland", "its owner asked"
    assert texts(user, entry, "corrected") == [("we swam to Ireland", "client")]


def test_words_end_a_recognition_that_is_under_way(rig):
    rig.script("speech", segments=[{"text": "too late"}], delay_seconds=2)
    user = rig.user()
    entry = user.record()
    wait_for(lambda: user.entry(entry)["status"] == "transcribing", 20, "the recognition")

    given = give(user, entry, recognise="never")

    assert (given["status"], given["text"]) == ("cleaning", WORDS["text"])
    done = user.wait_done(entry)
    assert done["transcription"] == CLIENT and texts(user, entry, "raw") == []


def test_an_entry_whose_recording_stays_on_the_phone_is_finished_at_once_and_says_so_everywhere(rig):
    user = rig.user()
    bare = on_device(user)
    assert (bare["status"], bare["audio"], bare["duration_s"], bare["text"]) == ("transcribed", "device", 4.2, None)
    assert (bare["size_bytes"], bare["content_type"]) == (None, None) and bare["filename"].endswith(".m4a")
    entry = on_device(user, transcript=WORDS, title=None)["id"]
    done = user.wait_done(entry)
    assert done["transcript_clean"] and done["audio"] == "device" and found(user, "island") == [entry]
    listed = user.call("GET", "/v1/entries?view=summary", 200).json()["items"]
    assert {one["audio"] for one in listed} == {"device"}
    stats = user.call("GET", "/v1/me/stats", 200).json()
    assert (stats["recordings"], stats["duration_s"], stats["usage"]["storage_bytes"]) == (2, 8.4, 0)

    path = f"/v1/entries/{entry}"
    refused = [
        ("GET", f"{path}/audio/url", {}),
        ("GET", f"{path}/waveform", {}),
        ("DELETE", f"{path}/audio", {}),
        ("POST", f"/v1/uploads/{entry}/url", {}),
        ("POST", f"{path}/reprocess", {"json": {"stage": "transcribe"}}),
    ]
    for method, place, more in refused:
        assert user.call(method, place, 409, **more).json()["code"] == "audio_on_device", place
    user.call("POST", f"{path}/reprocess", 202, json={"stage": "clean"})
    user.wait_done(entry)
    assert user.call("POST", f"{path}/copy", 201).json()["audio"] == "device"

    answer = user.call("GET", f"{path}/bundle.zip", 200)
    for made in (Zip(answer.content), exported(user, formats=["txt", "metadata_json"])):
        told = made.entries[entry]
        assert told["audio"] == "device" and {"missing": "audio", "reason": "on_device"} in told["gaps"]
        assert json.loads(made.file(entry, "metadata_json"))["audio"] == "device"
        assert "The recording is on the device that made it." in made.read("index.html").decode()

    other = rig.user()
    brought = imported(other, zip_of(user))
    assert (brought["counts"]["created"], brought["counts"]["failed"]) == (3, 0)
    for id in (bare["id"], entry):
        mine, theirs = user.entry(id), other.entry(id)
        assert {k: v for k, v in mine.items() if k not in ("created_at", "updated_at", "version")} == {
            k: v for k, v in theirs.items() if k not in ("created_at", "updated_at", "version")
        }


def test_a_recording_that_stayed_on_the_phone_is_uploaded_later_and_heard(rig):
    rig.script("speech", segments=[{"text": "um we ran to the highland"}])
    user = rig.user()
    entry = on_device(user, transcript=WORDS)["id"]
    user.wait_done(entry)
    add_audio(user, entry, 422, content_type="text/plain")
    first = add_audio(user, entry, content_type="audio/wav")
    assert first["entry"]["status"] == "awaiting_upload" and "audio" not in first["entry"]
    assert first["entry"]["transcript_raw"] == WORDS["text"]

    renewed = add_audio(user, entry)
    user.put(renewed["upload"])
    user.complete(entry)
    done = user.wait_done(entry)

    assert done["transcript_raw"] == "um we ran to the highland" and "audio" not in done and done["content_type"] == "audio/mp4"
    assert http_client.get(user.audio_url(entry), timeout=20).content == SAMPLE.read_bytes()
    assert texts(user, entry, "raw") == [(WORDS["text"], "client")]
    assert add_audio(user, entry, 409)["code"] == "upload_finished"
    user.wait_done(own := on_device(user, transcript=WORDS, recognise="never")["id"])
    cleaned = user.entry(own)["transcript_clean"]
    user.put(add_audio(user, own, allow_duplicate=True)["upload"])
    user.complete(own)
    assert (user.wait_done(own)["transcription"], user.entry(own)["transcript_clean"]) == (CLIENT, cleaned)


def test_an_expired_upload_leaves_the_recording_on_its_phone(rig):
    user = rig.user()
    entry = on_device(user)["id"]
    add_audio(user, entry)
    rig.postgres.sql(
        "diary", "update entries set upload_expires_at = now(), created_at = created_at - interval '1 hour' where id = %s", entry
    )

    back = wait_for(lambda: (e := user.entry(entry)).get("audio") and e, 30, "the end of the window")

    assert back["status"] == "transcribed" and (back["size_bytes"], back["content_type"], back["duration_s"]) == (None, None, 4.2)
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == 0
    add_audio(user, entry)


def test_a_batch_takes_words_and_recordings_on_the_phone(rig):
    user = rig.user()
    voice = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": 5, "transcript": WORDS}
    operations = [{"op": "create", "entry": one} for one in (voice, {**DEVICE, "transcript": WORDS}, {**DEVICE, "size_bytes": 5})]

    results = user.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]

    assert [one["status"] for one in results] == [201, 201, 422]
    assert [one["entry"]["excerpt"] for one in results[:2]] == [WORDS["text"]] * 2
    assert results[1]["entry"]["audio"] == "device" and "upload" in results[0] and "upload" not in results[1]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/text"]),
        ({"text": "we swam", "segments": [{"start": 0, "end": 1, "text": "we ran"}]}, ["/segments"]),
        ({"text": "we", "segments": [{"start": 2, "end": 1, "text": "we"}]}, ["/segments/0/end"]),
        (
            {"text": "we", "segments": [{"start": -1, "end": 1, "text": "we", "confidence": 2}]},
            ["/segments/0/start", "/segments/0/confidence"],
        ),
        (
            {"text": "we swam", "segments": [{"start": 2, "end": 3, "text": "we"}, {"start": 1, "end": 2, "text": "swam"}]},
            ["/segments/1/start"],
        ),
        ({"text": "we", "segments": [{"start": 0, "end": 1, "text": "we", "word": "we"}]}, ["/segments/0/word"]),
        ({"text": "we", "source": "a\nb", "recognise": "sometimes"}, ["/source", "/recognise"]),
    ],
)
def test_words_that_cannot_be_kept_are_refused_with_their_place(rig, body, pointers):
    user = rig.user()
    entry = on_device(user)["id"]
    wrong = user.call("PUT", f"/v1/entries/{entry}/transcript", 422, json=body).json()
    assert sorted(e["pointer"] for e in wrong["errors"]) == sorted(pointers)
    assert user.entry(entry)["text"] is None


def test_only_recordings_have_words_of_a_phone(rig):
    user = rig.user()
    text = user.create_text("typed")["entry_id"]
    assert give(user, text, 409)["code"] == add_audio(user, text, 409)["code"] == "not_a_voice_entry"
    body = {"kind": "text", "text": "typed", "transcript": WORDS, "recognise": "never", "audio": "device"}
    wrong = user.call("POST", "/v1/entries", 422, json=body).json()
    assert sorted(e["pointer"] for e in wrong["errors"]) == ["/audio", "/recognise", "/transcript"]
