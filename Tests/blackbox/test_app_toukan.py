"""Toukan, flow by flow, by a client that is written from its document and ours. Each test has the sentences of its document; the table of the
client (`apps/toukan.py`) says by which calls they are done."""

import secrets

import pytest

import http_client
from apps.client import faults
from apps.toukan import ATTEMPTS, FLOWS, LEFT_OUT, Toukan, bearer, stop_recording
from test_suggestions import ANSWER, CLEAN, SAID
from user import SAMPLE

BEGAN, SHOWN = "2024-01-15T14-30-00", "2024-01-15T13:30:00.000Z"
"""By the clock of the phone, in Berlin, and as the page has it."""


@pytest.fixture(scope="module")
def app(shared_rig):
    slug = "toukan-" + secrets.token_hex(3)
    words = ("--name", "Toukan", "--mail-from", "diary@example.org")
    shared_rig.diary("tenant", "create", slug, *words, "--template", "toukan")
    shared_rig.wait_for_app(slug)
    return slug


@pytest.fixture
def person(rig, app):
    person = Toukan(rig, app, f"{secrets.token_hex(8)}@example.org")
    person.set_up()
    return person


def meeting(more=8):
    """A recording that no test has sent before."""
    return SAMPLE.read_bytes() + secrets.token_bytes(more)


def test_the_table_has_every_flow_with_its_sentences_and_each_sentence_has_a_test():
    assert faults(Toukan, globals()) == []
    assert not set(LEFT_OUT) & {sentence for row in FLOWS.values() for sentence in row.sentences}


def test_a_meeting_is_captured_by_the_phone_and_reviewed_on_the_web(rig, person):
    """Upload: POST /upload (multipart/form-data). Success → Mark as "uploaded", store memory_id from response.
    Hours later: user opens the **web app** to review summary, key points, and transcript. The audio is never lost."""
    rig.script("speech", says=SAID)
    rig.script("clean", answer=ANSWER)
    audio = meeting()
    recording = stop_recording(person, audio, BEGAN)
    person.upload(recording)
    assert recording.status == "uploaded"

    person.wait_done(recording.memory)

    assert person.memories() == [(recording.memory, SHOWN, "transcribed")]
    assert person.review(recording.memory) == (ANSWER["summary"], ["We swam before breakfast."], CLEAN)
    assert person.listen(recording.memory) == audio


def test_recordings_wait_for_a_network_and_each_is_sent_once(person):
    """Offline, marked as pending: When connectivity returns, the app auto-uploads queued recordings. Failure → Mark as "failed", schedule retry.
    Retry strategy: exponential backoff (1s, 2s, 4s, 8s, 16s) up to 5 attempts.
    Pull-to-refresh triggers upload retry for any pending/failed items."""
    first, second = (stop_recording(person, meeting(), f"2024-01-15T14-{minute}-00") for minute in (30, 45))
    person.network = ["send"] * 10
    person.send_pending()
    assert {one.status for one in person.history} == {"failed"} and person.waited == [*ATTEMPTS, *ATTEMPTS]

    # The answer of the first upload is lost on its way.
    person.network = ["answer"]
    person.send_pending()

    assert {one.status for one in person.history} == {"uploaded"} and first.memory != second.memory
    assert [id for id, *_ in person.memories()] == [second.memory, first.memory]
    person.upload(first)
    assert [id for id, *_ in person.memories()] == [second.memory, first.memory], "sent again it is the same memory"


def test_the_system_sends_a_recording_while_the_app_is_not_there(person):
    """App killed during upload: Background URLSession continues the upload independently of the app process."""
    recording = stop_recording(person, meeting())
    url, body, fields = person.hand_to_background(recording)
    sent = http_client.post(url, data=body, headers=fields)
    assert sent.status_code == 201, sent.text
    # The app knows nothing of it, and sends what is pending.
    person.send_pending()
    assert recording.memory == sent.json()["memory_id"]


def test_a_long_recording_goes_in_parts_and_a_longer_one_is_warned_of(person):
    """Very long recording (2+ hours): Works fine. Monitor file size, warn at 500MB."""
    assert person.largest() >= 500_000_000
    audio = meeting(9_000_000)
    recording = stop_recording(person, audio, BEGAN)
    person.upload_in_parts(recording)
    entry = person.wait_done(recording.memory)
    assert (entry["recorded_at"], entry["size_bytes"]) == (SHOWN, len(audio)) and person.listen(recording.memory) == audio


def test_the_phone_needs_no_sign_in_and_a_lost_one_can_add_and_read_nothing(person):
    """User authentication (single-user for now, no device identifier)"""
    refused = person.call("GET", "/v1/entries", 403, headers=bearer(person)).json()
    assert refused["code"] == "insufficient_scope" and "entries:read" in refused["detail"]
    kept = stop_recording(person, meeting())
    person.upload(kept)

    person.lose_phone()

    lost = {"files": {"file": ("a.m4a", meeting(), "audio/mp4")}, "headers": bearer(person)}
    assert person.call("POST", "/upload", 401, **lost).json()["code"] == "unauthorized"
    assert [id for id, *_ in person.memories()] == [kept.memory]
