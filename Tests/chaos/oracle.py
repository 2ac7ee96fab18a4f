"""Judges a run from its history, the database, the object folder and the outbox alone: the rig's invariants I1 to I8."""

import time
from concurrent.futures import ThreadPoolExecutor

import requests

import http_client
from client import fingerprint
from contract import STAGES
from exports import DISCARDED, Exports
from processes import wait_for
from remains import Remains
from user import sha256

COPY = b"m4a of "
"""How the copy that the scripted renderer makes begins."""

ENTRIES = """
    select e.id::text, e.kind, e.status, e.stage_code, e.machine_version, e.personal_version, e.xmin::text,
        (select count(*)::int from entry_segments s where s.entry_id = e.id),
        (select s.xmin::text from entry_segments s where s.entry_id = e.id)
    from entries e where e.user_id = %s
"""
ENDED = """
    select subject::text, kind, state, attempt, xmin::text from jobs where user_id = %s order by finished_at
"""


class Oracle:
    def __init__(self, rig, history, bystander=None):
        self.rig, self.history, self.bystander = rig, history, bystander
        self.exports, self.remains = Exports(rig, history), Remains(rig)
        self.retried = 0
        self.patience = 30

    def answers(self):
        try:
            return http_client.get(self.rig.url + "/livez", timeout=2).ok
        except requests.ConnectionError:
            return False

    def judge(self, clients, seconds, due=None, crashes_discard=False, mailed_twice=(), collect=True):
        """Waits until all work has ended, then checks; returns counts.

        `due`: {entry: code} of the recordings whose failure was the act's intention; any other failure is a fault (I3).
        `crashes_discard`: kills by chance may discard a job (three crashes); its owner asks for it again, and it must be done then.
        `collect`: with the sweeper's collection, after which the workers have ended."""
        owners = {client.id: client for client in clients}
        # An API killed last is on its way back.
        wait_for(self.answers, 20, "the API to answer")
        self.settle(owners, seconds, crashes_discard)
        counts, faults = self.look(clients, due or {}, crashes_discard, mailed_twice, collect)
        assert not faults, f"{len(faults)} faults: " + "; ".join(faults[:8])
        return counts

    def look(self, clients, due=None, crashes_discard=False, mailed_twice=(), collect=True):
        """(counts, faults) of what is there now."""
        owners = {client.id: client for client in clients}
        faults = [fault for client in clients for fault in client.faults]
        for client in clients:
            client.faults.clear()
        counts = dict.fromkeys(("entries", "transcribed", "failed", "lost", "twice", "zips", "exports_discarded"), 0)
        stored = {owner: {row[0]: row[1:] for row in self.sql(ENTRIES, owner)} for owner in owners}
        for owner in owners:
            faults += self.acknowledged(owner, stored[owner], counts) + self.results(owner, stored[owner], due or {}, counts)
        foreign = self.sql(
            "select count(*) from entries where id::text = any(%s) and not user_id::text = any(%s)",
            [id for owner in owners for ids in self.history.acknowledged(owner).values() for id in ids],
            list(owners),
        )
        if foreign != [(0,)]:
            faults.append("I1: an acknowledged entry belongs to another person")
        collected = None
        if collect:
            # Before the downloads: what is wanted must have outlived it.
            collected = self.remains.collect()
            faults += self.remains.faults(collected is not None)
        for client in owners.values():
            found, more = self.exports.judge(client, stored[client.id], mailed_twice, crashes_discard)
            counts["zips"] += found["zips"]
            counts["exports_discarded"] += found["discarded"]
            faults += more
        with ThreadPoolExecutor(4) as pool:
            for more in pool.map(lambda client: self.contents(client, stored[client.id]), owners.values()):
                faults += more
        if self.bystander:
            faults += self.bystander.faults()
        faults += self.rig.leases.faults()
        if counts["lost"]:
            faults.append(f"I1: {counts['lost']} acknowledged entries are lost")
        if counts["twice"]:
            faults.append(f"I1: {counts['twice']} entries are there twice")
        return {
            **counts,
            "retried": self.retried,
            "orphans_collected": collected,
            "oldest_lease_s": round(self.rig.leases.oldest, 2),
            "slowest_takeover_s": round(self.rig.leases.slowest(), 2),
            "starved_looks": len(self.rig.leases.starved),
        }, faults

    def acknowledged(self, owner, stored, counts):
        """I1."""
        faults = []
        told = self.history.acknowledged(owner)
        counts["entries"] += len(stored)
        for key, ids in told.items():
            if len(ids) != 1:
                faults.append(f"I1: key {key} was answered with {len(ids)} different entries")
                counts["twice"] += len(ids) - 1
            counts["lost"] += sum(1 for id in ids if id not in stored)
        counts["twice"] += max(0, len(stored) - len(told))
        return faults

    def results(self, owner, stored, due, counts):
        """I3, and I4: the words were written by the very transaction that ended the job's last attempt (which carries the highest number)."""
        faults = []
        ended = {}
        for entry, kind, state, attempt, transaction in self.sql(ENDED, owner):
            if state == "done":
                ended.setdefault((entry, kind), []).append(transaction)
        completed, runs = self.history.audio(), self.history.runs(owner)
        for id, (kind, status, code, version, personal, written, segments, heard) in stored.items():
            if kind != "voice":
                continue
            # All stages but verify write the machine's part.
            transcribed, *later = [ended.get((id, stage), []) for stage in STAGES[1:]]
            wrote = len(transcribed) + sum(map(len, later))
            if status == "transcribed":
                counts["transcribed"] += 1
                if segments != 1 or any(len(ends) != 1 + runs[id] for ends in later) or version != wrote:
                    faults.append(
                        f"I4: {segments} transcripts, version {version}, of {len(transcribed)} recognitions and {[len(ends) for ends in later]}"
                        f" later stages that ended"
                    )
                elif heard != transcribed[-1] or (personal == 0 and written != later[-1][-1]):
                    faults.append("I4: a transcript was not written by its job's last attempt")
                if id in due:
                    faults.append(f"I3: a recording is transcribed that should have failed as {due[id]}")
            elif status == "failed":
                counts["failed"] += 1
                if due.get(id) != code:
                    faults.append(f"I3: a recording failed with {code}" + (f", not {due[id]}" if id in due else ""))
            elif id in completed:
                faults.append(f"I3: a completed upload is {status}")
        return faults

    def contents(self, client, stored):
        """I1: the feed shows every entry once. I2: words and bytes are the ones that were sent, and each transcript is its recording's."""
        faults = []
        feed = client.feed()
        if sorted(entry["id"] for entry in feed) != sorted(stored):
            faults.append(
                f"I1: the feed shows {len(feed)} entries ({len({entry['id'] for entry in feed})} different), {len(stored)} are stored"
            )
        uploaded, words = self.history.audio(), self.history.words(client.id)
        for entry in feed:
            id = entry["id"]
            if id in words and sha256((entry["text"] or "").encode()) != words[id]:
                faults.append("I2: an entry's words are not what was written")
            if id not in uploaded or id not in stored or stored[id][1] != "transcribed":
                continue
            try:
                audio, played = client.download(id, self.patience, original=True), client.download(id, self.patience)
            except AssertionError:
                faults.append("I2: a recording cannot be read")
                continue
            if sha256(audio) != uploaded[id] or entry["sha256"] != uploaded[id]:
                faults.append("I2: a recording is not what was uploaded")
            elif played != (audio if entry["content_type"] == "audio/mp4" else COPY + audio):
                faults.append("I2: what plays is neither the recording nor its copy")
            elif fingerprint(audio) not in (entry["transcript_raw"] or ""):
                faults.append("I4: a transcript is not its recording's")
        return faults

    def settle(self, owners, seconds, crashes_discard=False):
        """I3's deadline."""
        deadline = time.monotonic() + seconds
        while True:
            busy = self.sql("select count(*)::int from jobs where state in ('ready', 'leased')")[0][0]
            waiting = self.sql(
                "select count(*)::int from entries where kind = 'voice' and deleted_at is null and status not in ('transcribed', 'failed', 'awaiting_upload')"
            )[0][0]
            if crashes_discard and not busy:
                failed = self.sql(
                    "select id::text, user_id::text from entries where status = 'failed' and stage_code = %s and deleted_at is null",
                    DISCARDED,
                )
                for entry, owner in failed:
                    if owner in owners:
                        owners[owner].insist("POST", f"/v1/entries/{entry}/reprocess", (200, 202, 409), json={})
                        self.retried += 1
                        busy += 1
            if not busy and not waiting:
                return
            if time.monotonic() > deadline:
                states = self.sql("select kind, state, count(*)::int from jobs group by 1, 2 order by 1, 2")
                raise AssertionError(f"I3: {busy} jobs and {waiting} recordings have not ended after {seconds} s: {states}")
            time.sleep(0.1)

    def sql(self, text, *values):
        return self.rig.postgres.sql("diary", text, *values)
