"""G1, G2: what goes to hosted engines and comes back from them, also in their errors, is found in no file, log, command or queue of ours."""

import contextlib
import json
import pathlib
import re
import secrets
import subprocess

import pytest

from fake_openai import FakeOpenAI
from openai_answers import chat_completion
from openai_replies import Reply
from processes import PROGRAM, wait_for
from rig import Rig
from test_canary import holds
from user import SAMPLE

WORD, PROMPT = "zyzzogeton", "quizzacious"
"""In all that the person says, writes or is told; and in the operator's instructions to the language model, which are a setting of the app."""
KEYS = {"speech": "sk-canary-" + secrets.token_hex(16), "text": "sk-canary-" + secrets.token_hex(16)}
SAID = f"um the {WORD} sang by the lake and we listened"
MADE = {
    "clean_text": f"The {WORD} sang by the lake and we listened.",
    "title": f"The {WORD} sang",
    "summary": f"The {WORD} sang by the lake.",
    "key_points": [f"The {WORD} sang."],
    "tags": [WORD],
    "mood": WORD,
}


def echo(stage, status, code=None, param=None):
    """A server that puts into its error what it was sent: key, prompt and words."""
    words = f"Bearer {KEYS[stage]} of {PROMPT} said: {SAID}"
    error = {"message": words, "type": code or words, "code": code or words, "param": param or words, "input": [words]}
    return Reply(status, {"error": error, "detail": words}, (("X-Request-Id", WORD), ("Retry-After", WORD)))


def page(stage, status):
    return Reply(status, f"<html><title>{KEYS[stage]}</title><pre>{PROMPT} {SAID}</pre></html>".encode(), (("Content-Type", "text/html"),))


@pytest.fixture(scope="module")
def fake():
    server = FakeOpenAI()
    server.hears = lambda _: {
        "text": SAID,
        "language": "english",
        "segments": [{"text": SAID, "start": 0.0, "end": 2.0, "speaker": f"{WORD} speaker"}],
    }
    server.writes = lambda request: Reply(200, chat_completion(json.dumps(MADE), f"{WORD}-model"))
    yield server
    server.end()


@pytest.fixture(scope="module")
def rig(fake):
    """Logs everything; each stage has one hosted engine with a key of its own."""
    rig = Rig(DIARY_ENGINES_PRIVATE="1", DIARY_LOG_LEVEL="trace")
    try:
        for stage, key in KEYS.items():
            subprocess.run(
                [PROGRAM, "tenant", "secret", "set", "my-day", f"{stage}-key"], env=rig.environment, input=key, text=True, check=True
            )
            server = ("--kind", "openai", "--url", fake.url, "--model", "whisper-1", "--secret", f"{stage}-key")
            rig.diary("tenant", "engine", "set", "my-day", stage, "far", *server)
        rig.diary("tenant", "set", "my-day", "cleanup.extras=title,summary,key_points,suggestions", f"cleanup.prompt=Be {PROMPT}.")
        rig.stop("work")
        rig.start("work")
        yield rig
    finally:
        rig.end()


@contextlib.contextmanager
def watched(redis, file):
    """Every command that Redis gets, in the file."""
    with open(file, "wb") as lines:
        monitor = subprocess.Popen(["redis-cli", "-s", redis.socket, "monitor"], stdout=lines, stderr=lines)
        try:
            wait_for(lambda: file.read_bytes().startswith(b"OK"), 10, "the watch of Redis")
            yield
        finally:
            monitor.terminate()
            monitor.wait()


def record(user):
    return user.record(SAMPLE.read_bytes() + secrets.token_bytes(8))


def code(user, entry):
    """Waits for an entry that has failed, or waits for the operator or the next try."""
    return wait_for(lambda: (user.entry(entry).get("processing") or {}).get("code"), 20, "the failure")


def everything_said(rig, user):
    """One recording, with all that its owner may do with its text."""
    user.call("PATCH", "/v1/me", 200, json={"vocabulary": [f"{WORD}ville"]})
    entry = record(user)
    before = user.wait_done(entry)
    path = f"/v1/entries/{entry}"
    assert before["transcript_raw"] == SAID and before["transcript_clean"] == MADE["clean_text"], before
    assert before["suggestions"] == {"title": MADE["title"], "tags": [WORD], "mood": WORD}
    assert (before["summary"], before["key_points"]) == (MADE["summary"], MADE["key_points"])
    [speaker] = user.call("GET", f"{path}/transcript", 200).json()["speakers"]
    user.call("PATCH", f"{path}/speakers", 200, json={speaker["id"]: {"name": f"{WORD} name"}}, headers={"If-Match": "*"})
    corrected = {"text": f"{SAID} well", "speaker": f"{WORD} other"}
    user.call("PATCH", f"{path}/segments/1", 200, json=corrected, headers={"If-Match": "*"})
    several = {"segments": [{"id": 1, "text": f"{SAID} again", "speaker": f"{WORD} third"}]}
    user.call("PATCH", f"{path}/segments", 200, json=several, headers={"If-Match": "*"})
    user.call("PATCH", f"{path}/segments/1", 200, json=corrected, headers={"If-Match": "*"})
    user.call("POST", f"{path}/suggestions", 200, json={"accept": {"title": MADE["title"], "tags": [WORD]}, "decline": {"mood": WORD}})
    for stage in ("clean", "transcribe"):
        user.call("POST", f"{path}/reprocess", 202, json={"stage": stage})
        user.wait_done(entry)
    assert f"{SAID} well" in user.call("GET", f"{path}/revisions?layer=corrected", 200).text
    return entry


def refused(user, entry):
    """Problems about such words do not repeat them."""
    path, any_version = f"/v1/entries/{entry}", {"If-Match": "*"}
    answers = [
        user.call("POST", f"{path}/suggestions", 422, json={"accept": {"title": f"not {WORD}", "tags": [f"{WORD}s"]}}),
        user.call("POST", f"{path}/reprocess", 422, json={"stage": "clean", "engine": WORD}),
        user.call("POST", f"{path}/reprocess", 422, json={"stage": WORD}),
        user.call("PATCH", f"{path}/segments/1", 422, json={"text": WORD * 10_000}, headers=any_version),
        user.call("PATCH", f"{path}/segments/1", 422, json={"speaker": f"{WORD}\nother"}, headers=any_version),
        user.call("PATCH", f"{path}/segments", 422, json={"segments": [{"id": WORD, "text": WORD}]}, headers=any_version),
        user.call("POST", f"{path}/notes", 422, json={"id": WORD, "text": WORD}),
        user.call("PATCH", f"{path}/speakers", (400, 404, 422), json={WORD: [WORD]}, headers=any_version),
        user.call("PATCH", "/v1/me", 422, json={"vocabulary": [WORD * 100], "speech_engine": WORD}),
    ]
    # A pointer names the caller's own member.
    return [re.sub(r'"pointer":"[^"]*"', "", answer.text) for answer in answers]


FAILURES = [
    ("speech", echo("speech", 401), "engine_refused"),
    ("speech", echo("speech", 400), "media_unsupported"),
    ("speech", echo("speech", 400, param="language"), "language_unsupported"),
    ("speech", page("speech", 500), None),
    ("speech", page("speech", 200), None),
    ("speech", Reply(200, {"text": [SAID], "error": SAID}), None),
    ("speech", Reply(200, {"task": SAID, "text": SAID, "language": WORD, "model": WORD, "usage": {"type": WORD, "seconds": WORD}}), None),
    ("speech", Reply(302, b"", (("Location", f"http://127.0.0.1:1/{WORD}?key={KEYS['speech']}"),)), "speech_unavailable"),
    ("text", echo("text", 401), "engine_refused"),
    ("text", echo("text", 400), "cleanup_unavailable"),
    ("text", page("text", 500), None),
    ("text", Reply(200, chat_completion(f"Sure! {SAID}", f"{WORD}-model")), None),
    ("text", Reply(200, chat_completion(None, WORD, refusal=f"Not {SAID}")), "cleanup_unavailable"),
]
"""What the server answers once, and what the entry then says; None: it works, or is asked again and then works."""


def everything_fails(rig, fake, user):
    for stage, reply, expected in FAILURES:
        fake.next(*([None] if stage == "text" else []), reply)
        entry = record(user)
        if expected is None:
            user.wait_done(entry)
        elif stage == "text" and expected == "cleanup_unavailable":
            assert user.wait_done(entry)["cleanup"]["reason"] == expected
        else:
            assert code(user, entry) == expected
            if expected in ("engine_refused", "speech_unavailable"):
                # Left alone until an operator has mended it; then the recording is heard at once.
                rig.diary("jobs", "resume", "--engines")
                user.wait_done(entry)


def tried(rig, fake):
    """`diary engines test` with servers that repeat what they got."""
    said = []
    for stage, status, more in [("speech", 401, ["--json"]), ("speech", 400, []), ("text", 401, []), ("text", 400, ["--json"])]:
        fake.next(echo(stage, status))
        done = subprocess.run(
            [PROGRAM, "engines", "test", "my-day", "--stage", stage, *more], env=rig.environment, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 1 and str(status) in done.stdout, (done.stdout, done.stderr)
        said += [done.stdout, done.stderr]
    return said


def operators_view(rig, entries):
    shown = [rig.diary("jobs", "list", "--json", "--limit", "1000"), rig.diary("jobs", "stats", "--json"), rig.diary("jobs", "stats")]
    jobs = [job["id"] for job in json.loads(shown[0])["jobs"] if job["state"] != "done" or job["errors"] or job["attempts"] > 1]
    assert len(jobs) >= 6, "jobs that failed once or for good"
    shown += [rig.diary("jobs", "show", job, "--json") for job in jobs]
    shown += [rig.diary("jobs", "list", "--entry", entries[0]), rig.diary("tenant", "acts", "my-day", "--json")]
    for what in ("engine", "secret"):
        shown.append(rig.diary("tenant", what, "list", "my-day", "--json"))
    return shown + [rig.diary("tenant", "usage", "my-day", "--by", "user", "--json")]


def forms(*words):
    """As text, as a database writes bytes, and as UTF-16."""
    return [form for word in words for form in (word.encode(), word.encode().hex().encode(), word.encode("utf-16-le"))]


def test_g1_g2_nothing_that_engines_are_told_or_answer_lies_in_any_place_of_ours(rig, fake):
    user = rig.user()
    monitor = rig.folder / "redis-commands"
    with watched(rig.redis, monitor):
        entry = everything_said(rig, user)
        problems = refused(user, entry)
        everything_fails(rig, fake, user)
    for sent in (*KEYS.values(), PROMPT, f"{WORD}ville"):
        assert any(sent.encode() in request.raw for request in fake.requests), sent

    said = tried(rig, fake)
    view = operators_view(rig, [entry])
    told = [user.call("GET", "/v1/me/events", 200).text, user.call("GET", "/v1/me/stats", 200).text]
    assert monitor.stat().st_size > 1_000
    rig.redis.cli("save")
    rig.postgres.sql("diary", "checkpoint")
    tables = {}
    for database in ("diary", "diary_keys"):
        dump = subprocess.run(["pg_dump", "-h", rig.postgres.folder, "-U", "postgres", database], capture_output=True, check=True).stdout
        tables |= {table.split(b" ")[0].decode(): table for table in dump.split(b"\nCOPY ")[1:]}
    settings = [name for name, rows in tables.items() if PROMPT.encode() in rows]

    personal, operators = forms(WORD, WORD.upper(), *KEYS.values()), forms(PROMPT)
    texts = {"problems": problems, "engines test": said, "jobs and tenants": view, "events and usage": told}
    hits = [(name, n) for name, all in texts.items() for text in all for n in personal + operators if n in text.encode()]
    hits += [(name, n) for name, rows in tables.items() for n in personal if n in rows]
    files = 0
    for folder, needles in [
        (rig.folder / "logs", personal + operators),
        (rig.folder / "tmp", personal + operators),
        (rig.folder / "objects", personal + operators),
        (pathlib.Path(rig.redis.folder), personal + operators),
        (pathlib.Path(rig.postgres.folder), personal),
    ]:
        for path in folder.rglob("*"):
            if path.is_file():
                files += 1
                hits += [(str(path), n) for n in holds(path, needles)]
    hits += [("Redis' commands", n) for n in holds(monitor, personal + operators)]
    assert hits == []
    # The operator's instructions are a setting like any other.
    assert len(settings) == 1 and "tenant" in settings[0], settings
    assert files > 500 and "public.jobs" in tables and len(rig.log_text()) > 10_000
    print(f"G1, G2: {files} files, {len(tables)} tables, {len(view)} views searched, 0 hits")
