"""My Day, flow by flow, by a client that is written from its document and ours. Each test has the sentences of its document; the table of the
client (`apps/my_day.py`) says by which calls they are done."""

import datetime
import re
import secrets

import pytest

from apps.client import faults
from apps.my_day import FLOWS, LEFT_OUT, MyDay, Offline, days, stop_recording
from provider_scene import enable_providers, sub
from rig import Rig
from test_suggestions import ANSWER, CLEAN, SAID
from user import SAMPLE

APP, POLICY = "my-diary", "https://my-day.example/privacy"
NAME = r"2026-03-01_13-00-00_[0-9a-f]{8}\.m4a"
"""Of a recording by the clock of its place, in Berlin."""


@pytest.fixture(scope="module")
def service_of_app(providers):
    rig = Rig(**providers.settings())
    try:
        words = ("--name", "My Day", "--mail-from", "diary@example.org")
        rig.diary("tenant", "create", APP, *words, "--template", "my-day")
        rig.diary("tenant", "set", APP, f"links.privacy={POLICY}")
        rig.wait_for_app(APP)
        enable_providers(rig, providers, APP)
        yield rig
    finally:
        rig.end()


@pytest.fixture
def phone(service_of_app, providers):
    phone = MyDay(service_of_app, providers, APP)
    phone.register()
    yield phone
    service_of_app.unscript()


def another(phone):
    """A second device of the same person."""
    device = MyDay(phone.rig, phone.providers, APP)
    device.address = device.signed_up_with = phone.address
    device.sign_in()
    return device


def sound():
    """A recording that no test has sent before."""
    return SAMPLE.read_bytes() + secrets.token_bytes(8)


def recorded(phone, audio=None):
    id = stop_recording(phone, audio or sound())
    phone.upload(id)
    phone.wait_done(id)
    return id


def test_the_table_has_every_flow_with_its_sentences_and_each_sentence_has_a_test():
    assert faults(MyDay, globals()) == []
    assert not set(LEFT_OUT) & {sentence for row in FLOWS.values() for sentence in row.sentences}


@pytest.mark.parametrize("provider", ["apple", "google"])
def test_a_provider_is_enough_to_sign_in(service_of_app, providers, provider):
    """Sign in with Apple, Google Sign-In, or email/password handled by backend token exchange."""
    phone, person = MyDay(service_of_app, providers, APP), sub()
    first = phone.sign_in_with(provider, person)
    phone.sign_in_with(provider, person)
    assert first["is_new"] and first["user"]["id"] == phone.id
    assert phone.totals() == (0, 0)


def test_a_session_by_password_is_renewed_by_rotating_tokens(phone):
    """`POST /v1/auth/apple | google | email`. Issue short-lived JWTs with rotating refresh tokens. Security & QA: Token rotation."""
    phone.sign_in()
    old = phone.tokens["refresh_token"]
    phone.renew()
    assert phone.tokens["refresh_token"] != old and phone.tokens["expires_in"] <= 3600
    phone.sign_out()
    phone.call("GET", "/v1/me", 401)
    phone.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": phone.tokens["refresh_token"]})


def test_the_system_sends_a_recording_to_an_address_that_ends(phone):
    """`POST /v1/entries` → returns signed `PUT` URL + `entry_id`. Signed URLs must be time-bound. Displays status chips such as “Transcribing…”."""
    audio = sound()
    id = stop_recording(phone, audio)
    upload = phone.announce(id)
    assert datetime.datetime.fromisoformat(upload["expires_at"]) > datetime.datetime.now(datetime.UTC)
    assert phone.detail(id) == ("Waiting…", None)
    # The app is closed, and does not say that it is complete: the service finds it.
    phone.put(upload, audio)
    phone.wait_done(id)
    assert phone.detail(id)[0] is None


@pytest.mark.parametrize("step", ["create", "put", "complete"])
def test_recordings_wait_on_the_phone_until_they_are_sent(phone, step):
    """Offline capture supported; uploads queue until connectivity is restored. Offline operation supported; uploads retry automatically when
    online. Rehydrate pending tasks on app launch."""
    first, second = stop_recording(phone, sound()), stop_recording(phone, sound(), "2026-03-01T18:00:00Z")
    phone.network = [step]
    with pytest.raises(Offline):
        phone.upload(first)

    phone.retry_uploads()

    assert phone.queue == {}
    for id in (first, second):
        phone.wait_done(id)
    phone.sync()
    assert set(phone.library) == {first, second}


def test_what_is_spoken_and_what_is_typed_are_a_diary_by_days(phone):
    """Secondary "Type instead" action opens text entry for manual diary input. Entries sorted by date; tap to view transcript and play audio.
    `GET /v1/entries/{id}`. Client syncs results automatically on launch or via manual pull-to-refresh. `GET /v1/entries?since=...` (paginated).
    Implement `SyncService` that on app start and manual refresh pulls changed entries and merges by ID."""
    phone.rig.script("speech", says=SAID)
    phone.rig.script("clean", answer=ANSWER)
    audio = sound()
    spoken = stop_recording(phone, audio)
    phone.upload(spoken)
    phone.wait_done(spoken)
    phone.type_instead("A quiet day.", recorded_at="2026-03-02T20:00:00Z", time_zone="Europe/Berlin")

    phone.sync(limit=1)

    shown = days(phone)
    assert list(shown) == ["2026-03-02", "2026-03-01"] and shown["2026-03-02"] == ["A quiet day."]
    assert re.fullmatch(NAME, shown["2026-03-01"][0])
    assert phone.detail(spoken) == (None, CLEAN) and phone.play(spoken) == audio


def test_two_devices_have_the_same_and_the_later_one_is_told(phone):
    """Resolve conflicts preferring latest server status/`transcript_clean`. Tags or moods (auto-suggested with manual edits)."""
    phone.rig.script("speech", says=SAID)
    phone.rig.script("clean", answer=ANSWER)
    id, tablet = recorded(phone), another(phone)
    for device in (phone, tablet):
        device.sync()
    suggested = phone.library[id]["suggestions"]
    phone.take_suggestions(id, tags=suggested["tags"][:1], mood=suggested["mood"])
    assert (phone.library[id]["tags"], phone.library[id]["mood"]) == (["lake"], "calm")

    assert not tablet.edit(id, mood="busy"), "the phone was first"
    assert tablet.library[id]["mood"] == "calm" and tablet.library[id]["transcript_clean"] == CLEAN
    assert tablet.edit(id, mood="busy", tags=["river"])

    phone.sync()
    assert (phone.library[id]["tags"], phone.library[id]["mood"]) == (["river"], "busy")
    tablet.delete(id)
    phone.sync()
    assert id not in phone.library


def test_a_short_note_has_the_words_of_the_phone(phone):
    """Optional on-device Apple Speech transcription for short notes."""
    text = "Buy tomatoes, and water the garden."
    id = phone.short_note(sound(), text)
    entry = phone.wait_done(id)
    assert entry["transcript_raw"] == text and entry["transcription"]["engine"] == "client"
    assert entry["transcription"]["model"] == "apple_speech"


def test_totals_and_an_export_of_some_days_by_mail(phone):
    """Shows total recordings and cumulative duration. Date-range export emails a `.zip` containing audio and cleaned transcripts.
    `POST /v1/exports (from, to, email)` · `GET /v1/exports/{id}`"""
    audio = sound()
    id = recorded(phone, audio)
    phone.type_instead("Of another month.", recorded_at="2026-04-02T20:00:00Z")
    count, seconds = phone.totals()
    assert count == 1 and seconds > 0

    zipped = phone.export("2026-03-01", "2026-03-31")

    assert set(zipped.entries) == {id} and zipped.file(id, "audio") == audio
    assert phone.detail(id)[1] in zipped.file(id, "txt").decode()
    assert re.search(r"^text/2026-03-01_13-00-00(_[0-9a-f]{8})?\.txt$", "\n".join(zipped.names), re.M)


def test_the_profile_has_what_a_person_decides(phone):
    """Daily reminders to prompt recordings. Capture locale to select ASR language automatically. Profile screen must include delete account/data
    options and reference privacy policy; do not train models on user data without explicit consent."""
    assert phone.remind("21:00") == "21:00"
    assert phone.use_locale("de-DE") == ("de-DE", ["de-DE"])
    assert phone.privacy_policy() == (POLICY, "consent")
    assert not phone.call("GET", "/v1/me", 200).json()["hosted_processing_consent"]
    assert phone.consent(True) and not phone.consent(False)

    gone = phone.type_instead("Not this one.")
    phone.delete(gone)
    phone.call("GET", f"/v1/entries/{gone}", 404)
    phone.delete_account()
    phone.call("GET", "/v1/me", 401)
