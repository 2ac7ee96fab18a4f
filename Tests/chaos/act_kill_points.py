"""A1: kill -9 at each kill point; a supervisor starts the process again at once."""

# Not in this design: P09 and P10 (no relay: the API hints itself), P24 and P25 (a job ends in its result's transaction, so there is no
# acknowledgement), P26, P28 and P29 (one transaction each), P33 (the disk store has no parts).

import re
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import http_client
from client import Client, recording
from processes import wait_for
from servers import ROOT
from stage import calls
from supervisor import Supervisor, spawn
from user import sha256

API = {"P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P27"}
ERASURE = {"P38", "P39", "P40"}
RIGS = 3


def points():
    """What the build knows, so that a new point is not forgotten."""
    source = (ROOT / "Sources/DiaryCore/Failpoints/Failpoint.swift").read_text()
    return sorted(re.findall(r'= "(P\d\d)"', source))


def play(run):
    wanted = len(points()) * run.pick(1, 10)
    todo = [(point, round) for round in range(run.pick(1, 10)) for point in points()]
    run.random("kill-points").shuffle(todo)
    lock = threading.Lock()
    done, slowest = [], [0.0, ""]

    def some(number):
        with run.stage() as (rig, history, oracle):
            clients, mailed_twice = [], set()
            before = calls(rig)
            while True:
                with lock:
                    if not todo:
                        break
                    point, round = todo.pop()
                client, seconds, export = kill(run, rig, history, point, round)
                clients.append(client)
                if point == "P36":
                    mailed_twice.add(export)
                with lock:
                    done.append(point)
                    if seconds > slowest[0]:
                        slowest[:] = [seconds, point]
                    if len(done) % 29 == 0:
                        run.say("kill-points", f"{len(done)} of {wanted} kills, slowest recovery {slowest[0]:.1f} s at {slowest[1]}")
            counts = oracle.judge(clients, 20, mailed_twice=mailed_twice)
            # P27 and the points of an erasure have no recording; every other point one.
            asked = calls(rig) - before
            assert asked <= counts["transcribed"] + len(clients), (
                f"{asked} recognitions for {counts['transcribed']} recordings and {len(clients)} kills"
            )
            counts["repeated"] = asked - counts["transcribed"]
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


def kill(run, rig, history, point, round):
    """One process dies once at the point; returns the client, the seconds from the death to the finished work, and the export."""
    client = Client(rig, history)
    once = rig.folder / f"once-{point}-{round}"
    what = "serve" if point in API else "work"
    armed = {"DIARY_FAIL": f"{point}:1:kill", "DIARY_FAIL_ONCE": str(once)}
    rig.stop(what)
    export, began = None, time.monotonic()
    with Supervisor(rig) as supervisor:
        rig.start(what, **armed)
        supervisor.watch(what, what, **armed)
        if point == "P27":
            refresh(client)
        elif point in ERASURE:
            leave(rig, history)
        else:
            random = run.random(f"{point}:{round}")
            export = record(rig, client, random, point, supervisor, armed, what)
            while not once.exists() and point in ("P06", "P07", "P08") and time.monotonic() < began + 20:
                # On a busy machine the sweeper was first to see the upload.
                record(rig, client, random, point, supervisor, armed, what)
        ended = time.monotonic()
        assert once.exists(), f"{point} was never reached"
        # A point after a commit: the client may see the result before the process dies.
        wait_for(lambda: (what, -9) in supervisor.exits, 10, f"{point}: the death by SIGKILL")
        assert all(code == -9 for _, code in supervisor.exits), f"{point}: a process ended by itself: {supervisor.exits}"
    died = once.stat().st_mtime
    return client, ended - time.monotonic() + time.time() - died, export


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
        return seen if seen["state"] == "erased" else None

    counts = wait_for(erased, 30, "the erasure")["counts"]
    assert counts["entries"] == 3 and counts["keys"] == 1, counts
    assert not [path for path in (rig.folder / "objects").rglob("*") if path.is_file() and leaver.id in str(path)]
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


def record(rig, client, random, point, supervisor, armed, what):
    """One recording, and from P30 on its export, whose id is returned."""
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
    seen = client.wait_done(entry)
    assert seen["sha256"] == sha256(audio)
    if int(point[1:]) < 30:
        return None
    export = client.export()

    def exported():
        seen = client.insist("GET", f"/v1/exports/{export}", (200,)).json()
        assert seen["status"] != "failed", f"{point}: {seen}"
        return seen["mail_status"] == "sent"

    wait_for(exported, 30, f"{point}: exported")
    return export
