"""Voice notes, flow by flow, by a client that is written from its document and ours. Each test has the sentences of its document; the table of the
client (`apps/voice_notes.py`) says by which calls they are done."""

import secrets

import pytest

from apps.client import Refused, faults
from apps.voice_notes import FLOWS, LEFT_OUT, VoiceNotes
from processes import wait_for
from user import SAMPLE

ROOM, BIG = 1_000_000, 300_000
MORNING = "2026-03-01T09:00:00Z"
SPOKEN = [{"text": "buy tomatoes and basil"}, {"text": "the garden needs water"}]


@pytest.fixture(scope="module")
def app(shared_rig):
    """An app with little room, which lets nothing leave the machine."""
    slug = "notes-" + secrets.token_hex(3)
    shared_rig.tenant(slug)
    shared_rig.diary("tenant", "set", slug, "hosted_processing=off", f"limits.storage_bytes={ROOM}")
    shared_rig.wait_for_app(slug)
    return slug


@pytest.fixture
def person(rig, app):
    return VoiceNotes(rig, app, f"{secrets.token_hex(8)}@example.org")


def sound():
    """A recording that no test has sent before."""
    return SAMPLE.read_bytes() + secrets.token_bytes(8)


def saved(person, *words, **facts):
    """A note of these words, heard."""
    person.rig.script("speech", segments=[{"text": text} for text in words] or SPOKEN)
    id = person.save(sound(), **{"recorded_at": MORNING, **facts})
    person.wait_done(id)
    person.rig.unscript()
    return id


def test_the_table_has_every_flow_with_its_sentences_and_each_sentence_has_a_test():
    assert faults(VoiceNotes, globals()) == []
    assert not set(LEFT_OUT) & {sentence for row in FLOWS.values() for sentence in row.sentences}


def test_a_note_is_saved_and_its_words_come_while_the_app_is_closed(rig, person):
    """They tap stop: audio is saved with timestamp and transcription begins. Implement background task for transcription completion.
    Recording: id, title, audioFileURL, duration, createdDate, transcription, tags."""
    rig.script("speech", segments=SPOKEN, delay_seconds=0.5)
    assert person.finished_meanwhile() == {}
    id = person.save(sound(), MORNING, title="Shopping")
    assert person.state(id) == ("working", "wait")
    # The app is closed.
    person.wait_done(id)

    [(known, text)] = person.finished_meanwhile().items()

    assert known == id and "tomatoes" in text and person.finished_meanwhile() == {}
    note = person.note(id)
    assert (note["title"], note["createdDate"], note["transcription"], note["tags"]) == ("Shopping", "2026-03-01T09:00:00.000Z", text, [])
    assert note["duration"] > 0 and person.state(id) == ("text", None)


def test_words_have_their_times(person):
    """Transcription completes: text appears below the recording with word-level timestamps."""
    text, words = person.transcription(saved(person))
    assert "tomatoes" in text and [word for word, *_ in words] == " ".join(one["text"] for one in SPOKEN).split()
    assert all(start < end for _, start, end in words) and [start for _, start, _ in words] == sorted(start for _, start, _ in words)


def test_a_note_that_could_not_be_heard_plays_and_is_written_or_tried_again(rig, person):
    """Speech recognition is denied: audio is saved but transcription shows "unavailable" message. It fails: user sees retry option and
    can edit transcription manually."""
    rig.script("speech", fail="permanent")
    audio = sound()
    id = person.save(audio, MORNING)
    person.wait_done(id, status="failed")
    assert person.state(id) == ("unavailable", "retry") and person.play(id)[0] == audio

    person.edit_text(id, "Buy tomatoes, I think.")
    assert person.note(id)["transcription"] == "Buy tomatoes, I think." and person.search("tomatoes") == [id]

    rig.unscript()
    person.retry_transcription(id)
    heard = person.wait_done(id)
    assert person.state(id) == ("text", None) and heard["transcript_raw"]
    assert person.note(id)["transcription"] == "Buy tomatoes, I think.", "what was written stays"


def test_a_note_plays_from_any_place(person):
    """They tap play: audio plays with progress indicator and current time display. They drag the slider: playback seeks to selected timestamp.
    Smooth playback with scrubbing. User interface with waveform visualization."""
    audio = sound()
    id = person.save(audio, MORNING)
    person.wait_done(id)

    played, seconds = person.play(id)

    assert played == audio and seconds > 0
    assert person.seek(id, 0.5) == audio[len(audio) // 2 :]
    peaks = person.waveform(id)
    assert len(peaks) == 800 and 0 <= min(peaks) and max(peaks) <= 255


def test_a_keyword_finds_all_notes_that_have_it(person):
    """They search for a keyword: all recordings with matching transcription text are displayed. Enables text search across all transcriptions."""
    first = saved(person, "buy tomatoes", recorded_at="2026-03-01T09:00:00Z")
    second = saved(person, "the café closes at six", recorded_at="2026-03-02T09:00:00Z")
    third = saved(person, "tomato soup", "and basil", recorded_at="2026-03-03T09:00:00Z")
    assert person.search("tomato") == [third, first] and person.search("TOMATOES") == [first]
    assert person.search("cafe") == [second] and person.search('"soup and basil"') == [third] and person.search("garden") == []


def test_title_and_tags_are_kept_and_found(person):
    """When they add title and tags: metadata is saved and searchable. Organizes notes with titles, tags, and timestamps.
    Tag: id, name, color. RecordingTag: recordingID, tagID (many-to-many relationship)."""
    shopping, garden = saved(person), saved(person, recorded_at="2026-03-02T09:00:00Z")
    person.describe(shopping, "Shopping list", ["errands", "food"])
    person.describe(garden, "Garden", ["errands"])

    assert person.notes() == [("Garden", ["errands"], "2026-03-02"), ("Shopping list", ["errands", "food"], "2026-03-01")]
    assert person.search("shopping") == [shopping] and person.search("errands") == [garden, shopping]
    assert person.tagged("errands") == {shopping, garden} and person.tagged("food", "errands") == {shopping}

    assert person.change_tag("errands", color="#2E7D32")["count"] == 2
    person.change_tag("errands", name="to do")
    assert person.tags() == {"to do": ("#2e7d32", 2), "food": (None, 1)}
    assert person.tagged("to do") == {shopping, garden} and person.tagged("errands") == set()
    person.delete_tag("food")
    assert person.tags() == {"to do": ("#2e7d32", 2)} and person.note(shopping)["tags"] == ["to do"]


def test_notes_have_categories_and_leave_in_the_forms_that_one_chooses(person):
    """Features adjustable (categories, tags, export formats)"""
    work, home = saved(person), saved(person, recorded_at="2026-03-02T09:00:00Z")
    person.put_in_category(work, "work")
    person.put_in_category(home, "home")
    person.put_in_category(home, "work")
    assert person.category("work") == {work, home} and person.category("home") == set()

    zipped = person.export_library(["txt", "md", "srt"])

    assert set(zipped.entries) == {work, home}
    for form in ("txt", "md", "srt"):
        assert "tomatoes" in zipped.file(work, form).decode()


def test_a_full_storage_is_told_and_old_notes_make_room(person):
    """Available storage is low, a note says: Manages storage with file size warnings; when available storage is low, a
    warning appears with option to delete old recordings. (Not implementing file size limits is a penalty.)"""
    limits = person.limits()
    assert limits["storage_max_bytes"] == ROOM and limits["audio_max_bytes"] > 0
    made = [person.save(secrets.token_bytes(BIG), f"2026-03-0{day}T09:00:00Z") for day in (2, 1, 3)]
    assert person.room_left() == ROOM - 3 * BIG
    with pytest.raises(Refused) as refused:
        person.save(secrets.token_bytes(BIG), MORNING)
    assert refused.value.problem["code"] == "storage_exceeded"
    assert refused.value.problem["storage"] == {"bytes": 3 * BIG, "max_bytes": ROOM}

    assert person.oldest(2) == [(made[1], BIG), (made[0], BIG)]
    person.delete(made[1])

    wait_for(lambda: person.room_left() == ROOM - 2 * BIG, 20, "the room")
    assert person.wait_done(person.save(secrets.token_bytes(BIG), MORNING))["size_bytes"] == BIG


def test_a_note_is_shared_with_its_text(person):
    """They select share: audio file exports with transcription text."""
    id = saved(person, title="Shopping")
    audio, text = person.share(id)
    assert audio == person.play(id)[0] and text.startswith("Shopping\n") and person.note(id)["transcription"] in text


def test_recordings_and_texts_go_when_they_are_deleted(person):
    """User can delete recordings and transcriptions. Clear data deletion removes all files and metadata.
    Privacy-preserving local-only architecture."""
    assert person.privacy() == ("off", [])
    kept, gone = saved(person), saved(person)
    person.delete_recording(kept)
    person.delete(gone)
    assert person.search("tomatoes") == [kept] and "tomatoes" in person.note(kept)["transcription"]
    assert person.call("GET", f"/v1/entries/{kept}/audio/url", 410).json()["code"] == "audio_removed"
    person.call("GET", f"/v1/entries/{gone}", 404)

    person.erase()

    person.call("GET", "/v1/me", 401)
