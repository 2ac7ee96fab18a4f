"""The Meeting Recorder as a client of the service, which stands in the place of iCloud: what its document says, and by which calls it is done."""

import uuid
from typing import NamedTuple

import http_client
from apps.client import Client, Refused, flow, pages
from export_reading import Zip
from oidc import Visitor
from processes import wait_for
from user import sha256

FLOWS = {
    # The account
    "enable_sync": flow("createChallenge signInWithApple", "Users already have iCloud accounts.", "func enableSync() async throws"),
    "disable_sync": flow("signOut", "func disableSync() async throws"),
    "renew_session": flow("refreshSession", "case authenticationFailed"),
    "configuration": flow(
        "getConfig", "No third-party data sharing", "case audioFormatUnsupported", "Optimize for longer recordings (4+ hours)"
    ),
    "usage": flow("getStatistics", "func getStorageUsage() async -> StorageUsage", "Cost tracking and usage limits"),
    "erase": flow("deleteAccount getDeletion", "Clear data deletion (right to erasure)"),
    # Recordings on their way
    "save_recording": flow(
        "createEntry completeUpload addNote?",
        "Start recording → transcribe → detect speakers → save → sync",
        "func saveRecording(_ recording: Recording) async throws",
        "case quotaExceeded",
    ),
    "sync_recording": flow(
        "createEntry completeUpload addNote?",
        "func syncRecording(id: UUID) async throws",
        "Implements exponential backoff for failed sync attempts",
    ),
    "hand_to_background": flow("createEntry", "Implements background URLSession for reliable cloud uploads"),
    "recover": flow("renewUploadUrl completeUpload?", "Implement crash recovery on next launch"),
    "sync_in_parts": flow("createEntry openUploadParts listUploadParts completeUpload", "case syncing(progress: Double)"),
    "sync_all": flow(
        "listChanges createEntry? completeUpload? changeEntry? deleteEntry? addNote?",
        "func syncAll() async throws",
        "func syncToCloud() async throws",
        "Queues sync operations when offline, processes when online",
    ),
    "sync_status": flow("getEntry", "Monitor sync status and connectivity"),
    "download_recording": flow(
        "getEntry getAudioUrl", "Download recordings from iCloud to local device", "Validate data integrity on download"
    ),
    "resolve_conflict": flow("copyEntry? changeEntry?", "func resolveSyncConflict(id: UUID, resolution: ConflictResolution) async throws"),
    "resolve_by_time": flow("changeEntry?", "Implements conflict resolution based on lastModified timestamps"),
    # The library
    "recording": flow("getEntry", "func getRecording(id: UUID) async throws -> Recording?"),
    "all_recordings": flow(
        "listEntries",
        "func getAllRecordings(sortedBy: SortOption) async throws -> [Recording]",
        "Implement pagination for large recording lists",
        "Lazy load transcript content for list views",
        "Test with 100+ recordings in library",
    ),
    "search_recordings": flow("searchEntries", "func searchRecordings(query: String) async throws -> [Recording]"),
    "filter_recordings": flow("listEntries", "Test filtering by tags and date"),
    "update_recording": flow("changeEntry", "func updateRecording(_ recording: Recording) async throws"),
    "delete_recording": flow("deleteEntry?", "func deleteRecording(id: UUID, deleteFromCloud: Bool) async throws"),
    "clean_up": flow("listEntries changeEntries", "Handle storage cleanup and quota management"),
    # A recording
    "play": flow("getAudioUrl getTranscript", "Load recording → play audio → sync transcript highlighting"),
    "seek": flow("getAudioUrl getTranscript", "Test seeking to transcript segment"),
    "full_transcript": flow("getTranscriptFile", "func getFullTranscript() async -> [TranscriptSegment]"),
    "doubtful_segments": flow("getTranscript", "Applies confidence threshold of 0.5 for low-confidence marking"),
    "retry_transcription": flow("reprocessEntry", "Provide recovery options (retry, settings, cancel)"),
    "edit_transcript": flow("getTranscript correctSegments", "Test transcript editing"),
    "add_note": flow("addNote", "Test note addition"),
    "change_note": flow("changeNote", "var text: String"),
    "delete_note": flow("deleteNote", "var notes: [Note]"),
    # Who speaks
    "detect_speakers": flow(
        "getTranscript",
        "func detectSpeakers(audioURL: URL) async throws -> [SpeakerSegment]",
        "MVP uses simplified diarization (energy levels, pause detection)",
    ),
    "assign_speaker": flow("getTranscript correctSegment", "func assignSpeakerToSegment(segmentID: UUID, speakerID: String) async throws"),
    "name_speaker": flow("getTranscript nameSpeakers", "Allow post-recording speaker name assignment"),
    "create_profile": flow("createSpeaker", "Manage speaker profile creation and storage"),
    "use_profile": flow("getTranscript nameSpeakers", "var speakers: [SpeakerProfile]"),
    "update_speaker_name": flow("renameSpeaker", "func updateSpeakerName(speakerID: String, name: String) async throws"),
    "speaker_profile": flow("listSpeakers listEntries?", "func getSpeakerProfile(speakerID: String) async -> SpeakerProfile?"),
    # Out of the app
    "export_as": flow("getTranscriptFile? getAudioUrl?", "Test all export formats (TXT, MD, M4A)"),
    "share": flow("getBundle", "Load recording → generate export format → share"),
    "export_folders": flow("createExport getExport getExportUrl", "JSON used only for portable export formats."),
}

LEFT_OUT = {
    "func startLiveTranscription(audioBuffer: AVAudioPCMBuffer) async throws": "words of the phone, which this client leaves to the service",
    "Uses SFSpeechRecognizer for on-device recognition": "the same",
    "All processing happens on-device to maintain privacy and minimize latency.": "`audio: device`; this client sends what it records",
    "WatchConnectivity framework for phone-watch communication": "a watch without a phone has a token of its own, as the phone of Toukan",
    "Voice profiles stored locally only": "of a voice nothing is sent; a speaker of the account is a name",
    "func cancelRecording() async throws": "what is cancelled was not announced",
}
"""Of what a server might have a part in: what this client does not do, and why."""

SORTS = {"date": "recorded_at", "duration": "duration", "last_modified": "updated_at"}
"""Titles are sealed: the phone sorts by them."""


class Killed(Exception):
    """The app was ended here."""


class CorruptedData(Exception):
    pass


class Draft(NamedTuple):
    """A recording of the phone, and what is sent with it."""

    audio: bytes
    facts: dict
    notes: list


class MeetingRecorder(Client, Visitor):
    """A device. `library` is what it knows of the cloud, `pending` what it could not send yet, `audio` the recordings that lie on it."""

    flows = FLOWS

    def __init__(self, rig, providers, sub, app="meetings"):
        self.sub, self.since, self.dies_after = sub, None, None
        self.drafts, self.audio, self.library, self.profiles = {}, {}, {}, {}
        self.pending, self.conflicts = [], {}
        super().__init__(rig, providers, app)

    # The account

    def enable_sync(self):
        body = {**self.answer("apple", self.sub), "device": "Anna's phone", "time_zone": "Europe/Berlin"}
        return self.enter("apple", self.sub, body=body)

    def disable_sync(self):
        self.call("POST", "/v1/auth/logout", 204)

    def renew_session(self):
        self.use(self.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": self.tokens["refresh_token"]}).json())

    def configuration(self):
        return self.call("GET", "/v1/config", 200).json()

    def usage(self):
        return self.call("GET", "/v1/me/stats", 200).json()["usage"]

    def erase(self):
        receipt = self.call("DELETE", "/v1/me", 202).json()["receipt"]

        def erased():
            deletion = self.call("GET", f"/v1/deletions/{receipt}", 200).json()
            return deletion if deletion["status"] == "erased" else None

        return wait_for(erased, 60, "the erasure")

    # Recordings on their way

    def save_recording(self, audio, notes=(), **facts):
        id = keep(self, audio, notes, **facts)
        self.sync_recording(id)
        return id

    def sync_recording(self, id):
        """May be broken off anywhere, and is then called again."""
        draft = self.drafts[id]
        made = announce(self, draft.facts)
        reach(self, "create")
        if "upload" in made:
            # Where an earlier try has sent it and no answer arrived, this one is not taken.
            assert self.put(made["upload"], draft.audio, expect=None).status_code in (200, 412)
            reach(self, "put")
        self.complete(id)
        reach(self, "complete")
        for note in draft.notes:
            self.call("POST", f"/v1/entries/{id}/notes", 200, json=note)

    def hand_to_background(self, id):
        """What the system needs to send the recording without the app."""
        return announce(self, self.drafts[id].facts)["upload"]

    def recover(self, id):
        """The app has the recording and knows that it was announced, and no more."""
        answer = self.call("POST", f"/v1/uploads/{id}/url", (200, 409))
        if answer.status_code == 200:
            self.put(answer.json()["upload"], self.drafts[id].audio)
            self.complete(id)

    def sync_in_parts(self, id):
        """Goes on where an earlier call was broken off; what the display shows."""
        draft, shown = self.drafts[id], []
        announce(self, {**draft.facts, "parts": True})
        while parts := (offer := self.call("POST", f"/v1/uploads/{id}/parts", 200, params={"limit": 1}).json())["parts"]:
            [part] = parts
            self.put(part, draft.audio[(part["number"] - 1) * offer["part_size"] :][: part["size_bytes"]])
            reach(self, "part")
            arrived = self.call("GET", f"/v1/uploads/{id}/parts", 200).json()
            shown.append(len(arrived["items"]) / arrived["part_count"])
        self.complete(id)
        return shown

    def sync_all(self):
        while self.pending:
            name, given, named = self.pending.pop(0)
            getattr(self, name)(*given, **named)
        more = True
        while more:
            page = self.call("GET", "/v1/changes", 200, params={"since": self.since} if self.since else {}).json()
            self.library |= {entry["id"]: entry for entry in page["items"]}
            for gone in page["deleted"]:
                self.library.pop(gone["id"], None)
                self.audio.pop(gone["id"], None)
            self.profiles |= {speaker["id"]: speaker for speaker in page["speakers"]}
            self.since, more = page["next_since"], page["has_more"]
        self.profiles = {id: speaker for id, speaker in self.profiles.items() if not speaker["deleted_at"]}

    def sync_status(self, id):
        entry = self.entry(id)
        state = {"transcribed": "synced", "failed": "error"}.get(entry["status"], "processing")
        return {"state": state, **{name: entry.get("processing", {}).get(name) for name in ("code", "action")}}

    def download_recording(self, id):
        """As it was recorded: the copy that players get is another file."""
        link = self.call("GET", f"/v1/entries/{id}/audio/url", 200, params={"original": "true"}).json()
        content = http_client.get(link["url"], headers=link["headers"]).content
        if sha256(content) != self.entry(id)["sha256"]:
            raise CorruptedData(id)
        self.audio[id] = content
        return content

    def resolve_conflict(self, id, resolution):
        """The id of the entry that has the changes of this device, or of what is there."""
        changes, cloud = self.conflicts.pop(id)
        self.library[id] = cloud
        if resolution == "keepLocal":
            self.update_recording(id, **changes)
        if resolution != "keepBoth":
            return id
        copy = self.call("POST", f"/v1/entries/{id}/copy", 201, headers={"Idempotency-Key": f"{id}-{cloud['version']}"}).json()
        self.library[copy["id"]] = copy
        self.update_recording(copy["id"], **changes)
        return copy["id"]

    def resolve_by_time(self, id, changed_at):
        _, cloud = self.conflicts[id]
        return self.resolve_conflict(id, "keepLocal" if changed_at > cloud["updated_at"] else "keepCloud")

    # The library

    def recording(self, id):
        """As the document writes it."""
        answer = self.call("GET", f"/v1/entries/{id}", (200, 404))
        if answer.status_code == 404:
            return None
        entry = self.library[id] = answer.json()
        return {
            "id": entry["id"],
            "title": entry["title"],
            "date": entry["recorded_at"],
            "duration": entry["duration_s"],
            "tags": entry["tags"],
            "notes": entry.get("notes", []),
            "fileSize": entry["size_bytes"],
            "lastModified": entry["updated_at"],
        }

    def all_recordings(self, sorted_by="date", page=50):
        params = {"kind": "voice", "view": "summary", "limit": page}
        if sorted_by == "title":
            return sorted(pages(self, "/v1/entries", **params), key=lambda entry: entry["title"] or "")
        return list(pages(self, "/v1/entries", sort=SORTS[sorted_by], **params))

    def search_recordings(self, query):
        """Ids, the newest first, each with the place from which a player starts."""
        found = pages(self, "/v1/search", q=query, kind="voice")
        return {one["entry"]["id"]: next((s["at_s"] for s in one["snippets"] if s["at_s"] is not None), None) for one in found}

    def filter_recordings(self, tags=(), first=None, last=None):
        days = {name: day for name, day in (("from", first), ("to", last)) if day}
        return [entry["id"] for entry in pages(self, "/v1/entries", kind="voice", view="summary", tag=list(tags), **days)]

    def update_recording(self, id, **changes):
        """Of what this device knows; a change of another device makes it a conflict."""
        condition = {"If-Match": f'"{self.library[id]["version"]}"'}
        answer = self.call("PATCH", f"/v1/entries/{id}", (200, 412), json=changes, headers=condition)
        if answer.status_code == 412:
            self.conflicts[id] = (changes, answer.json()["current"])
        else:
            self.library[id] = answer.json()

    def delete_recording(self, id, delete_from_cloud):
        self.audio.pop(id, None)
        if delete_from_cloud:
            self.call("DELETE", f"/v1/entries/{id}", 204)

    def clean_up(self, last):
        """Recordings up to that day go, their texts stay; gives the bytes."""
        old = pages(self, "/v1/entries", kind="voice", status="transcribed", view="summary", order="asc", to=last)
        sizes = {entry["id"]: entry["size_bytes"] for entry in old if "audio_removed_at" not in entry}
        operations = [{"op": "delete_audio", "id": id} for id in sizes]
        results = self.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
        assert {result["status"] for result in results} == {200}
        return sum(sizes.values())

    # A recording

    def play(self, id, at):
        """What a player gets, and the word that is marked at that second."""
        link = self.call("GET", f"/v1/entries/{id}/audio/url", 200).json()
        words = [word for segment in transcript(self, id)[0]["segments"] for word in segment["words"]]
        return http_client.get(link["url"]).content, [word["text"] for word in words if word["start"] <= at][-1]

    def seek(self, id, segment):
        """The second at which a segment begins, and the bytes from about there on."""
        link = self.call("GET", f"/v1/entries/{id}/audio/url", 200).json()
        segments = transcript(self, id)[0]["segments"]
        start = next(one["start"] for one in segments if one["id"] == segment)
        first = int(link["size_bytes"] * start / segments[-1]["end"])
        part = http_client.get(link["url"], headers={"Range": f"bytes={first}-"})
        assert part.status_code == 206, part.text
        return start, first, part.content

    def full_transcript(self, id):
        return self.call("GET", f"/v1/entries/{id}/transcript/file", 200, params={"format": "meeting"}).json()["segments"]

    def doubtful_segments(self, id):
        return [segment["id"] for segment in transcript(self, id)[0]["segments"] if "low_confidence" in segment["marks"]]

    def retry_transcription(self, id):
        self.call("POST", f"/v1/entries/{id}/reprocess", 202, json={})

    def edit_transcript(self, id, texts):
        """A screen of segments at once."""
        body = {"segments": [{"id": segment, "text": text} for segment, text in texts.items()]}
        _, version = transcript(self, id)
        self.call("PATCH", f"/v1/entries/{id}/segments", 200, json=body, headers={"If-Match": version})

    def add_note(self, id, text, at_s=None):
        note = new_note(text, at_s)
        self.call("POST", f"/v1/entries/{id}/notes", 200, json=note)
        return note["id"]

    def change_note(self, id, note, text):
        self.call("PATCH", f"/v1/entries/{id}/notes/{note}", 200, json={"text": text})

    def delete_note(self, id, note):
        self.call("DELETE", f"/v1/entries/{id}/notes/{note}", 200)

    # Who speaks

    def detect_speakers(self, id):
        """Label, name where there is one, begin and end of each segment."""
        said, _ = transcript(self, id)
        names = {speaker["id"]: speaker["name"] for speaker in said["speakers"]}
        return [(one["speaker"], names[one["speaker"]], one["start"], one["end"]) for one in said["segments"]]

    def assign_speaker(self, id, segment, label):
        _, version = transcript(self, id)
        self.call("PATCH", f"/v1/entries/{id}/segments/{segment}", 200, json={"speaker": label}, headers={"If-Match": version})

    def name_speaker(self, id, label, name):
        """In this recording alone."""
        point(self, id, {label: {"name": name}})

    def create_profile(self, name):
        return self.call("POST", "/v1/speakers", 201, json={"id": str(uuid.uuid4()), "name": name}).json()["id"]

    def use_profile(self, id, label, profile):
        point(self, id, {label: {"speaker_id": profile}})

    def update_speaker_name(self, profile, name):
        self.call("PATCH", f"/v1/speakers/{profile}", 200, json={"name": name})

    def speaker_profile(self, profile):
        """As the document writes it. When one was last used, the newest of their recordings tells."""
        found = next((one for one in pages(self, "/v1/speakers") if one["id"] == profile), None)
        if not found:
            return None
        newest = next(pages(self, "/v1/entries", speaker=profile, view="summary", limit=1), None)
        used = newest["recorded_at"] if newest else found["created_at"]
        return {"id": profile, "displayName": found["name"], "createdAt": found["created_at"], "lastUsed": used}

    # Out of the app

    def export_as(self, id, form):
        if form == "M4A":
            return http_client.get(self.call("GET", f"/v1/entries/{id}/audio/url", 200).json()["url"]).content
        return self.call("GET", f"/v1/entries/{id}/transcript/file", 200, params={"format": form.lower()}).content

    def share(self, id):
        return self.call("GET", f"/v1/entries/{id}/bundle.zip", 200).content

    def export_folders(self, ids):
        """The folders of the document, made of the members of a zip."""
        body = {"entry_ids": list(ids), "formats": ["transcript_json", "metadata_json"], "mail": False}
        export = self.call("POST", "/v1/exports", 202, json=body).json()["id"]

        def ready():
            status = self.call("GET", f"/v1/exports/{export}", 200).json()["status"]
            assert status != "failed"
            return status == "ready"

        wait_for(ready, 40, "the zip")
        zipped = Zip(http_client.get(self.call("GET", f"/v1/exports/{export}/url", 200).json()["url"]).content)
        files = {"audio.m4a": "audio", "transcript.json": "transcript_json", "metadata.json": "metadata_json"}
        return {f"{id}/{name}": zipped.file(id, role) for id in zipped.entries for name, role in files.items()}


def keep(phone, audio, notes=(), **facts):
    """Puts a recording on the phone; nothing is sent."""
    id = str(uuid.uuid4())
    needed = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": len(audio), "sha256": sha256(audio)}
    phone.drafts[id] = Draft(audio, {**needed, "id": id, "time_zone": "Europe/Berlin", **facts}, list(notes))
    phone.audio[id] = audio
    return id


def later(phone, name, *given, **named):
    """What the phone does when it has a network again."""
    phone.pending.append((name, given, named))


def new_note(text, at_s=None, **more):
    return {"id": str(uuid.uuid4()), "text": text, "at_s": at_s, **more}


def announce(phone, facts):
    answer = phone.call("POST", "/v1/entries", (201, 409, 422), json=facts)
    if answer.status_code != 201:
        raise Refused(answer.json())
    return answer.json()


def reach(phone, step):
    if phone.dies_after == step:
        phone.dies_after = None
        raise Killed(step)


def transcript(phone, id):
    """With the version that a correction of it names."""
    answer = phone.call("GET", f"/v1/entries/{id}/transcript", 200)
    return answer.json(), answer.headers["etag"]


def point(phone, id, names):
    _, version = transcript(phone, id)
    phone.call("PATCH", f"/v1/entries/{id}/speakers", 200, json=names, headers={"If-Match": version})
