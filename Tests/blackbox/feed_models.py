"""Models of the feed and of the listing by date that filter by brute force, for test_feed_properties.py. DIARY_EXAMPLES multiplies the number of examples."""

import os
import uuid
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

TIMES = float(os.environ.get("DIARY_EXAMPLES", "1"))
ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Africa/Casablanca",
    "Asia/Manila",
    "America/Juneau",
]
# Around a change of clocks, a skipped day, a year's edge, a leap day, the ends of what may be recorded, and times with microseconds.
MOMENTS = [
    datetime.fromisoformat(text).replace(tzinfo=UTC)
    for text in (
        "2026-03-29T00:59:59.999999",
        "2026-03-29T01:00:00",
        "2026-10-25T00:30:00",
        "2026-10-25T01:30:00",
        "2026-11-01T05:30:00",
        "2026-11-01T06:30:00",
        "2011-12-30T09:59:59",
        "2011-12-30T10:00:00",
        "2025-12-31T11:59:59.999",
        "2025-12-31T12:00:00",
        "2025-12-31T22:59:59",
        "2025-12-31T23:00:00",
        "2026-01-01T00:00:00",
        "2026-01-01T11:59:59",
        "2026-01-01T12:00:00",
        "2024-02-28T23:30:00",
        "2024-02-29T12:00:00",
        "2024-03-01T00:00:00",
        "1900-01-01T00:00:00",
        "2199-12-31T23:59:59.999999",
        "1969-12-31T23:59:59.999999",
        "2026-05-05T12:00:00.000001",
        "2026-05-05T12:00:00.000002",
    )
]

moments = st.one_of(
    st.sampled_from(MOMENTS),
    st.builds(lambda m, s: m + timedelta(seconds=s), st.sampled_from(MOMENTS[:18]), st.integers(-100_000, 100_000)),
)
days = st.one_of(
    st.builds(lambda m, d: m.date() + timedelta(days=d), st.sampled_from(MOMENTS[:18]), st.integers(-2, 2)),
    st.sampled_from([date(1, 1, 1), date(1900, 1, 1), date(2199, 12, 31), date(9999, 12, 31)]),
)


def examples(count):
    """Without shrinking, which would take minutes over HTTP: a failure prints its steps as they were."""
    return settings(
        max_examples=max(1, int(count * TIMES)),
        deadline=None,
        print_blob=True,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
    )


def machine(count, steps):
    return settings(examples(count), stateful_step_count=steps)


def local_day(moment, zone):
    return moment.astimezone(ZoneInfo(zone)).date()


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f").zfill(26) + "Z"


BEGINNING = {"/v1/entries": "0", "/v1/changes": None}
"""The first `since`: without one, the former is the listing by date."""


def page(user, expect=200, path="/v1/entries", **query):
    return user.call("GET", path, expect, params={name.rstrip("_"): value for name, value in query.items() if value is not None})


class FeedModel(RuleBasedStateMachine):
    """Pollers that take page by page while entries come, change and go, and tombstones are purged."""

    rig = None

    @initialize()
    def begin(self):
        self.user = self.rig.user()
        self.entries = {}  # id: [version, text]; None when deleted
        self.speakers = {}  # id: name; None when deleted
        self.purges = 0
        self.pollers = [{"since": None, "copy": {}, "speakers": {}, "purges": 0, "newest": None} for _ in range(3)]

    def alive(self):
        return [id for id, entry in self.entries.items() if entry]

    @rule(text=st.sampled_from("abcdef"), again=st.booleans())
    def create(self, text, again):
        key = str(uuid.uuid4())
        for _ in range(2 if again else 1):
            made = self.user.create_text(text, key=key)["entry_id"]
        self.entries[made] = [1, text]

    @rule(data=st.data(), name=st.sampled_from("Ab"), how=st.sampled_from(["create", "rename", "delete"]))
    def speak(self, data, name, how):
        there = [id for id, known in self.speakers.items() if known]
        if how == "create" or not there:
            self.speakers[self.user.call("POST", "/v1/speakers", 201, json={"name": name}).json()["id"]] = name
            return
        id = data.draw(st.sampled_from(there))
        if how == "rename":
            self.user.call("PATCH", f"/v1/speakers/{id}", 200, json={"name": name})
        else:
            self.user.call("DELETE", f"/v1/speakers/{id}", 204)
        self.speakers[id] = name if how == "rename" else None

    @precondition(lambda self: self.alive())
    @rule(data=st.data(), text=st.sampled_from("ghijkl"), stale=st.booleans())
    def patch(self, data, text, stale):
        id = data.draw(st.sampled_from(self.alive()))
        version = self.entries[id][0]
        if stale:
            self.user.call("PATCH", f"/v1/entries/{id}", 412, json={"text": text}, headers={"If-Match": f'"{version + 1}"'})
        else:
            self.user.call("PATCH", f"/v1/entries/{id}", 200, json={"text": text}, headers={"If-Match": f'"{version}"'})
            # What was there already is no change.
            self.entries[id] = [version + (text != self.entries[id][1]), text]

    @precondition(lambda self: self.alive())
    @rule(data=st.data(), seen=st.booleans())
    def delete(self, data, seen):
        if seen:
            self.catch_up(0)
        id = data.draw(st.sampled_from(self.alive()))
        self.user.call("DELETE", f"/v1/entries/{id}", 204)
        self.entries[id] = None

    @precondition(lambda self: len(self.alive()) < len(self.entries))
    @rule(data=st.data())
    def purge(self, data):
        gone = [id for id, entry in self.entries.items() if entry is None]
        chosen = data.draw(st.lists(st.sampled_from(gone), min_size=1, unique=True))
        self.rig.postgres.sql(
            "diary",
            "update entries set deleted_at = deleted_at - interval '91 days' where user_id = %s and id::text = any(%s)",
            self.user.id,
            chosen,
        )
        self.rig.postgres.sql("diary", "select sweep_tombstones(1000000)", user="diary_worker")
        self.purges += 1
        # A real tombstone of that age lies before every time of today: pollers that go on by a time must not meet these young ones.
        for number, poller in enumerate(self.pollers):
            if ":" in (poller["since"] or ""):
                self.forget(number)

    @rule(number=st.integers(0, 2))
    def forget(self, number):
        self.pollers[number] |= {"since": None, "copy": {}, "speakers": {}, "newest": None}

    @rule(number=st.integers(0, 2))
    def go_on_by_time(self, number):
        poller = self.pollers[number]
        if poller["purges"] == self.purges:
            poller["since"] = poller["newest"]

    @rule(number=st.integers(0, 2))
    def catch_up(self, number):
        """To the end; a position that has expired begins anew."""
        while self.poll(number, 50):
            pass

    def teardown(self):
        for number in range(3):
            self.catch_up(number)

    @rule(number=st.integers(0, 2), limit=st.sampled_from([1, 2, 3, 7]))
    def one_page(self, number, limit):
        self.poll(number, limit)

    def poll(self, number, limit):
        """True when there is more."""
        poller = self.pollers[number]
        path = "/v1/changes" if number else "/v1/entries"
        answer = page(self.user, (200, 410), path, since=poller["since"] or BEGINNING[path], limit=limit)
        if answer.status_code == 410:
            assert answer.json()["code"] == "sync_cursor_expired"
            assert poller["since"] and poller["purges"] < self.purges, "410 though nothing was purged since the last page"
            self.forget(number)
            return True
        poller["purges"] = self.purges
        body = answer.json()
        changes = body["items"] + body["deleted"]
        assert len(changes) <= limit >= len(body["speakers"]) and (changes or body["speakers"] or not body["has_more"])
        assert body["next_cursor"] is None
        for entry in changes:
            assert entry["id"] in self.entries, "another person's entry"
            if poller["newest"] is None or entry["updated_at"] > poller["newest"]:
                poller["newest"] = entry["updated_at"]
        for speaker in body["speakers"]:
            if poller["newest"] is None or speaker["updated_at"] > poller["newest"]:
                poller["newest"] = speaker["updated_at"]
            if speaker["deleted_at"]:
                assert speaker["name"] is None
                poller["speakers"].pop(speaker["id"], None)
            else:
                poller["speakers"][speaker["id"]] = speaker["name"]
        for entry in body["items"]:
            poller["copy"][entry["id"]] = [entry["version"], entry["text"]]
        for entry in body["deleted"]:
            assert set(entry) == {"id", "kind", "deleted_at", "updated_at", "version"}, "a tombstone keeps no words"
            poller["copy"].pop(entry["id"], None)
        ids = [entry["id"] for entry in changes]
        assert len(ids) == len(set(ids)), "an entry twice on one page"
        poller["since"] = body["next_since"]
        if not body["has_more"]:
            assert poller["copy"] == {id: entry for id, entry in self.entries.items() if entry}, "a walk to the end gives the truth"
            assert poller["speakers"] == {id: name for id, name in self.speakers.items() if name}
            again = page(self.user, path=path, since=poller["since"] or BEGINNING[path]).json()
            assert again == {
                "items": [],
                "deleted": [],
                "speakers": [],
                "next_since": poller["since"],
                "next_cursor": None,
                "has_more": False,
            }
        return body["has_more"]


class ListingModel(RuleBasedStateMachine):
    """Walks by date, page by page, while rows come, change, move and go."""

    rig = None

    @initialize()
    def begin(self):
        self.user = self.rig.user()
        self.rows = {}  # id: (moment, zone)
        self.touched = {}  # id: turn of its coming, moving or going
        self.turn = 0
        self.walks = []

    def touch(self, id):
        self.turn += 1
        self.touched[id] = self.turn

    @rule(moment=moments, zone=st.sampled_from(ZONES))
    def create(self, moment, zone):
        id = self.user.create_text("x", recorded_at=stamp(moment), time_zone=zone)["entry_id"]
        self.rows[id] = (moment, zone)
        self.touch(id)

    @rule(moment=st.sampled_from(MOMENTS), count=st.integers(2, 4))
    def create_at_one_time(self, moment, count):
        for _ in range(count):
            self.create(moment, "Europe/Berlin")

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def patch(self, data):
        id = data.draw(st.sampled_from(sorted(self.rows)))
        self.user.call("PATCH", f"/v1/entries/{id}", 200, json={"title": "y"}, headers={"If-Match": "*"})

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def delete(self, data):
        id = data.draw(st.sampled_from(sorted(self.rows)))
        self.user.call("DELETE", f"/v1/entries/{id}", 204)
        del self.rows[id]
        self.touch(id)

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), moment=moments)
    def move(self, data, moment):
        """No call of the API does this; the listing must bear it all the same."""
        id = data.draw(st.sampled_from(sorted(self.rows)))
        zone = self.rows[id][1]
        self.rig.postgres.sql(
            "diary",
            "update entries set recorded_at = %s, recorded_local = %s::timestamptz at time zone time_zone where id = %s and user_id = %s",
            moment,
            moment,
            id,
            self.user.id,
        )
        self.rows[id] = (moment, zone)
        self.touch(id)

    @rule(ends=st.tuples(st.none() | days, st.none() | days), order=st.sampled_from(["asc", "desc"]))
    def walk(self, ends, order):
        first, last = ends
        if first and last and first > last:
            first, last = last, first
        self.walks.append({"from": first, "to": last, "order": order, "cursor": None, "began": self.turn, "seen": []})

    @precondition(lambda self: self.walks)
    @rule(data=st.data(), limit=st.sampled_from([1, 2, 3, 5, 50]))
    def step(self, data, limit):
        walk = data.draw(st.sampled_from(self.walks))
        body = page(self.user, from_=walk["from"], to=walk["to"], order=walk["order"], cursor=walk["cursor"], limit=limit).json()
        assert len(body["items"]) <= limit and (body["items"] or not body["next_cursor"])
        assert (body["deleted"], body["next_since"], body["has_more"]) == ([], None, body["next_cursor"] is not None)
        for entry in body["items"]:
            assert matches(self.rows[entry["id"]], walk), "a row outside of the range"
            assert entry["local_date"] == local_day(*self.rows[entry["id"]]).isoformat()
            walk["seen"].append((entry["id"], *self.rows[entry["id"]]))
        walk["cursor"] = body["next_cursor"]
        if not body["next_cursor"]:
            self.judge(walk)

    def judge(self, walk):
        self.walks.remove(walk)
        seen = [(moment, id) for id, moment, _ in walk["seen"]]
        assert seen == sorted(seen, reverse=walk["order"] == "desc"), "not in order"
        ids = [id for _, id in seen]
        still = {id for id in self.rows if self.touched[id] <= walk["began"]}
        assert len([id for id in ids if id in still]) == len({id for id in ids if id in still}), "a row that stayed where it was came twice"
        missing = {id for id in still if matches(self.rows[id], walk)} - set(ids)
        assert not missing, "a row that was there the whole time was skipped"

    def teardown(self):
        for walk in list(getattr(self, "walks", [])):
            while walk in self.walks:
                body = page(self.user, from_=walk["from"], to=walk["to"], order=walk["order"], cursor=walk["cursor"], limit=7).json()
                walk["seen"] += [(entry["id"], *self.rows[entry["id"]]) for entry in body["items"]]
                walk["cursor"] = body["next_cursor"]
                if not walk["cursor"]:
                    self.judge(walk)


def matches(row, walk):
    day = local_day(*row)
    return (walk["from"] is None or walk["from"] <= day) and (walk["to"] is None or day <= walk["to"])
