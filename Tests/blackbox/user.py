"""A person who uses the service through the API."""

import hashlib
import re

import http_client
from contract import CONTRACT
from mail import code_of, text_of
from processes import wait_for
from servers import ROOT

SAMPLE = ROOT / "Tests/Samples/walk.m4a"


class User:
    """A signed-up person; every answer is held against the contract."""

    def __init__(self, rig, app, address, password):
        self.rig, self.app, self.address, self.password = rig, app, address, password
        self.http = http_client.Session()
        self.http.headers["Diary-App"] = app
        self.tokens = None
        self.sign_up()

    def call(self, method, path, expect=None, timeout=20, **more):
        url = path if path.startswith("http") else self.rig.url + path
        response = self.http.request(method, url, timeout=timeout, allow_redirects=False, **more)
        CONTRACT.check(response)
        if expect is not None:
            allowed = expect if isinstance(expect, tuple) else (expect,)
            assert response.status_code in allowed, f"{method} {path}: {response.status_code} {response.text[:500]}"
        return response

    def sign_up(self):
        self.signed_up_with = self.address
        sent = self.call(
            "POST", "/v1/auth/email/register", 202, json={"email": self.address, "password": self.password, "time_zone": "Europe/Berlin"}
        ).json()
        code = wait_for(self.code, 20, "the code's mail")
        self.use(
            self.call("POST", "/v1/auth/email/verify", 200, json={"email": self.address, "code": code, "request": sent["request"]}).json()
        )

    def code(self):
        mails = self.rig.mails(self.address)
        return code_of(mails[-1]) if mails else None

    def account_code(self, count, seconds=20):
        """The code in the newest of `count` mails with one for an account that exists."""
        before = 1 if self.address == self.signed_up_with else 0

        def codes():
            found = [code for mail in self.rig.mails(self.address) if (code := code_of(mail))]
            return found[-1] if len(found) >= before + count else None

        return wait_for(codes, seconds, "the code's mail")

    def ask_code(self, purpose, expect=202, **body):
        """Asks for a mailed code; gives the answer's `request`, or the answer of a refusal."""
        answer = self.call("POST", "/v1/auth/codes", expect, json={"purpose": purpose, **body})
        return answer.json()["request"] if answer.status_code == 202 else answer

    def use(self, tokens):
        self.tokens = tokens
        self.id = tokens["user"]["id"]
        self.http.headers["Authorization"] = "Bearer " + tokens["access_token"]

    def create_voice(self, audio=None, key=None, **fields):
        audio = SAMPLE.read_bytes() if audio is None else audio
        body = {
            "kind": "voice",
            "content_type": "audio/mp4",
            "size_bytes": len(audio),
            "recorded_at": "2026-03-01T12:00:00Z",
            "time_zone": "Europe/Berlin",
            **fields,
        }
        headers = {"Idempotency-Key": key} if key else {}
        return self.call("POST", "/v1/entries", 201, json=body, headers=headers).json()

    def create_text(self, text, key=None, **fields):
        headers = {"Idempotency-Key": key} if key else {}
        return self.call("POST", "/v1/entries", 201, json={"kind": "text", "text": text, **fields}, headers=headers).json()

    def put(self, upload, audio=None, expect=200):
        audio = SAMPLE.read_bytes() if audio is None else audio
        response = http_client.put(upload["url"], data=audio, headers=upload["headers"], timeout=30)
        # A bucket's answers are none of the contract.
        if "/objects/" in upload["url"]:
            CONTRACT.check(response)
        if expect:
            assert response.status_code == expect, response.text
        return response

    def complete(self, entry_id, expect=202):
        return self.call("POST", f"/v1/uploads/{entry_id}/complete", expect)

    def retry(self, entry_id, expect=202, **more):
        """Begins where it failed."""
        return self.call("POST", f"/v1/entries/{entry_id}/reprocess", expect, json={}, **more)

    def audio_url(self, entry_id):
        return self.call("GET", f"/v1/entries/{entry_id}/audio/url", 200).json()["url"]

    def entry(self, entry_id):
        return self.call("GET", f"/v1/entries/{entry_id}", 200).json()

    def record(self, audio=None, **fields):
        made = self.create_voice(audio, **fields)
        self.put(made["upload"], audio)
        self.complete(made["entry_id"])
        return made["entry_id"]

    def wait_done(self, entry_id, seconds=30, status="transcribed"):
        def done():
            entry = self.entry(entry_id)
            assert entry["status"] == status or entry["status"] not in ("failed", "transcribed"), entry
            return entry if entry["status"] == status else None

        return wait_for(done, seconds, f"entry {status}")

    def export(self, seconds=40, **body):
        body = {"from": "2026-01-01", "to": "2026-12-31", **body}
        made = self.call("POST", "/v1/exports", 202, json=body).json()
        return self.wait_export(made["id"], seconds)

    def wait_export(self, export_id, seconds=40):
        def ready():
            export = self.call("GET", f"/v1/exports/{export_id}", 200).json()
            assert export["status"] != "failed", export
            mailed = export["mail_status"] == ("sent" if export["entry_count"] else "none")
            return export if export["status"] == "ready" and mailed else None

        return wait_for(ready, seconds, "the export")

    def export_links(self):
        links = []
        for mail in self.rig.mails(self.address):
            links += re.findall(re.escape(self.rig.url) + r"/exports/[A-Za-z0-9._~-]+", text_of(mail))
        return links

    def download(self, link, part=None):
        """`part`: of an export with several."""
        landing = http_client.get(link, timeout=10)
        assert landing.status_code == 200, landing.text
        taken = http_client.post(link + "/download" + (f"?part={part}" if part else ""), timeout=10, allow_redirects=False)
        assert taken.status_code == 303, taken.text
        target = taken.headers["location"]
        response = http_client.get(target if target.startswith("http") else self.rig.url + target, timeout=30)
        assert response.status_code == 200, response.text[:300]
        return response.content


def sha256(data):
    return hashlib.sha256(data).hexdigest()
