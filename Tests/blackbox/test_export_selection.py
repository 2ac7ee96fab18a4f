"""What an export selects: days, tags, kind, one entry, and what changed since an earlier export, beside a filter by brute force.
`DIARY_TIMES=1` takes 10,000 exports."""

import io
import json
import os
import random
import secrets
import uuid
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

import http_client
from processes import wait_for
from repetitions import repetitions
from test_diary_days import ENDS_AT, ZONES, clock, day_of, moment_in, stamp
from user import SAMPLE

USERS, ENTRIES, EXPORTS = repetitions((40, 60, 250), (2, 30, 12))
TAGS = ["sea", "Straße", "STRASSE", "sun", " sun ", "Été", "wood"]
YEAR = {"from": "2026-01-01", "to": "2026-12-31"}


def folded(tag):
    return tag.strip().upper().lower()


def built(user, **body):
    made = user.call("POST", "/v1/exports", 202, json={"mail": False, "include_audio": False, **body}).json()

    def ready():
        export = user.call("GET", f"/v1/exports/{made['id']}", 200).json()
        assert export["status"] != "failed", export
        return export if export["status"] == "ready" else None

    return wait_for(ready, 60, "the zip")


def manifest(user, export):
    url = user.call("GET", f"/v1/exports/{export['id']}/url", 200).json()["url"]
    answer = http_client.get(url, timeout=30)
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        content = json.loads(archive.read("manifest.json"))
    assert export["entry_count"] == content["entry_count"] == len(content["entries"])
    return content


def ids(user, export):
    return [entry["id"] for entry in manifest(user, export)["entries"]]


class Diary:
    """A user's entries, and which of them changed after each export."""

    def __init__(self, rig, dice):
        self.user, self.dice, self.rows, self.changes, self.number = rig.user(), dice, {}, {}, 0
        self.minute = dice.choice(ENDS_AT)
        self.user.call("PATCH", "/v1/me", 200, json={"day_ends_at": clock(self.minute)})
        for _ in range(ENTRIES):
            self.write()

    def write(self):
        zone = self.dice.choice(ZONES)
        moment = moment_in(self.dice, zone)
        tags = self.dice.sample(TAGS, self.dice.choice([0, 1, 1, 2, 3]))
        fields = {"recorded_at": stamp(moment), "time_zone": zone, "tags": tags}
        if self.dice.random() < 0.3:
            made = self.user.create_voice(**fields)
        else:
            made = self.user.create_text("words", **fields)
        id = made["entry_id"]
        self.rows[id] = {"moment": moment, "zone": zone, "tags": {folded(tag) for tag in tags}, "kind": made["entry"]["kind"]}
        self.touch(id)

    def touch(self, id):
        self.number += 1
        self.changes[id] = self.number

    def change(self):
        """One change of some entry."""
        kind, id = self.dice.random(), self.dice.choice(sorted(self.rows))
        if kind < 0.4 or len(self.rows) < 5:
            self.write()
        elif kind < 0.7:
            tags = self.dice.sample(TAGS, self.dice.choice([0, 1, 2]))
            self.user.call("PATCH", f"/v1/entries/{id}", 200, json={"tags": tags}, headers={"If-Match": "*"})
            self.rows[id]["tags"] = {folded(tag) for tag in tags}
            self.touch(id)
        else:
            self.user.call("DELETE", f"/v1/entries/{id}", 204)
            self.rows.pop(id)
            self.touch(id)

    def ask(self, bases):
        """A random selection as a body, and the ids that fit it."""
        day = day_of(
            *(self.dice.choice(sorted(self.rows.values(), key=lambda row: row["moment"]))[name] for name in ("moment", "zone")), self.minute
        )
        if self.dice.random() < 0.1:
            chosen = self.dice.sample(sorted(self.rows), self.dice.choice([1, 2, 5]))
            return {"entry_ids": chosen}, sorted(chosen, key=lambda id: (self.rows[id]["moment"], id))
        first = day + timedelta(days=self.dice.choice([-30, -1, 0, 0, 1]))
        last = max(first, day + timedelta(days=self.dice.choice([-1, 0, 0, 1, 60])))
        body = {"from": first.isoformat(), "to": last.isoformat()}
        if self.dice.random() < 0.5:
            body["tags"] = self.dice.sample(TAGS, self.dice.choice([1, 1, 2]))
        if self.dice.random() < 0.3:
            body["kind"] = self.dice.choice(["voice", "text"])
        since = 0
        if bases and self.dice.random() < 0.3:
            body["since_export"], since = self.dice.choice(bases)
        wanted = [
            (row["moment"], id)
            for id, row in self.rows.items()
            if first <= day_of(row["moment"], row["zone"], self.minute) <= last
            and {folded(tag) for tag in body.get("tags", [])} <= row["tags"]
            and body.get("kind") in (None, row["kind"])
            and self.changes[id] > since
        ]
        return body, [id for _, id in sorted(wanted)]


def checked(rig, seed):
    """The exports of one user, each beside brute force."""
    dice = random.Random(seed)
    diary, bases = Diary(rig, dice), []
    for number in range(EXPORTS):
        if number % 3 == 2:
            diary.change()
        body, wanted = diary.ask(bases)
        estimate = diary.user.call("POST", "/v1/exports/estimate", 200, json={**body, "include_audio": False}).json()
        assert (estimate["entries"], estimate["recordings"]) == (len(wanted), 0), (seed, number, body)
        export = built(diary.user, **body)
        assert ids(diary.user, export) == wanted, (seed, number, body, diary.minute)
        bases = [*bases[-5:], (export["id"], diary.number)]
    return EXPORTS


@pytest.mark.long
def test_e4_random_selections_equal_a_filter_by_brute_force(rig):
    seed = int(os.environ.get("DIARY_SEED", "0")) or random.randrange(10**9)
    print(f"DIARY_SEED={seed}")
    with ThreadPoolExecutor(6) as pool:
        cases = sum(pool.map(lambda number: checked(rig, seed + number), range(USERS)))
    print(f"{cases} exports of random zones, ends of the day, entries and selections")
    assert cases >= repetitions(10_000, 24)


def test_an_export_shows_what_was_asked_for_and_a_retry_gets_the_same_one(rig):
    user = rig.user()
    id = user.create_text("words", recorded_at="2026-03-01T00:30:00Z", time_zone="Europe/Berlin", tags=["sea"])["entry_id"]
    asked = {**YEAR, "mail": False, "tags": ["Sea"], "kind": "text", "formats": ["md", "srt", "md"], "layer": "raw"}
    key = {"Idempotency-Key": secrets.token_hex(8)}
    made = user.call("POST", "/v1/exports", 202, json=asked, headers=key).json()
    shown = {"tags": ["Sea"], "kind": "text", "formats": ["md", "srt"], "layer": "raw", "entry_ids": [], "since_export": None}
    assert {name: made[name] for name in shown} == shown

    again = user.call("POST", "/v1/exports", 202, json=asked, headers=key)
    assert again.headers["idempotency-replayed"] == "true" and again.json()["id"] == made["id"] and again.json()["tags"] == ["Sea"]
    refused = user.call("POST", "/v1/exports", 422, json={**asked, "tags": ["sun"]}, headers=key).json()
    assert refused["code"] == "idempotency_mismatch"
    listed = user.call("GET", "/v1/exports", 200).json()["items"]
    assert [(export["id"], export["tags"]) for export in listed] == [(made["id"], ["Sea"])]

    one = built(user, entry_ids=[id])
    assert (one["from"], one["to"], one["entry_ids"]) == ("2026-03-01", "2026-03-01", [id]) and ids(user, one) == [id]
    later = built(user, **YEAR, since_export=one["id"])
    assert later["since_export"] == one["id"] and ids(user, later) == []


def test_entries_that_were_chosen_in_a_list_are_exported_and_end_with_any_of_them(rig):
    user = rig.user()
    made = [
        user.create_text(f"day {day}", recorded_at=f"2026-03-0{day}T12:00:00Z", time_zone="Europe/Berlin")["entry_id"]
        for day in (1, 2, 3, 4)
    ]
    chosen = [made[3], made[1]]

    some = built(user, entry_ids=chosen)

    assert (some["from"], some["to"], some["entry_ids"], some["entry_count"]) == ("2026-03-02", "2026-03-04", chosen, 2)
    assert ids(user, some) == [made[1], made[3]]
    assert user.call("POST", "/v1/exports/estimate", 200, json={"entry_ids": chosen}).json()["entries"] == 2
    # The one between them is not in it.
    user.call("DELETE", f"/v1/entries/{made[2]}", 204)
    assert user.call("GET", f"/v1/exports/{some['id']}", 200).json()["status"] == "ready"
    user.call("DELETE", f"/v1/entries/{made[1]}", 204)
    assert user.call("GET", f"/v1/exports/{some['id']}", 200).json()["revoked_reason"] == "entry_deleted"


def test_12_an_export_of_everything_is_one_call(rig):
    user = rig.user()
    made = [
        user.create_text("words", recorded_at=f"{year}-03-01T12:00:00Z", time_zone="Europe/Berlin")["entry_id"]
        for year in (2017, 2024, 2026)
    ]

    every = built(user)

    assert (every["from"], every["to"]) == (None, None) and ids(user, every) == made
    assert every["parts"][0]["filename"] == f"diary_all_{every['created_at'][:10]}.zip"
    assert user.call("POST", "/v1/exports/estimate", 200, json={}).json()["entries"] == 3
    for body, days, found in (
        ({"from": "2024-03-01"}, "from_2024-03-01", made[1:]),
        ({"to": "2024-03-01"}, "until_2024-03-01", made[:2]),
        ({"from": None, "to": "2020-01-01"}, "until_2020-01-01", made[:1]),
    ):
        some = built(user, **body)
        assert some["parts"][0]["filename"] == f"diary_{days}.zip"
        assert (some["from"], some["to"]) == (body.get("from"), body.get("to")) and ids(user, some) == found, body


def test_what_cannot_be_selected_is_refused_by_name(rig):
    user = rig.user()
    id = user.create_text("words")["entry_id"]
    gone = user.create_text("words")["entry_id"]
    user.call("DELETE", f"/v1/entries/{gone}", 204)
    for body, *pointers in [
        ({"from": "2026-02-30", "to": 7}, "/from", "/to"),
        ({"from": "2026-01-02", "to": "2026-01-01"}, "/to"),
        ({**YEAR, "entry_ids": [id]}, "/from", "/to"),
        ({"entry_ids": [id], "tags": ["x"], "kind": "text"}, "/kind", "/tags"),
        ({"entry_ids": id}, "/entry_ids"),
        ({"entry_ids": []}, "/entry_ids"),
        ({"entry_ids": [id, "x", 7, id]}, "/entry_ids/2"),
        ({"entry_ids": [id, "x", id]}, "/entry_ids/1", "/entry_ids/2"),
        ({"entry_ids": [gone, id, str(uuid.uuid4())]}, "/entry_ids/0", "/entry_ids/2"),
        ({"entry_ids": [str(uuid.uuid4()) for _ in range(201)]}, "/entry_ids"),
        ({**YEAR, "since_export": str(uuid.uuid4())}, "/since_export"),
        ({**YEAR, "since_export": 7}, "/since_export"),
        ({**YEAR, "kind": "video"}, "/kind"),
        ({**YEAR, "layer": "any"}, "/layer"),
        ({**YEAR, "formats": ["txt", "pdf"]}, "/formats/1"),
        ({**YEAR, "formats": "txt"}, "/formats"),
        ({**YEAR, "formats": ["txt"] * 11}, "/formats"),
        ({**YEAR, "tags": ["x", "", "y" * 51]}, "/tags/1", "/tags/2"),
        ({**YEAR, "tags": ["x"] * 21}, "/tags"),
    ]:
        problem = user.call("POST", "/v1/exports", 422, json=body).json()
        assert problem["code"] == "invalid_fields" and sorted(field["pointer"] for field in problem["errors"]) == sorted(pointers), (
            body,
            problem,
        )
    assert user.call("GET", "/v1/exports", 200).json()["items"] == []


def test_an_estimate_makes_nothing_and_counts_nothing(rig):
    user = rig.user()
    voice = user.record(tags=["sea"])
    user.wait_done(voice)
    waiting = user.create_voice()["entry_id"]
    user.create_text("words " * 200, recorded_at="2026-03-02T12:00:00Z", tags=["sea"])
    size = len(SAMPLE.read_bytes())

    def estimate(**body):
        return user.call("POST", "/v1/exports/estimate", 200, json={**YEAR, **body}).json()

    everything = estimate()
    assert (everything["entries"], everything["recordings"], everything["parts"]) == (3, 1, 1)
    assert everything["bytes"] > size and estimate(include_audio=False)["bytes"] == everything["bytes"] - size - 400
    assert estimate(tags=["SEA"])["entries"] == 2 and estimate(kind="voice", tags=["sea"])["entries"] == 1
    assert user.call("POST", "/v1/exports/estimate", 200, json={"entry_ids": [waiting]}).json()["entries"] == 1
    # Within a third of what comes, or ten kilobytes.
    url = user.call("GET", f"/v1/exports/{built(user, **YEAR, include_audio=True)['id']}/url", 200).json()
    assert abs(url["size_bytes"] - everything["bytes"]) < max(url["size_bytes"] // 3, 10_000)

    assert len(user.call("GET", "/v1/exports", 200).json()["items"]) == 1
