"""The whole service on this machine: API and worker processes over private Postgres and Redis."""

import base64
import contextlib
import email
import email.policy
import hashlib
import json
import os
import pathlib
import re
import secrets
import signal
import socket
import subprocess
import tempfile
import time

import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from contract import Contract
from servers import ROOT, Postgres, Redis

PROGRAM = pathlib.Path(os.environ.get("DIARY_PROGRAM", ROOT / ".build/debug/diary"))
SAMPLE = ROOT / "Tests/Samples/walk.m4a"
CONTRACT = Contract()
PATIENCE = 60
"""Seconds without a byte of an answer: then it is a failure instead of a wait."""


def _patient(request=requests.Session.request):
    """Every call of this process has an end, those of tests that name none too."""

    def patient(session, method, url, *rest, **more):
        more.setdefault("timeout", PATIENCE)
        return request(session, method, url, *rest, **more)

    return patient


requests.Session.request = _patient()


def free_port():
    """Below those that the system hands out: while a service is down, a client of its port could otherwise be given that very port, and meet itself."""
    end = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    begin = max(1024, end - 16_000)
    if end - begin < 1000:  # A machine that hands out nearly all of them.
        begin, end = 20_000, 60_000
    while True:
        port = begin + secrets.randbelow(end - begin)
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


def wait_for(condition, seconds, what):
    """Waits on a condition with a deadline; returns its first truthy value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(0.03)


class Rig:
    def __init__(self, **settings):
        self.processes, self.tenants = {}, {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-rig-", dir="/tmp"))
        self.postgres = Postgres()
        try:
            self.redis = Redis()
        except BaseException:
            self.postgres.end()
            raise
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.scripts = self.folder / "scripts"
        self.scripts.mkdir()
        for name in ("objects", "tmp", "mail", "logs"):
            (self.folder / name).mkdir()
        key = ec.generate_private_key(ec.SECP256R1())
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("DIARY_")},
            "DIARY_LISTEN": f"127.0.0.1:{self.port}",
            "DIARY_PUBLIC_URL": self.url,
            "DIARY_DATABASE_URL": self.postgres.conninfo(),
            "DIARY_KEYS_DATABASE_URL": self.postgres.conninfo("diary_keys"),
            "DIARY_REDIS_URL": self.redis.url,
            "DIARY_OBJECTS": str(self.folder / "objects"),
            "DIARY_TEMPORARY": str(self.folder / "tmp"),
            "DIARY_MAIL_OUTBOX": str(self.folder / "mail"),
            "DIARY_MASTER_KEYS": "m1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
            "DIARY_SERVICE_SECRET": base64.b64encode(secrets.token_bytes(32)).decode(),
            "DIARY_SIGNING_KEY": key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            ).decode(),
            "DIARY_SPEECH": "scripted",
            "DIARY_SPEECH_SCRIPTS": str(self.scripts),
            "DIARY_LEASE_SECONDS": "2",
            "DIARY_HEARTBEAT_SECONDS": "0.5",
            "DIARY_SWEEP_SECONDS": "0.5",
            "DIARY_POLL_SECONDS": "0.5",
            "DIARY_RETRY_BASE_SECONDS": "0.2",
            "DIARY_RATE_FACTOR": "100000",
            **settings,
        }
        try:
            self.diary("migrate", "up")
            self.tenant("my-day")
            self.start("serve")
            self.start("work")
        except BaseException:
            self.end()
            raise

    def diary(self, *words):
        done = subprocess.run([PROGRAM, *words], env=self.environment, capture_output=True, text=True, timeout=5 * PATIENCE)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def tenant(self, slug):
        made = json.loads(self.diary("tenant", "create", slug, "--name", slug, "--mail-from", "diary@example.org", "--json"))
        self.tenants[slug] = made[0]["id"]

    def wait_for_app(self, slug):
        """The API reads its list of tenants anew every few seconds."""

        def known():
            probe = requests.post(
                self.url + "/v1/auth/email", json={"email": "a@example.org", "password": "x" * 12}, headers={"Diary-App": slug}
            )
            return probe.json()["code"] != "app_unknown"

        wait_for(known, 15, f"app {slug}")

    def start(self, what, name=None, **more):
        """Starts `diary serve` or `diary work`; API starts are waited for."""
        name = name or what
        log = open(self.folder / "logs" / f"{name}.log", "ab")
        process = subprocess.Popen([PROGRAM, what], env={**self.environment, **more}, stdout=log, stderr=log)
        self.processes[name] = process
        if what == "serve":

            def alive():
                assert process.poll() is None, (self.folder / "logs" / f"{name}.log").read_text()[-3000:]
                try:
                    return requests.get(self.url + "/readyz", timeout=2).status_code == 200
                except requests.RequestException:
                    return False

            wait_for(alive, 20, "readiness")
        return process

    def stop(self, name, how=signal.SIGTERM):
        process = self.processes.pop(name)
        process.send_signal(how)
        try:
            return process.wait(40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def supervise(self, what, name=None, **more):
        """Like a process supervisor: starts it again when it was killed. Returns how often that was."""
        name = name or what
        process = self.processes[name]
        if process.poll() is None:
            return False
        self.start(what, name, **more)
        return True

    def end(self):
        for name in list(self.processes):
            self.processes.pop(name).kill()
        try:
            self.redis.end()
        finally:
            self.postgres.end()
        subprocess.run(["rm", "-rf", str(self.folder)])

    def script(self, name, **behaviour):
        """What a scripted provider does from now on (probe, speech, clean)."""
        (self.scripts / f"{name}.json").write_text(json.dumps(behaviour))

    def unscript(self):
        for file in self.scripts.glob("*.json"):
            file.unlink()

    def mails(self, address):
        found = []
        for path in sorted((self.folder / "mail").glob("*.eml"), key=lambda p: p.stat().st_mtime_ns):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if address.lower() in message["To"].lower():
                found.append(message)
        return found

    def log_text(self):
        return "".join(p.read_text(errors="replace") for p in (self.folder / "logs").iterdir())

    def user(self, app="my-day", address=None, password="a long enough passphrase 7"):
        return User(self, app, address or f"{secrets.token_hex(8)}@example.org", password)


def text_of(message):
    return message.get_body(("plain",)).get_content()


class User:
    """A signed-up person; every answer is held against the contract."""

    def __init__(self, rig, app, address, password):
        self.rig, self.app, self.address, self.password = rig, app, address, password
        self.http = requests.Session()
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
            self.call(
                "POST", "/v1/auth/email/verify", 200, json={"email": self.address, "code": code, "registration": sent["registration"]}
            ).json()
        )

    def code(self):
        mails = self.rig.mails(self.address)
        found = re.search(r"\b(\d{8})\b", text_of(mails[-1])) if mails else None
        return found and found[1]

    def account_code(self, count, seconds=20):
        """The code in the newest of `count` mails with one for an account that exists."""
        before = 1 if self.address == self.signed_up_with else 0

        def codes():
            found = [re.search(r"\b(\d{8})\b", text_of(m)) for m in self.rig.mails(self.address)]
            found = [f[1] for f in found if f]
            return found[-1] if len(found) >= before + count else None

        return wait_for(codes, seconds, "the code's mail")

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
        response = requests.put(upload["url"], data=audio, headers=upload["headers"], timeout=30)
        CONTRACT.check(response)
        if expect:
            assert response.status_code == expect, response.text
        return response

    def complete(self, entry_id, expect=202):
        return self.call("POST", f"/v1/entries/{entry_id}/complete", expect)

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
            return export if export["status"] == "ready" and export["mail_status"] == "sent" else None

        return wait_for(ready, seconds, "the export")

    def export_links(self):
        links = []
        for mail in self.rig.mails(self.address):
            links += re.findall(re.escape(self.rig.url) + r"/exports/[A-Za-z0-9._~-]+", text_of(mail))
        return links

    def download(self, link):
        landing = requests.get(link, timeout=10)
        assert landing.status_code == 200, landing.text
        taken = requests.post(link + "/download", timeout=10, allow_redirects=False)
        assert taken.status_code == 303, taken.text
        target = taken.headers["location"]
        response = requests.get(target if target.startswith("http") else self.rig.url + target, timeout=30)
        assert response.status_code == 200, response.text[:300]
        return response.content


def sha256(data):
    return hashlib.sha256(data).hexdigest()
