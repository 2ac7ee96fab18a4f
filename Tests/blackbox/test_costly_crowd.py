"""C6: mails, recordings and exports of others beside accounts that upload costly recordings, with the real limits, ffmpeg and recogniser.

    DIARY_TIMES=1 python -m pytest -s Tests/blackbox/test_costly_crowd.py

takes about 19 minutes and wants a quiet machine; without `DIARY_TIMES=1` it is skipped. `COSTLY_UPLOADS=60` makes fewer than 500 for each account.

One account, then three in two apps, each in a service of its own with the README's limits and intervals (the tests' are shorter), upload the
kinds of costly_media.py in turn. Nothing is stored before: each account uploads as fast as its limits let it, 60 at once and then one a second,
so that 500, which is all of its day, take seven and a half minutes. All the time one person after the other signs up by a mailed code, records
five seconds of speech, exports and resets the password, each from a client address of its own, in the two apps by turns.
"""

import collections
import contextlib
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import secrets
import statistics
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import costly_media
import http_client
from contract import STAGES
from mail import code_of
from processes import PROGRAM, wait_for
from rig import Rig
from speech_server import SpeechServer
from user import SAMPLE, User

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(os.environ.get("DIARY_TIMES") != "1", reason="times are for a quiet machine, and take long: DIARY_TIMES=1"),
]

UPLOADS = int(os.environ.get("COSTLY_UPLOADS", "500"))
"""Of each account; 500 is what the limits give it a day."""

IDLE, LOADED = 8, 15
"""Visits measured before the uploads, and the fewest measured beside them."""

PASSWORD, NEXT = "a long enough passphrase 7", "another long passphrase 8"
APPS = ("my-day", "toukan")

SERVICE = {
    "DIARY_CLEANUP": "rules",
    "DIARY_RATE_FACTOR": "1",
    "DIARY_TRUSTED_PROXIES": "127.0.0.1",
    # The README's, in place of the tests'.
    "DIARY_LEASE_SECONDS": "60",
    "DIARY_HEARTBEAT_SECONDS": "15",
    "DIARY_SWEEP_SECONDS": "10",
    "DIARY_POLL_SECONDS": "2",
    "DIARY_RETRY_BASE_SECONDS": "5",
}


class Visitor(User):
    """One of the others. `times` gets the seconds of each act."""

    numbers = itertools.count(1)
    recordings = []
    """Of all: seconds, seconds of the upload, app, id."""

    def __init__(self, rig, app, times):
        self.times = times
        super().__init__(rig, app, f"{secrets.token_hex(8)}@example.org", PASSWORD)

    @contextlib.contextmanager
    def timed(self, act):
        began = time.monotonic()
        yield
        self.times[act].append(time.monotonic() - began)

    def mailed(self, path, **body):
        """The code that a call sends, and the call's answer. From the call to the mail is the act `mail`."""
        before = len(self.rig.mails(self.address))
        with self.timed("mail"):
            answer = self.call("POST", path, 202, timeout=60, json={"email": self.address, **body}).json()
            codes = wait_for(
                lambda: [code for mail in self.rig.mails(self.address)[before:] if (code := code_of(mail))], 120, "the code's mail"
            )
        return codes[0], answer

    def awaited(self, path, is_done, seconds=600):
        """Asks for something until it is done."""
        deadline = time.monotonic() + seconds
        while True:
            answer = self.call("GET", path, (200, 429), timeout=60)
            if answer.status_code == 200 and is_done(answer.json()):
                return
            assert time.monotonic() < deadline, f"{path} was not done within {seconds} s: {answer.text[:500]}"
            time.sleep(0.05 if answer.status_code == 200 else 1)

    def sign_up(self):
        number = next(self.numbers)
        self.http.headers["X-Forwarded-For"] = f"198.51.{100 + number // 250}.{number % 250 + 1}"
        with self.timed("sign-up"):
            code, sent = self.mailed("/v1/auth/email/register", password=PASSWORD, time_zone="Europe/Berlin")
            body = {"email": self.address, "code": code, "request": sent["request"]}
            self.use(self.call("POST", "/v1/auth/email/verify", 200, timeout=60, json=body).json())

    def records(self, speech):
        def is_done(entry):
            assert entry["status"] != "failed", entry
            return entry["status"] == "transcribed"

        with self.timed("recording"):
            began = time.monotonic()
            entry = self.record(speech)
            uploaded = time.monotonic() - began
            self.awaited(f"/v1/entries/{entry}", is_done)
        self.recordings.append((self.times["recording"][-1], uploaded, self.app, entry))

    def exports(self):
        def is_done(export):
            assert export["status"] != "failed", export
            return export["status"] == "ready" and export["mail_status"] == "sent"

        with self.timed("export"):
            made = self.call("POST", "/v1/exports", 202, timeout=60, json={"from": "2026-01-01", "to": "2026-12-31"}).json()
            self.awaited(f"/v1/exports/{made['id']}", is_done)

    def resets(self):
        with self.timed("reset"):
            code, sent = self.mailed("/v1/auth/codes", purpose="new_password")
            body = {"email": self.address, "code": code, "request": sent["request"], "password": NEXT}
            self.call("POST", "/v1/auth/email/reset/confirm", 200, timeout=60, json=body)


def visits(rig, speech, is_enough):
    """The times of persons who do one act after the other, the next in the other app, until it is enough."""
    times = collections.defaultdict(list)
    for app in itertools.cycle(APPS):
        visitor = Visitor(rig, app, times)
        visitor.records(speech)
        visitor.exports()
        visitor.resets()
        # A look for a mail reads all that are there.
        for file in rig.outbox.folder.glob("*.eml"):
            file.unlink()
        if is_enough(len(times["recording"])):
            return times


def upload_all(url, account, made, count, notes):
    """One account's recordings, each kind in its turn, as fast as the limits let it. Notes (entry, kind) of each."""
    kinds = list(made)
    with http_client.Session() as http:
        http.headers.update(account)
        for number in range(count):
            kind = kinds[number % len(kinds)]
            body = {
                "kind": "voice",
                "content_type": costly_media.KINDS[kind].content_type,
                "size_bytes": len(made[kind]),
                "recorded_at": "2026-03-01T12:00:00Z",
                "time_zone": "Europe/Berlin",
            }
            while (answer := http.post(url + "/v1/entries", json=body)).status_code == 429:
                time.sleep(float(answer.headers["retry-after"]))
            assert answer.status_code == 201, answer.text
            upload, entry = answer.json()["upload"], answer.json()["entry_id"]
            stored = http_client.put(upload["url"], data=made[kind], headers=upload["headers"])
            assert stored.status_code == 200, stored.text
            completed = http.post(f"{url}/v1/uploads/{entry}/complete")
            assert completed.status_code == 202, completed.text
            notes.put((entry, kind))


def crowd(url, accounts, count, prepared, begin, notes):
    """The accounts that upload, in a process of their own: their work must not count as the service's slowness."""
    made = {kind: costly_media.make(kind) for kind in costly_media.KINDS}
    prepared.set()
    begin.wait()
    try:
        with ThreadPoolExecutor(len(accounts)) as pool:
            list(pool.map(lambda account: upload_all(url, account, made, count, notes), accounts))
        notes.put(None)
    except BaseException as error:
        notes.put(f"{type(error).__name__}: {error}")
        raise


class Memory(threading.Thread):
    """The most memory of a process, of its children together, and their number, looked at each half second."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.is_over = process, threading.Event()
        self.own = self.children = self.count = 0

    @staticmethod
    def resident(number):
        return int(pathlib.Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @staticmethod
    def below(number):
        found = []
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{number}/task").iterdir():
                with contextlib.suppress(OSError):
                    for child in (task / "children").read_text().split():
                        found += [int(child), *Memory.below(child)]
        return found

    def run(self):
        while not self.is_over.wait(0.5):
            with contextlib.suppress(OSError):
                self.own = max(self.own, self.resident(self.process))
            sizes = []
            for child in self.below(self.process):
                with contextlib.suppress(OSError):
                    sizes.append(self.resident(child))
            self.children, self.count = max(self.children, sum(sizes)), max(self.count, len(sizes))

    def end(self):
        self.is_over.set()
        self.join()
        return f"worker {self.own / 2**20:.0f} MiB resident at most, its children together {self.children / 2**20:.0f} MiB (at most {self.count})"


def p99(times):
    return sorted(times)[math.ceil(0.99 * len(times)) - 1]


def machine():
    program = subprocess.run([PROGRAM, "version"], capture_output=True, text=True).stdout.strip()
    build = "debug" if b"DIARY_FAIL_ONCE" in PROGRAM.read_bytes() else "release"
    return f"diary {program} ({build} build), {os.cpu_count()} cores, load {' '.join(f'{load:.1f}' for load in os.getloadavg())}"


def notes_of_jobs(rig):
    """The worker's log lines of jobs that ended."""
    found = []
    for line in (rig.folder / "logs/work.log").read_text(errors="replace").splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            note = json.loads(line)
            if note.get("message") == "job ended":
                found.append(note)
    return found


def report_slowest(rig, count):
    """Prints where the slowest recordings of visitors waited."""
    took = {(note["entry"].lower(), note["kind"]): int(note["duration_ms"]) / 1000 for note in notes_of_jobs(rig) if "entry" in note}
    for seconds, uploaded, app, entry in sorted(Visitor.recordings, reverse=True)[:count]:
        lived = rig.postgres.sql(
            "diary",
            "select kind, extract(epoch from finished_at - created_at)::float from jobs where subject = %s and finished_at is not null"
            " order by finished_at",
            entry,
        )
        parts = [f"{kind} waited {life - took[entry.lower(), kind]:.2f} s, ran {took[entry.lower(), kind]:.2f} s" for kind, life in lived]
        print(f"C6:   a recording of {seconds:.2f} s in {app}: upload {uploaded:.2f} s, {', '.join(parts)}")


def report(rig, recordings, accounts):
    """Prints what became of the costly recordings. Returns the most tries of a job of theirs, and how many wait."""
    by_kind, tries, codes, waiting = collections.defaultdict(collections.Counter), 0, collections.Counter(), 0
    jobs = rig.postgres.sql(
        "diary",
        "select subject::text, kind, state, coalesce(code, ''), attempt, errors, crashes from jobs"
        " where user_id = any (%s::uuid[]) and kind <> 'mail'",
        [account.id for account in accounts],
    )
    last = {}
    for subject, kind, state, code, attempt, errors, crashes in jobs:
        tries = max(tries, attempt, errors + 1)
        step = STAGES.index(kind)
        if subject not in last or last[subject][0] <= step:
            last[subject] = (step, kind, state, code, attempt, crashes)
    for entry, name in recordings:
        _, kind, state, code, attempt, crashes = last[entry.lower()]
        fate = f"{code} at {kind}" if state == "dead" else "words" if state == "done" else f"waits for {kind}"
        codes[fate] += 1
        waiting += state not in ("dead", "done")
        by_kind[name][fate + (f" after {attempt} tries" if attempt > 1 else "") + (f", {crashes} crashes" if crashes else "")] += 1
    print("C6: the costly recordings:", ", ".join(f"{count} {fate}" for fate, count in codes.most_common()), f"; most tries {tries}")
    for name, fates in sorted(by_kind.items()):
        print(f"C6:   {name}: {', '.join(f'{count} {fate}' for fate, count in fates.most_common())}")
    seconds = collections.defaultdict(list)
    for note in notes_of_jobs(rig):
        what = [note["kind"], note["outcome"], note.get("cause") or note.get("code", "")]
        seconds[" ".join(what).strip()].append(int(note["duration_ms"]) / 1000)
    for what, took in sorted(seconds.items()):
        print(f"C6:   jobs {what}: {len(took)}, median {statistics.median(took):.2f} s, longest {max(took):.2f} s")
    return tries, waiting


@pytest.fixture(scope="module")
def speech(tmp_path_factory):
    """Five seconds of the spoken sample."""
    path = tmp_path_factory.mktemp("speech") / "five.m4a"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-i", SAMPLE, "-t", "5", "-c", "copy", "-bitexact", path], check=True)
    return path.read_bytes()


@pytest.mark.parametrize("apps", [("my-day",), ("my-day", "my-day", "toukan")], ids=["one_account", "three_accounts_in_two_apps"])
def test_c6_costly_recordings_hold_up_no_mail_recording_or_export_of_others(apps, speech):
    server = SpeechServer("base")
    rig = Rig(**SERVICE, **server.settings)
    crowding = memory = None
    try:
        rig.tenant("toukan")
        rig.wait_for_app("toukan")
        accounts = [Visitor(rig, app, collections.defaultdict(list)) for app in apps]
        context = multiprocessing.get_context("spawn")
        prepared, begin, notes = context.Event(), context.Event(), context.Queue()
        heads = [dict(account.http.headers) for account in accounts]
        heads = [{name: head[name] for name in ("Authorization", "Diary-App", "X-Forwarded-For")} for head in heads]
        crowding = context.Process(target=crowd, args=(rig.url, heads, UPLOADS, prepared, begin, notes), daemon=True)
        crowding.start()
        assert prepared.wait(300)
        print(f"\nC6: {len(apps)} accounts with {UPLOADS} costly recordings each; {machine()}")
        visits(rig, speech, lambda count: count >= 2)  # The first ones open connections and read programs from the disk.
        idle = visits(rig, speech, lambda count: count >= IDLE)
        print(f"C6: idle measured, load {os.getloadavg()[0]:.1f}")

        Visitor.recordings.clear()
        memory = Memory(rig.processes["work"].pid)
        memory.start()
        began = time.monotonic()
        begin.set()
        recordings = []

        def is_uploaded():
            while not notes.empty():
                note = notes.get()
                if note is None:
                    return True
                assert not isinstance(note, str), note
                recordings.append(note)
            return False

        uploaded = []  # The seconds that it took, once.

        def is_enough(count):
            if not uploaded and is_uploaded():
                uploaded.append(time.monotonic() - began)
            return bool(uploaded) and count >= LOADED

        loaded = visits(rig, speech, is_enough)
        print(
            f"C6: {len(recordings)} recordings of {len({kind for _, kind in recordings})} kinds uploaded in {uploaded[0]:.0f} s, "
            f"load {os.getloadavg()[0]:.1f}; {memory.end()}"
        )
        memory = None
        for act, times in loaded.items():
            before, during = statistics.median(idle[act]), statistics.median(times)
            print(
                f"C6: {act:9} idle median {before:.2f} s (most {max(idle[act]):.2f}, {len(idle[act])}); beside: median {during:.2f} s, "
                f"p99 {p99(times):.2f} s, most {max(times):.2f} s ({len(times)}); ratio {during / before:.2f}, p99 {p99(times) / before:.2f}"
            )
        report_slowest(rig, 8)
        tries, waiting = report(rig, recordings, accounts)
        print(f"C6: {waiting} of {len(recordings)} wait at the end")

        assert len(recordings) == UPLOADS * len(apps)
        assert tries < 8
        assert p99(loaded["mail"]) <= 2 * statistics.median(idle["mail"]) + 1
        # The median of each: a recording waits for the short job that runs in the slot kept for it, whose end cannot be hastened.
        for act in ("recording", "export"):
            assert statistics.median(loaded[act]) <= 3 * statistics.median(idle[act]), act
    finally:
        if memory:
            memory.end()
        if crowding:
            crowding.kill()
        rig.end()
        server.end()
