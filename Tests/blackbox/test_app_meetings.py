"""The Meeting Recorder, flow by flow, by a client that is written from its document and ours. Each test has the sentences of its document; the table
of the client (`apps/meeting_recorder.py`) says by which calls they are done."""

import json
import secrets
import uuid

import pytest

from apps.client import Refused, faults
from apps.meeting_recorder import FLOWS, LEFT_OUT, CorruptedData, Killed, MeetingRecorder, keep, later, new_note
from export_reading import Zip
from processes import wait_for
from provider_scene import enable_providers, sub
from rig import Rig
from user import SAMPLE

ROOM = 50_000_000
SETTINGS = ["hosted_processing=off", "speech.guess_speakers=on", f"limits.storage_bytes={ROOM}"]
SPOKEN = [
    {"text": "hello hannah", "speaker": "A", "confidence": 0.4},
    {"text": "good morning doctor brown", "speaker": "B"},
    {"text": "shall we begin", "speaker": "A"},
]
SEGMENT = {"id", "text", "timestamp", "duration", "confidence", "speakerID", "isEdited"}
METADATA = {"id", "title", "date", "duration", "fileSize", "tags", "speakers", "notes", "lastModified"}
"""Members of `transcript.json` and `metadata.json`."""


@pytest.fixture(scope="module")
def meetings(providers):
    """The service of the app, which lets nothing leave its machine and has speakers guessed where nothing tells them."""
    rig = Rig(**providers.settings())
    try:
        rig.tenant("meetings")
        rig.diary("tenant", "set", "meetings", *SETTINGS)
        rig.wait_for_app("meetings")
        enable_providers(rig, providers, "meetings")
        yield rig
    finally:
        rig.end()


@pytest.fixture
def phone(meetings, providers):
    yield signed_in(MeetingRecorder(meetings, providers, sub()))
    meetings.unscript()


def signed_in(device):
    device.enable_sync()
    return device


def another(device):
    """A second device of the same person."""
    return signed_in(MeetingRecorder(device.rig, device.providers, device.sub))


def meeting():
    """A recording that no test has sent before."""
    return SAMPLE.read_bytes() + secrets.token_bytes(8)


def recorded(phone, *segments, **facts):
    """A recording of these segments, heard."""
    phone.rig.script("speech", segments=list(segments or SPOKEN))
    id = phone.save_recording(meeting(), **facts)
    phone.wait_done(id)
    phone.rig.unscript()
    return id


def test_the_table_has_every_flow_with_its_sentences_and_each_sentence_has_a_test():
    assert faults(MeetingRecorder, globals()) == []
    assert not set(LEFT_OUT) & {sentence for row in FLOWS.values() for sentence in row.sentences}


def test_the_account_that_people_have_is_enough(meetings, providers):
    """Users already have iCloud accounts. `func enableSync() async throws` · `func disableSync() async throws` · `case authenticationFailed`"""
    person = sub()
    phone, tablet = (MeetingRecorder(meetings, providers, person) for _ in range(2))
    assert phone.enable_sync()["is_new"] and not tablet.enable_sync()["is_new"]
    assert phone.id == tablet.id

    phone.http.headers["Authorization"] = "Bearer of.another.day"
    phone.call("GET", "/v1/me", 401)
    phone.renew_session()
    assert phone.call("GET", "/v1/me", 200).json()["time_zone"] == "Europe/Berlin"

    phone.disable_sync()
    phone.call("GET", "/v1/me", 401)
    tablet.call("GET", "/v1/me", 200)


def test_a_recording_is_saved_with_what_belongs_to_it(phone):
    """Start recording → transcribe → detect speakers → save → sync. `func saveRecording(_ recording: Recording) async throws` ·
    `func getRecording(id: UUID) async throws -> Recording?`"""
    audio, note = meeting(), new_note("Action item: Review PR #123", 450.0, created_at="2025-11-16T10:07:30Z")
    tags, began = ["standup", "team-alpha"], "2025-11-16T10:00:00Z"
    id = phone.save_recording(audio, [note], title="Team Standup", tags=tags, recorded_at=began)
    assert phone.recording(id)["title"] == "Team Standup", "while it is worked on"
    phone.wait_done(id)

    shown = phone.recording(id)

    assert (shown["id"], shown["date"], shown["tags"], shown["fileSize"]) == (id, "2025-11-16T10:00:00.000Z", tags, len(audio))
    assert shown["duration"] > 0 and shown["lastModified"] > shown["date"]
    assert shown["notes"] == [{**note, "created_at": "2025-11-16T10:07:30.000Z"}]
    assert phone.recording(str(uuid.uuid4())) is None


@pytest.mark.parametrize("step", ["create", "put", "complete"])
def test_a_sync_that_breaks_off_is_begun_again_and_makes_one_recording(phone, step):
    """`func syncRecording(id: UUID) async throws`. Implements exponential backoff for failed sync attempts."""
    id = keep(phone, meeting(), [new_note("once")], title="Standup")
    phone.dies_after = step
    with pytest.raises(Killed):
        phone.sync_recording(id)

    for _ in range(2):
        phone.sync_recording(id)

    phone.wait_done(id)
    assert [entry["id"] for entry in phone.all_recordings()] == [id]
    assert [note["text"] for note in phone.recording(id)["notes"]] == ["once"]


def test_the_system_sends_a_recording_while_the_app_is_not_there(phone):
    """Implements background URLSession for reliable cloud uploads."""
    id = keep(phone, meeting())
    phone.put(phone.hand_to_background(id), phone.drafts[id].audio)
    phone.wait_done(id)


def test_an_app_that_was_ended_goes_on_when_it_is_opened_again(phone):
    """Implement crash recovery on next launch."""
    id = keep(phone, meeting())
    phone.dies_after = "create"
    with pytest.raises(Killed):
        phone.sync_recording(id)

    phone.recover(id)
    phone.wait_done(id)
    assert phone.call("POST", f"/v1/uploads/{id}/url", 409).json()["code"] == "upload_finished", "nothing is left to send"


def test_a_long_recording_shows_how_far_it_is_and_goes_on_after_a_break(phone):
    """`case syncing(progress: Double)`"""
    id = keep(phone, secrets.token_bytes(2_500_000))
    phone.dies_after = "part"
    with pytest.raises(Killed):
        phone.sync_in_parts(id)

    shown = phone.sync_in_parts(id)

    assert shown == sorted(set(shown)) and shown[-1] == 1 and shown[0] > 0.5, "the first part is not sent again"
    phone.wait_done(id)


def test_a_recording_that_could_not_be_heard_says_so_and_is_tried_again(phone):
    """Monitor sync status and connectivity. Provide recovery options (retry, settings, cancel)."""
    phone.rig.script("speech", fail="permanent")
    id = phone.save_recording(meeting())
    phone.wait_done(id, status="failed")
    failed = phone.sync_status(id)
    assert (failed["state"], failed["action"]) == ("error", "retry") and failed["code"]
    phone.rig.unscript()

    phone.retry_transcription(id)

    phone.wait_done(id)
    assert phone.sync_status(id) == {"state": "synced", "code": None, "action": None}


def test_what_the_service_does_not_take_is_refused_before_it_is_sent(phone):
    """`case audioFormatUnsupported` · `case quotaExceeded` · Optimize for longer recordings (4+ hours)"""
    taken = phone.configuration()
    assert "audio/mp4" in taken["audio_formats"] and taken["limits"]["audio_max_seconds"] >= 4 * 3600
    with pytest.raises(Refused) as refused:
        phone.save_recording(meeting(), content_type="audio/midi")
    assert [error["pointer"] for error in refused.value.problem["errors"]] == ["/content_type"]

    with pytest.raises(Refused) as refused:
        phone.save_recording(meeting(), size_bytes=ROOM + 1)
    assert refused.value.problem["code"] == "storage_exceeded"
    assert refused.value.problem["storage"] == {"bytes": 0, "max_bytes": ROOM}
    assert phone.all_recordings() == []


def test_the_transcript_is_that_of_the_document(phone):
    """`func getFullTranscript() async -> [TranscriptSegment]`. Applies confidence threshold of 0.5 for low-confidence marking."""
    id = recorded(phone)

    segments = phone.full_transcript(id)

    assert all(set(segment) == SEGMENT and uuid.UUID(segment["id"]) for segment in segments)
    assert [segment["text"] for segment in segments] == [one["text"] for one in SPOKEN]
    assert [segment["speakerID"] for segment in segments] == ["speaker-1", "speaker-2", "speaker-1"]
    times = [segment["timestamp"] for segment in segments]
    assert times == sorted(set(times)) and all(segment["duration"] > 0 for segment in segments)
    assert [segment["confidence"] < 0.5 for segment in segments] == [True, False, False]
    assert not any(segment["isEdited"] for segment in segments)
    assert phone.doubtful_segments(id) == [1]


def test_speakers_change_at_pauses_and_are_put_right_and_named_in_their_recording(phone):
    """`func detectSpeakers(audioURL: URL) async throws -> [SpeakerSegment]` ·
    `func assignSpeakerToSegment(segmentID: UUID, speakerID: String) async throws` · MVP uses simplified diarization (energy levels, pause
    detection) · Allow post-recording speaker name assignment"""
    id = recorded(phone, *({"text": one["text"]} for one in SPOKEN))
    found = phone.detect_speakers(id)
    labels = [label for label, *_ in found]
    assert labels[0] == labels[2] != labels[1] and all(start < end for *_, start, end in found)

    phone.assign_speaker(id, 3, labels[1])
    phone.name_speaker(id, labels[0], "Anna")
    phone.name_speaker(id, labels[1], "Dr. Brown")

    assert [name for _, name, *_ in phone.detect_speakers(id)] == ["Anna", "Dr. Brown", "Dr. Brown"]
    assert [segment["speakerID"] for segment in phone.full_transcript(id)] == ["speaker-1", "speaker-2", "speaker-2"]


def test_a_speaker_is_known_in_all_recordings_and_on_all_devices(phone):
    """Manage speaker profile creation and storage. `var speakers: [SpeakerProfile]` ·
    `func updateSpeakerName(speakerID: String, name: String) async throws` · `func getSpeakerProfile(speakerID: String) async -> SpeakerProfile?`"""
    first, second = (recorded(phone, recorded_at=f"2026-03-0{day}T09:00:00Z") for day in (1, 2))
    john = phone.create_profile("John Doe")
    assert phone.speaker_profile(john)["lastUsed"] == phone.speaker_profile(john)["createdAt"]
    phone.use_profile(first, "A", john)
    phone.use_profile(second, "B", john)
    tablet = another(phone)
    tablet.sync_all()

    phone.update_speaker_name(john, "John Smith")

    assert [name for _, name, *_ in phone.detect_speakers(first)] == ["John Smith", None, "John Smith"]
    assert [name for _, name, *_ in phone.detect_speakers(second)] == [None, "John Smith", None]
    profile = phone.speaker_profile(john)
    assert (profile["displayName"], profile["lastUsed"]) == ("John Smith", "2026-03-02T09:00:00.000Z")
    before = dict(tablet.library)
    tablet.sync_all()
    assert tablet.profiles[john]["name"] == "John Smith" and tablet.library == before, "one change, and none of the recordings"
    assert phone.speaker_profile(str(uuid.uuid4())) is None


def test_a_large_library_is_listed_in_each_order(phone):
    """`func getAllRecordings(sortedBy: SortOption) async throws -> [Recording]`. Test with 100+ recordings in library.
    Implement pagination for large recording lists. Lazy load transcript content for list views."""
    drafts = [
        {
            "kind": "voice",
            "content_type": "audio/mp4",
            "size_bytes": 1_000,
            "recorded_at": f"2026-01-01T{n // 60:02}:{n % 60:02}:00Z",
            "duration_s": n * 37 % 105 + 1,
            "title": f"Meeting {n * 53 % 105:03}",
        }
        for n in range(105)
    ]
    for some in (drafts[:100], drafts[100:]):
        operations = [{"op": "create", "entry": draft} for draft in some]
        results = phone.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
        assert {result["status"] for result in results} == {201}
    phone.sync_all()

    dates = [entry["recorded_at"] for entry in phone.all_recordings()]
    assert len(set(dates)) == 105 and dates == sorted(dates, reverse=True)
    assert [entry["duration_s"] for entry in phone.all_recordings("duration", page=20)] == list(range(105, 0, -1))
    titles = [entry["title"] for entry in phone.all_recordings("title")]
    assert titles == [f"Meeting {n:03}" for n in range(105)]
    changed = [phone.all_recordings()[place]["id"] for place in (70, 3, 40)]
    for id in changed:
        phone.update_recording(id, title="changed")
    listed = phone.all_recordings("last_modified")
    assert [entry["id"] for entry in listed[:3]] == changed[::-1] and len(listed) == 105
    assert {entry["text"] for entry in listed} == {None}


def test_recordings_are_found_by_what_was_said_or_written_and_by_tags_and_days(phone):
    """`func searchRecordings(query: String) async throws -> [Recording]`. Test filtering by tags and date."""
    said = recorded(phone, {"text": "hello hannah"}, {"text": "the budget is fine"}, recorded_at="2026-03-01T09:00:00Z", tags=["a", "b"])
    titled = phone.save_recording(meeting(), title="Budget round", recorded_at="2026-03-02T09:00:00Z", tags=["a"])
    noted = phone.save_recording(meeting(), [new_note("Ask for the budget.", 12.5)], recorded_at="2026-03-03T09:00:00Z")
    tagged = phone.save_recording(meeting(), tags=["Budget"], recorded_at="2026-03-04T09:00:00Z")
    other = phone.save_recording(meeting(), recorded_at="2026-03-05T09:00:00Z")
    for id in (titled, noted, tagged, other):
        phone.wait_done(id)

    found = phone.search_recordings("budget")

    assert list(found) == [tagged, noted, titled, said]
    [_, second] = phone.full_transcript(said)
    assert found[said] >= second["timestamp"] and found[noted] == 12.5 and found[titled] is None, "where the player starts"
    assert list(phone.search_recordings('"hello hannah" fine')) == [said] and phone.search_recordings("nothing of that") == {}
    assert phone.filter_recordings(tags=["a"]) == [titled, said] and phone.filter_recordings(tags=["b", "a"]) == [said]
    assert phone.filter_recordings(first="2026-03-03", last="2026-03-04") == [tagged, noted]
    assert phone.filter_recordings(tags=["a"], first="2026-03-02") == [titled]


def test_what_was_done_without_a_network_is_done_when_there_is_one(phone):
    """Queues sync operations when offline, processes when online. `func syncAll() async throws` · `func syncToCloud() async throws` ·
    `func updateRecording(_ recording: Recording) async throws` · `func deleteRecording(id: UUID, deleteFromCloud: Bool) async throws`"""
    old, gone, here = (phone.save_recording(meeting(), title=title) for title in ("old", "gone", "here"))
    for id in (old, gone, here):
        phone.wait_done(id)
    phone.sync_all()
    tablet = another(phone)
    tablet.sync_all()
    assert set(tablet.library) == {old, gone, here}
    tablet.download_recording(gone)

    new = keep(phone, meeting(), title="new")
    later(phone, "sync_recording", new)
    later(phone, "update_recording", old, title="renamed", tags=["late"])
    later(phone, "add_note", old, "from the train")
    later(phone, "delete_recording", gone, delete_from_cloud=True)
    later(phone, "delete_recording", here, delete_from_cloud=False)
    phone.sync_all()
    phone.wait_done(new)

    for device in (phone, tablet):
        device.sync_all()
        assert set(device.library) == {old, here, new} and gone not in device.audio
    assert tablet.library == phone.library
    changed = tablet.library[old]
    assert (changed["title"], changed["tags"], [note["text"] for note in changed["notes"]]) == ("renamed", ["late"], ["from the train"])
    assert here not in phone.audio and phone.download_recording(here), "only the phone's own copy went"


@pytest.mark.parametrize(("resolution", "titles"), [("keepLocal", ["tablet"]), ("keepCloud", ["phone"]), ("keepBoth", ["phone", "tablet"])])
def test_a_conflict_is_resolved_as_the_user_wants(phone, resolution, titles):
    """`func resolveSyncConflict(id: UUID, resolution: ConflictResolution) async throws`"""
    tablet, id = in_conflict(phone)
    assert tablet.library[id]["title"] == "phone", "nothing was overwritten"

    mine = tablet.resolve_conflict(id, resolution)

    phone.wait_done(mine)
    for device in (phone, tablet):
        device.sync_all()
    assert sorted(entry["title"] for entry in phone.library.values()) == titles and tablet.library == phone.library
    assert phone.download_recording(mine) == phone.drafts[id].audio, "both have the recording"
    assert phone.library[mine]["tags"] == ([] if resolution == "keepCloud" else ["late"])


@pytest.mark.parametrize(("changed_at", "title"), [("2199-01-01T00:00:00.000Z", "tablet"), ("2020-01-01T00:00:00.000Z", "phone")])
def test_the_later_change_stays_where_the_app_decides_by_time(phone, changed_at, title):
    """Implements conflict resolution based on lastModified timestamps."""
    tablet, id = in_conflict(phone)
    tablet.resolve_by_time(id, changed_at)
    assert phone.recording(id)["title"] == title


def in_conflict(phone):
    """A second device, and a recording that both have changed while they were offline; the phone came first."""
    id = phone.save_recording(meeting())
    phone.wait_done(id)
    tablet = another(phone)
    for device in (phone, tablet):
        device.sync_all()
    later(phone, "update_recording", id, title="phone")
    later(tablet, "update_recording", id, title="tablet", tags=["late"])
    for device in (phone, tablet):
        device.sync_all()
    assert list(tablet.conflicts) == [id] and phone.conflicts == {}
    return tablet, id


def test_a_recording_is_played_with_its_words_and_comes_to_a_new_phone_whole(phone, monkeypatch):
    """Load recording → play audio → sync transcript highlighting. Test seeking to transcript segment.
    Download recordings from iCloud to local device. Validate data integrity on download."""
    id = recorded(phone)
    audio = phone.drafts[id].audio
    segments = phone.full_transcript(id)

    played, word = phone.play(id, segments[1]["timestamp"] + 0.01)
    assert played == audio and word == "good"
    start, first, rest = phone.seek(id, 3)
    assert abs(start - segments[2]["timestamp"]) < 0.01 and 0 < first and rest == audio[first:]

    new = another(phone)
    assert new.download_recording(id) == new.audio[id] == audio
    monkeypatch.setattr("apps.meeting_recorder.sha256", lambda _: "of bytes that were cut")
    with pytest.raises(CorruptedData):
        new.download_recording(id)


def test_a_transcript_is_edited_and_shows_it_at_once(phone):
    """Test transcript editing."""
    id = recorded(phone)

    phone.edit_transcript(id, {1: "hello anna", 3: "shall we start"})

    assert [(segment["text"], segment["isEdited"]) for segment in phone.full_transcript(id)] == [
        ("hello anna", True),
        ("good morning doctor brown", False),
        ("shall we start", True),
    ]
    for text in (phone.entry(id)["text"], phone.export_as(id, "TXT").decode(), phone.export_as(id, "MD").decode()):
        assert "anna" in text.lower() and "start" in text and "hannah" not in text.lower() and "begin" not in text
    assert list(phone.search_recordings("anna start")) == [id] and phone.search_recordings("hannah") == {}


def test_notes_of_two_devices_are_all_there_and_can_be_changed(phone):
    """Test note addition. `var notes: [Note]` · `var text: String`"""
    id = phone.save_recording(meeting())
    phone.wait_done(id)
    tablet = another(phone)
    later(phone, "add_note", id, "at its place", at_s=1.5)
    later(tablet, "add_note", id, "of all of it")
    for device in (phone, tablet, phone):
        device.sync_all()
    first, second = phone.library[id]["notes"]
    assert (first["text"], first["at_s"], second["text"], second["at_s"]) == ("at its place", 1.5, "of all of it", None)

    tablet.change_note(id, first["id"], "done")
    tablet.delete_note(id, second["id"])

    assert phone.recording(id)["notes"] == [{**first, "text": "done"}]


def test_a_recording_leaves_the_app_in_every_form_of_the_document(phone):
    """Test all export formats (TXT, MD, M4A). Load recording → generate export format → share. JSON used only for portable export formats."""
    note = new_note("Action item: Review PR #123", 450.0, created_at="2025-11-16T10:07:30Z")
    facts = {"title": "Team Standup", "tags": ["standup"], "recorded_at": "2025-11-16T10:00:00Z"}
    id, other = recorded(phone, notes=[note], **facts), recorded(phone)
    phone.name_speaker(id, "A", "John Doe")
    shown, audio = phone.recording(id), phone.drafts[id].audio

    assert phone.export_as(id, "M4A") == audio and phone.export_as(id, "TXT").decode() == phone.entry(id)["text"]
    assert phone.export_as(id, "MD").decode().startswith("# Team Standup\n")
    shared = Zip(phone.share(id))
    assert shared.file(id, "audio") == audio
    assert {"Team Standup", "John Doe: hello hannah", "B: good morning doctor brown"} <= set(shared.file(id, "txt").decode().splitlines())

    folders = phone.export_folders([id, other])
    assert set(folders) == {f"{one}/{name}" for one in (id, other) for name in ("audio.m4a", "transcript.json", "metadata.json")}
    assert folders[f"{id}/audio.m4a"] == audio
    transcript, metadata = (json.loads(folders[f"{id}/{name}.json"]) for name in ("transcript", "metadata"))
    assert (transcript["version"], transcript["segments"]) == ("1.0", phone.full_transcript(id))
    assert METADATA <= set(metadata) and metadata["id"] == id and json.loads(shared.file(id, "metadata_json")) == metadata
    assert {name: metadata[name] for name in ("title", "date", "tags")} == {
        "title": "Team Standup",
        "date": "2025-11-16T10:00:00Z",
        "tags": ["standup"],
    }
    assert (metadata["duration"], metadata["fileSize"]) == (shown["duration"], len(audio))
    assert metadata["speakers"][0] == {"id": "speaker-1", "displayName": "John Doe"} and len(metadata["speakers"]) == 2
    assert metadata["notes"] == [{"id": note["id"], "text": note["text"], "timestamp": 450.0, "createdAt": "2025-11-16T10:07:30Z"}]


def test_old_recordings_make_room_and_their_texts_stay(phone):
    """`func getStorageUsage() async -> StorageUsage`. Handle storage cleanup and quota management. Cost tracking and usage limits."""
    old, older, new = (recorded(phone, recorded_at=f"{day}T09:00:00Z") for day in ("2025-12-31", "2025-03-01", "2026-03-01"))
    size = len(meeting())
    usage = phone.usage()
    assert (usage["storage_bytes"], usage["storage_max_bytes"]) == (3 * size, ROOM)
    assert usage["engine_seconds"] >= 0 and usage["engine_cost"] == 0 and {"engine_minutes_per_day", "engine_cost_per_day"} <= set(usage)

    assert phone.clean_up("2025-12-31") == 2 * size

    wait_for(lambda: phone.usage()["storage_bytes"] == size, 20, "the room")
    assert list(phone.search_recordings("hannah")) == [new, old, older]
    assert [("audio_removed_at" in phone.entry(id)) for id in (old, older, new)] == [True, True, False]


def test_nothing_goes_to_others_and_nothing_is_left_behind(phone):
    """No third-party data sharing. Clear data deletion (right to erasure)."""
    taken = phone.configuration()
    assert taken["hosted_processing"] == "off"
    assert not any(engine["hosted"] for part in ("speech", "text") for engine in taken[part]["engines"])
    recorded(phone, title="Standup")

    assert phone.erase()["counts"]["entries"] == 1

    phone.call("GET", "/v1/me", 401)
    assert phone.enable_sync()["is_new"] and phone.all_recordings() == []
