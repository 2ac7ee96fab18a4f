"""A8, A16: the disk of the object store answers EIO, or nothing at all for a while, below a preloaded library."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import requests

import http_client
import shim
from client import Client, recording
from stage import Skipped
from user import sha256

# More than the store has threads.
AT_ONCE = 6


def play(run):
    run.needs_folder("the disk fails below the folder of objects; test_s3_faults.py is what a bucket's service does")
    rounds, stall = run.pick((1, 3), (15, 60))
    if shim.library() is None:
        raise Skipped("no C compiler (gcc, cc or clang) for the library that makes the disk fail")
    random = run.random("io-errors")
    with run.stage() as (rig, history, oracle):
        objects = rig.environment["DIARY_OBJECTS"]
        api, worker = (shim.Disk(objects, rig.folder / f"disk-{name}") for name in ("api", "work"))
        rig.stop("serve")
        rig.start("serve", **api.environment)
        rig.stop("work")
        rig.start("work", **worker.environment)
        client = Client(rig, history)
        refused = {}
        for number in range(rounds):
            for how in "ws":
                made = client.start_voice(audio := recording(random, 100_000), key=f"{how}-{number}")
                api.set(how)
                answer = put(client, made, audio)
                refused.setdefault(how, []).append(answer)
                assert answer == 503, f"{how}: an upload was answered {answer}"
                client.text(f"{how} {number}", key=f"{how}-text-{number}")
                api.set("-")
                # The worker's disk cannot be read, then not written.
                worker.set("r" if how == "w" else "w")
                client.put(made["upload"], audio)
                client.complete(made["entry_id"], audio)
                export = client.export(key=f"{how}-export-{number}")
                time.sleep(0.4)
                assert how == "s" or client.entry(made["entry_id"])["status"] not in ("transcribed", "failed")
                worker.set("-")
                client.wait_done(made["entry_id"])
                # Before the disk fails again: in some rounds it would have used up its tries.
                client.wait_exported(export)
                api.set("r")
                place = client.insist("GET", f"/v1/entries/{made['entry_id']}/audio/url", (200,)).json()["url"]
                answer = http_client.get(place, timeout=10)
                assert answer.status_code == 503, f"an unreadable recording was answered {answer.status_code}"
                api.set("-")
        run.say("io-errors", f"{2 * rounds} rounds of EIO")
        waited = stalled(run, client, api, worker, random, stall)
        # A balancer that asks must be told, and soon.
        assert waited["readiness_s"] <= 5, f"readiness was told after {waited['readiness_s']} s only"
        counts = oracle.judge([client], 60)
        errors, crashes = rig.postgres.sql("diary", "select coalesce(sum(errors), 0)::int, coalesce(sum(crashes), 0)::int from jobs")[0]
        assert crashes == 0, f"{crashes} crashes were counted"
        return {**counts, "rounds": 2 * rounds, "stall_s": stall, "tries_repeated": errors, **waited}, (
            f"{2 * rounds} × EIO in writing, syncing, reading: uploads and reads 503, {counts['transcribed']} recordings and {counts['zips']} exports good afterwards "
            f"({errors} tries repeated); a disk that hung {stall} s under {AT_ONCE} uploads: words written within {waited['slowest_text_s']:.2f} s, readiness told after "
            f"{waited['readiness_s']:.1f} s, all uploads answered after it"
        )


def stalled(run, client, api, worker, random, stall):
    rig, history = client.rig, client.history
    clients = [Client(rig, history, client.user) for _ in range(AT_ONCE)]
    made = [c.start_voice(recording(random, 100_000), key=f"stall-{i}") for i, c in enumerate(clients)]
    audio = [recording(random, 100_000) for _ in clients]
    first = client.start_voice(working := recording(random, 100_000), key="stall-worker")
    client.put(first["upload"], working)
    worker.set("h")
    client.complete(first["entry_id"], working)
    api.set("h")
    slowest, ready = 0.0, []

    def readiness():
        began = time.monotonic()
        try:
            ready.append((http_client.get(rig.url + "/readyz", timeout=stall + 10).status_code, time.monotonic() - began))
        except requests.RequestException:
            ready.append((None, time.monotonic() - began))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        flying = [pool.submit(c.put, m["upload"], a) for c, m, a in zip(clients, made, audio)]
        asked = threading.Thread(target=readiness)
        ended = time.monotonic() + stall
        time.sleep(0.5)
        asked.start()
        number = 0
        while time.monotonic() < ended:
            began = time.monotonic()
            client.text(f"while the disk hangs {number}", key=f"hang-{number}")
            slowest = max(slowest, time.monotonic() - began)
            number += 1
            time.sleep(0.1)
        api.set("-")
        worker.set("-")
        for future in flying:
            future.result()
        asked.join()
    for c, m, a in zip(clients, made, audio):
        c.complete(m["entry_id"], a)
    client.wait_done(first["entry_id"], 60)
    return {"slowest_text_s": round(slowest, 2), "texts_meanwhile": number, "readiness": ready[0][0], "readiness_s": round(ready[0][1], 1)}


def put(client, made, audio):
    headers = {"Authorization": None, "Diary-App": None, **made["upload"]["headers"]}
    answer = client.ask("PUT", made["upload"]["url"], "put", body=sha256(audio), headers=headers, data=audio)
    return answer.status_code if answer is not None else None
