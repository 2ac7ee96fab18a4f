"""A14: API and worker told to stop and started again, one after the other, under load."""

import http.client
import json
import secrets
import threading
import time

from client import Client, recording
from stage import worked


class Caller(threading.Thread):
    """One call on each connection. A refused connection is the gap between two processes; anything after it was accepted must be answered."""

    def __init__(self, rig, history, client, stop):
        super().__init__(daemon=True)
        self.rig, self.history, self.client, self.stop = rig, history, client, stop
        self.answered, self.refused, self.reset_in_queue, self.cut, self.odd = 0, 0, 0, [], []

    def run(self):
        authorization, app = self.client.user.http.headers["Authorization"], self.client.user.app
        key = reset_at = None
        while not self.stop.is_set() or reset_at:
            key = key or secrets.token_hex(12)
            connection = http.client.HTTPConnection("127.0.0.1", self.rig.port, timeout=20)
            try:
                connection.connect()
            except OSError:
                self.refused += 1
                time.sleep(0.02)
                continue
            try:
                connection.request(
                    "POST",
                    "/v1/entries",
                    json.dumps({"kind": "text", "text": key}),
                    {
                        "Authorization": authorization,
                        "Diary-App": app,
                        "Content-Type": "application/json",
                        "Idempotency-Key": key,
                        "Connection": "close",
                    },
                )
                answer = connection.getresponse()
                body = answer.read()
            except (ConnectionResetError, BrokenPipeError):
                # Reset (a pipe breaks when it came between head and body): either it still lay in the listening socket's queue, which no process can answer, or it was cut while in work.
                # The entry's time of creation will tell.
                reset_at = reset_at or time.time()
                self.history.note(self.client.id, "create", key, None, None)
                continue
            except (OSError, http.client.HTTPException) as error:
                self.cut.append(type(error).__name__)
                self.history.note(self.client.id, "create", key, None, None)
                continue
            finally:
                connection.close()
            made = json.loads(body).get("entry_id")
            self.history.note(self.client.id, "create", key, None, answer.status, made)
            if answer.status == 201:
                self.answered += 1
                if reset_at:
                    created = self.rig.postgres.sql(
                        "diary", "select extract(epoch from created_at)::float8 from entries where id = %s", made
                    )[0][0]
                    if created < reset_at:
                        self.cut.append("reset while in work")
                    else:
                        self.reset_in_queue += 1
                key = reset_at = None
            else:
                self.odd.append(answer.status)
            time.sleep(0.03)


def play(run):
    rolls = run.pick(3, 50)
    random = run.random("graceful")
    with run.stage(speech={"delay_seconds": 0.5}) as (rig, history, oracle):
        clients = [Client(rig, history) for _ in range(3)]
        for client in clients:
            for _ in range(run.pick(2, 30)):
                client.voice(recording(random))
        stop = threading.Event()
        callers = [Caller(rig, history, clients[i % 3], stop) for i in range(4)]
        for caller in callers:
            caller.start()
        codes, slowest = [], 0.0
        try:
            for number in range(rolls):
                for name in ("serve", "work"):
                    time.sleep(random.uniform(0.2, 0.6))
                    began = time.monotonic()
                    codes.append((name, rig.stop(name)))
                    slowest = max(slowest, time.monotonic() - began)
                    rig.start(name)
                if number % 10 == 9:
                    run.say("graceful", f"{number + 1} rounds")
        finally:
            stop.set()
            for caller in callers:
                caller.join()
        # A cut call's key was used again by its caller until it was answered, unless the act ended first.
        counts = oracle.judge(clients, 120)
        answered, refused, reset_in_queue = (sum(getattr(c, what) for c in callers) for what in ("answered", "refused", "reset_in_queue"))
        cut, odd = [e for c in callers for e in c.cut], [s for c in callers for s in c.odd]
        errors, crashes = worked(rig)
        assert not [code for _, code in codes if code != 0], f"exit codes {codes}"
        assert not odd, f"{len(odd)} answers other than 201: {sorted(set(odd))}"
        assert (errors, crashes) == (0, 0), f"{errors} errors and {crashes} crashes were counted"
        assert not cut, f"{len(cut)} accepted calls were cut: {sorted(set(cut))}; {answered} answered"
        return {
            **counts,
            "rounds": rolls,
            "answered": answered,
            "refused_between": refused,
            "reset_in_queue": reset_in_queue,
            "cut": len(cut),
            "errors": errors,
            "crashes": crashes,
            "slowest_stop_s": round(slowest, 2),
        }, (
            f"{rolls} rolling restarts of API and worker: {answered} calls answered, 0 cut ({refused} connections refused in the gaps, {reset_in_queue} reset before anything was done); 0 errors, 0 crashes, {counts['transcribed']} recordings done; slowest stop {slowest:.1f} s"
        )
