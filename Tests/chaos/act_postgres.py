"""A5: Postgres restarted under load, and its backends terminated."""

import time

from client import Client
from load import Load


def play(run):
    restarts, rate, storm = run.pick((4, 20, 2), (20, 50, 30))
    random = run.random("postgres")
    with run.stage() as (rig, history, oracle):
        clients = [Client(rig, history) for _ in range(4)]
        back = []
        with Load(rig, history, clients, rate) as load:
            time.sleep(1)
            for number in range(restarts):
                rig.postgres.stop("immediate" if number % 2 else "fast")
                time.sleep(random.uniform(0.1, 1))
                rig.postgres.start()
                back.append(load.wait_good(10))
                time.sleep(random.uniform(0.3, 1))
            run.say("postgres", f"restarted {restarts} times, {load.statuses}")
            ended = time.monotonic() + storm
            terminated = 0
            while time.monotonic() < ended:
                terminated += rig.postgres.sql("postgres", "select count(*)::int from (select pg_terminate_backend(pid) from pg_stat_activity where usename like 'diary%%') t")[0][0]
                time.sleep(random.uniform(0.05, 0.3))
            load.wait_good(10)
            time.sleep(0.5)
        repeated = load.repeat_unanswered()
        assert not load.odd, f"{len(load.odd)} answers other than 2xx and 503: {load.odd[:3]}"
        alive = [name for name, process in rig.processes.items() if process.poll() is not None]
        assert not alive, f"{alive} ended while Postgres was away"
        assert max(back) <= 5, f"normal only after {max(back):.1f} s"
        counts = oracle.judge(clients + load.workers, 30)
        good = sum(n for status, n in load.statuses.items() if status and status < 300)
        return {**counts, "restarts": restarts, "terminated": terminated, "good": good, "unavailable": load.statuses.get(503, 0), "slowest_return_s": round(max(back), 2), "repeated": repeated}, (
            f"{restarts} restarts and {terminated} backends terminated at {rate} requests/s: {good} × 2xx, {load.statuses.get(503, 0)} × 503 with Retry-After, 0 others; "
            f"{repeated} writes asked again with their key; 0 of {counts['entries']} acknowledged writes missing; back within {max(back):.2f} s")
