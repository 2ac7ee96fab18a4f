"""Limits on storage and on what engines use, and consent before anything leaves the machine (G7)."""

import concurrent.futures
import contextlib
import datetime
import http.server
import json
import pathlib
import re
import secrets
import shutil
import subprocess
import threading
import time

import pytest

from hosted_engine import hosted_engine
from processes import PROGRAM, wait_for
from rig import Rig

VOICE = {"kind": "voice", "content_type": "audio/mp4", "recorded_at": "2026-03-01T12:00:00Z", "time_zone": "UTC"}
SECOND = 8_000
"""Bytes of a second of a recording, as the scripted probe has it."""


@pytest.fixture(scope="module")
def own():
    rig = Rig()
    yield rig
    rig.end()


def set_for_api(rig, name, value, shown):
    """What the API has read, `GET /v1/config` shows. None takes the setting away."""
    words = ["unset", "my-day", name] if value is None else ["set", "my-day", f"{name}={value}"]
    rig.diary("tenant", *words)
    user = rig.user()
    wait_for(lambda: user.call("GET", "/v1/config", 200).json()["limits"][shown] == value, 10, name)
    return user


def set_for_worker(rig, *settings):
    """A worker reads the apps when it starts."""
    rig.diary("tenant", "set", "my-day", *settings)
    rig.stop("work")
    rig.start("work")


def usage(user):
    return user.call("GET", "/v1/me/stats", 200).json()["usage"]


def processing(user, entry_id, code, status, seconds=20):
    def found():
        entry = user.entry(entry_id)
        return entry if entry["status"] == status and entry.get("processing", {}).get("code") == code else None

    return wait_for(found, seconds, f"{status} {code}")


def next_midnight():
    today = datetime.datetime.now(datetime.UTC).date()
    return datetime.datetime.combine(today + datetime.timedelta(days=1), datetime.time(), datetime.UTC)


def test_g7_a_hundred_creates_at_once_store_exactly_what_the_limit_has_room_for(own):
    user = set_for_api(own, "limits.storage_bytes", 10_500, "storage_max_bytes")

    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(lambda _: user.call("POST", "/v1/entries", (201, 409), json={**VOICE, "size_bytes": 1_000}), range(100)))
    made = [a.json() for a in answers if a.status_code == 201]
    refused = [a.json() for a in answers if a.status_code == 409]

    assert len(made) == 10 and len(refused) == 90
    assert {(r["code"], r["retryable"]) for r in refused} == {("storage_exceeded", False)}
    assert (usage(user)["storage_bytes"], usage(user)["storage_max_bytes"]) == (10_000, 10_500)
    # What is left is for smaller ones, texts always fit, and a repetition is answered as before.
    user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 500})
    user.create_text("fits")
    again = {**VOICE, "size_bytes": 1_000, "id": made[0]["entry_id"]}
    user.call("DELETE", f"/v1/entries/{made[0]['entry_id']}", 204)
    user.call("POST", "/v1/entries", (409, 410), json=again)
    assert usage(user)["storage_bytes"] == 9_500
    key = {"Idempotency-Key": secrets.token_hex(8)}
    first = user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 1_000}, headers=key).json()
    repeated = user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 1_000}, headers=key).json()
    assert repeated["entry_id"] == first["entry_id"] and usage(user)["storage_bytes"] == 10_500
    by_user = json.loads(own.diary("tenant", "usage", "my-day", "--by", "user", "--json"))
    assert [row["storage_bytes"] for row in by_user if row["user"] == user.id] == [10_500]


def test_a_reopening_that_does_not_fit_costs_none_of_the_days_entries(own):
    user = set_for_api(own, "limits.storage_bytes", 1_000, "storage_max_bytes")
    waits = user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 900}).json()["entry_id"]
    own.postgres.sql(
        "diary", "update entries set upload_expires_at = now(), created_at = created_at - interval '1 hour' where id = %s", waits
    )
    processing(user, waits, "upload_expired", "failed")
    other = user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 900})
    path = f"/v1/uploads/{waits}/url"

    refused = [user.call("POST", path, 409) for _ in range(40)]

    assert {answer.json()["code"] for answer in refused} == {"storage_exceeded"}
    assert refused[0].json()["storage"] == {"bytes": 900, "max_bytes": 1_000}
    user.call("DELETE", f"/v1/entries/{other.json()['entry_id']}", 204)
    reopened = user.call("POST", path, 200)
    # A process takes up to eight calls at once, and gives back within a second what it has not used.
    assert left(reopened, "entries-day") >= left(other, "entries-day") - 16


def test_28_a_full_account_is_told_how_full(own):
    user = set_for_api(own, "limits.storage_bytes", 1_000, "storage_max_bytes")
    user.call("POST", "/v1/entries", 201, json={**VOICE, "size_bytes": 900})
    new, full = {**VOICE, "size_bytes": 200}, {"bytes": 900, "max_bytes": 1_000}
    assert user.call("POST", "/v1/entries", 409, json=new).json()["storage"] == full
    (result,) = user.call("POST", "/v1/entries/batch", 200, json={"operations": [{"op": "create", "entry": new}]}).json()["results"]
    assert result["problem"]["storage"] == full


def left(answer, policy):
    states = dict(state.strip().split(";", 1) for state in answer.headers["ratelimit"].split(","))
    return int(states[f'"{policy}"'].split(";")[0].removeprefix("r="))


def test_of_a_batch_those_that_fit_are_made(own):
    user = set_for_api(own, "limits.storage_bytes", 2_500, "storage_max_bytes")
    sizes = [1_000, 2_000, 1_000, 600]
    operations = [{"op": "create", "entry": {**VOICE, "size_bytes": size, "id": new_id(n)}} for n, size in enumerate(sizes)]
    operations.append({"op": "create", "entry": {"kind": "text", "text": "fits", "id": new_id(9)}})

    results = user.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]

    assert [r["status"] for r in results] == [201, 409, 201, 409, 201]
    assert results[1]["problem"]["code"] == results[3]["problem"]["code"] == "storage_exceeded"
    assert usage(user)["storage_bytes"] == 2_000


def new_id(number):
    return f"019a2b6e-5c10-7d21-9a3e-{secrets.token_hex(5)}{number:02x}"


def test_a_recording_over_the_days_minutes_waits_for_the_next_day_and_says_so(own):
    if (next_midnight() - datetime.datetime.now(datetime.UTC)).total_seconds() < 60:
        time.sleep(61)
    set_for_api(own, "limits.storage_bytes", None, "storage_max_bytes")
    set_for_worker(own, "limits.engine_minutes_per_day=1")
    user, other = set_for_api(own, "limits.engine_minutes_per_day", 1, "engine_minutes_per_day"), own.user()

    heard = user.wait_done(user.record(secrets.token_bytes(40 * SECOND)))
    waiting = processing(user, user.record(secrets.token_bytes(40 * SECOND)), "budget_exceeded", "transcribing")
    short = user.wait_done(user.record(secrets.token_bytes(15 * SECOND)))
    never = processing(user, user.record(secrets.token_bytes(62 * SECOND)), "budget_exceeded", "failed")
    others = other.wait_done(other.record(secrets.token_bytes(40 * SECOND)))

    assert heard["text"] and short["text"] and others["text"]
    at = datetime.datetime.fromisoformat(waiting["processing"]["next_attempt_at"])
    # Those that wait for the same moment come back within a quarter of an hour.
    assert 0 <= (at - next_midnight()).total_seconds() < 905, waiting["processing"]
    assert (waiting["processing"]["action"], never["processing"]["action"]) == ("wait", "retry")
    mine = usage(user)
    assert (mine["engine_seconds"], mine["engine_minutes_per_day"], mine["day"]) == (
        55.0,
        1,
        f"{next_midnight() - datetime.timedelta(1):%F}",
    )
    # The job of the one that waits has lost no try, and the operator sees the same numbers, by id.
    assert own.postgres.sql("diary", f"select errors from jobs where subject = '{waiting['id']}' and state = 'ready'") == [(0,)]
    rows = {row["user"]: row for row in json.loads(own.diary("tenant", "usage", "my-day", "--by", "user", "--json"))}
    assert (rows[user.id]["audio_seconds"], rows[user.id]["calls"] >= 2, rows[other.id]["audio_seconds"]) == (55.0, True, 40.0)
    days = json.loads(own.diary("tenant", "usage", "my-day", "--json"))
    assert days[-1]["day"] == mine["day"] and days[-1]["audio_seconds"] >= 95.0
    assert rows[user.id]["limits"]["engine_minutes_per_day"] == 1 and "cost_per_day" in days[-1]["limits"]
    told = own.diary("tenant", "usage", "my-day")
    assert told.split()[:3] == ["OF", "MINUTES", "TOKENS"] and "limits.engine_minutes_per_day  1\n" in told
    assert own.postgres.sql("diary", "select count(*) from usage_reservations") == [(0,)]
    # The one that is longer than a whole day allows is told so at once, and heard when the limit is higher.
    path = f"/v1/entries/{never['id']}"
    assert user.retry(never["id"], 409).json()["code"] == "reprocess_not_possible"
    assert user.call("POST", f"{path}/reprocess", 409, json={"stage": "transcribe"}).json()["code"] == "reprocess_not_possible"
    assert own.postgres.sql("diary", f"select count(*) from jobs where subject = '{never['id']}' and kind = 'transcribe'") == [(1,)]
    set_for_worker(own, "limits.engine_minutes_per_day=3")
    set_for_api(own, "limits.engine_minutes_per_day", 3, "engine_minutes_per_day")
    user.retry(never["id"])
    assert user.wait_done(never["id"])["text"]


class SpeechServer(http.server.ThreadingHTTPServer):
    """Answers every request with two words, and counts connections and bytes."""

    daemon_threads = True

    def __init__(self):
        self.connections, self.received = 0, 0
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        self.connections += 1
        return super().get_request()


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):  # noqa: N802
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received += len(body)
        words = [{"word": w, "start": n / 2, "end": n / 2 + 0.4} for n, w in enumerate(["good", "morning"])]
        segment = {"id": 0, "seek": 0, "start": 0.0, "end": 1.0, "text": " good morning", "tokens": [1], "temperature": 0.0}
        segment |= {"avg_logprob": -0.1, "compression_ratio": 1.0, "no_speech_prob": 0.01}
        answer = {
            "task": "transcribe",
            "language": "english",
            "duration": 1.0,
            "text": "good morning",
            "segments": [segment],
            "words": words,
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def hosted():
    """A service whose only speech engine is a server."""
    known = subprocess.run([PROGRAM, "settings"], capture_output=True, text=True, check=False).stdout
    if "DIARY_SPEECH_URL" not in known:
        pytest.skip("this program has no hosted speech engines")
    server = SpeechServer()
    rig = Rig(**hosted_engine("SPEECH", server.url, "whisper-1", "key-of-the-test"))
    rig.server = server
    yield rig
    rig.end()
    server.shutdown()


@contextlib.contextmanager
def connects(process):
    """The internet addresses that a process and its children connect to meanwhile, as strace tells them; None where it cannot."""
    found = []
    output = pathlib.Path(f"/tmp/strace-{secrets.token_hex(8)}")
    tracer = shutil.which("strace") and subprocess.Popen(
        ["strace", "-f", "-qq", "-e", "trace=connect", "-o", output, "-p", str(process.pid)], stderr=subprocess.DEVNULL
    )
    attached = False
    if tracer:
        with contextlib.suppress(AssertionError):
            wait_for(
                lambda: re.search(r"TracerPid:\s+[1-9]", pathlib.Path(f"/proc/{process.pid}/status").read_text()) or tracer.poll(),
                5,
                "strace",
            )
            attached = tracer.poll() is None
    try:
        yield found if attached else None
    finally:
        if tracer:
            tracer.terminate()
            tracer.wait(10)
        if output.exists():
            found += re.findall(r"connect\(\d+, \{sa_family=AF_INET6?, .*", output.read_text())
            output.unlink()


def test_g7_without_consent_nothing_leaves_the_machine_and_with_it_the_entry_goes_on(hosted):
    set_for_worker(hosted, "hosted_processing=consent")
    user, server = hosted.user(), hosted.server
    wait_for(lambda: user.call("GET", "/v1/config", 200).json()["hosted_processing"] == "consent", 10, "the setting")
    assert user.call("GET", "/v1/me", 200).json()["hosted_processing_consent"] is False

    with connects(hosted.processes["work"]) as addresses:
        entry = processing(user, user.record(), "consent_required", "failed")
    assert entry["processing"]["action"] == "give_consent"
    assert (server.connections, server.received) == (0, 0)
    assert addresses in (None, []), addresses

    given = user.call("PATCH", "/v1/me", 200, json={"hosted_processing_consent": True}).json()
    assert given["hosted_processing_consent"] and given["hosted_processing_consent_at"]
    # Nothing is asked again: what waited is queued.
    assert user.wait_done(entry["id"])["transcript_raw"] == "good morning"
    connections, received = server.connections, server.received
    assert connections >= 1 and received > 1_000

    withdrawn = user.call("PATCH", "/v1/me", 200, json={"hosted_processing_consent": None}).json()
    assert (withdrawn["hosted_processing_consent"], withdrawn["hosted_processing_consent_at"]) == (False, None)
    processing(user, user.record(), "consent_required", "failed")
    assert (server.connections, server.received) == (connections, received)
    kinds = [e["kind"] for e in user.call("GET", "/v1/me/events", 200).json()["items"]]
    assert kinds[:2] == ["hosted_processing_withdrawn", "hosted_processing_allowed"]
