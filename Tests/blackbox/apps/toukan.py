"""Toukan as a client of the service: a phone that only sends, with a token and without a session, and the web page on which its recordings are
reviewed. What its document says, and by which calls it is done."""

import dataclasses
import uuid

import urllib3

import http_client
from apps.client import Client, flow, pages
from user import User

FLOWS = {
    # The phone
    "set_up": flow("createToken", "User authentication (single-user for now, no device identifier)"),
    "upload": flow(
        "uploadRecording?",
        "Upload: POST /upload (multipart/form-data)",
        'Success → Mark as "uploaded", store memory_id from response',
        'Failure → Mark as "failed", schedule retry',
    ),
    "send_pending": flow(
        "uploadRecording?",
        "When connectivity returns, the app auto-uploads queued recordings",
        "Retry strategy: exponential backoff (1s, 2s, 4s, 8s, 16s) up to 5 attempts",
        "Pull-to-refresh triggers upload retry for any pending/failed items",
    ),
    "hand_to_background": flow("", "Background URLSession continues the upload independently of the app process."),
    "upload_in_parts": flow("createEntry openUploadParts completeUpload", "Very long recording (2+ hours)"),
    "largest": flow("getConfig", "Monitor file size, warn at 500MB"),
    # The web page
    "memories": flow("listEntries", "Hours later: user opens the **web app** to review summary, key points, and transcript"),
    "review": flow("getEntry getTranscript", "Hours later: user opens the **web app** to review summary, key points, and transcript"),
    "listen": flow("getAudioUrl", "The audio is never lost."),
    "lose_phone": flow("listTokens revokeToken", "User authentication (single-user for now, no device identifier)"),
}

LEFT_OUT = {
    "Push notifications when processing completes": "out of the document's scope; the page asks",
    "Speaker diarization": "out of its scope; the transcript has speakers where an engine tells them",
    "Real-time transcription": "out of its scope; a recording is sent when it is whole",
    "After 7 days, delete local audio file to free storage": "the phone's",
}
"""Of what a server might have a part in: what this client does not do, and why."""

ATTEMPTS = (1, 2, 4, 8, 16)
"""Seconds between them."""


class Offline(Exception):
    pass


@dataclasses.dataclass
class Recording:
    """A row of the phone's history."""

    name: str
    audio: bytes
    status: str = "pending"
    memory: str | None = None
    tries: int = 0


class Toukan(Client, User):
    """The person's session is that of the web page; `history` is the phone's. `network` is where the next calls of the phone break off."""

    flows = FLOWS

    def __init__(self, rig, app, address, password="a long enough passphrase 7"):
        self.token, self.history, self.network, self.waited = None, [], [], []
        super().__init__(rig, app, address, password)

    # The phone

    def set_up(self):
        """The person signs in once, on the page, and gives the phone a token that can add and read nothing."""
        body = {"name": "iPhone", "scopes": ["entries:write"], "expires_in_days": 365}
        self.token = self.call("POST", "/v1/me/tokens", 201, json=body).json()["token"]

    def upload(self, recording):
        """One attempt."""
        recording.status = "uploading"
        try:
            reach(self, "send")
            form = {"file": (recording.name, recording.audio, "audio/mp4")}
            answer = self.call("POST", "/upload", 201, files=form, headers=bearer(self)).json()
            reach(self, "answer")
        except Offline:
            recording.status = "failed"
            recording.tries += 1
            return
        assert (answer["status"], answer["message"]) == ("processing", "Audio uploaded and processing enqueued")
        recording.status, recording.memory = "uploaded", answer["memory_id"]

    def send_pending(self):
        """When the network is there again, and by hand; what the waits would be is noted."""
        for recording in self.history:
            for seconds in ATTEMPTS:
                if recording.status == "uploaded":
                    break
                self.upload(recording)
                if recording.status == "failed":
                    self.waited.append(seconds)

    def hand_to_background(self, recording):
        """What the system needs to send the file without the app: address, body and header fields."""
        body, kind = urllib3.encode_multipart_formdata({"file": (recording.name, recording.audio, "audio/mp4")})
        return self.rig.url + "/upload", body, {**bearer(self), "Content-Type": kind}

    def upload_in_parts(self, recording):
        """A long one: what a broken connection costs is a part of it."""
        facts = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": len(recording.audio), "parts": True}
        body = {**facts, "id": str(uuid.uuid4()), "metadata": {"client_filename": recording.name}}
        id = self.call("POST", "/v1/entries", 201, json=body, headers=bearer(self)).json()["entry_id"]
        ask = {"params": {"limit": 1}, "headers": bearer(self)}
        while parts := (offer := self.call("POST", f"/v1/uploads/{id}/parts", 200, **ask).json())["parts"]:
            [part] = parts
            self.put(part, recording.audio[(part["number"] - 1) * offer["part_size"] :][: part["size_bytes"]])
        self.call("POST", f"/v1/uploads/{id}/complete", 202, headers=bearer(self))
        recording.status, recording.memory = "uploaded", id

    def largest(self):
        """Bytes of one request."""
        return self.call("GET", "/v1/config", 200).json()["limits"]["audio_max_bytes"]

    # The web page

    def memories(self):
        """The newest first."""
        return [(one["id"], one["recorded_at"], one["status"]) for one in pages(self, "/v1/entries", view="summary")]

    def review(self, memory):
        entry = self.entry(memory)
        said = self.call("GET", f"/v1/entries/{memory}/transcript", 200).json()
        return entry["summary"], entry.get("key_points", []), said["text"]

    def listen(self, memory):
        return http_client.get(self.audio_url(memory)).content

    def lose_phone(self):
        for token in pages(self, "/v1/me/tokens"):
            self.call("DELETE", f"/v1/me/tokens/{token['id']}", 204)


def stop_recording(phone, audio, began="2024-01-15T14-30-00"):
    """Puts a recording into the phone's history; nothing is sent."""
    phone.history.insert(0, Recording(f"toukan_{began}.m4a", audio))
    return phone.history[0]


def bearer(phone):
    return {"Authorization": f"Bearer {phone.token}"}


def reach(phone, step):
    if step in phone.network:
        phone.network.remove(step)
        raise Offline(step)
