"""Searches beside a search by brute force (search_oracle.py), over entries in nineteen languages that are edited and deleted meanwhile: the same entries in
the same order, all of them. `DIARY_TIMES=1` takes 20,000 entries and 2,000 searches, `DIARY_SEARCH_ENTRIES` and `DIARY_SEARCH_QUERIES` any number."""

import json
import os
import random
import secrets
import time
import unicodedata
from zoneinfo import ZoneInfo

import pytest

import http_client
from processes import wait_for
from repetitions import repetitions
from search_oracle import Entry, Oracle, line, same, terms
from search_texts import (
    TAGS,
    ZONES,
    entry_of,
    filters_of,
    hours_of,
    id_of,
    moment_of,
    mood_of,
    query_of,
    tags_of,
    text_of,
    title_of,
)
from test_diary_days import stamp
from user import SAMPLE

ENTRIES = int(os.environ.get("DIARY_SEARCH_ENTRIES") or repetitions(20_000, 300))
QUERIES = int(os.environ.get("DIARY_SEARCH_QUERIES") or repetitions(2_000, 150))
ROUNDS = 2
SPEAKERS = ["Zoë Müller", "Анна Ёлкина", "דָּוִד", "田中さん", "Dr. O'Neill", "Ａｎｎａ"]
SAID = "we swam in the cold lake by the river and walked home in the rain with a dog".split()
COUNTED = ("processing", "upload_expires_at")
"""Of an entry as it is shown: what the service counts anew."""


@pytest.mark.parametrize(
    "text, q, is_found",
    [
        ("我喜歡河流", "河流", True),
        ("我喜歡河流", "流河", False),
        ("I don't", "don't", True),
        ("I don’t", "don't", True),
        ("dont", "don't", False),
        ("The river rose", "RIV", True),
        ("The river rose", "iver", False),
        ("by the lakes", "by the lake", True),
        ("by the lakes", '"by the lake', True),
        ("by the lakes", '"by the lake"', False),
        ("by the—lake", "„by the lake“", True),
        ("Straße, Ёлка, Ｌａｋｅ, كِتَاب", "strasse елка lake كتاب", True),
        ("ガッコウ", "ｶﾞｯｺｳ", True),
        ("cœur e\u0301te\u0301", "COEUR Été", True),
        ("so\u00adft ☀️", "soft ☀", True),
    ],
)
def test_the_oracle_reads_the_page(text, q, is_found):
    assert all(term.line in line(text) for term in terms(q)) == is_found


@pytest.fixture
def member(rig):
    """Of an app with a trash and summaries."""
    slug = "search-" + secrets.token_hex(3)
    rig.tenant(slug)
    rig.diary("tenant", "set", slug, "cleanup.extras=summary", "trash_days=30")
    rig.wait_for_app(slug)

    def is_set():
        config = http_client.get(rig.url + "/v1/config", headers={"Diary-App": slug}, timeout=10).json()
        return config["limits"]["trash_days"] == 30

    wait_for(is_set, 15, "the app's settings")
    return Member(rig, rig.user(app=slug))


class Member:
    """Keeps what it has written, as the oracle has it."""

    def __init__(self, rig, user):
        self.rig, self.user = rig, user
        self.entries, self.trash = {}, {}
        self.renewed = time.monotonic()

    def call(self, method, path, expect, **more):
        if time.monotonic() > self.renewed + 300:
            self.user.use(self.user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": self.user.tokens["refresh_token"]}).json())
            self.renewed = time.monotonic()
        return self.user.call(method, path, expect, **more)

    def batch(self, operations):
        for first in range(0, len(operations), 50):
            some = operations[first : first + 50]
            results = self.call("POST", "/v1/entries/batch", 200, json={"operations": some}).json()["results"]
            wrong = [result for result in results if result["status"] not in (200, 201)]
            assert not wrong, wrong[0]

    def create(self, entries):
        self.batch([{"op": "create", "entry": draft(entry)} for entry in entries])
        self.entries |= {entry.id: entry for entry in entries}

    def record(self, dice, hours):
        """A recording with a text, a summary and speakers; one of them may have no name."""
        said = [" ".join(dice.choices(SAID, k=12)) for _ in range(2)]
        self.rig.script("speech", segments=[{"text": text, "speaker": label} for text, label in zip(said, "AB", strict=True)])
        self.rig.script("clean", answer={"clean": ". ".join(text.capitalize() for text in said) + ".", "summary": said[0][:40] + "."})
        moment, zone, title, tags = moment_of(dice, hours), dice.choice(ZONES), title_of(dice), tags_of(dice)
        fields = {"recorded_at": stamp(moment), "time_zone": zone, "title": title, "tags": tags}
        # An id that a repetition with the same seed has too.
        id = self.user.record(SAMPLE.read_bytes() + secrets.token_bytes(8), id=id_of(dice), **fields)
        self.user.wait_done(id)
        given = zip(dice.choice(["A", "B", "AB"]), dice.sample(SPEAKERS, 2), strict=False)
        names = {label: {"name": name} for label, name in given}
        self.call("PATCH", f"/v1/entries/{id}/speakers", 200, json=names, headers={"If-Match": "*"})
        shown = self.user.entry(id)
        told = self.call("GET", f"/v1/entries/{id}/transcript", 200).json()["speakers"]
        self.entries[id] = Entry(
            id=id,
            kind="voice",
            moment=moment,
            zone=zone,
            day=moment.astimezone(ZoneInfo(zone)).date(),
            title=title,
            text=shown["text"],
            tags=tags,
            summary=shown.get("summary"),
            speakers=[speaker["name"] for speaker in told if speaker["name"]],
        )

    def change(self, dice, hours):
        """Edits one in eight, deletes one in twenty, and takes a third of those back."""
        ids = sorted(self.entries)
        for id in dice.sample(ids, len(ids) // 16):
            self.edit(dice, hours, self.entries[id])
        tagged = dice.sample(ids, len(ids) // 16)
        self.batch([self.tag(dice, self.entries[id]) for id in tagged])
        for id in dice.sample(ids, max(3, len(ids) // 20)):
            entry = self.entries.pop(id)
            if dice.random() < 0.2:
                self.call("DELETE", f"/v1/entries/{id}?permanent=true", 204)
            else:
                self.call("DELETE", f"/v1/entries/{id}", 204)
                self.trash[id] = entry
        for id in dice.sample(sorted(self.trash), len(self.trash) // 3):
            self.call("POST", f"/v1/entries/{id}/restore", 200)
            self.entries[id] = self.trash.pop(id)

    def edit(self, dice, hours, entry):
        made = {}
        for name in dice.sample(["title", "text", "text", "tags", "mood", "favorite", "recorded_at"], dice.choice([1, 1, 2, 3])):
            if name == "title":
                made[name] = entry.title = title_of(dice)
            elif name == "text":
                is_cleared = entry.status == "awaiting_upload" and dice.random() < 0.2
                made[name] = entry.text = None if is_cleared else text_of(dice)
            elif name == "tags":
                made[name] = entry.tags = tags_of(dice)
            elif name == "mood":
                made[name] = entry.mood = mood_of(dice)
            elif name == "favorite":
                made[name] = entry.favorite = not entry.favorite
            elif name == "recorded_at":
                entry.moment = moment_of(dice, hours)
                entry.day = entry.moment.astimezone(ZoneInfo(entry.zone)).date()
                made[name] = stamp(entry.moment)
        self.call("PATCH", f"/v1/entries/{entry.id}", 200, json=made, headers={"If-Match": "*"})

    def tag(self, dice, entry):
        gone, new = dice.sample(entry.tags, min(1, len(entry.tags))), dice.choice(TAGS)
        entry.tags = [tag for tag in entry.tags if tag not in gone]
        if same(new) not in map(same, entry.tags):
            entry.tags.append(new)
        return {"op": "tag", "id": entry.id, "add_tags": [new], "remove_tags": gone}

    def listed(self, view):
        found, cursor = [], {}
        while True:
            body = self.call("GET", "/v1/entries", 200, params={"limit": 200, "view": view, **cursor}).json()
            found += body["items"]
            if not body["has_more"]:
                return found
            cursor = {"cursor": body["next_cursor"]}

    def oracle(self):
        """Of the entries as they are, which the listing has too, in the order in which they are searched."""
        # Typed texts are described after they were written, which changes nothing that was written.
        wait_for(lambda: not self.call("GET", "/v1/entries?status=cleaning&limit=1", 200).json()["items"], 1200, "the last description")
        whole = self.listed("full")
        for shown in whole:
            entry = self.entries[shown["id"]]
            entry.summary = shown.get("summary")
            # An edit that only composes or decomposes letters is none: the spelling from before stays.
            for member in ("title", "text", "tags"):
                if composed(shown[member]) == composed(getattr(entry, member)):
                    setattr(entry, member, shown[member])
        made = Oracle(list(self.entries.values()))
        assert [entry["id"] for entry in whole] == [entry.id for entry in made.order]
        for entry, shown in zip(made.order, whole, strict=True):
            members = ("kind", "title", "text", "tags", "mood", "favorite", "status")
            assert {m: shown[m] for m in members} == {m: getattr(entry, m) for m in members}
            assert shown["local_date"] == entry.day.isoformat()
        return made

    def search(self, q, filters, limit):
        """All pages."""
        found, cursors = [], []
        while True:
            query = {"q": q, "limit": limit, **filters, **({"cursor": cursors[-1]} if cursors else {})}
            body = self.call("GET", "/v1/search", 200, params=query).json()
            assert len(body["items"]) <= limit and body["has_more"] == (body["next_cursor"] is not None)
            found += body["items"]
            if not body["has_more"]:
                return found
            assert body["next_cursor"] not in cursors, "a search that does not go on"
            cursors.append(body["next_cursor"])


def draft(entry):
    made = {
        "kind": entry.kind,
        "id": entry.id,
        "recorded_at": stamp(entry.moment),
        "time_zone": entry.zone,
        "title": entry.title,
        "tags": entry.tags,
        "mood": entry.mood,
        "favorite": entry.favorite,
    }
    return {**made, "text": entry.text} if entry.kind == "text" else {**made, "content_type": "audio/mp4", "size_bytes": 1000}


def difference(oracle, wanted, found):
    """What to look at first."""
    for name, ids in (("missing", set(wanted) - set(found)), ("too much", set(found) - set(wanted))):
        if ids:
            entry = oracle.entries.get(min(ids))
            return f"{len(ids)} {name}, of {len(wanted)}; one is {entry and entry.texts()} as {entry and oracle.lines[entry.id]}"
    return f"{len(wanted)} in another order, or twice: {found} instead of {wanted}"


def composed(value):
    return unicodedata.normalize("NFC", json.dumps(value, ensure_ascii=False))


@pytest.mark.long
def test_a_search_finds_what_a_search_by_brute_force_finds(rig, member):
    seed = int(os.environ.get("DIARY_SEED", "0")) or random.randrange(10**9)
    print(f"DIARY_SEED={seed} DIARY_SEARCH_ENTRIES={ENTRIES} DIARY_SEARCH_QUERIES={QUERIES}")
    dice = random.Random(seed)
    hours = hours_of(dice, ENTRIES)
    # First: what is typed is described, too, and a recording waits behind it.
    for _ in range(max(3, ENTRIES // 500)):
        member.record(dice, hours)
    member.create([entry_of(dice, hours) for _ in range(ENTRIES)])
    faults, hits, refused = [], 0, 0
    for _ in range(ROUNDS):
        member.change(dice, hours)
        oracle = member.oracle()
        summaries = {entry["id"]: entry for entry in member.listed("summary")}
        for _ in range(QUERIES // ROUNDS):
            q, filters = query_of(dice, oracle.order), filters_of(dice, oracle.order)
            wanted = oracle.found(q, filters)
            if wanted is None:
                answer = member.call("GET", "/v1/search", (200, 422), params={"q": q, **filters})
                refused += 1
                if answer.status_code != 422 or answer.json()["code"] != "invalid_fields":
                    faults.append(f"{q!r} is not refused")
                continue
            # At most some thirty full pages.
            limit = max(dice.choice([1, 2, 3, 7, 20, 50, 199, 200]), min(200, len(wanted) // 30))
            items = member.search(q, filters, limit)
            found = [item["entry"]["id"] for item in items]
            hits += bool(wanted)
            if found != wanted:
                faults.append(f"{q!r} {filters} limit {limit}: {difference(oracle, wanted, found)}")
                continue
            for item in dice.sample(items, min(len(items), 300)):
                fault, shown = oracle.fault(q, item), summaries[item["entry"]["id"]]
                if fault:
                    faults.append(f"{q!r}: {fault}")
                    break
                assert {**item["entry"], **dict.fromkeys(COUNTED)} == {**shown, **dict.fromkeys(COUNTED)}
    print(f"{hits} of {QUERIES} searches found entries, {refused} were refused")
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(fault[:1500] for fault in faults[:12])
    assert hits > QUERIES // 3
