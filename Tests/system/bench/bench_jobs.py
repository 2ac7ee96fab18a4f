"""Measures what a job costs when its engine answers at once, and beside it, in the same run, Celery on the same Redis and Postgres."""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from processes import wait_for
from rig import AS_SHIPPED, Rig

ROUNDS = 5
CONCURRENCIES = (2, 4, 8, 16)
"""Of Celery's processes: the number that is fastest here is measured."""
PATIENCE = 300


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--json")
    return parser.parse_args()


def cpu_seconds(root):
    """Of a process and its children, those that have ended too."""
    parents, times = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rsplit(")", 1)[1].split()
            parents[int(path.parent.name)] = int(fields[1])
            times[int(path.parent.name)] = sum(map(int, fields[11:15]))
    family, before = {root}, set()
    while family != before:
        before = set(family)
        family |= {pid for pid, parent in parents.items() if parent in family}
    return sum(times.get(pid, 0) for pid in family) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, rig, options):
        self.rig, self.options = rig, options
        self.database = rig.postgres.connect("diary")

    def sql(self, text, *values):
        with self.database.cursor() as cursor:
            cursor.execute(text, values or None)
            return cursor.fetchall() if cursor.description else []

    def fill(self):
        users = [self.rig.user() for _ in range(self.options.users)]

        def write(user):
            for number in range(self.options.entries):
                body = {"kind": "text", "text": f"A quiet day, the {number}th.", "title": f"Day {number}"}
                user.http.post(self.rig.url + "/v1/entries", json=body).raise_for_status()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, users))
        self.sql("create table bench_entries (id uuid primary key, status text, finished_at timestamptz) with (fillfactor = 70)")
        self.sql("insert into bench_entries (id, status) select id, 'uploaded' from entries")
        self.sql("vacuum analyze")

    def clean(self):
        """Each entry is cleaned once. There are no words to clean, so that all the time is the queue's: claim, lease, status, result, end."""
        self.sql("delete from jobs")
        self.sql("delete from queue_use")
        worker = self.rig.processes["work"].pid
        before = cpu_seconds(worker)
        self.sql(
            "insert into jobs (id, tenant_id, user_id, kind, subject, cost) "
            "select gen_random_uuid(), tenant_id, user_id, 'clean', id, 0.1 from entries"
        )
        wait_for(lambda: not self.sql("select 1 from jobs where state <> 'done' limit 1"), PATIENCE, "the end of the jobs")
        spent = cpu_seconds(worker) - before
        ended = self.sql("select extract(epoch from max(finished_at) - min(finished_at))::float8, count(*), max(attempt) from jobs")[0]
        seconds, count, attempts = ended
        again = self.sql("select attempt, errors, crashes, code, count(*) from jobs where attempt <> 1 group by 1, 2, 3, 4")
        assert attempts == 1, f"jobs ran twice (attempt, errors, crashes, code, count): {again}"
        return {"jobs_per_second": (count - 1) / seconds, "cpu_ms": spent / count * 1000}

    def celery(self, concurrency):
        self.sql("update bench_entries set status = 'uploaded', finished_at = null")
        environment = {
            **os.environ,
            "BENCH_BROKER": f"redis+socket://{self.rig.redis.socket}?virtual_host=7",
            "BENCH_DATABASE": self.rig.postgres.conninfo() + " user=postgres",
            "PYTHONPATH": str(pathlib.Path(__file__).parent),
        }
        entries = [str(row[0]) for row in self.sql("select id from bench_entries")]
        publish = "import sys, bench_celery\nfor line in sys.stdin: bench_celery.work.delay(line.strip())"
        subprocess.run([sys.executable, "-c", publish], env=environment, input="\n".join(entries), text=True, check=True)
        line = [sys.executable, "-m", "celery", "-A", "bench_celery", "worker", "-l", "error", "-c", str(concurrency)]
        line += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        with open(self.rig.folder / "logs" / "celery.log", "ab") as log:
            worker = subprocess.Popen(line, env=environment, stdout=log, stderr=log)
        try:
            # What starting costs is not counted.
            started = wait_for(
                lambda: (
                    self.sql("select 1 from bench_entries where finished_at is not null limit 1")
                    and (cpu_seconds(worker.pid), self.ended())
                ),
                PATIENCE,
                "the first task",
            )
            wait_for(lambda: self.ended() == len(entries), PATIENCE, "the end of the tasks")
            spent = cpu_seconds(worker.pid) - started[0]
        finally:
            worker.send_signal(signal.SIGTERM)
            worker.wait(30)
        seconds = self.sql("select extract(epoch from max(finished_at) - min(finished_at))::float8 from bench_entries")[0][0]
        return {"jobs_per_second": (len(entries) - 1) / seconds, "cpu_ms": spent / (len(entries) - started[1]) * 1000}

    def ended(self):
        return self.sql("select count(*) from bench_entries where finished_at is not null")[0][0]


def middle(rounds):
    return sorted(rounds, key=lambda one: one["jobs_ratio"])[len(rounds) // 2]


def main():
    options = arguments()
    rig = Rig(DIARY_LOG_LEVEL="error", DIARY_RATE_FACTOR="1000000", **AS_SHIPPED)
    try:
        bench = Bench(rig, options)
        print(f"filling: {options.users} members with {options.entries} entries", flush=True)
        bench.fill()
        bench.clean()
        tried = {count: bench.celery(count)["jobs_per_second"] for count in CONCURRENCIES}
        concurrency = max(tried, key=tried.get)
        print("Celery's processes, jobs/s: " + ", ".join(f"{count}: {rate:.0f}" for count, rate in tried.items()), flush=True)
        rounds = []
        print(f"{'round':>6} {'jobs/s':>8} {'CPU ms':>8} {'Celery/s':>9} {'CPU ms':>8} {'jobs ratio':>11} {'CPU ratio':>10}")
        for number in range(ROUNDS):
            # In turns: the machine's pace changes within a minute.
            own, other = bench.clean(), bench.celery(concurrency)
            one = {
                "workers": own,
                "celery": other,
                "jobs_ratio": own["jobs_per_second"] / other["jobs_per_second"],
                "cpu_ratio": own["cpu_ms"] / other["cpu_ms"],
            }
            rounds.append(one)
            print(
                f"{number + 1:6} {own['jobs_per_second']:8.0f} {own['cpu_ms']:8.2f} {other['jobs_per_second']:9.0f} {other['cpu_ms']:8.2f} "
                f"{one['jobs_ratio']:11.2f} {one['cpu_ratio']:10.2f}",
                flush=True,
            )
        chosen = middle(rounds)
        print(f"middle: {chosen['jobs_ratio']:.2f} times the jobs/s of Celery, {chosen['cpu_ratio']:.2f} of its CPU a job")
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps({"rounds": rounds, "middle": chosen, "celery_processes": tried}, indent=1))
    finally:
        rig.end()


if __name__ == "__main__":
    main()
