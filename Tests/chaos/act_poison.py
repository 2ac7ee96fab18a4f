"""A13: a recording that kills whichever worker recognises it. Set aside after three crashes, seen, played again; the others go on."""

import os
import signal
import threading
import time

from client import Client, fingerprint, recording
from processes import wait_for
from supervisor import Supervisor
from user import sha256


class Killer(threading.Thread):
    """SIGKILLs the process that has just begun to recognise the poison."""

    def __init__(self, rig, poison):
        super().__init__(daemon=True)
        self.rig, self.poison, self.sha256 = rig, fingerprint(poison), sha256(poison)
        self.kills = 0
        self.connection = rig.postgres.connect()
        self.done = threading.Event()

    def run(self):
        read = 0
        while not self.done.wait(0.02):
            lines = self.rig.calls.read_text().splitlines() if self.rig.calls.exists() else []
            fresh, read = lines[read:], len(lines)
            if self.poison not in fresh:
                continue
            with self.connection.cursor() as cursor:
                cursor.execute(
                    "select leased_by from jobs j join entries e on e.id = j.subject where j.kind = 'transcribe' and j.state = 'leased' "
                    "and encode(e.sha256, 'hex') = %s",
                    (self.sha256,),
                )
                holder = cursor.fetchone()
            if holder:
                os.kill(int(holder[0].split("/")[1]), signal.SIGKILL)
                self.kills += 1


def play(run):
    others = run.pick(16, 120)
    random = run.random("poison")
    # Long enough for the killer's look beside three other acts; alone it is quick enough for the comparison.
    with run.stage(speech={"delay_seconds": run.pick(1.5, 0.3)}, DIARY_SPEECH_SLOTS="2") as (rig, history, oracle):
        client, owner = Client(rig, history), Client(rig, history)
        rig.start("work", "work-2")
        with Supervisor(rig) as supervisor:
            supervisor.watch("work", "work")
            supervisor.watch("work-2", "work")
            plain, *_ = batch(client, [recording(random) for _ in range(others)])
            audio = recording(random)
            killer = Killer(rig, audio)
            killer.start()
            beside, entries, poison = batch(client, [recording(random) for _ in range(others)], lambda: owner.voice(audio))
            seen = wait_for(lambda: (entry := owner.entry(poison))["status"] == "failed" and entry, 60, "the poison set aside")
            assert seen["processing"]["code"] == "processing_crashed" and seen["processing"]["action"] == "retry", seen["processing"]
            state, crashes, code = rig.postgres.sql(
                "diary", "select state, crashes, code from jobs where subject = %s and kind = 'transcribe'", poison
            )[0]
            assert (state, crashes, code, killer.kills) == ("dead", 3, "processing_crashed", 3), (state, crashes, code, killer.kills)
            failed = [entry for entry in entries if client.entry(entry)["status"] == "failed"]
            assert not failed, f"{len(failed)} of {others} innocent recordings were set aside with the poison"
            touched = rig.postgres.sql("diary", "select count(*)::int from jobs where crashes > 0 and subject <> %s", poison)[0][0]
            killer.done.set()
            killer.join()
            # Mended: its owner asks again.
            owner.insist("POST", f"/v1/entries/{poison}/reprocess", (202,), json={})
            owner.wait_done(poison)
            assert all(code == -9 for _, code in supervisor.exits), supervisor.exits
        alone(run, rig, client, owner, random)
        counts = oracle.judge([client, owner], 30)
    slower = beside / plain - 1
    assert run.pick(True, slower <= 0.1), f"the others took {slower:.0%} longer"
    return {**counts, "kills": killer.kills, "plain_s": round(plain, 2), "beside_s": round(beside, 2), "touched": touched}, (
        f"set aside after 3 crashes, shown as processing_crashed, played again and done; {others} others all done ({touched} of them in a process that died), "
        f"{beside:.1f} s beside it, {plain:.1f} s without"
    )


def alone(run, rig, client, owner, random):
    """One worker, long recordings: what was claimed together with the poison must not go under with it."""
    rig.stop("work-2")
    rig.script("speech", calls_log=str(rig.calls), delay_seconds=1.5)
    for number in range(run.pick(1, 5)):
        audio = recording(random)
        rig.stop("work")
        neighbour, poison = client.voice(recording(random)), owner.voice(audio)
        killer = Killer(rig, audio)
        killer.start()
        with Supervisor(rig) as supervisor:
            rig.start("work")
            supervisor.watch("work", "work")
            wait_for(lambda: owner.entry(poison)["status"] == "failed", 60, "the poison set aside")
            seen = client.entry(neighbour)
            assert seen["status"] != "failed", f"the recording beside the poison was set aside with it: {seen['processing']}"
            client.wait_done(neighbour, 60)
            killer.done.set()
            killer.join()
            owner.insist("POST", f"/v1/entries/{poison}/reprocess", (202,), json={})
            owner.wait_done(poison)


def batch(client, recordings, amid=None):
    """Seconds from the first upload until all are transcribed; the entries, and what was done in the middle of it."""
    rig, began, done, entries = client.rig, time.monotonic(), None, []
    for number, audio in enumerate(recordings):
        if amid and number == len(recordings) // 4:
            done = amid()
        entries.append(client.voice(audio))

    def ended():
        return rig.postgres.sql(
            "diary", "select count(*)::int from entries where id::text = any(%s) and status in ('transcribed', 'failed')", entries
        ) == [(len(entries),)]

    wait_for(ended, 60 + len(entries), "the others")
    return time.monotonic() - began, entries, done
