"""My Day as a client of the service: what its document says, and by which calls it is done."""

import uuid

import http_client
from apps.client import Client, flow
from export_reading import Zip
from oidc import Visitor
from processes import wait_for
from user import User, sha256

FLOWS = {
    # Authentication
    "sign_in_with": flow(
        "createChallenge signInWithApple? signInWithGoogle?",
        "Sign in with Apple, Google Sign-In, or email/password handled by backend token exchange.",
    ),
    "register": flow("registerByEmail verifyEmail", "`POST /v1/auth/apple | google | email`"),
    "sign_in": flow("signInByEmail", "`POST /v1/auth/apple | google | email`"),
    "renew": flow("refreshSession", "Issue short-lived JWTs with rotating refresh tokens."),
    "sign_out": flow("signOut", "Token rotation"),
    # Recording output
    "announce": flow("createEntry", "`POST /v1/entries` → returns signed `PUT` URL + `entry_id`", "Signed URLs must be time-bound"),
    "upload": flow(
        "createEntry? renewUploadUrl? completeUpload?", "Offline capture supported; uploads queue until connectivity is restored."
    ),
    "retry_uploads": flow(
        "createEntry? renewUploadUrl? completeUpload?",
        "Offline operation supported; uploads retry automatically when online.",
        "Rehydrate pending tasks on app launch.",
    ),
    "type_instead": flow("createEntry", 'Secondary "Type instead" action opens text entry for manual diary input.'),
    "short_note": flow("createEntry completeUpload", "Optional on-device Apple Speech transcription for short notes."),
    # Library
    "sync": flow(
        "listEntries",
        "Client syncs results automatically on launch or via manual pull-to-refresh.",
        "`GET /v1/entries?since=...` (paginated)",
        "Implement `SyncService` that on app start and manual refresh pulls changed entries and merges by ID.",
    ),
    "detail": flow("getEntry", "`GET /v1/entries/{id}`", "Displays status chips such as “Transcribing…”."),
    "play": flow("getAudioUrl", "Entries sorted by date; tap to view transcript and play audio."),
    "edit": flow("changeEntry", "Resolve conflicts preferring latest server status/`transcript_clean`."),
    "take_suggestions": flow("answerSuggestions", "Tags or moods (auto-suggested with manual edits)."),
    "delete": flow("deleteEntry", "Profile screen must include delete account/data options and reference privacy policy"),
    # Profile
    "totals": flow("getStatistics", "Shows total recordings and cumulative duration."),
    "export": flow(
        "createExport getExport",
        "Date-range export emails a `.zip` containing audio and cleaned transcripts.",
        "`POST /v1/exports (from, to, email)`",
        "`GET /v1/exports/{id}`",
    ),
    "remind": flow("changeProfile", "Daily reminders to prompt recordings."),
    "use_locale": flow("changeProfile", "Capture locale to select ASR language automatically."),
    "consent": flow("changeProfile", "do not train models on user data without explicit consent."),
    "privacy_policy": flow("getConfig", "Profile screen must include delete account/data options and reference privacy policy"),
    "delete_account": flow(
        "deleteAccount getDeletion", "Profile screen must include delete account/data options and reference privacy policy"
    ),
}

LEFT_OUT = {
    "iCloud Drive export support.": "the phone saves the zip that it has downloaded",
    "Waveform rendering stays smooth at or above 30 FPS.": "the phone's, of what it hears; the service draws recordings, too (`getWaveform`)",
    "SES or SendGrid": "the operator's; here mails go into files",
}
"""Of what a server might have a part in: what this client does not do, and why."""

CHIPS = {"awaiting_upload": "Waiting…", "failed": "Failed", "transcribed": None}
"""Of other states: Transcribing…"""


class Offline(Exception):
    pass


class MyDay(Client, Visitor):
    """A phone. `library` is what it knows, `queue` what it has not sent; `network` is where the next calls break off."""

    flows = FLOWS

    def __init__(self, rig, providers, app):
        self.library, self.queue, self.announced, self.network, self.since = {}, {}, {}, [], "0"
        super().__init__(rig, providers, app)

    # Authentication

    def sign_in_with(self, provider, sub):
        return self.enter(provider, sub, body={**self.answer(provider, sub), "device": "iPhone", "time_zone": "Europe/Berlin"})

    def register(self):
        User.sign_up(self)

    def sign_in(self):
        body = {"email": self.address, "password": self.password, "device": "iPhone"}
        self.use(self.call("POST", "/v1/auth/email", 200, json=body).json())

    def renew(self):
        self.use(self.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": self.tokens["refresh_token"]}).json())

    def sign_out(self):
        self.call("POST", "/v1/auth/logout", 204)

    # Recording output

    def announce(self, id):
        """Where the system is to send the recording, and until when."""
        return self.call("POST", "/v1/entries", 201, json=self.queue[id]["facts"]).json().get("upload")

    def upload(self, id):
        """May break off anywhere, and is then called again."""
        reach(self, "create")
        made = {} if id in self.announced else self.call("POST", "/v1/entries", 201, json=self.queue[id]["facts"]).json()
        upload = made.get("upload")
        self.announced[id] = True
        if upload is None:
            # The app was closed meanwhile; what has arrived is not sent again.
            renewed = self.call("POST", f"/v1/uploads/{id}/url", (200, 409))
            upload = renewed.json()["upload"] if renewed.status_code == 200 else None
        reach(self, "put")
        if upload:
            assert self.put(upload, self.queue[id]["audio"], expect=None).status_code in (200, 412)
            reach(self, "complete")
            self.complete(id)
        del self.queue[id]

    def retry_uploads(self):
        for id in list(self.queue):
            try:
                self.upload(id)
            except Offline:
                continue

    def type_instead(self, text, **facts):
        return self.create_text(text, **facts)["entry_id"]

    def short_note(self, audio, text):
        """The phone has heard it: no engine of the service does."""
        words = {"text": text, "language": "en", "source": "apple_speech"}
        made = self.create_voice(audio, transcript=words, recognise="never")
        self.put(made["upload"], audio)
        self.complete(made["entry_id"])
        return made["entry_id"]

    # Library

    def sync(self, limit=100):
        more = True
        while more:
            page = self.call("GET", "/v1/entries", 200, params={"since": self.since, "limit": limit}).json()
            self.library |= {entry["id"]: entry for entry in page["items"]}
            for gone in page["deleted"]:
                self.library.pop(gone["id"], None)
            self.since, more = page["next_since"], page["has_more"]

    def detail(self, id):
        """The chip, and the cleaned text."""
        entry = self.library[id] = self.entry(id)
        return CHIPS.get(entry["status"], "Transcribing…"), entry["transcript_clean"]

    def play(self, id):
        return http_client.get(self.audio_url(id)).content

    def edit(self, id, **changes):
        """On what this phone knows; false where another device was first, whose version the phone has then."""
        condition = {"If-Match": f'"{self.library[id]["version"]}"'}
        answer = self.call("PATCH", f"/v1/entries/{id}", (200, 412), json=changes, headers=condition)
        self.library[id] = answer.json() if answer.status_code == 200 else answer.json()["current"]
        return answer.status_code == 200

    def take_suggestions(self, id, **chosen):
        self.library[id] = self.call("POST", f"/v1/entries/{id}/suggestions", 200, json={"accept": chosen}).json()

    def delete(self, id):
        self.call("DELETE", f"/v1/entries/{id}", 204)
        self.library.pop(id, None)

    # Profile

    def totals(self):
        stats = self.call("GET", "/v1/me/stats", 200).json()
        return stats["recordings"], stats["duration_s"]

    def export(self, first, last):
        """The zip behind the mailed link."""
        body = {"from": first, "to": last, "email": self.address}
        self.wait_export(self.call("POST", "/v1/exports", 202, json=body).json()["id"])
        return Zip(self.download(wait_for(self.export_links, 20, "the link")[-1]))

    def remind(self, time):
        reminder = {"time": time, "days": ["sunday"], "enabled": True}
        return self.call("PATCH", "/v1/me", 200, json={"reminder": reminder}).json()["reminder"]["time"]

    def use_locale(self, locale):
        profile = self.call("PATCH", "/v1/me", 200, json={"locale": locale, "languages": [locale]}).json()
        return profile["locale"], profile["languages"]

    def consent(self, given):
        return self.call("PATCH", "/v1/me", 200, json={"hosted_processing_consent": given}).json()["hosted_processing_consent"]

    def privacy_policy(self):
        """Its address, and whether the app asks before anything leaves the machine."""
        config = self.call("GET", "/v1/config", 200).json()
        return config["links"]["privacy"], config["hosted_processing"]

    def delete_account(self):
        receipt = self.call("DELETE", "/v1/me", 202, json={"password": self.password}).json()["receipt"]

        def erased():
            return self.call("GET", f"/v1/deletions/{receipt}", 200).json()["status"] == "erased"

        wait_for(erased, 60, "the erasure")


def stop_recording(phone, audio, recorded_at="2026-03-01T12:00:00Z"):
    """Puts a recording onto the phone; nothing is sent."""
    id = str(uuid.uuid4())
    needed = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": len(audio), "sha256": sha256(audio)}
    phone.queue[id] = {"audio": audio, "facts": {**needed, "id": id, "recorded_at": recorded_at, "time_zone": "Europe/Berlin"}}
    return id


def days(phone):
    """The library by day, each day's entries by their names."""
    found = {}
    for entry in sorted(phone.library.values(), key=lambda entry: entry["recorded_at"], reverse=True):
        found.setdefault(entry["local_date"], []).append(entry["filename"] or entry["text"])
    return found


def reach(phone, step):
    if step in phone.network:
        phone.network.remove(step)
        raise Offline(step)
