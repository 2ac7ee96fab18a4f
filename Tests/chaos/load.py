"""A steady stream of small calls while something is being broken."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from client import Client


class Load:
    """`rate` calls a second, half of them writes whose key is kept until they are answered; the rest lists and reads."""

    def __init__(self, rig, history, clients, rate):
        self.rig, self.history, self.rate = rig, history, rate
        self.users = [client.user for client in clients]
        self.workers = []
        self.statuses, self.odd = {}, []
        self.unanswered = []
        self.last_good = 0.0
        self.stop = threading.Event()
        self.lock = threading.Lock()

    def __enter__(self):
        self.pool = ThreadPoolExecutor(8)
        self.started = time.monotonic()
        self.running = [self.pool.submit(self.work, i) for i in range(8)]
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.pool.shutdown()

    def work(self, number):
        client = Client(self.rig, self.history, self.users[number % len(self.users)])
        with self.lock:
            self.workers.append(client)
        turn = 0
        while not self.stop.is_set():
            began = time.monotonic()
            turn += 1
            if turn % 2:
                key = f"load-{number}-{turn}"
                self.write(client, key, f"text {number} {turn}")
            else:
                self.note(client.ask("GET", "/v1/entries", "read", params={"limit": 5}))
            self.stop.wait(max(0, 8 / self.rate - (time.monotonic() - began)))

    def write(self, client, key, words):
        answer = client.ask(
            "POST", "/v1/entries", "create", key=key, headers={"Idempotency-Key": key}, json={"kind": "text", "text": words}
        )
        self.note(answer)
        if answer is None or answer.status_code >= 500:
            with self.lock:
                self.unanswered.append((client, key, words))

    def note(self, answer):
        status = answer.status_code if answer is not None else None
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status is not None and 200 <= status < 300:
                self.last_good = time.monotonic()
            elif status != 503:
                self.odd.append((status, answer.text[:120] if answer is not None else "no answer"))

    def repeat_unanswered(self):
        """The client's own retries, with the same keys."""
        todo, self.unanswered = self.unanswered, []
        for client, key, words in todo:
            client.text(words, key=key)
        return len(todo)

    def wait_good(self, seconds):
        """Seconds until a call succeeds again."""
        began = time.monotonic()
        while self.last_good < began:
            assert time.monotonic() - began < seconds, f"no good answer within {seconds} s"
            time.sleep(0.01)
        return self.last_good - began
