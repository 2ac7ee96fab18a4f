"""What the clients asked and were told: one line per call, kept in memory and in a file."""

import collections
import json
import threading
import time


class History:
    def __init__(self, path=None):
        self.lines = []
        self.lock = threading.Lock()
        self.file = open(path, "a") if path else None

    def note(self, user, operation, key, body, status, subject=None, began=None):
        """`status` is None when no answer came."""
        at = time.time()
        line = {
            "began": round(began or at, 3),
            "at": round(at, 3),
            "user": user,
            "op": operation,
            "key": key,
            "sha256": body,
            "status": status,
            "id": subject,
        }
        with self.lock:
            self.lines.append(line)
            if self.file:
                self.file.write(json.dumps(line) + "\n")
                self.file.flush()

    def told(self, user, operation, *statuses):
        with self.lock:
            return [line for line in self.lines if line["user"] == user and line["op"] == operation and line["status"] in statuses]

    def acknowledged(self, user, operation="create"):
        """{key: {id, …}} of the entries (or exports) this user was told of with a 2xx."""
        found = {}
        for line in self.told(user, operation, 200, 201, 202):
            found.setdefault(line["key"], set()).add(line["id"])
        return found

    def runs(self, user):
        """{entry: how often it was to be worked on again}."""
        return collections.Counter(id for ids in self.acknowledged(user, "reprocess").values() for id in ids)

    def audio(self):
        """{entry: SHA-256 of what the client sent} of the uploads that were acknowledged as complete."""
        with self.lock:
            return {line["id"]: line["sha256"] for line in self.lines if line["op"] == "complete" and line["status"] in (200, 202)}

    def words(self, user):
        """{entry: SHA-256 of its words} of the texts."""
        return {line["id"]: line["sha256"] for line in self.told(user, "create", 200, 201) if line["sha256"]}

    def statuses(self, operation=None):
        counts = {}
        with self.lock:
            for line in self.lines:
                if operation in (None, line["op"]):
                    counts[line["status"]] = counts.get(line["status"], 0) + 1
        return counts
