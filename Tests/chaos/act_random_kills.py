"""A2: SIGKILL of random API and worker processes under load."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from client import Client, recording
from stage import calls
from supervisor import Supervisor

USERS = 4
THREADS = 6
DAYS = 28


def play(run):
    kills, entries = run.pick((10, 40), (300, 2000))
    random = run.random("random-kills")
    with run.stage(speech={"delay_seconds": 0.05}, DIARY_SPEECH_SLOTS="2") as (rig, history, oracle):
        clients = [Client(rig, history) for _ in range(USERS)]
        rig.start("work", "work-2")
        before = calls(rig)
        texts = {i for i in range(entries) if random.random() < 0.25}
        audio = {i: recording(random) for i in range(entries) if i not in texts}
        done, killed, failed = [0], {"serve": 0, "work": 0}, threading.Event()

        def write(i):
            # The load keeps step with the kills: neither ends long before the other.
            while i > (sum(killed.values()) + 1) * entries / kills + THREADS and not failed.is_set():
                time.sleep(0.02)
            client = Client(rig, history, clients[i % USERS].user)
            day = f"2026-03-{i // USERS % DAYS + 1:02}"
            try:
                client.text(f"text {i}", key=f"random-{i}") if i in texts else client.voice(audio[i], key=f"random-{i}", day=day)
                if i % 10 == 9:
                    client.export(key=f"random-{i}", **{"from": day, "to": day})
            except BaseException:
                failed.set()
                raise
            done[0] += 1
            return client

        with Supervisor(rig) as supervisor, ThreadPoolExecutor(THREADS) as pool:
            for name, what in (("serve", "serve"), ("work", "work"), ("work-2", "work")):
                supervisor.watch(name, what)
            flying = [pool.submit(write, i) for i in range(entries)]
            try:
                while sum(killed.values()) < kills and not failed.is_set():
                    time.sleep(random.uniform(0.2, 1.0))
                    # Half of them the API: it is one, the workers are two.
                    chosen = random.choice(["serve", "serve", "work", "work-2"])
                    with supervisor.lock:
                        process = rig.processes[chosen]
                        if process.poll() is None:
                            process.send_signal(signal.SIGKILL)
                            # Dead before its state was read: the last one killed is started again too.
                            process.wait()
                            killed[chosen.split("-")[0]] += 1
                    if sum(killed.values()) % 50 == 0:
                        run.say("random-kills", f"{sum(killed.values())} kills, {done[0]} entries")
            except BaseException:
                # The writers wait for kills that do not come.
                failed.set()
                raise
            writers = [future.result() for future in flying]
            others = [code for _, code in supervisor.exits if code != -9]
        counts = oracle.judge(clients + writers, 120, crashes_discard=True)
        assert not others, f"processes ended by themselves: {others}"
        assert counts["entries"] == entries, f"{counts['entries']} entries of {entries}"
        assert counts["transcribed"] == len(audio), f"{counts['transcribed']} of {len(audio)} recordings transcribed"
        asked, limit = calls(rig) - before, len(audio) + sum(killed.values()) + counts["retried"]
        assert asked <= limit, f"{asked} recognitions, more than recordings + kills = {limit}"
        return {**counts, "kills": killed, "recognitions": asked, "recordings": len(audio)}, (
            f"{sum(killed.values())} kills (API {killed['serve']}, workers {killed['work']}) over {entries} entries: 0 lost, 0 twice; "
            f"{asked} recognitions for {len(audio)} recordings; {counts['retried']} discarded by three crashes and asked for again; "
            f"{counts['zips']} exports mailed once, {counts['exports_discarded']} discarded; a dead worker's job taken up within {counts['slowest_takeover_s']:.1f} s"
        )
