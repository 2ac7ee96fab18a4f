"""A process of writers for the sync act: each makes its share of changes and writes down what was acknowledged, when, and with which words.

Called with the path of a JSON plan; writes `journal` there."""

import hashlib
import json
import random
import sys
import threading
import time
import uuid
from urllib.parse import urlsplit

from sync_http import Connection

ANSWER_SECONDS = 60


def words_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text is not None else None


class Writer:
    def __init__(self, plan, number, share):
        self.user = plan["users"][share["user"]]
        self.name, self.changes = share["user"], share["changes"]
        self.random = random.Random(f"{plan['seed']}:writer:{number}")
        self.http, self.bucket = Connection(plan["urls"], self.user["headers"], self.random), None
        self.voice, self.hang_up = plan["voice"], plan["hang_up"]
        self.known = {}
        self.journal, self.faults = [], []
        self.statuses = {}
        self.done = 0

    def run(self):
        while self.done < self.changes:
            if self.random.random() < 0.02 or not self.known:
                self.look_around()
            step = self.random.random()
            if step < self.voice:
                self.record()
            elif step < 0.4 or not self.known:
                self.create()
            elif step < 0.85:
                self.patch()
            else:
                self.delete()

    def ask(self, method, path, body=None, http=None, **more):
        answer = (http or self.http).ask(method, path, body, hang_up=method != "GET" and self.random.random() < self.hang_up, **more)
        status = answer[0] if answer else 0
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status >= 500 and status != 503 or status in (400, 401, 422, 429):
            self.faults.append(f"{method} {path}: {status} {answer[1][:200].decode(errors='replace')}")
        return (status, answer[1]) if answer else (0, b"")

    def insist(self, method, path, wanted, body=None, **more):
        """Until there is an answer; with `unknown` when one before it was lost."""
        deadline, unknown = time.monotonic() + ANSWER_SECONDS, False
        while True:
            status, content = self.ask(method, path, body, **more)
            if status in wanted:
                return status, content, unknown
            if time.monotonic() > deadline or status not in (0, 503):
                raise AssertionError(f"{method} {path}: {status} {content[:200]}")
            unknown = True
            time.sleep(self.random.uniform(0.005, 0.05))

    def note(self, entry, version, words, counts=True):
        """A version of None is a deletion."""
        self.journal.append((self.name, entry, version, words, time.monotonic()))
        self.done += counts

    def look_around(self):
        """What other writers of the same user made."""
        _, content, _ = self.insist("GET", "/v1/entries?order=desc&limit=30", (200,))
        for entry in json.loads(content)["items"]:
            self.known.setdefault(entry["id"], entry["version"])
        while len(self.known) > 150:
            del self.known[next(iter(self.known))]

    def words(self):
        return uuid.UUID(int=self.random.getrandbits(128)).hex + "x" * self.random.randrange(80)

    def moment(self):
        return f"2026-{self.random.randint(1, 12):02}-{self.random.randint(1, 28):02}T{self.random.randrange(24):02}:30:00Z"

    def create(self):
        text = self.words()
        body = {"kind": "text", "text": text, "recorded_at": self.moment(), "time_zone": "Europe/Berlin"}
        key = f"{self.random.getrandbits(80):x}"
        _, content, _ = self.insist("POST", "/v1/entries", (201,), body, idempotency_key=key)
        entry = json.loads(content)["entry_id"]
        self.known[entry] = 1
        self.note(entry, 1, words_hash(text))

    def pick(self):
        """The newest most of the time: several writers then meet at one entry."""
        ids = list(self.known)
        return ids[-1 - min(len(ids) - 1, int(self.random.expovariate(0.1)))]

    def patch(self):
        entry = self.pick()
        version, text = self.known[entry], self.words()
        status, content = self.ask("PATCH", f"/v1/entries/{entry}", {"text": text}, if_match=f'"{version}"')
        if status == 200:
            self.known[entry] = version + 1
            return self.note(entry, version + 1, words_hash(text))
        if status == 404:
            return self.known.pop(entry, None)
        if status not in (0, 409, 412, 503):
            raise AssertionError(f"PATCH: {status} {content[:200]}")
        # Another writer was quicker, or the answer was lost: ask for the entry as it is.
        status, content, _ = self.insist("GET", f"/v1/entries/{entry}", (200, 404))
        if status == 404:
            return self.known.pop(entry, None)
        now = json.loads(content)
        self.known[entry] = now["version"]
        if now["text"] == text:
            self.note(entry, now["version"], words_hash(text))

    def delete(self):
        entry = self.pick()
        self.known.pop(entry)
        status, _, unknown = self.insist("DELETE", f"/v1/entries/{entry}", (204, 404))
        # 404: another writer did it, or our own call whose answer was lost.
        self.note(entry, None, None, counts=status == 204 or unknown)

    def record(self):
        """A recording: from here on the worker changes the entry too."""
        audio = b"\0\0\0\x18ftypM4A " + self.random.randbytes(600)
        body = {
            "kind": "voice",
            "content_type": "audio/mp4",
            "size_bytes": len(audio),
            "recorded_at": self.moment(),
            "time_zone": "Europe/Berlin",
        }
        _, content, _ = self.insist("POST", "/v1/entries", (201,), body, idempotency_key=f"{self.random.getrandbits(80):x}")
        made = json.loads(content)
        entry, upload = made["entry_id"], made["upload"]
        self.note(entry, 1, None)
        place = urlsplit(upload["url"])
        head = "".join(f"{name}: {value}\r\n" for name, value in upload["headers"].items())
        target = f"{place.path}?{place.query}"
        status, content, _ = self.insist("PUT", target, (200, 403, 412), audio, http=self.receiver(place), host=place.netloc, head=head)
        if status == 403:
            # Another writer has deleted the entry, which is the only reason to refuse this URL.
            assert b'"upload_refused"' in content, content[:200]
            self.insist("GET", f"/v1/entries/{entry}", (404,))
            return
        status, _, _ = self.insist("POST", f"/v1/uploads/{entry}/complete", (200, 202, 404))
        self.done += status != 404

    def receiver(self, place):
        """The connection for uploads: the API's, or one to the bucket."""
        if (place.hostname, place.port) in self.http.places:
            return self.http
        self.bucket = self.bucket or Connection([f"{place.scheme}://{place.netloc}"], {}, self.random)
        return self.bucket


def main():
    path = sys.argv[1]
    plan = json.load(open(path))
    writers = [Writer(plan, number, plan["writers"][number]) for number in plan["mine"]]

    def run(writer):
        try:
            writer.run()
        except Exception as error:
            writer.faults.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(writer,)) for writer in writers]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = {}
    for writer in writers:
        for status, count in writer.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    with open(plan["out"], "w") as file:
        json.dump(
            {
                "journal": [line for writer in writers for line in writer.journal],
                "faults": [f for writer in writers for f in writer.faults],
                "changes": sum(writer.done for writer in writers),
                "statuses": statuses,
                "began": began,
                "ended": time.monotonic(),
            },
            file,
        )


if __name__ == "__main__":
    main()
