"""A1: kill -9 at each kill point; a supervisor starts the process again at once."""

import io
import json
import re
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

from client import Client, recording
from rig import ROOT, sha256, wait_for
from stage import calls
from supervisor import Supervisor, spawn

API = {"P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P27"}
RIGS = 3


def points():
    """What the build knows, so that a new point is not forgotten."""
    source = (ROOT / "Sources/DiaryCore/Errors/FailpointPlan.swift").read_text()
    return sorted(re.findall(r'"(P\d\d)": \.', source))


def play(run):
    todo = [(point, round) for round in range(run.pick(1, 10)) for point in points()]
    run.random("kill-points").shuffle(todo)
    lock = threading.Lock()
    done, slowest, extra = [], [0.0], [0]

    def some(number):
        with run.stage() as (rig, history, oracle):
            clients = []
            before = calls(rig)
            while True:
                with lock:
                    if not todo:
                        break
                    point, round = todo.pop()
                client, seconds = kill(run, rig, history, point, round)
                clients.append(client)
                with lock:
                    done.append(point)
                    slowest[0] = max(slowest[0], seconds)
                    if len(done) % 29 == 0:
                        run.say("kill-points", f"{len(done)} kills")
            counts = oracle.judge(clients, 20)
            # P27 has no recording; every other point one.
            asked = calls(rig) - before
            assert asked <= counts["transcribed"] + len(clients), f"{asked} recognitions for {counts['transcribed']} recordings and {len(clients)} kills"
            extra[0] += asked - counts["transcribed"]
            return counts

    with ThreadPoolExecutor(RIGS) as pool:
        counts = list(pool.map(some, range(RIGS)))
    wanted = len(points()) * run.pick(1, 10)
    assert len(done) == wanted
    return {"kills": len(done), "points": len(points()), "lost": sum(c["lost"] for c in counts), "twice": sum(c["twice"] for c in counts), "repeated_recognitions": extra[0],
            "slowest_recovery_s": round(slowest[0], 1)}, f"{len(done)} of {wanted} ({len(points())} points): 0 lost, 0 twice, {extra[0]} recognitions repeated, slowest recovery {slowest[0]:.1f} s"


def kill(run, rig, history, point, round):
    """One process dies once at the point; returns the client and the seconds from the death to the finished work."""
    client = Client(rig, history)
    once = rig.folder / f"once-{point}-{round}"
    what = "serve" if point in API else "work"
    armed = {"DIARY_FAIL": f"{point}:1:kill", "DIARY_FAIL_ONCE": str(once)}
    rig.stop(what)
    with Supervisor(rig) as supervisor:
        rig.start(what, **armed)
        supervisor.watch(what, what, **armed)
        if point == "P27":
            refresh(client)
        else:
            record(rig, client, run.random(f"{point}:{round}"), point, supervisor, armed, what)
        ended = time.monotonic()
        assert once.exists(), f"{point} was never reached"
        # A point after a commit: the client may see the result before the process dies.
        wait_for(lambda: (what, -9) in supervisor.exits, 10, f"{point}: the death by SIGKILL")
        assert all(code == -9 for _, code in supervisor.exits), f"{point}: a process ended by itself: {supervisor.exits}"
    died = once.stat().st_mtime
    return client, ended - time.monotonic() + time.time() - died


def refresh(client):
    """The answer with the new token is lost; the old one still gives its successor (B6)."""
    token = client.user.tokens["refresh_token"]
    answer = client.insist("POST", "/v1/auth/refresh", (200,), json={"refresh_token": token}, headers={"Authorization": None}).json()
    client.http.headers["Authorization"] = "Bearer " + answer["access_token"]
    assert client.insist("GET", "/v1/me", (200,)).status_code == 200


def record(rig, client, random, point, supervisor, armed, what):
    audio = recording(random)
    if point == "P11":
        # The rescuer needs a lost lease: one more worker that dies while it has a job leaves it.
        supervisor.unwatch("work")
        rig.stop("work", 9)
        spawn(rig, "work", "work", DIARY_FAIL="P15:1:kill")
    entry = client.voice(audio)
    if point == "P11":
        rig.processes["work"].wait(20)
        spawn(rig, "work", "work", **armed)
        supervisor.watch("work", "work", **armed)

    def transcribed():
        seen = client.entry(entry)
        assert seen["status"] != "failed", f"{point}: {seen}"
        return seen if seen["status"] == "transcribed" else None
    seen = wait_for(transcribed, 30, f"{point}: transcribed")
    assert seen["sha256"] == sha256(audio)
    if int(point[1:]) < 30:
        return
    # I5: one export, one mail, and the zip equals its manifest.
    made = client.insist("POST", "/v1/exports", (202,), json={"from": "2026-01-01", "to": "2026-12-31"}).json()

    def exported():
        export = client.insist("GET", f"/v1/exports/{made['id']}", (200,)).json()
        assert export["status"] != "failed", f"{point}: {export}"
        return export["mail_status"] == "sent"
    wait_for(exported, 30, f"{point}: exported")
    links = client.user.export_links()
    assert 1 <= len(links) <= (2 if point == "P36" else 1), f"{point}: {len(links)} mails"
    with zipfile.ZipFile(io.BytesIO(client.user.download(links[0]))) as z:
        assert z.testzip() is None
        assert z.read(f"audio/{seen['filename']}") == audio
        assert [e["id"] for e in json.loads(z.read("manifest.json"))["entries"]] == [entry]
