"""A1: kill -9 at each kill point; a supervisor starts the process again at once."""

# Not in this design: P09 and P10 (no relay: the API hints itself), P24 and P25 (a job ends in its result's transaction, so there is no
# acknowledgement), P26, P28 and P29 (one transaction each), P33 (joining parts has P03 to P08).
#
# One transaction each, too, so without points of their own: raw words, their segments, the end of the kept parts and of corrections, the revisions of
# what they replace and the next job (P17, P18); cleaned text, title, summary, key points, suggestions, their revisions and the job's end (P22, P23);
# in the API a correction of a segment, an answer to suggestions, an edit, and a new run with its job (P41 is behind that commit). P18 and P22 kill in the
# second run of a recording that was corrected, where there is something to replace, in every other round of a long pass in its first.
# What an engine used is counted in a transaction of its own (P42, P43), but for parts of long recordings, with which it is counted (S01, S02).

import contextlib
import re
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import http_client
from client import Client, fingerprint, recording
from hosted_speech import PARTS, SECONDS, HostedSpeech
from processes import wait_for
from servers import ROOT
from supervisor import Supervisor, spawn
from user import sha256

API = {"P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P27", "P41"}
# A bucket takes uploads itself: a worker dies while it seals a recording (P03, P04) or stores a zip (P05).
SEALED_BY_WORKER = {"P03", "P04", "P05"}
EXPORT = {"P30", "P31", "P32", "P34", "P35", "P36", "P37"}
PARTED = {"X01", "X02", "X03", "X04", "X05"}
"""Of an export in parts: the export holds two recordings, and each is a part."""
PART_BYTES, IN_PART = 16_384, 12_000
ERASURE = {"P38", "P39", "P40"}
IN_PARTS = {"S01", "S02"}
AGAIN = {"P18": "transcribe", "P22": "clean", "P41": "clean"}
"""The stage of the second run."""
UNCOUNTED = {"P42", "S01"}
"""The worker dies between the answer of an engine and the count of what it used."""
COMMANDS = {"K01", "K02"}
"""Of `diary keys rewrap`: test_master_key.py kills there."""
TAGS = {"P44"}
"""Of a tag that is renamed: test_tags.py kills there."""
IMPORTS = {"I01", "I02", "I03"}
"""Of an import, which this act does not make: test_imports.py kills there."""
RIGS = 3


def points():
    """What the build knows, so that a new point is not forgotten."""
    source = (ROOT / "Sources/DiaryCore/Failpoints/Failpoint.swift").read_text()
    return sorted(set(re.findall(r'= "([A-Z]\d\d)"', source)) - COMMANDS - TAGS - IMPORTS)


def play(run):
    wanted = len(points()) * run.pick(1, 10)
    todo = [(point, round) for round in range(run.pick(1, 10)) for point in points()]
    run.random("kill-points").shuffle(todo)
    lock = threading.Lock()
    done, slowest = [], [0.0, ""]

    def some(number):
        with run.stage(DIARY_ENGINES_PRIVATE="1") as (rig, history, oracle):
            clients, mailed_twice, repeated = [], set(), 0
            while True:
                with lock:
                    if not todo:
                        break
                    point, round = todo.pop()
                scene = Scene(run, rig, history, point, round)
                seconds = scene.play()
                clients.append(scene.client)
                repeated += scene.repeated()
                if point == "P36":
                    mailed_twice.add(scene.export)
                with lock:
                    done.append(point)
                    if seconds > slowest[0]:
                        slowest[:] = [seconds, point]
                    if len(done) % 29 == 0:
                        run.say("kill-points", f"{len(done)} of {wanted} kills, slowest recovery {slowest[0]:.1f} s at {slowest[1]}")
            counts = oracle.judge(clients, 20, mailed_twice=mailed_twice)
            counts["repeated"] = repeated
            return counts

    with ThreadPoolExecutor(RIGS) as pool:
        counts = list(pool.map(some, range(RIGS)))
    assert len(done) == wanted, f"{len(done)} of {wanted} kills"

    def total(what):
        return sum(count[what] or 0 for count in counts)

    takeover = max(count["slowest_takeover_s"] for count in counts)
    return {
        "kills": len(done),
        "points": len(points()),
        "lost": total("lost"),
        "twice": total("twice"),
        "exports": total("zips"),
        "orphans_collected": total("orphans_collected"),
        "repeated_recognitions": total("repeated"),
        "slowest_takeover_s": takeover,
        "slowest_recovery_s": round(slowest[0], 1),
        "slowest_at": slowest[1],
        "oldest_lease_s": max(count["oldest_lease_s"] for count in counts),
    }, (
        f"{len(done)} of {wanted} kills ({len(points())} points): 0 lost, 0 twice, {total('zips')} exports mailed once, {total('repeated')} recognitions repeated, "
        f"{total('orphans_collected')} orphans collected; a dead worker's job taken up within {takeover:.1f} s, slowest to the finished work {slowest[0]:.1f} s at {slowest[1]}"
    )


class Scene:
    """One process dies once at the point, while one person does what leads there."""

    def __init__(self, run, rig, history, point, round):
        self.run, self.rig, self.history = run, rig, history
        self.point, self.round = point, round
        self.speech = HostedSpeech(rig) if point in IN_PARTS else None
        self.client = Client(rig, history)
        self.recordings, self.export = [], None
        self.what = "serve" if point in API and not (rig.store.is_bucket and point in SEALED_BY_WORKER) else "work"
        self.exports = point in EXPORT | PARTED or (rig.store.is_bucket and point == "P05")
        self.again = AGAIN.get(point) if point in API or round % 2 == 0 else None
        self.once = rig.folder / f"once-{point}-{round}"
        self.armed = {"DIARY_FAIL": f"{point}:{self.nth()}:kill", "DIARY_FAIL_ONCE": str(self.once)}
        # The points of an export of one part, too, in every other round of a long pass.
        self.in_parts = point in PARTED or (point in EXPORT and round % 2 == 1)
        if self.in_parts:
            self.armed["DIARY_EXPORT_PART_BYTES"] = str(PART_BYTES)

    def nth(self):
        if self.point in IN_PARTS:
            return 1 + self.round % PARTS
        if self.point in ("X03", "X04"):
            return 1 + self.round % 2
        return 2 if self.again and self.point not in API else 1

    def play(self):
        """Returns the seconds from the death to the finished work."""
        with self.speech or contextlib.nullcontext():
            return self.kill()

    def kill(self):
        point, what = self.point, self.what
        self.rig.stop(what)
        began = time.monotonic()
        with Supervisor(self.rig) as supervisor:
            self.rig.start(what, **self.armed)
            supervisor.watch(what, what, **self.armed)
            if point == "P27":
                refresh(self.client)
            elif point in ERASURE:
                leave(self.rig, self.history)
            elif point in IN_PARTS:
                self.speech.hear(self.client, self.run.random(f"{point}:{self.round}"), self.nth() if point in UNCOUNTED else None)
            else:
                random = self.run.random(f"{point}:{self.round}")
                self.record(random, supervisor)
                while not self.once.exists() and point in ("P06", "P07", "P08") and time.monotonic() < began + 20:
                    # On a busy machine the sweeper was first to see the upload.
                    self.record(random, supervisor)
            ended = time.monotonic()
            # A point after a commit: the client may see the result before the process comes to the point, and before it dies.
            wait_for(self.once.exists, 20, f"{point} to be reached")
            wait_for(lambda: (what, -9) in supervisor.exits, 10, f"{point}: the death by SIGKILL")
            assert all(code == -9 for _, code in supervisor.exits), f"{point}: a process ended by itself: {supervisor.exits}"
        return ended - time.monotonic() + time.time() - self.once.stat().st_mtime

    def repeated(self):
        """How many recognitions were asked for a second time: one at most; and all that were asked are counted, but for one at most."""
        if self.point in IN_PARTS:
            asked, due, each = self.speech.asked(), PARTS, SECONDS * 1_000
        else:
            lines = self.rig.calls.read_text().split() if self.rig.calls.exists() else []
            asked = sum(lines.count(fingerprint(audio)) for audio in self.recordings)
            due = len(self.recordings) * (2 if self.again == "transcribe" else 1)
            # Rounded up to a millisecond; the scripted probe takes 8,000 bytes for a second.
            each = max((-(-len(audio) // 8) for audio in self.recordings), default=0)
        assert due <= asked <= due + 1, f"{self.point}: {asked} recognitions where {due} were due"
        lost = 1 if self.point in UNCOUNTED else 0
        counted = self.rig.postgres.sql(
            "diary", "select coalesce(sum(audio_ms), 0)::int from usage_days where user_id = %s", self.client.id
        )
        assert counted == [((asked - lost) * each,)], f"{self.point}: {counted} ms are counted of {asked} recognitions of {each} ms"
        return asked - due

    def record(self, random, supervisor):
        """One recording, then what the point needs: its second run, or its export."""
        if self.in_parts:
            # Another, before the one that leads to the point.
            self.client.wait_done(self.voice(recording(random, IN_PART)))
        audio, client = recording(random, IN_PART) if self.in_parts else recording(random), self.client
        if self.point == "P11":
            # The rescuer needs a lost lease: one more worker that dies while it has a job leaves it.
            supervisor.unwatch("work")
            self.rig.stop("work", 9)
            spawn(self.rig, "work", "work", DIARY_FAIL="P15:1:kill")
        entry = self.voice(audio)
        if self.point == "P11":
            self.rig.processes["work"].wait(20)
            spawn(self.rig, "work", "work", **self.armed)
            supervisor.watch("work", "work", **self.armed)
        seen = client.wait_done(entry)
        assert seen["sha256"] == sha256(audio)
        if self.again:
            work_again(client, seen, self.again, fingerprint(audio))
        if self.exports:
            self.export = export(client, self.point)
        if self.in_parts:
            shown = client.insist("GET", f"/v1/exports/{self.export}", (200,)).json()
            assert [part["entry_count"] for part in shown["parts"]] == [1, 1], shown
        if self.point == "X05":
            # What the building kept is deleted by the sweeper.
            wait_for(self.once.exists, 20, "the sweeper's deletion")

    def voice(self, audio):
        self.recordings.append(audio)
        # A copy is made of what is not MP4.
        return self.client.voice(audio, content_type="audio/webm" if self.point == "S03" else "audio/mp4")


def refresh(client):
    """The answer with the new token is lost; the old one still gives its successor (B6)."""
    token = client.user.tokens["refresh_token"]
    answer = client.insist("POST", "/v1/auth/refresh", (200,), json={"refresh_token": token}, headers={"Authorization": None}).json()
    client.http.headers["Authorization"] = "Bearer " + answer["access_token"]
    assert client.insist("GET", "/v1/me", (200,)).status_code == 200


def leave(rig, history):
    """A person with recordings on their way ends the account. The oracle judges only people who keep theirs, so it is one more person."""
    leaver = Client(rig, history)
    for _ in range(3):
        audio = secrets.token_bytes(2000)
        leaver.user.put(leaver.start_voice(audio)["upload"], audio)
    answer = http_client.delete(rig.url + "/v1/me", json={"password": leaver.user.password}, headers=dict(leaver.http.headers), timeout=20)
    assert answer.status_code == 202, answer.text

    def erased():
        seen = http_client.get(f"{rig.url}/v1/deletions/{answer.json()['receipt']}", timeout=10).json()
        return seen if seen["status"] == "erased" else None

    counts = wait_for(erased, 30, "the erasure")["counts"]
    assert counts["entries"] == 3 and counts["keys"] == 1, counts
    assert not rig.store.files_of(leaver.id)
    for database, table in (
        ("diary", "entries"),
        ("diary", "sessions"),
        ("diary", "jobs"),
        ("diary", "users"),
        ("diary_keys", "user_keys"),
    ):
        assert rig.postgres.sql(
            database, f"select count(*) from {table} where {'id' if table == 'users' else 'user_id'} = %s", leaver.id
        ) == [(0,)], table


def work_again(client, before, stage, mark):
    """A word is corrected, so that the second run replaces something: it is kept as a revision, once."""
    path = f"/v1/entries/{before['id']}"
    corrected = f"the corrected words of {mark}"
    client.insist("PATCH", f"{path}/segments/1", (200,), headers={"If-Match": "*"}, json={"text": corrected})
    client.reprocess(before["id"], stage)
    after = client.wait_done(before["id"])

    def revisions(layer):
        return [kept["text"] for kept in client.insist("GET", f"{path}/revisions?layer={layer}", (200,)).json()["items"]]

    kept = {layer: revisions(layer) for layer in ("raw", "clean", "corrected")}
    if stage == "clean":
        assert corrected in after["transcript_clean"].lower(), after["transcript_clean"]
        assert kept == {"raw": [], "clean": [before["transcript_clean"]], "corrected": []}, kept
    else:
        # The same words were heard again; the correction of the former ones is what they replace.
        assert after["transcript_clean"] == before["transcript_clean"], after["transcript_clean"]
        assert kept == {"raw": [], "clean": [], "corrected": [corrected]}, kept


def export(client, point):
    """Returns the id of an export that was mailed."""
    made = client.export()

    def exported():
        seen = client.insist("GET", f"/v1/exports/{made}", (200,)).json()
        assert seen["status"] != "failed", f"{point}: {seen}"
        return seen["mail_status"] == "sent"

    wait_for(exported, 30, f"{point}: exported")
    return made
