#!/usr/bin/env python3
"""The main job of scripts/demo: sign-up, recording, transcript, export, mail, download. Python's standard library only.

demo.py --ready URL                                  exit 0 when the service says it is ready
demo.py URL MAIL_FOLDER SAMPLE REFERENCE ZIP         runs the job; exit 0 only if everything held
"""

import datetime
import email
import email.policy
import hashlib
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile

# Ctrl-C ends it without a word; the script that called it says what there is to say.
signal.signal(signal.SIGINT, signal.SIG_DFL)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Samples"))
sys.dont_write_bytecode = True
from word_error_rate import word_error_rate  # noqa: E402

MOST_WRONG = 0.02
FILLERS = ("you know", "like")


class Broken(Exception):
    """A step did not do what it should; the text says which and how."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


# No proxy of the environment: the service is on this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)


def call(method, url, expect, body=None, headers=None, token=None, timeout=30):
    """One request; raises Broken with the problem's own words on any other status."""
    headers = dict(headers or {})
    if isinstance(body, dict):
        body = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = "Bearer " + token
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        answer = Answer(OPENER.open(request, timeout=timeout))
    except urllib.error.HTTPError as refusal:
        answer = Answer(refusal)
    except OSError as error:
        raise Broken(f"{method} {shown(url)}: no answer ({error})") from None
    if answer.status != expect:
        raise Broken(f"{method} {shown(url)} answered {answer.status}, not {expect}: {answer.body[:600].decode(errors='replace')}")
    return answer


def shown(url):
    """Without the query, which holds signatures."""
    return url.split("?")[0]


def wait(condition, seconds, what, every=0.1):
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Broken(f"{what} did not come within {seconds} s")
        time.sleep(every)


class Steps:
    """Prints each step with the time it took."""

    def __init__(self):
        self.began = self.last = time.monotonic()

    def done(self, text):
        now = time.monotonic()
        print(f"  {now - self.last:7.2f} s  {text}", flush=True)
        self.last = now

    def note(self, text):
        print(f"             {text}", flush=True)


class Mailbox:
    def __init__(self, folder, address):
        self.folder, self.address, self.seen = pathlib.Path(folder), address, set()

    def newest(self):
        """The next mail to the address that was not given before, as (path, text)."""
        for path in sorted(self.folder.glob("*.eml"), key=lambda p: p.stat().st_mtime_ns):
            if path in self.seen:
                continue
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            self.seen.add(path)
            if self.address in message["To"]:
                return path, message.get_body(("plain",)).get_content()
        return None


def ready(base):
    try:
        call("GET", base + "/readyz", 200, timeout=2)
        return True
    except Broken:
        return False


def run(base, mail_folder, sample, reference, archive):
    """The session and the entry that the job made."""
    steps = Steps()
    audio = pathlib.Path(sample).read_bytes()
    digest = hashlib.sha256(audio).hexdigest()
    address = f"demo-{secrets.token_hex(6)}@example.org"
    mailbox = Mailbox(mail_folder, address)
    checks = []

    print(f"The main job, as {address}:")
    sent = call(
        "POST",
        base + "/v1/auth/email/register",
        202,
        {"email": address, "password": secrets.token_urlsafe(18), "time_zone": "Europe/Berlin"},
    ).json()
    steps.done("registered")
    code_mail, text = wait(mailbox.newest, 30, "the mail with the code")
    found = re.search(r"^\s*(\d{8})\s*$", text, re.MULTILINE)
    if not found:
        raise Broken(f"no code of eight digits in {code_mail}")
    steps.done(f"code came by mail ({code_mail.name})")
    session = call("POST", base + "/v1/auth/email/verify", 200, {"email": address, "code": found[1], "request": sent["request"]}).json()
    token = session["access_token"]
    steps.done(f"address verified; access token for {session['expires_in']} s")

    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    made = call(
        "POST",
        base + "/v1/entries",
        201,
        {
            "kind": "voice",
            "content_type": "audio/mp4",
            "size_bytes": len(audio),
            "sha256": digest,
            "recorded_at": now,
            "time_zone": "Europe/Berlin",
        },
        token=token,
    ).json()
    entry_url = f"{base}/v1/entries/{made['entry_id']}"
    upload = made["upload"]
    steps.done(f"entry {made['entry']['filename']} created; upload address until {upload['expires_at']}")
    call(upload["method"], upload["url"], 200, audio, upload["headers"])
    steps.done(f"{len(audio)} bytes uploaded")
    call("POST", f"{base}/v1/uploads/{made['entry_id']}/complete", 202, token=token)
    steps.done("upload completed")
    entry = follow(entry_url, token, steps)
    steps.done(f"transcribed ({entry['duration_s']:.1f} s of speech)")

    raw, clean = entry["transcript_raw"] or "", entry["transcript_clean"] or ""
    rate = word_error_rate(pathlib.Path(reference).read_text(encoding="utf-8"), raw)
    day = entry["local_date"]
    wanted = call("POST", base + "/v1/exports", 202, {"from": day, "to": day}, token=token).json()
    steps.done(f"export of {day} asked for")
    link_mail, text = wait(mailbox.newest, 120, "the mail with the link")
    link = re.search(re.escape(base) + r"/exports/\S+", text)
    if not link:
        raise Broken(f"no link in {link_mail}")
    steps.done(f"link came by mail ({link_mail.name})")
    landing = call("GET", link[0], 200, headers={"Accept": "text/html"})
    checks.append(("the link opens a page with a button", b"<form" in landing.body))
    target = call("POST", link[0] + "/download", 303).headers["Location"]
    got = call("GET", target if target.startswith("http") else base + target, 200)
    pathlib.Path(archive).write_bytes(got.body)
    steps.done(f"{len(got.body)} bytes of zip downloaded")
    export = call("GET", f"{base}/v1/exports/{wanted['id']}", 200, token=token).json()
    checks.append(("the export counts one entry and one download", (export["entry_count"], export["downloads"]) == (1, 1)))

    listing = inspect(archive, entry, audio, clean, checks)
    steps.done("zip checked")
    for filler in FILLERS:
        # Hosted models may leave fillers out by themselves.
        if os.environ.get("DIARY_SPEECH", "local") == "local":
            checks.append((f'raw has the filler "{filler}"', said(filler, raw)))
        checks.append((f'clean has no "{filler}"', not said(filler, clean)))
    checks.append((f"word error rate {rate:.3f} is at most {MOST_WRONG:.2f}", rate <= MOST_WRONG))

    print(f"\nRaw transcript:\n{indented(raw)}\n\nClean transcript:\n{indented(clean)}\n\nIn {archive}:")
    for info in listing:
        print(f"  {info.file_size:9d}  {info.filename}")
    print(f"\nMail lies in {mail_folder}:\n  {code_mail.name}  the code\n  {link_mail.name}  the link\n\nChecks:")
    for text, held in checks:
        print(f"  {'ok' if held else 'FAILED':6}  {text}")
    whole = time.monotonic() - steps.began
    if not all(held for _, held in checks):
        raise Broken(f"not everything held (after {whole:.1f} s)")
    print(f"\nThe whole way took {whole:.1f} s.")
    return session, entry


def follow(entry_url, token, steps):
    """Polls until the entry is done, naming each stage it is seen in."""
    shown_stage = None
    deadline = time.monotonic() + 600
    while True:
        entry = call("GET", entry_url, 200, token=token).json()
        status, processing = entry["status"], entry.get("processing", {})
        stage = (status, processing.get("stage"), processing.get("attempt"))
        if status == "transcribed":
            return entry
        if status == "failed":
            raise Broken(f"the recording failed: {processing.get('code')}")
        if stage != shown_stage:
            shown_stage = stage
            detail = f" ({stage[1]}, try {stage[2]})" if stage[1] else ""
            steps.note(f"status {status}{detail}")
        if time.monotonic() > deadline:
            raise Broken("the transcript did not come within 600 s")
        time.sleep(0.2)


def inspect(archive, entry, audio, clean, checks):
    """Every reader that is here must accept the zip, and its contents must be what was put in."""
    for line in (["unzip", "-tqq", archive], ["bsdtar", "-tf", archive]):
        if shutil.which(line[0]):
            done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            checks.append((" ".join(line[:2]) + " accepts the zip", done.returncode == 0))
    with zipfile.ZipFile(archive) as z:
        checks.append(("Python's zipfile accepts the zip", z.testzip() is None))
        names = z.namelist()
        recording = "audio/" + entry["filename"]
        checks.append(("the recording in it is the one uploaded", recording in names and z.read(recording) == audio))
        texts = [z.read(n).decode() for n in names if n.startswith("text/")]
        checks.append(("the text in it is the clean transcript", len(texts) == 1 and clean.strip() in texts[0]))
        manifest = json.loads(z.read("manifest.json"))
        files = [f for e in [*manifest["entries"], manifest] for f in e["files"]]
        right = all(hashlib.sha256(z.read(f["path"])).hexdigest() == f["sha256"] for f in files)
        checks.append(("every SHA-256 of the manifest is right", bool(files) and right))
        return z.infolist()


def said(words, text):
    return re.search(r"\b" + words.replace(" ", r"\W+") + r"\b", text.lower()) is not None


def indented(text):
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 96:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join("  " + part for part in [*lines, line])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--ready":
        sys.exit(0 if ready(arguments[1]) else 1)
    if len(arguments) != 5:
        sys.exit(__doc__)
    try:
        run(*arguments)
    except Broken as error:
        print(f"\nThe job FAILED: {error}", file=sys.stderr)
        sys.exit(1)
