"""A5: Postgres restarted under load, its backends terminated, its connections used up, and down for long."""

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from client import Client, recording
from load import Load


def play(run):
    restarts, rate, storm, down = run.pick((3, 20, 1.5, 2.5), (20, 50, 30, 30))
    random = run.random("postgres")
    with run.stage(speech={"delay_seconds": 0.3}) as (rig, history, oracle):
        clients = [Client(rig, history) for _ in range(4)]
        talker, stop, voices = Client(rig, history), threading.Event(), []

        def talk():
            """Recordings under way while it happens: none may fail for it."""
            while not stop.is_set():
                voices.append(talker.voice(recording(random)))
                stop.wait(0.5)

        back = {}
        with ThreadPoolExecutor(1) as pool, Load(rig, history, clients, rate) as load:
            talking = pool.submit(talk)
            try:
                time.sleep(1)
                back["restarts"] = [restart(rig, load, random, number) for number in range(restarts)]
                run.say("postgres", f"restarted {restarts} times, back within {max(back['restarts']):.2f} s, {load.statuses}")
                with rig.leases.unattended():
                    terminated = terminate(rig, random, storm)
                back["storm"] = [load.wait_good(10)]
                with rig.leases.unattended():
                    crowded = crowd(rig, load, run.pick(2.5, 20))
                back["crowded"] = [load.wait_good(10)]
                run.say("postgres", f"{terminated} backends terminated, {crowded} refused while all connections were used up")
                rig.postgres.stop("immediate")
                time.sleep(down)
                rig.postgres.start()
                back["down"] = [load.wait_good(10)]
                time.sleep(0.5)
            finally:
                stop.set()
            talking.result()
        repeated = load.repeat_unanswered()
        assert not load.odd, f"{len(load.odd)} answers other than 2xx and 503: {load.odd[:3]}"
        ended = [name for name, process in rig.processes.items() if process.poll() is not None]
        assert not ended, f"{ended} ended while Postgres was away"
        slowest = {how: round(max(seconds), 2) for how, seconds in back.items()}
        assert max(slowest.values()) <= 5, f"normal only after {slowest} s"
        counts = oracle.judge([*clients, *load.workers, talker], 60)
        assert counts["transcribed"] == len(voices)
        waits = sorted({wait for client in load.workers for wait in client.waits})
        assert len(waits) > 1, f"Retry-After is not jittered: {waits}"
        good = sum(n for status, n in load.statuses.items() if status and status < 300)
        refused = load.statuses.get(503, 0)
        return {
            **counts,
            "restarts": restarts,
            "terminated": terminated,
            "crowded": crowded,
            "down_s": down,
            "good": good,
            "unavailable": refused,
            "retry_after": waits,
            "return_s": slowest,
            "repeated": repeated,
        }, (
            f"{restarts} restarts, {terminated} backends terminated, connections used up, {down} s down at {rate} requests/s: {good} × 2xx, {refused} × 503 with Retry-After "
            f"{waits[0]} to {waits[-1]} s, 0 others; {repeated} writes asked again with their key; 0 of {counts['entries']} acknowledged writes missing, "
            f"{len(voices)} recordings all done; back within {max(slowest.values()):.2f} s"
        )


def restart(rig, load, random, number):
    """Seconds from its start to the first good answer."""
    rig.postgres.stop("immediate" if number % 2 else "fast")
    time.sleep(random.uniform(0.1, 1))
    rig.postgres.start()
    seconds = load.wait_good(10)
    time.sleep(random.uniform(0.3, 1))
    return seconds


def terminate(rig, random, seconds):
    ended, terminated = time.monotonic() + seconds, 0
    while time.monotonic() < ended:
        terminated += kick(rig)
        time.sleep(random.uniform(0.05, 0.3))
    return terminated


def kick(rig):
    return rig.postgres.sql(
        "postgres", "select count(*)::int from (select pg_terminate_backend(pid) from pg_stat_activity where usename like 'diary%%') t"
    )[0][0]


def crowd(rig, load, seconds):
    """Others take every place there is; the service's own connections are ended. Returns how many calls were refused meanwhile."""
    before, hogs = load.statuses.get(503, 0), []
    rig.postgres.sql("postgres", "drop role if exists crowd")
    rig.postgres.sql("postgres", "create role crowd login")
    # The places that are kept for administrators stay free for this one.
    above = rig.postgres.connect("postgres")
    try:
        with above.cursor() as cursor:
            free, deadline = True, time.monotonic() + 120
            while free:
                assert time.monotonic() < deadline, "the service's connections do not go"
                cursor.execute(
                    "select count(*)::int from (select pg_terminate_backend(pid) from pg_stat_activity where usename like 'diary%') t"
                )
                ended, held = cursor.fetchone()[0], len(hogs)
                with contextlib.suppress(Exception):
                    while len(hogs) < 200:
                        hogs.append(rig.postgres.connect("postgres", user="crowd"))
                # A backend that was ended keeps its place for a moment: it may have refused these, and be free for the service then.
                free = ended or len(hogs) > held
        time.sleep(seconds)
    finally:
        for connection in (*hogs, above):
            connection.close()
    refused = load.statuses.get(503, 0) - before
    assert refused, "connections were never used up"
    return refused
