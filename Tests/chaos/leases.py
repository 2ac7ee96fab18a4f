"""I8: watches every lease while an act is played: none may be older than twice its length, and what a dead process held must be
taken up again within twice a lease."""

import collections
import contextlib
import threading
import time

LEASE_SECONDS = 2.0
# So many looks in a row take 0.6 s; when they take this long, the machine is overloaded, and what was late then is not counted.
LOOKS, STARVED_SECONDS = 6, 2.0
SAMPLE = """
    select extract(epoch from clock_timestamp())::float8, extract(epoch from pg_postmaster_start_time())::float8,
        j.id::text, j.attempt, j.leased_by, extract(epoch from j.lease_until)::float8
    from (select 1) one left join jobs j on j.state = 'leased'
"""


class Leases(threading.Thread):
    def __init__(self, rig):
        super().__init__(daemon=True)
        self.rig = rig
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.oldest = 0.0
        self.samples = 0
        self.looks = collections.deque(maxlen=LOOKS)
        self.starved = []
        self.old = {}
        self.seen = {}
        self.deaths = []
        self.server_began = 0.0
        self.blind = 0
        self.well_since = 0.0
        self.start()

    def run(self):
        connection = None
        while not self.done.wait(0.1):
            try:
                connection = connection or self.rig.postgres.connect()
                with connection.cursor() as cursor:
                    cursor.execute(SAMPLE)
                    rows = cursor.fetchall()
            except Exception:
                # The database is away; its own start counts from then on.
                if connection is not None:
                    with contextlib.suppress(Exception):
                        connection.close()
                connection = None
                continue
            self.take(rows)
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.close()

    def take(self, rows):
        with self.lock:
            self.samples += 1
            self.server_began = rows[0][1]
            self.looks.append(rows[0][0])
            if self.looks[-1] - self.looks[0] > STARVED_SECONDS:
                self.well_since = self.looks[-1]
                self.starved.append(self.looks[-1])
            for now, began, job, attempt, holder, until in rows:
                if job is None:
                    continue
                self.seen[(job, attempt)] = (holder, now)
                overdue = now - max(until, began, self.well_since)
                if self.blind == 0:
                    self.oldest = max(self.oldest, LEASE_SECONDS + overdue)
                    if overdue > LEASE_SECONDS:
                        self.old[(job, attempt)] = LEASE_SECONDS + overdue

    @contextlib.contextmanager
    def unattended(self):
        """No worker could take up a lease meanwhile: none lives, or the database accepts no connection. Counted anew afterwards."""
        with self.lock:
            self.blind += 1
        try:
            yield
        finally:
            with self.lock:
                self.blind -= 1
                self.well_since = time.time()

    def died(self, pid, at=None, was_last_worker=False):
        """A process that is started again at once. After the last worker's death a lost lease has as much time as one renewed at the
        death: a kill point may end the very process that takes it up."""
        with self.lock:
            at = at or time.time()
            self.deaths.append((f"/{pid}/", at))
            if was_last_worker:
                self.well_since = max(self.well_since, at + LEASE_SECONDS)

    def recoveries(self):
        """Per death that left leases behind: seconds until the last of them was another's or ended."""
        with self.lock:
            found = []
            for holder, at in self.deaths:
                last = max((now for name, now in self.seen.values() if holder in name), default=0)
                if last > at:
                    found.append(last - max([at, *(pause for pause in (self.server_began, *self.starved) if pause < last)]))
            return found

    def slowest(self):
        return max(self.recoveries(), default=0.0)

    def faults(self):
        with self.lock:
            faults = [f"I8: a lease was {age:.1f} s old" for age in sorted(self.old.values(), reverse=True)[:3]]
            if not self.samples:
                faults.append("I8: no lease was ever looked at")
        if self.slowest() > 2 * LEASE_SECONDS:
            faults.append(f"I8: what a dead worker held was taken up again after {self.slowest():.1f} s only")
        return faults

    def end(self):
        self.done.set()
        self.join(5)
