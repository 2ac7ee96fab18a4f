"""A1: kill -9 at a failpoint; a supervisor starts the process again. Nothing lost, nothing twice, the zip right.

The act `kill-points` of scripts/chaos kills at every failpoint and judges more strictly; it is part of the fast pass. Here one point of an upload,
one of a recognition and one of an export, each followed by the whole way to the zip; with `DIARY_TIMES=1` every point."""

import io
import json
import secrets
import time
import zipfile

import pytest
import requests

import http_client
from contract import STAGES
from processes import wait_for
from repetitions import repetitions
from user import SAMPLE, sha256

API = ["P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08"]
WORKER = [
    "P11",
    "P12",
    "P13",
    "P14",
    "P15",
    "P16",
    "P17",
    "P18",
    "P19",
    "P20",
    "P21",
    "P22",
    "P23",
    "P30",
    "P31",
    "P32",
    "P34",
    "P35",
    "P36",
    "P37",
]


@pytest.fixture(scope="module")
def kill_rig():
    from rig import Rig

    rig = Rig()
    yield rig
    rig.end()


def insist(rig, call, seconds=30):
    """A client that tries again until it gets an answer, with a supervisor that restarts what died."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return call()
        except (requests.ConnectionError, requests.Timeout):
            assert time.monotonic() < deadline
            wait_for(lambda: rig.processes["serve"].poll() is not None or True, 1, "exit")
            if rig.processes["serve"].poll() is not None:
                rig.supervise("serve")
            time.sleep(0.05)


@pytest.mark.parametrize("point", repetitions(API + WORKER, ["P05", "P17", "P34"]))
def test_a1_kill(kill_rig, point):
    rig = kill_rig
    user = rig.user()
    calls = rig.folder / f"calls-{point}"
    rig.script("speech", calls_log=str(calls))
    once = rig.folder / f"once-{point}"
    what = "serve" if point in API else "work"
    if point in ("P06", "P07", "P08"):
        # The sweeper would complete an upload that is a second old, and the point would not be reached. The next point's worker sweeps again.
        rig.stop("work")
        rig.start("work", DIARY_SWEEP_SECONDS="30")
    rig.stop(what)
    rig.start(what, DIARY_FAIL=f"{point}:1:kill", DIARY_FAIL_ONCE=str(once))
    armed = rig.processes[what]
    if point == "P11":
        # The rescuer needs a lost lease: a worker that dies while it recognises leaves one.
        rig.script("speech", delay_seconds=3, calls_log=str(calls))

    audio = SAMPLE.read_bytes() + secrets.token_bytes(16)
    made = insist(rig, lambda: user.create_voice(audio, key=f"kill-{point}"))

    def put():
        response = user.put(made["upload"], audio, expect=None)
        assert response.status_code in (200, 412), response.text
        return response

    insist(rig, put)
    insist(rig, lambda: user.complete(made["entry_id"]))
    if point == "P11":
        wait_for(lambda: calls.exists() and calls.read_text(), 20, "recognition")
        rig.stop("work", 9)
        rig.script("speech", calls_log=str(calls))
        rig.start("work", DIARY_FAIL=f"{point}:1:kill", DIARY_FAIL_ONCE=str(once))
        armed = rig.processes["work"]

    def supervised(condition):
        def step():
            rig.supervise(what)
            return condition()

        return step

    def transcribed():
        entry = user.entry(made["entry_id"])
        assert entry["status"] != "failed", entry
        return entry if entry["status"] == "transcribed" else None

    entry = wait_for(supervised(transcribed), 40, f"{point}: transcribed")
    assert entry["sha256"] == sha256(audio)
    export_id = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"]

    def exported():
        export = user.call("GET", f"/v1/exports/{export_id}", 200).json()
        assert export["status"] != "failed", export
        return export if export["mail_status"] == "sent" else None

    wait_for(supervised(exported), 40, f"{point}: exported")
    wait_for(once.exists, 20, f"{point} to be reached")
    # What came last may have been seen a moment before the death.
    wait_for(supervised(lambda: rig.processes[what] is not armed), 20, f"{point}: the death")

    # I1, I4: one entry, one transcript. I5: one mail for one export, and its zip is right.
    feed = user.call("GET", "/v1/changes", 200).json()["items"]
    assert [e["id"] for e in feed] == [made["entry_id"]]
    versions = rig.postgres.sql(
        "diary",
        "select machine_version, (select count(*) from entry_segments s where s.entry_id = e.id) from entries e where id = %s",
        made["entry_id"],
    )
    # Every stage but the first writes the machine's part once.
    assert versions == [(len(STAGES) - 1, 1)]
    assert len(calls.read_text().splitlines()) <= (2 if point in WORKER else 1), "recognised more often than killed"
    links = user.export_links()
    assert len(links) == 1
    with zipfile.ZipFile(io.BytesIO(user.download(links[0]))) as z:
        assert z.testzip() is None
        assert z.read(f"audio/{entry['filename']}") == audio
        manifest = json.loads(z.read("manifest.json"))
        assert [e["id"] for e in manifest["entries"]] == [made["entry_id"]]
    # I6, I8: no half-written file, no lease left over.
    leases = rig.postgres.sql("diary", "select count(*) from jobs where state in ('ready', 'leased')")
    assert leases == [(0,)]
    assert not rig.half_written()
    assert not [p for p in (rig.folder / "objects/staging").rglob("*") if p.is_file() and user.id in str(p)]


@pytest.mark.parametrize("point", ["P38", "P39", "P40"])
def test_a1_kill_while_an_account_is_erased(kill_rig, point):
    rig = kill_rig
    user, neighbour = rig.user(), rig.user()
    for person in (user, neighbour):
        person.kept = [person.record(SAMPLE.read_bytes() + secrets.token_bytes(8)) for _ in range(3)]
        for entry in person.kept:
            person.wait_done(entry)
    once = rig.folder / f"once-{point}"
    rig.stop("work")
    rig.start("work", DIARY_FAIL=f"{point}:1:kill", DIARY_FAIL_ONCE=str(once))
    files = [p for p in (rig.folder / "objects").rglob("*") if p.is_file() and user.id in str(p)]

    receipt = user.call("DELETE", "/v1/me", 202, json={"password": user.password}).json()["receipt"]
    wait_for(lambda: rig.processes["work"].poll() is not None, 20, f"{point}: the death")
    key = rig.postgres.sql("diary_keys", "select count(*) from user_keys where user_id = %s", user.id)[0][0]
    left = [p for p in files if p.exists()]
    # What has been done and what not, where the worker died: the key goes before anything else.
    assert (key, len(left)) == {"P38": (1, 3), "P39": (0, 3), "P40": (0, 1)}[point]
    rig.supervise("work")

    def erased():
        rig.supervise("work")
        seen = http_client.get(f"{rig.url}/v1/deletions/{receipt}", timeout=10).json()
        return seen if seen["status"] == "erased" else None

    counts = wait_for(erased, 40, f"{point}: erased")["counts"]
    wait_for(once.exists, 20, f"{point} to be reached")
    assert (counts["entries"], counts["objects"], counts["keys"]) == (3, 3, 1)
    assert not [p for p in (rig.folder / "objects").rglob("*") if p.is_file() and user.id in str(p)]
    for table in ("entries", "entry_segments", "jobs", "sessions", "identities", "user_sync", "mails"):
        assert rig.postgres.sql("diary", f"select count(*) from {table} where user_id = %s", user.id) == [(0,)], table
    assert rig.postgres.sql("diary_keys", "select count(*) from user_keys where user_id = %s", user.id) == [(0,)]
    assert all(neighbour.entry(entry)["status"] == "transcribed" for entry in neighbour.kept)
