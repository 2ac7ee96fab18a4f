"""A4: Redis wiped, stopped, full, read-only. It carries hints only, so nothing may be lost and writes go on."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from client import Client, recording

USERS = 3


def play(run):
    wipes, entries, restarts, stopped = run.pick((3, 30, 1, 3), (20, 1000, 10, 60))
    random = run.random("redis")
    with run.stage(speech={"delay_seconds": 0.02}, DIARY_SPEECH_SLOTS="2") as (rig, history, oracle):
        clients = [Client(rig, history) for _ in range(USERS)]
        writers, lock = [], threading.Lock()

        def many(count, label, seconds=0):
            """`count` recordings, a third as many texts, spread over the seconds."""
            began = time.monotonic()
            audio = [recording(random) for _ in range(count)]

            def one(i):
                time.sleep(max(0, began + seconds * i / count - time.monotonic()))
                client = Client(rig, history, clients[i % USERS].user)
                with lock:
                    writers.append(client)
                client.voice(audio[i], key=f"{label}-{i}")
                if i % 3 == 0:
                    client.text(f"{label} {i}", key=f"{label}-text-{i}")

            with ThreadPoolExecutor(6) as pool:
                list(pool.map(one, range(count)))

        for wipe in range(wipes):
            with ThreadPoolExecutor(1) as pool:
                flying = pool.submit(many, entries // wipes, f"wipe-{wipe}")
                time.sleep(random.uniform(0, 0.3))
                rig.redis.cli("flushall")
                flying.result()
        slow = {}
        run.say("redis", f"wiped {wipes} times")
        for restart in range(restarts):
            # Without its file it comes back empty.
            with ThreadPoolExecutor(1) as pool:
                flying = pool.submit(many, 10, f"restart-{restart}")
                time.sleep(random.uniform(0, 0.3))
                rig.redis.stop()
                rig.redis.start()
                flying.result()
        rig.redis.stop()
        many(10, "stopped", stopped)
        rig.redis.start()
        began = time.monotonic()
        oracle.settle({client.id: client for client in clients}, 60, False)
        slow["stopped"] = time.monotonic() - began
        run.say("redis", f"stopped {stopped} s; all finished {slow['stopped']:.1f} s after its return")
        rig.redis.cli("config", "set", "maxmemory-policy", "noeviction")
        rig.redis.cli("config", "set", "maxmemory", "1mb")
        full = any("OOM" in rig.redis.cli("set", f"ballast-{i}", "x" * 50_000) for i in range(40))
        assert full, "Redis is not full"
        many(10, "full")
        rig.redis.cli("config", "set", "maxmemory", "0")
        rig.redis.cli("replicaof", "127.0.0.1", "1")
        assert "READONLY" in rig.redis.cli("set", "probe", "x"), "Redis is not read-only"
        many(10, "read-only")
        rig.redis.cli("replicaof", "no", "one")
        counts = oracle.judge(clients + writers, 60)
        written = {status: n for operation in ("create", "put", "complete") for status, n in history.statuses(operation).items()}
        refused = sum(
            n
            for operation in ("create", "put", "complete")
            for status, n in history.statuses(operation).items()
            if status is None or status >= 300
        )
        assert refused == 0, f"{refused} writes were not answered with 2xx: {written}"
        return {**counts, "wipes": wipes, "restarts": restarts, "refused": refused, "finished_s": slow}, (
            f"wiped {wipes} times, killed and restarted {restarts} times, away {stopped} s, full, read-only over {counts['entries']} entries: 0 lost, 0 twice, 0 writes refused; finished {slow['stopped']:.1f} s after its return"
        )
