"""Judges a run from its history, the database and the object folder alone: I1 to I4 and I6 to I8 of the rig's invariants."""

import pathlib
import time

from rig import sha256, wait_for

LEASE_SECONDS = 2.0


class Bystander:
    """Somebody who takes no part: none of their rows may change (I7)."""

    def __init__(self, rig):
        self.rig = rig
        user = rig.user()
        self.id = user.id
        for number in range(2):
            user.create_text(f"a bystander's note {number}")
        user.wait_done(user.record())
        wait_for(lambda: rig.postgres.sql("diary", "select count(*) from jobs where user_id = %s and state in ('ready', 'leased')", self.id) == [(0,)],
                 20, "the bystander's jobs")
        self.before = self.rows()

    def rows(self):
        tables = self.rig.postgres.sql(
            "diary", "select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name) "
                     "where c.table_schema = 'public' and c.column_name = 'user_id' and t.table_type = 'BASE TABLE' order by 1")
        return {table: self.rig.postgres.sql("diary", f"select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from {table} t where user_id = %s",
                                             self.id)[0] for (table,) in tables}


class Oracle:
    def __init__(self, rig, history, bystander=None):
        self.rig, self.history, self.bystander = rig, history, bystander
        self.objects = pathlib.Path(rig.environment["DIARY_OBJECTS"])
        self.retried = 0

    def judge(self, clients, seconds, retry_failed=False):
        """Waits until all work has ended, then checks; returns counts. `retry_failed`: crashes by the scheduler's hand may bury a
        recording (three crashes), whose owner then asks for it again."""
        owners = {client.id: client for client in clients}
        faults = [fault for client in clients for fault in client.faults]
        self.settle(owners, seconds, retry_failed)
        lost = twice = entries = transcribed = failed = 0
        for owner, client in owners.items():
            told = self.history.acknowledged(owner)
            rows = self.rig.postgres.sql(
                "diary", "select e.id::text, e.kind, e.status, e.machine_version, (select count(*)::int from entry_segments s where s.entry_id = e.id), "
                         "e.tenant_id, e.deleted_at from entries e where e.user_id = %s", owner)
            stored = {row[0]: row for row in rows}
            entries += len(rows)
            for key, ids in told.items():
                if len(ids) != 1:
                    faults.append(f"I1: key {key} was answered with {len(ids)} different entries")
                    twice += len(ids) - 1
                lost += sum(1 for id in ids if id not in stored)
            twice += max(0, len(rows) - len(told))
            seen = [entry["id"] for entry in client.feed()]
            if sorted(seen) != sorted(stored):
                faults.append(f"I1: the feed shows {len(seen)} entries ({len(set(seen))} different), {len(stored)} are stored")
            for _, kind, status, version, segments, _, _ in rows:
                if kind != "voice":
                    continue
                if status == "transcribed":
                    transcribed += 1
                    if (version, segments) != (2, 1):
                        faults.append(f"I4: a transcribed recording has machine_version {version} and {segments} segments rows")
                elif status == "failed":
                    failed += 1
            audio = {id: sha for id, sha in self.history.audio().items() if id in stored}
            for id, sha in audio.items():
                if stored[id][2] not in ("transcribed", "failed"):
                    faults.append(f"I3: a completed upload is {stored[id][2]} after {seconds} s")
                elif sha256(client.download(id)) != sha:
                    faults.append("I2: the recording is not what was uploaded")
        foreign = self.rig.postgres.sql("diary", "select count(*) from entries where id::text = any(%s) and not user_id::text = any(%s)",
                                        [id for owner in owners for ids in self.history.acknowledged(owner).values() for id in ids], list(owners))
        if foreign != [(0,)]:
            faults.append("I1: an acknowledged entry belongs to somebody else")
        faults += self.leftovers()
        if lost:
            faults.append(f"I1: {lost} acknowledged entries are lost")
        if twice:
            faults.append(f"I1: {twice} entries are there twice")
        assert not faults, f"{len(faults)} faults: " + "; ".join(faults[:8])
        return {"entries": entries, "transcribed": transcribed, "failed": failed, "lost": lost, "twice": twice, "retried": self.retried}

    def settle(self, owners, seconds, retry_failed):
        """I3's deadline."""
        deadline = time.monotonic() + seconds
        while True:
            busy = self.sql("select count(*)::int from jobs where state in ('ready', 'leased')")[0][0]
            waiting = self.sql("select count(*)::int from entries where kind = 'voice' and deleted_at is null and status not in ('transcribed', 'failed', 'awaiting_upload')")[0][0]
            if retry_failed and not busy:
                failed = self.sql("select id::text, user_id::text from entries where status = 'failed' and deleted_at is null")
                for entry, owner in failed:
                    if owner in owners:
                        owners[owner].insist("POST", f"/v1/entries/{entry}/retry", (200, 202, 409))
                        self.retried += 1
                        busy += 1
            if not busy and not waiting:
                return
            if time.monotonic() > deadline:
                states = self.sql("select kind, state, count(*)::int from jobs group by 1, 2 order by 1, 2")
                raise AssertionError(f"I3: {busy} jobs and {waiting} recordings have not ended after {seconds} s: {states}")
            time.sleep(0.1)

    def leftovers(self):
        faults = []
        old = self.sql("select count(*)::int from jobs where state = 'leased' and lease_until < clock_timestamp() - make_interval(secs => %s)", LEASE_SECONDS)[0][0]
        if old:
            faults.append(f"I8: {old} leases are older than twice their length")

        def files():
            left = [p for p in (self.objects / "tmp").rglob("*") if p.is_file()]
            finished = {row[0] for row in self.sql("select object_id::text from entries where object_id is not null and status in ('transcribed', 'failed')")}
            left += [p for p in (self.objects / "staging").rglob("*") if p.is_file() and any(id in p.name for id in finished)]
            return left
        try:
            wait_for(lambda: not files(), 5, "an empty tmp folder and no finished entry in staging")
        except AssertionError:
            faults.append(f"I6: {len(files())} files left in tmp or staging")
        if self.bystander and (now := self.bystander.rows()) != self.bystander.before:
            changed = [table for table in now if now[table] != self.bystander.before.get(table)]
            faults.append(f"I7: a bystander's rows changed in {', '.join(changed)}")
        return faults

    def sql(self, text, *values):
        return self.rig.postgres.sql("diary", text, *values)
