"""Voice notes as a client of the service, of which the words are heard on its own machine: what its document says, and by which calls it is done."""

import uuid
from urllib.parse import quote

import http_client
from apps.client import Client, Refused, flow, pages
from export_reading import Zip
from processes import wait_for
from user import User, sha256

FLOWS = {
    # Recording and transcription
    "save": flow("createEntry completeUpload", "audio is saved with timestamp and transcription begins"),
    "finished_meanwhile": flow("listChanges", "Implement background task for transcription completion"),
    "transcription": flow("getTranscript", "text appears below the recording with word-level timestamps"),
    "state": flow("getEntry", 'audio is saved but transcription shows "unavailable" message'),
    "retry_transcription": flow("reprocessEntry", "user sees retry option"),
    "edit_text": flow("getEntry changeEntry", "can edit transcription manually"),
    "privacy": flow("getConfig", "Privacy-preserving local-only architecture"),
    # Playback
    "play": flow("getEntry getAudioUrl", "audio plays with progress indicator and current time display"),
    "seek": flow("getAudioUrl", "playback seeks to selected timestamp", "Smooth playback with scrubbing"),
    "waveform": flow("getWaveform", "User interface with waveform visualization"),
    # Search and organization
    "search": flow(
        "searchEntries", "all recordings with matching transcription text are displayed", "Enables text search across all transcriptions"
    ),
    "notes": flow("listEntries", "Organizes notes with titles, tags, and timestamps"),
    "note": flow("getEntry", "Recording: id, title, audioFileURL, duration, createdDate, transcription, tags"),
    "describe": flow("getEntry changeEntry", "they add title and tags", "metadata is saved and searchable"),
    "tags": flow("listTags", "Tag: id, name, color"),
    "change_tag": flow("changeTag", "Tag: id, name, color"),
    "delete_tag": flow("deleteTag", "RecordingTag: recordingID, tagID (many-to-many relationship)"),
    "tagged": flow("listEntries", "RecordingTag: recordingID, tagID (many-to-many relationship)"),
    "put_in_category": flow("getEntry changeEntry", "Features adjustable (categories, tags, export formats)"),
    "category": flow("listEntries", "Features adjustable (categories, tags, export formats)"),
    # Storage
    "limits": flow("getConfig", "Not implementing file size limits"),
    "room_left": flow("getStatistics", "available storage is low", "Manages storage with file size warnings"),
    "oldest": flow("listEntries", "warning appears with option to delete old recordings"),
    "delete": flow("deleteEntry", "User can delete recordings and transcriptions"),
    "delete_recording": flow("removeAudio", "User can delete recordings and transcriptions"),
    "share": flow("getBundle", "audio file exports with transcription text"),
    "export_library": flow("createExport getExport getExportUrl", "Features adjustable (categories, tags, export formats)"),
    "erase": flow("deleteAccount getDeletion", "Clear data deletion removes all files and metadata"),
}

LEFT_OUT = {
    "All audio files and transcriptions stored locally": "`audio: device`; this client sends what it records",
    "Use on-device speech recognition (no server-based)": "words of the phone, which this client leaves to the service",
    "Transcriptions never sent to server": "the same",
    "they select 0.5x, 1x, 1.5x, or 2x": "the player's",
}
"""Of what a server might have a part in: what this client does not do, and why."""


class VoiceNotes(Client, User):
    flows = FLOWS

    def __init__(self, rig, app, address, password="a long enough passphrase 7"):
        self.since = None
        super().__init__(rig, app, address, password)

    # Recording and transcription

    def save(self, audio, recorded_at, **facts):
        id = str(uuid.uuid4())
        needed = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": len(audio), "sha256": sha256(audio)}
        body = {**needed, "id": id, "recorded_at": recorded_at, "time_zone": "Europe/Berlin", **facts}
        answer = self.call("POST", "/v1/entries", (201, 409, 422), json=body)
        if answer.status_code != 201:
            raise Refused(answer.json())
        self.put(answer.json()["upload"], audio)
        self.complete(id)
        return id

    def finished_meanwhile(self):
        """Notes with their text, since the last call; what the app shows when it is opened again."""
        found, more = {}, True
        while more:
            page = self.call("GET", "/v1/changes", 200, params={"since": self.since} if self.since else {}).json()
            found |= {entry["id"]: entry["text"] for entry in page["items"] if entry["status"] == "transcribed"}
            self.since, more = page["next_since"], page["has_more"]
        return found

    def transcription(self, id):
        """Text, and words with the seconds at which they begin and end."""
        said = self.call("GET", f"/v1/entries/{id}/transcript", 200).json()
        return said["text"], [(word["text"], word["start"], word["end"]) for segment in said["segments"] for word in segment["words"]]

    def state(self, id):
        """What the display says below a note, and what its button does."""
        entry = self.entry(id)
        shown = {"transcribed": "text", "failed": "unavailable"}.get(entry["status"], "working")
        return shown, entry.get("processing", {}).get("action")

    def retry_transcription(self, id):
        self.call("POST", f"/v1/entries/{id}/reprocess", 202, json={})

    def edit_text(self, id, text):
        return change(self, id, text=text)

    def privacy(self):
        """Whether anything leaves the machine of the service."""
        config = self.call("GET", "/v1/config", 200).json()
        return config["hosted_processing"], [
            engine["name"] for part in ("speech", "text") for engine in config[part]["engines"] if engine["hosted"]
        ]

    # Playback

    def play(self, id):
        """The sound, and the seconds of the progress indicator."""
        link = self.call("GET", f"/v1/entries/{id}/audio/url", 200).json()
        return http_client.get(link["url"]).content, self.entry(id)["duration_s"]

    def seek(self, id, share):
        """The sound from that share of the file on."""
        link = self.call("GET", f"/v1/entries/{id}/audio/url", 200).json()
        part = http_client.get(link["url"], headers={"Range": f"bytes={int(link['size_bytes'] * share)}-"})
        assert part.status_code == 206, part.text
        return part.content

    def waveform(self, id):
        return self.call("GET", f"/v1/entries/{id}/waveform", 200).json()["peaks"]

    # Search and organization

    def search(self, words):
        return [found["entry"]["id"] for found in pages(self, "/v1/search", q=words)]

    def notes(self):
        """Title, tags and day of each, the newest first."""
        return [(one["title"], one["tags"], one["local_date"]) for one in pages(self, "/v1/entries", view="summary")]

    def note(self, id):
        """As the document writes it."""
        entry = self.entry(id)
        names = {"title": "title", "duration": "duration_s", "createdDate": "recorded_at", "transcription": "text", "tags": "tags"}
        return {name: entry[member] for name, member in names.items()}

    def describe(self, id, title, tags):
        return change(self, id, title=title, tags=tags)

    def tags(self):
        return {tag["name"]: (tag["color"], tag["count"]) for tag in pages(self, "/v1/tags")}

    def change_tag(self, name, /, **new):
        """A new name, a colour, or both, in all notes that have it."""
        return self.call("PATCH", f"/v1/tags/{quote(name, safe='')}", 200, json=new).json()

    def delete_tag(self, name):
        self.call("DELETE", f"/v1/tags/{quote(name, safe='')}", 204)

    def tagged(self, *tags):
        return {one["id"] for one in pages(self, "/v1/entries", view="summary", tag=list(tags))}

    def put_in_category(self, id, category):
        return change(self, id, metadata={"category": category})

    def category(self, category):
        return {one["id"] for one in pages(self, "/v1/entries", view="summary", **{"metadata.category": category})}

    # Storage

    def limits(self):
        return self.call("GET", "/v1/config", 200).json()["limits"]

    def room_left(self):
        """Bytes; None without a limit."""
        usage = self.call("GET", "/v1/me/stats", 200).json()["usage"]
        return None if usage["storage_max_bytes"] is None else usage["storage_max_bytes"] - usage["storage_bytes"]

    def oldest(self, count):
        """With their sizes, for a list to choose from."""
        listed = pages(self, "/v1/entries", view="summary", kind="voice", order="asc", limit=count)
        return [(one["id"], one["size_bytes"]) for one, _ in zip(listed, range(count), strict=False)]

    def delete(self, id):
        self.call("DELETE", f"/v1/entries/{id}", 204)

    def delete_recording(self, id):
        """The text stays."""
        self.call("DELETE", f"/v1/entries/{id}/audio", 200)

    def share(self, id):
        """The sound and the text, for the share sheet."""
        zipped = Zip(self.call("GET", f"/v1/entries/{id}/bundle.zip", 200).content)
        return zipped.file(id, "audio"), zipped.file(id, "txt").decode()

    def export_library(self, formats):
        export = self.call("POST", "/v1/exports", 202, json={"formats": formats, "mail": False}).json()["id"]

        def ready():
            status = self.call("GET", f"/v1/exports/{export}", 200).json()["status"]
            assert status != "failed"
            return status == "ready"

        wait_for(ready, 40, "the zip")
        return Zip(http_client.get(self.call("GET", f"/v1/exports/{export}/url", 200).json()["url"]).content)

    def erase(self):
        receipt = self.call("DELETE", "/v1/me", 202, json={"password": self.password}).json()["receipt"]

        def erased():
            return self.call("GET", f"/v1/deletions/{receipt}", 200).json()["status"] == "erased"

        wait_for(erased, 60, "the erasure")


def change(app, id, **members):
    """The whole change once more where another device has changed the note meanwhile."""
    version = app.entry(id)["version"]
    while (
        answer := app.call("PATCH", f"/v1/entries/{id}", (200, 412), json=members, headers={"If-Match": f'"{version}"'})
    ).status_code == 412:
        version = answer.json()["current"]["version"]
    return answer.json()
