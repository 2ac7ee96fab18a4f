"""A diary app that retries without end: it repeats each call with the same key until it is answered, and writes down every answer."""

import secrets
import time

import requests

import http_client
from processes import wait_for
from user import sha256

CALL_SECONDS = 90


class Client:
    """One thread's connection of one user; many may share a user."""

    def __init__(self, rig, history, user=None):
        self.rig, self.history = rig, history
        self.user = user or rig.user()
        self.id = self.user.id
        self.http = http_client.Session()
        self.http.headers.update(self.user.http.headers)
        self.faults = []
        # Every Retry-After that came with a 503.
        self.waits = set()

    def ask(self, method, path, operation=None, key=None, body=None, allowed=(), timeout=20, **more):
        """One call, written down. None when there was no answer."""
        url = path if path.startswith("http") else self.rig.url + path
        began = time.time()
        try:
            response = self.http.request(method, url, timeout=timeout, allow_redirects=False, **more)
        except requests.RequestException:
            self.http.close()
            if operation:
                self.history.note(self.id, operation, key, body, None, began=began)
            return None
        if operation:
            subject = None
            if operation == "create" and response.status_code in (200, 201):
                subject = response.json()["entry_id"]
            elif operation == "export" and response.status_code == 202:
                subject = response.json()["id"]
            elif operation in ("complete", "reprocess"):
                subject = path.split("/")[-2]
            self.history.note(self.id, operation, key, body, response.status_code, subject, began)
        if response.status_code >= 500 and response.status_code not in (503, *allowed):
            self.faults.append(f"{method} {operation or path} answered {response.status_code}")
        if response.status_code == 503:
            self.unavailable(response, operation or path)
        return response

    def unavailable(self, response, what):
        wait, code = int(response.headers.get("retry-after", 0)), response.json().get("code")
        self.waits.add(wait)
        if not 1 <= wait <= 30:
            self.faults.append(f"{what} answered 503 without a Retry-After of 1 to 30 s")
        if code not in ("dependency_unavailable", "overloaded"):
            self.faults.append(f"{what} answered 503 with the code {code}")

    def insist(self, method, path, wanted, seconds=CALL_SECONDS, **more):
        """The call again and again until one of the wanted answers comes."""
        deadline = time.monotonic() + seconds
        wait = 0.05
        while True:
            response = self.ask(method, path, **more)
            if response is not None and response.status_code in wanted:
                return response
            if response is not None and response.status_code == 401:
                self.sign_in()
            elif response is not None and response.status_code < 500:
                raise AssertionError(f"{method} {path}: {response.status_code} {response.text[:300]}")
            assert time.monotonic() < deadline, (
                f"{method} {path} was not answered within {seconds} s; last: {response is not None and response.status_code}"
            )
            time.sleep(wait)
            wait = min(0.5, wait * 1.5)

    def sign_in(self):
        answer = self.ask("POST", "/v1/auth/email", json={"email": self.user.address, "password": self.user.password})
        if answer is not None and answer.status_code == 200:
            self.http.headers["Authorization"] = "Bearer " + answer.json()["access_token"]

    def text(self, words, key=None):
        key = key or secrets.token_hex(12)
        made = self.insist(
            "POST",
            "/v1/entries",
            (200, 201),
            operation="create",
            key=key,
            body=sha256(words.encode()),
            headers={"Idempotency-Key": key},
            json={"kind": "text", "text": words},
        )
        return made.json()["entry_id"]

    def start_voice(self, audio, key=None, day="2026-03-01", content_type="audio/mp4", **more):
        key = key or secrets.token_hex(12)
        body = {
            "kind": "voice",
            "content_type": content_type,
            "size_bytes": len(audio),
            "recorded_at": f"{day}T12:00:00Z",
            "time_zone": "Europe/Berlin",
            **more,
        }
        return self.insist(
            "POST", "/v1/entries", (200, 201), operation="create", key=key, headers={"Idempotency-Key": key}, json=body
        ).json()

    def put(self, upload, audio):
        """A plain client: the signed address is the permission."""
        headers = {"Authorization": None, "Diary-App": None, **upload["headers"]}
        return self.insist("PUT", upload["url"], (200, 412), operation="put", body=sha256(audio), headers=headers, data=audio)

    def complete(self, entry, audio):
        return self.insist("POST", f"/v1/uploads/{entry}/complete", (200, 202), operation="complete", body=sha256(audio))

    def voice(self, audio, key=None, **more):
        made = self.start_voice(audio, key, **more)
        self.put(made["upload"], audio)
        self.complete(made["entry_id"], audio)
        return made["entry_id"]

    def reprocess(self, entry, stage):
        key = secrets.token_hex(12)
        headers = {"Idempotency-Key": key}
        return self.insist(
            "POST", f"/v1/entries/{entry}/reprocess", (202,), operation="reprocess", key=key, headers=headers, json={"stage": stage}
        )

    def entry(self, entry):
        return self.insist("GET", f"/v1/entries/{entry}", (200,)).json()

    def export(self, key=None, **range):
        """Asks for a zip of everything, or of a range of days; returns its id."""
        key = key or secrets.token_hex(12)
        body = {"from": "2000-01-01", "to": "2099-12-31", **range}
        made = self.insist("POST", "/v1/exports", (202,), operation="export", key=key, headers={"Idempotency-Key": key}, json=body)
        return made.json()["id"]

    def download(self, entry, seconds=CALL_SECONDS, original=False):
        what = "?original=true" if original else ""
        place = self.insist("GET", f"/v1/entries/{entry}/audio/url{what}", (200,), seconds=seconds).json()["url"]
        return self.insist("GET", place, (200,), seconds=seconds, headers={"Authorization": None, "Diary-App": None}).content

    def zip(self, export):
        """The bytes of an export in one part, without its mail."""
        place = self.insist("GET", f"/v1/exports/{export}/url", (200,)).json()["url"]
        return self.insist("GET", place, (200,), headers={"Authorization": None, "Diary-App": None}).content

    def wait_done(self, entry, seconds=30):
        def done():
            seen = self.entry(entry)
            assert seen["status"] != "failed", seen
            return seen if seen["status"] == "transcribed" else None

        return wait_for(done, seconds, "transcribed")

    def wait_exported(self, export, seconds=30):
        def done():
            seen = self.insist("GET", f"/v1/exports/{export}", (200,)).json()
            assert seen["status"] != "failed", seen
            return seen if seen["status"] == "ready" else None

        return wait_for(done, seconds, "exported")

    def feed(self):
        """Every entry of the user, by the feed."""
        found, since = [], None
        while True:
            page = self.insist("GET", "/v1/changes", (200,), params={"limit": 200, **({"since": since} if since else {})}).json()
            found += page["items"]
            since = page["next_since"]
            if not page["has_more"]:
                return found


def fingerprint(audio):
    """What the scripted recogniser hears in a recording: FNV-1a, 64 bits."""
    hashed = 0xCBF29CE484222325
    for byte in audio:
        hashed = (hashed ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{hashed:016x}"


def recording(random, size=3000):
    """Bytes that no other recording of the run has."""
    return b"\0\0\0\x18ftypM4A " + random.randbytes(size)
