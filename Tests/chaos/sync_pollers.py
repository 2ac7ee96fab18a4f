"""A process of pollers for the sync act: each walks the feed of every user and keeps a copy of the diaries by it.

Called with the path of a JSON plan; writes the copies and everything seen there."""

import base64
import json
import os
import random
import sys
import threading
import time

from sync_http import Connection
from sync_writers import ANSWER_SECONDS, words_hash


class Diary:
    """One user's diary as one poller knows it."""

    def __init__(self):
        self.since = None
        self.rows = {}  # id: [version, status, updated_at, words], version None when deleted
        self.highest = {}  # id: the last seen, kept when the copy is thrown away
        self.seen = []  # (walk, id, version)
        self.walks = []  # [began, ended] of the walks that came to the end
        self.number = -1
        self.last_time = None
        self.anew = True  # rows may repeat in a walk from the beginning


def older(row, before):
    """Something deleted comes back, or an earlier version or time comes later. (The test makes tombstones older: their times say nothing.)"""
    if row[0] is None or before[0] is None:
        return row[0] is not None
    return row[0] < before[0] or row[2] < before[2]


class Poller:
    def __init__(self, plan, number):
        self.plan = plan
        self.kind = plan["pollers"][number]["kind"]
        self.names = plan["pollers"][number]["users"]
        self.random = random.Random(f"{plan['seed']}:poller:{number}")
        self.http = {name: Connection(plan["urls"], plan["users"][name]["headers"], self.random) for name in self.names}
        self.diaries = {name: Diary() for name in self.names}
        self.faults = []
        self.figures = {"pages": 0, "rows": 0, "repeats": 0, "out_of_order": 0, "expired": 0, "unanswered": 0, "afresh": 0}

    def flag(self, name):
        return os.path.exists(f"{self.plan['flags']}/{name}")

    def run(self):
        while self.kind == "late" and not self.flag("half") and not self.flag("stop"):
            time.sleep(0.05)
        while True:
            last = self.flag("stop")
            for name in self.random.sample(self.names, len(self.names)):
                if self.kind == "fresh" and not last and self.random.random() < self.plan["afresh"]:
                    self.forget(name)
                self.walk(name)
            if last:
                return
            pause = self.plan["pauses"].get(self.kind, self.plan["pauses"]["steady"])
            # A long pause ends early when the act does.
            ends = time.monotonic() + self.random.uniform(0, pause)
            while time.monotonic() < ends and not self.flag("stop"):
                time.sleep(min(0.05, max(0, ends - time.monotonic())))

    def forget(self, name):
        diary = self.diaries[name]
        diary.rows, diary.since, diary.number, diary.last_time, diary.anew = {}, None, -1, None, True

    def walk(self, name):
        """To the end of the feed as it is now."""
        diary, began = self.diaries[name], time.monotonic()
        if self.kind == "time" and diary.last_time:
            diary.since, diary.number, diary.anew = diary.last_time, -1, True
        while True:
            limit = self.random.randint(1, self.random.choice((3, 20, 200, 200)))
            path = f"/v1/changes?limit={limit}" + (f"&since={diary.since}" if diary.since else "")
            page = self.page(name, path)
            if page is None:
                self.figures["expired"] += 1
                self.forget(name)
                began = time.monotonic()
                continue
            self.take(name, page, limit)
            if not page["has_more"]:
                break
        diary.walks.append((began, time.monotonic()))
        if diary.anew and self.kind != "time":
            self.figures["afresh"] += 1
        diary.anew = False

    def page(self, name, path):
        """None: the position has expired."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            answer = self.http[name].ask("GET", path)
            if answer and answer[0] == 200:
                self.figures["pages"] += 1
                return json.loads(answer[1])
            if answer and answer[0] == 410 and "since" in path and json.loads(answer[1])["code"] == "sync_cursor_expired":
                return None
            if answer and answer[0] != 503 or time.monotonic() > deadline:
                raise AssertionError(f"GET {path}: {answer and answer[0]} {answer and answer[1][:200]}")
            self.figures["unanswered"] += 1
            time.sleep(self.random.uniform(0.005, 0.05))

    def take(self, name, page, limit):
        diary, walk = self.diaries[name], len(self.diaries[name].walks)
        rows = page["items"] + page["deleted"]
        if len(rows) > limit:
            self.faults.append(f"{len(rows)} rows where {limit} were asked for")
        for entry in rows:
            self.figures["rows"] += 1
            gone = "deleted_at" in entry
            row = [
                None if gone else entry["version"],
                "deleted" if gone else entry["status"],
                entry["updated_at"],
                None if gone else words_hash(entry["text"]),
            ]
            kept = [row, entry.get("processing")]
            before = diary.highest.get(entry["id"])
            if before and (kept == before or row[0] is before[0][0] is None):
                # Only a walk that began anew, or from a time, may show what was shown.
                if entry["id"] in diary.rows or not diary.anew:
                    self.figures["repeats"] += 1
            elif before and older(row, before[0]):
                self.figures["out_of_order"] += 1
                self.faults.append(f"out of order: {entry['id']} {before[0]} -> {row}")
            if not before or row != before[0]:
                diary.seen.append((walk, entry["id"], row[0]))
            diary.highest[entry["id"]], diary.rows[entry["id"]] = kept, row
            if diary.last_time is None or row[2] > diary.last_time:
                diary.last_time = row[2]
        # Clients do not look into a position; this test does, to see that it never goes back.
        raw = base64.urlsafe_b64decode(page["next_since"] + "=" * (-len(page["next_since"]) % 4))
        number = int.from_bytes(raw[1:9], "big")
        if number < diary.number or (rows and number == diary.number) or (page["has_more"] and not rows):
            self.figures["out_of_order"] += 1
            self.faults.append(f"the position went from {diary.number} to {number} with {len(rows)} rows")
        diary.number, diary.since = number, page["next_since"]


def main():
    plan = json.load(open(sys.argv[1]))
    pollers = [Poller(plan, number) for number in plan["mine"]]

    def run(poller):
        try:
            poller.run()
        except Exception as error:
            poller.faults.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(poller,)) for poller in pollers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open(plan["out"], "w") as file:
        json.dump(
            [
                {
                    "kind": poller.kind,
                    "faults": poller.faults,
                    "figures": poller.figures,
                    "diaries": {
                        name: {"rows": diary.rows, "seen": diary.seen, "walks": diary.walks} for name, diary in poller.diaries.items()
                    },
                }
                for poller in pollers
            ],
            file,
        )


if __name__ == "__main__":
    main()
