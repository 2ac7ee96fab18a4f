"""I6: after the sweeper's collection nothing is left that no row names, and nothing is gone that one names. The collection takes
what is a day old: it is made by a worker whose clock is two days ahead."""

import os
import pathlib

import shim
from processes import wait_for
from s3_proxy import KINDS
from supervisor import spawn

# The last of each folder: when it is gone, all before it have been looked at.
BAIT = "ffffffff-ffff-7fff-bfff-ffffffffffff"

NAMED = """
    select case when e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')
            then array['staging', 'audio'] else array['audio'] end,
        e.tenant_id::text, e.user_id::text, e.object_id::text
    from entries e where e.object_id is not null and e.deleted_at is null
    union all select array['audio'], r.tenant_id::text, r.user_id::text, r.object_id::text from entry_renditions r where r.object_id is not null
    union all select array['export'], x.tenant_id::text, x.user_id::text, x.work_object_id::text from exports x where x.work_object_id is not null
    union all select array['export'], p.tenant_id::text, p.user_id::text, p.object_id::text from export_parts p where p.object_id is not null
"""


class Remains:
    def __init__(self, rig):
        self.rig = rig
        self.store = rig.store
        self.temporary = pathlib.Path(rig.environment["DIARY_TEMPORARY"])

    def collect(self):
        """Ends the workers and lets one collect; returns how many objects it removed, or None without a C compiler."""
        for name in [name for name in self.rig.processes if not name.startswith("serve")]:
            self.rig.stop(name)
        if shim.library() is None:
            return None
        before = len(self.store.names())
        baits = {(kind, BAIT, BAIT, BAIT) for kind in KINDS}
        for bait in baits:
            self.store.write(bait, b"bait")
        with self.store.ahead() as settings:
            spawn(self.rig, "collector", "work", **shim.ahead(2 * 86_400), **settings)
            # What is half-written is collected after objects.
            wait_for(lambda: not baits & self.store.names() and not self.store.half_written(), 30, "the collection")
            code = self.rig.stop("collector")
        assert code == 0, f"the collecting worker ended with {code}"
        return before - len(self.store.names())

    def faults(self, collected):
        """With all workers ended."""
        faults = []
        if left := self.store.half_written(with_marks=True):
            faults.append(f"I6: {len(left)} half-written objects are left")
        if plain := os.listdir(self.temporary):
            faults.append(f"I6: {len(plain)} files or folders of workers that ended are left")
        if collected:
            orphans = self.store.names() - self.named()
            if orphans:
                faults.append(f"I6: {len(orphans)} objects that no row names are left, one of {sorted(orphans)[0][0]}")
        return faults

    def named(self):
        return {(kind, *place) for kinds, *place in self.rig.postgres.sql("diary", NAMED) for kind in kinds}
