"""Properties of the feed and of the listing by date, against models that filter by brute force. DIARY_EXAMPLES multiplies the number of examples."""

import base64
import os
import random
import uuid
from datetime import UTC, date, datetime, timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

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


def page(user, expect=200, **query):
    return user.call("GET", "/v1/entries", expect, params={name.rstrip("_"): value for name, value in query.items() if value is not None})


class FeedModel(RuleBasedStateMachine):
    """Pollers that take page by page while entries come, change and go, and tombstones are purged."""

    rig = None

    @initialize()
    def begin(self):
        self.user = self.rig.user()
        self.entries = {}  # id: [version, text]; None when deleted
        self.purges = 0
        self.pollers = [{"since": None, "copy": {}, "purges": 0, "newest": None} for _ in range(3)]

    def alive(self):
        return [id for id, entry in self.entries.items() if entry]

    @rule(text=st.sampled_from("abcdef"), again=st.booleans())
    def create(self, text, again):
        key = str(uuid.uuid4())
        for _ in range(2 if again else 1):
            made = self.user.create_text(text, key=key)["entry_id"]
        self.entries[made] = [1, text]

    @precondition(lambda self: self.alive())
    @rule(data=st.data(), text=st.sampled_from("ghijkl"), stale=st.booleans())
    def patch(self, data, text, stale):
        id = data.draw(st.sampled_from(self.alive()))
        version = self.entries[id][0]
        if stale:
            self.user.call("PATCH", f"/v1/entries/{id}", 412, json={"text": text}, headers={"If-Match": f'"{version + 1}"'})
        else:
            self.user.call("PATCH", f"/v1/entries/{id}", 200, json={"text": text}, headers={"If-Match": f'"{version}"'})
            self.entries[id] = [version + 1, text]

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
        self.pollers[number] |= {"since": None, "copy": {}, "newest": None}

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
        answer = page(self.user, (200, 410), since=poller["since"], limit=limit)
        if answer.status_code == 410:
            assert answer.json()["code"] == "sync_cursor_expired"
            assert poller["since"] and poller["purges"] < self.purges, "410 though nothing was purged since the last page"
            self.forget(number)
            return True
        poller["purges"] = self.purges
        body = answer.json()
        assert len(body["entries"]) <= limit and (body["entries"] or not body["has_more"])
        for entry in body["entries"]:
            assert entry["id"] in self.entries, "another person's entry"
            if poller["newest"] is None or entry["updated_at"] > poller["newest"]:
                poller["newest"] = entry["updated_at"]
            if entry.get("deleted_at"):
                assert set(entry) == {"id", "kind", "deleted_at", "updated_at", "version"}, "a tombstone keeps no words"
                poller["copy"].pop(entry["id"], None)
            else:
                poller["copy"][entry["id"]] = [entry["version"], entry["text"]]
        ids = [entry["id"] for entry in body["entries"]]
        assert len(ids) == len(set(ids)), "an entry twice on one page"
        poller["since"] = body["next_since"]
        if not body["has_more"]:
            assert poller["copy"] == {id: entry for id, entry in self.entries.items() if entry}, "a walk to the end gives the truth"
            again = page(self.user, since=poller["since"]).json()
            assert (again["entries"], again["next_since"], again["has_more"]) == ([], poller["since"], False)
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
        assert len(body["entries"]) <= limit and (body["entries"] or not body["next_cursor"])
        for entry in body["entries"]:
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
                walk["seen"] += [(entry["id"], *self.rows[entry["id"]]) for entry in body["entries"]]
                walk["cursor"] = body["next_cursor"]
                if not walk["cursor"]:
                    self.judge(walk)


def matches(row, walk):
    day = local_day(*row)
    return (walk["from"] is None or walk["from"] <= day) and (walk["to"] is None or day <= walk["to"])


def test_a_17_pollers_come_to_the_truth_whatever_happens_between_their_pages(rig):
    """A17: create, replay, change, refuse, delete, purge, forget and go on by a time, in every order."""
    run_state_machine_as_test(type("Feed", (FeedModel,), {"rig": rig}), settings=machine(12, 40))


def test_walks_by_date_under_change_skip_and_repeat_nothing(rig):
    run_state_machine_as_test(type("Listing", (ListingModel,), {"rig": rig}), settings=machine(12, 40))


@pytest.fixture(scope="module")
def library(shared_rig):
    """One diary with every moment in every zone; nothing changes in it."""
    user, rows = shared_rig.user(), {}
    chosen = random.Random(17)
    for moment in MOMENTS:
        for zone in chosen.sample(ZONES, 6):
            rows[user.create_text("x", recorded_at=stamp(moment), time_zone=zone)["entry_id"]] = (moment, zone)
    for id in chosen.sample(sorted(rows), 10):
        user.call("DELETE", f"/v1/entries/{id}", 204)
        del rows[id]
    return user, rows


def ordered(rows, walk):
    found = sorted((moment, id) for id, (moment, zone) in rows.items() if matches((moment, zone), walk))
    return [id for _, id in (found if walk["order"] == "asc" else reversed(found))]


@example(ends=(date(2011, 12, 29), date(2011, 12, 31)), order="asc", limit=1)
@example(ends=(date(2026, 3, 29), date(2026, 3, 29)), order="desc", limit=2)
@example(ends=(date(2024, 2, 29), date(2024, 2, 29)), order="asc", limit=200)
@example(ends=(date(1, 1, 1), date(9999, 12, 31)), order="desc", limit=7)
@given(ends=st.tuples(st.none() | days, st.none() | days), order=st.sampled_from(["asc", "desc"]), limit=st.sampled_from([4, 19, 50, 200]))
@examples(50)
def test_listings_by_date_equal_a_brute_force_filter(library, ends, order, limit):
    """Days are inclusive and those of each recording's own wall clock."""
    user, rows = library
    walk = {"from": ends[0], "to": ends[1], "order": order}
    if ends[0] and ends[1] and ends[0] > ends[1]:
        assert page(user, 422, from_=ends[0], to=ends[1], order=order).json()["errors"][0]["pointer"] in ("query/to", "/to")
        return
    seen, cursor = [], None
    while True:
        body = page(user, from_=ends[0], to=ends[1], order=order, limit=limit, cursor=cursor).json()
        seen += [entry["id"] for entry in body["entries"]]
        assert len(body["entries"]) == min(limit, len(body["entries"])) and (not body["next_cursor"] or len(body["entries"]) == limit)
        cursor = body["next_cursor"]
        if not cursor:
            break
    assert seen == ordered(rows, walk)


@pytest.fixture(scope="module")
def cursors(shared_rig, library):
    """Real positions of another person, of another app, and of the reader's own."""
    mine, rows = library
    other = shared_rig.user()
    for number in range(300):
        other.create_text(f"theirs {number}")
    feed = [page(user, limit=3).json()["next_since"] for user in (mine, other)] + [
        page(user, limit=200).json()["next_since"] for user in (mine, other)
    ]
    dated = [page(user, order=order, limit=3).json()["next_cursor"] for user in (mine, other) for order in ("asc", "desc")]
    return mine, set(rows), other, feed, dated


def own_or_refused(user, mine, query):
    """What any position may do: give one's own rows, be refused, or have expired."""
    answer = user.call("GET", f"/v1/entries?{query}", (200, 410, 422))
    if answer.status_code == 200:
        assert all(entry["id"] in mine or entry.get("deleted_at") for entry in answer.json()["entries"])
        return 200
    assert answer.headers["content-type"].startswith("application/problem+json")
    return answer.status_code


@given(data=st.data())
@examples(150)
def test_a_tampered_position_gives_ones_own_rows_or_a_problem(cursors, data):
    user, mine, _, feed, dated = cursors
    kind, known = data.draw(st.sampled_from([("since", feed), ("cursor", dated)]))
    text = data.draw(st.sampled_from(known))
    raw = bytearray(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    how = data.draw(st.sampled_from(["bit", "bytes", "cut", "longer", "letter", "other kind"]))
    if how == "bit":
        place = data.draw(st.integers(0, len(raw) * 8 - 1))
        raw[place // 8] ^= 1 << place % 8
    elif how == "bytes":
        raw[1:] = data.draw(st.binary(min_size=len(raw) - 1, max_size=len(raw) - 1))
    elif how == "cut":
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    elif how == "longer":
        raw += data.draw(st.binary(min_size=1, max_size=20))
    made = base64.urlsafe_b64encode(bytes(raw)).rstrip(b"=").decode()
    if how == "letter":
        place = data.draw(st.integers(0, len(text) - 1))
        made = text[:place] + data.draw(st.sampled_from("=+/ .~%\x00é😀")) + text[place + 1 :]
    if how == "other kind":
        made = data.draw(st.sampled_from(dated if kind == "since" else feed))
    status = own_or_refused(user, mine, f"{kind}={quote(made)}")
    if how in ("cut", "longer", "letter", "other kind"):
        assert status == 422 or not made and kind == "since", f"{how}: {status}"


@given(
    text=st.one_of(
        st.text(max_size=70), st.from_regex(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,10})?([Zz]|[+-]\d\d:\d\d)?", fullmatch=True)
    ),
    name=st.sampled_from(["since", "cursor", "from", "to", "order", "limit"]),
)
@example(text="0001-01-01T00:00:00Z", name="since")
@example(text="9999-12-31T23:59:59.999999999Z", name="since")
@example(text="2026-01-01T00:00:00+23:59", name="since")
@example(text="1970-01-01T00:00:60Z", name="since")
@examples(150)
def test_any_text_is_a_parameter_or_a_problem(cursors, text, name):
    user, mine, _, _, _ = cursors
    own_or_refused(user, mine, f"{name}={quote(text.encode('utf-8', 'surrogatepass'))}")


def test_limits_and_mixtures(cursors):
    user, mine, _, feed, dated = cursors
    for limit in ("0", "201", "-1", "1.5", "1e2", "many", "9" * 40, "0x10"):
        assert page(user, 422, limit=limit).json()["code"] == "invalid_fields"
        page(user, 422, limit=limit, order="asc")
    # The feed shows the ten deleted ones too.
    for limit in (1, 200):
        assert len(page(user, limit=limit).json()["entries"]) == min(limit, len(mine) + 10)
        assert len(page(user, limit=limit, order="asc").json()["entries"]) == min(limit, len(mine))
    for query in (
        {"since": feed[0], "from_": "2026-01-01"},
        {"since": feed[0], "order": "asc"},
        {"since": feed[0], "cursor": dated[0]},
        {"from_": "2026-01-02", "to": "2026-01-01"},
        {"from_": "2026-02-29"},
        {"to": "2026-13-01"},
        {"order": "up"},
    ):
        page(user, 422, **query)


def test_another_persons_position_shows_nothing_of_theirs(cursors):
    """Also with the other's whole diary behind it: a position says how far, never whose."""
    user, mine, other, feed, dated = cursors
    theirs = {entry["id"] for entry in page(other, order="asc", limit=200).json()["entries"]}
    for query in [f"since={text}" for text in feed] + [f"cursor={text}&order={order}" for text in dated for order in ("asc", "desc")]:
        for reader, own in ((user, mine), (other, None)):
            answer = reader.call("GET", f"/v1/entries?limit=200&{query}", (200, 410))
            ids = {entry["id"] for entry in answer.json().get("entries", [])}
            assert not ids & theirs if own is not None else not ids & mine
