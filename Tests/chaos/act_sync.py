"""A17: writers whose commits come late, several at one diary, and pollers that keep copies by the feed."""

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sync_delays
import sync_judge
from client import Client
from processes import free_port, wait_for
from supervisor import Supervisor, spawn

# Writers of each diary; the one whose tombstones are purged under the pollers' feet is `purged`.
DIARIES = {"crowd": 6, "purged": 4, "three": 3, "two": 2, "one": 1}
POLLERS = ["steady", "steady", "steady", "pausing", "pausing", "fresh", "late", "time"]


def play(run):
    changes = run.pick(960, 100_000)
    with stage(run) as scene:
        figures, faults = scene.play(changes, late=run.pick((0.05, 0.006, 0.08, 0.01, 0.004, 0.15), (0.08, 0.01, 0.12, 0.015, 0.005, 0.5)))
        assert not faults and not any(figures[name] for name in ("lost", "missed", "late", "out_of_order", "wrong_words", "repeats")), (
            f"{figures}; {len(faults)} faults: " + "; ".join(faults[:6])
        )
    # The same with the mistake built in must be found out: else the figures above say nothing.
    with stage(run) as scene:
        broken, _ = scene.play(run.pick(480, 4_000), late=(0, 0, 0.1, 0.05, 0, 0), mistake=sync_delays.NO_LOCK)
        assert broken["missed"] and broken["late"], f"numbers without the lock were not found out: {broken}"
    return {**figures, "without_lock": broken}, (
        f"{figures['changes']} changes by 16 writers at {figures['per_second']:.0f}/s ({figures['by_worker']} more by the worker), {figures['disturbed']}, "
        f"8 pollers, {figures['pages']} pages, {figures['rows']} rows: {figures['lost']} lost, {figures['missed']} missed, {figures['late']} late, "
        f"{figures['out_of_order']} out of order, {figures['repeats']} repeats ({figures['repeats_by_time']} by the poller that names a time), "
        f"{figures['expired']} × 410 after {figures['purged']} tombstones were purged; "
        f"with numbers taken without the lock: {broken['missed']} missed, {broken['late']} late of {broken['changes']}"
    )


@contextlib.contextmanager
def stage(run):
    with run.rig(DIARY_POOL_SIZE="12", DIARY_ACCESS_TOKEN_SECONDS="7200", DIARY_LOG_LEVEL="error") as rig:
        yield Scene(run, rig)


class Scene:
    def __init__(self, run, rig):
        self.run, self.rig = run, rig
        self.random = run.random("sync")
        self.folder = Path(rig.folder) / "sync"
        self.folder.mkdir()
        with ThreadPoolExecutor(len(DIARIES)) as pool:
            self.users = dict(zip(DIARIES, pool.map(lambda _: rig.user(), DIARIES)))
        self.urls = [rig.url]
        self.ended = threading.Event()
        self.old_position = None
        self.counts = {"cancelled": 0, "terminated": 0, "killed": 0}

    def play(self, changes, late, mistake=None):
        with Supervisor(self.rig) as supervisor:
            supervisor.watch("serve", "serve")
            port = free_port()
            self.urls.append(f"http://127.0.0.1:{port}")
            spawn(self.rig, "serve-2", "serve", DIARY_LISTEN=f"127.0.0.1:{port}")
            supervisor.watch("serve-2", "serve", DIARY_LISTEN=f"127.0.0.1:{port}")
            wait_for(lambda: ready(self.urls[1]), 20, "the second API process")
            self.ordinary = mistake is None
            for text in (sync_delays.LATE.format(*late), mistake):
                if text:
                    self.rig.postgres.sql("diary", text, user="diary_owner")
            writers, pollers = self.start(changes, with_voice=mistake is None)
            others = [] if mistake else [lambda: self.disturb(supervisor), lambda: self.purge(changes)]
            with ThreadPoolExecutor(2) as pool:
                running = [pool.submit(other) for other in others]
                try:
                    self.wait(writers, changes)
                finally:
                    self.ended.set()
            for other in running:
                other.result()
            wait_for(
                lambda: self.sql("select count(*)::int from jobs where state in ('ready', 'leased')") == [(0,)], 60, "the worker's rest"
            )
            (self.folder / "stop").touch()
            self.finish(pollers, 120)
            odd = [code for _, code in supervisor.exits if code not in (-9, 0)]
        return self.judge(odd)

    def start(self, changes, with_voice):
        shares = [{"user": name, "changes": changes // 16} for name, writers in DIARIES.items() for _ in range(writers)]
        plan = {
            "urls": self.urls,
            "seed": self.run.seed,
            "flags": str(self.folder),
            "writers": shares,
            "users": {name: {"headers": {"authorization": user.http.headers["Authorization"]}} for name, user in self.users.items()},
            "pollers": [{"kind": kind, "users": [name for name in DIARIES if kind != "time" or name != "purged"]} for kind in POLLERS],
            "pauses": {
                "steady": 0.2,
                "fresh": self.run.pick(0.3, 1),
                "pausing": self.run.pick(1.5, 12),
                "late": 0.2,
                "time": self.run.pick(0.5, 4),
            },
            "afresh": self.run.pick(0.3, 0.03),
            "voice": self.run.pick(0.01, 0.003) if with_voice else 0,
            "hang_up": 0.005 if with_voice else 0,
        }
        # Writers of one diary are spread over the processes.
        count = self.run.pick(2, 4)
        return (
            [self.spawn("sync_writers", number, plan, range(number, 16, count)) for number in range(count)],
            [self.spawn("sync_pollers", number, plan, range(number, 8, 2)) for number in range(2)],
        )

    def spawn(self, program, number, plan, mine):
        name = f"{program}-{number}"
        path = self.folder / f"{name}.plan"
        path.write_text(json.dumps({**plan, "mine": list(mine), "out": str(self.folder / f"{name}.json")}))
        with open(Path(self.rig.folder) / "logs" / f"{name}.log", "ab") as log:
            process = subprocess.Popen([sys.executable, str(Path(__file__).with_name(program + ".py")), str(path)], stdout=log, stderr=log)
        # Ended with the service when the run is.
        self.rig.processes[name] = process
        return name, process

    def sql(self, text, *values, **more):
        return self.rig.postgres.sql("diary", text, *values, **more)

    def progress(self):
        return int(self.sql("select sum(change_number) from user_sync")[0][0])

    def wait(self, writers, changes):
        began, said = time.monotonic(), 0
        while any(process.poll() is None for _, process in writers):
            time.sleep(0.1)
            if int((time.monotonic() - began) / 30) > said:
                said += 1
                self.run.say("sync", f"{self.progress()} of {changes} changes after {time.monotonic() - began:.0f} s")
            # So long that every pace of this machine is allowed.
            assert time.monotonic() - began < 60 + changes / 40, "the writers do not come to an end"
        self.finish(writers, 1)

    def finish(self, processes, seconds):
        for name, process in processes:
            code = process.wait(seconds)
            self.rig.processes.pop(name, None)
            assert code == 0, f"{name} ended with {code}: {(Path(self.rig.folder) / 'logs' / f'{name}.log').read_text()[-800:]}"

    def disturb(self, supervisor):
        """Connections are cancelled and ended in the middle of something, and now and then a whole API process."""
        pause = self.run.pick(0.25, 0.8)
        turn = 0
        while not self.ended.wait(self.random.uniform(pause / 2, pause * 1.5)):
            turn += 1
            if turn % self.run.pick(6, 40) == 0:
                with supervisor.lock:
                    process = self.rig.processes[self.random.choice(["serve", "serve-2"])]
                    if process.poll() is None:
                        process.send_signal(signal.SIGKILL)
                        self.counts["killed"] += 1
                continue
            how = self.random.choice(["cancel", "terminate"])
            hit = self.sql(
                f"select pg_{how}_backend(pid) from pg_stat_activity where usename = 'diary_api' and state = 'active' order by random() limit 1"
            )
            self.counts["cancelled" if how == "cancel" else "terminated"] += len(hit)

    def purge(self, changes):
        """Three times a part of one user's tombstones becomes old, and is swept while pollers stand before them."""
        user = self.users["purged"]
        for part in (0.15, 0.5, 0.75):
            while self.progress() < part * changes:
                if self.ended.wait(0.05):
                    break
            if self.old_position is None:
                wait_for(lambda: self.tombstones(user), 20, "a deletion")
                page = Client(self.rig, self.rig.history, user).insist("GET", "/v1/changes", (200,), params={"limit": 1}).json()
                self.old_position = page["next_since"]
            if part == 0.5:
                (self.folder / "half").touch()
            self.sql(sync_delays.AGE, user.id, 0.6)
            self.sql("select sweep_tombstones(1000000)", user="diary_worker")

    def tombstones(self, user):
        return self.sql("select count(*)::int from entries where user_id = %s and deleted_at is not null", user.id)[0][0]

    def judge(self, odd):
        wait_for(lambda: ready(self.rig.url), 20, "an API that was killed last")
        written = [json.loads(path.read_text()) for path in sorted(self.folder.glob("sync_writers-*.json"))]
        pollers = [poller for path in sorted(self.folder.glob("sync_pollers-*.json")) for poller in json.loads(path.read_text())]
        journal = [line for part in written for line in part["journal"]]
        truth = sync_judge.Truth(self.rig, self.users)
        counts, faults = sync_judge.judge(truth, journal, pollers)
        faults += [fault for part in written for fault in part["faults"]] + [f"a process ended by itself: {code}" for code in odd]
        changes = sum(part["changes"] for part in written)
        seconds = max(part["ended"] for part in written) - min(part["began"] for part in written)
        counts |= {
            "changes": changes,
            "per_second": round(changes / seconds, 1),
            "by_worker": max(0, self.progress() - changes) if self.ordinary else 0,
            **self.counts,
            "conflicts": sum(part["statuses"].get("412", 0) for part in written),
            "unanswered": sum(part["statuses"].get("0", 0) for part in written),
            "unavailable": sum(part["statuses"].get("503", 0) for part in written),
            "purged": 0,
        }
        counts["disturbed"] = (
            f"{self.counts['cancelled']} statements cancelled, {self.counts['terminated']} connections ended, {self.counts['killed']} API kills"
        )
        if self.old_position:
            user = self.users["purged"]
            deleted = len({entry for name, entry, version, _, _ in journal if name == "purged" and version is None})
            counts["purged"] = deleted - self.tombstones(user)
            if not counts["purged"]:
                faults.append("no tombstone was purged")
            gone = user.call("GET", "/v1/changes", 410, params={"since": self.old_position}).json()
            if gone["code"] != "sync_cursor_expired":
                faults.append(f"an old position: {gone['code']}")
        return counts, faults


def ready(url):
    try:
        return urllib.request.urlopen(url + "/readyz", timeout=2).status == 200
    except OSError:
        return False
