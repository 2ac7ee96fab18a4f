"""A16: a running API and a running worker with no file descriptor left (EMFILE), and with them again."""

import os
import pathlib
import resource
import time

import requests

import http_client
from client import Client, recording
from processes import wait_for
from user import sha256


def play(run):
    run.needs_folder("uploads are what needs a descriptor of the API; a bucket takes them itself")
    rounds, seconds = run.pick((1, 1), (10, 2))
    random = run.random("descriptors")
    # The sweeper would complete an upload before the worker starves, on a busy machine.
    with run.stage(DIARY_SWEEP_SECONDS="30") as (rig, history, oracle):
        client = Client(rig, history)
        refused, back, errors = {}, [], 0
        for number in range(rounds):
            made = client.start_voice(audio := recording(random, 80_000), key=f"api-{number}")
            client.insist("GET", "/v1/entries", (200,))
            api = rig.processes["serve"]
            with starved(api.pid):
                # On the connection that is there: the store can open too little, the database needs nothing new.
                headers = {"Authorization": None, "Diary-App": None, **made["upload"]["headers"]}
                answer = client.ask("PUT", made["upload"]["url"], "put", body=sha256(audio), headers=headers, data=audio)
                assert answer is not None, "the connection was cut"
                refused[answer.status_code] = refused.get(answer.status_code, 0) + 1
                client.text(f"starved {number}", key=f"starved-{number}")
                admitted = responds(rig)
                time.sleep(seconds)
                admitted = admitted or responds(rig)
            assert set(refused) == {503}, f"uploads were answered {refused}"
            began = time.monotonic()
            wait_for(lambda: responds(rig), 10, "an answer on a new connection")
            back.append(time.monotonic() - began)
            assert api.poll() is None, "the API ended"
            client.put(made["upload"], audio)
            worker = rig.processes["work"]
            with starved(worker.pid):
                client.complete(made["entry_id"], audio)
                time.sleep(seconds)
                assert client.entry(made["entry_id"])["status"] not in ("transcribed", "failed")
            client.wait_done(made["entry_id"])
            assert worker.poll() is None, "the worker ended"
            errors += rig.postgres.sql("diary", "select coalesce(sum(errors), 0)::int from jobs where subject = %s", made["entry_id"])[0][0]
        counts = oracle.judge([client], 30)
        assert max(back) <= 5, f"new connections were answered only after {max(back):.1f} s"
        return {**counts, "rounds": rounds, "slowest_return_s": round(max(back), 2), "tries_repeated": errors}, (
            f"{rounds} × EMFILE in API and worker: uploads {refused}, words written meanwhile, no process ended; new connections answered within {max(back):.1f} s, "
            f"{counts['transcribed']} recordings done with {errors} tries repeated"
        )


class starved:
    """The process can open one file at a time, which neither an upload nor a job can do with: its limit is the second number that is free. Not
    none, because libdispatch, which opens /proc/<pid>/stat once a second while work waits, ends a process that cannot (SIGILL)."""

    def __init__(self, pid):
        self.pid = pid

    def __enter__(self):
        self.before = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        used = {int(name) for name in os.listdir(f"/proc/{self.pid}/fd")}
        free = [number for number in range(len(used) + 2) if number not in used]
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (free[1], self.before[1]))

    def __exit__(self, *_):
        if pathlib.Path(f"/proc/{self.pid}").exists():
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, self.before)


def responds(rig):
    """Whether a new connection is answered."""
    try:
        return http_client.get(rig.url + "/livez", timeout=1).status_code == 200
    except requests.RequestException:
        return False
