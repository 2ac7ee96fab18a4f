"""Three devices of one person change the same entries while they are offline. Whatever the order in which they come back, nothing is lost and all agree.

The seeds are fixed; DIARY_TIMES=1 takes a hundred of them."""

import random
import secrets
import uuid

import pytest

from repetitions import repetitions

SCHEDULES = repetitions(100, 10)
SPOKEN = [{"text": "hello hannah"}, {"text": "good morning doctor brown"}, {"text": "shall we begin"}]
DEVICES, ACTS, LOST = 3, 9, 0.2
"""`LOST`: the share of requests whose answer does not arrive, so that the device sends them again."""


@pytest.fixture(scope="module")
def person(shared_rig):
    rig, slug = shared_rig, "offline-" + secrets.token_hex(3)
    rig.tenant(slug)
    limits = {"writes_per_minute": 60_000, "reads_per_minute": 60_000, "entries_per_minute": 6_000, "entries_per_day": 10_000}
    rig.diary("tenant", "set", slug, *(f"limits.{name}={number}" for name, number in limits.items()))
    rig.wait_for_app(slug)
    rig.script("speech", segments=SPOKEN)
    user = rig.user(app=slug)
    user.spoken = [user.record() for _ in range(SCHEDULES)]
    for entry in user.spoken:
        user.wait_done(entry, 60)
    rig.unscript()
    return user


class Truth:
    """What the service has accepted, in its order."""

    def __init__(self, entries):
        self.notes = {entry: {} for entry in entries}
        self.tags = {entry: set() for entry in entries}
        self.words = {entry: {} for entry in entries}
        """By segment."""


class Device:
    def __init__(self, user, entries, truth, name, chance):
        self.user, self.truth, self.name, self.chance = user, truth, name, chance
        self.copy, self.since = {}, ""
        self.pull()
        self.copy = {entry: user.entry(entry) for entry in entries}
        self.segments, self.versions = {}, {}
        for entry in entries:
            if self.copy[entry]["kind"] == "voice":
                self.read_segments(entry)
        self.pending, self.made = [], 0

    def word(self):
        self.made += 1
        return f"{self.name}{self.made}"

    def pull(self):
        more = True
        while more:
            page = self.user.call("GET", "/v1/changes" + (f"?since={self.since}" if self.since else ""), 200).json()
            self.copy |= {entry["id"]: entry for entry in page["items"] if entry["id"] in self.copy}
            self.since, more = page["next_since"], page["has_more"]

    def read_segments(self, entry):
        answer = self.user.call("GET", f"/v1/entries/{entry}/transcript", 200)
        self.segments[entry] = {segment["id"]: segment["text"] for segment in answer.json()["segments"]}
        self.versions[entry] = answer.headers["etag"]

    # Offline: each act is a method that sends it later, with what the device knew.

    def act(self):
        entry = self.chance.choice(sorted(self.copy))
        notes = [note["id"] for note in self.copy[entry].get("notes", [])]
        tags = self.copy[entry]["tags"]
        kinds = ["add_note", "add_note", "add_tag", *["change_note", "delete_note"] * bool(notes), *["remove_tag"] * bool(tags)]
        kinds += ["correct"] * 3 * (entry in self.segments)
        kind = self.chance.choice(kinds)
        if kind == "add_note":
            self.pending.append((self.add_note, entry, str(uuid.UUID(int=self.chance.getrandbits(128), version=4)), self.word()))
        elif kind == "change_note":
            self.pending.append((self.change_note, entry, self.chance.choice(notes), self.word()))
        elif kind == "delete_note":
            note = self.chance.choice(notes)
            self.copy[entry]["notes"] = [other for other in self.copy[entry]["notes"] if other["id"] != note]
            self.pending.append((self.delete_note, entry, note))
        elif kind == "add_tag":
            self.pending.append((self.change_tags, entry, {self.word()}, set()))
        elif kind == "remove_tag":
            self.pending.append((self.change_tags, entry, set(), {self.chance.choice(tags)}))
        else:
            chosen = self.chance.sample(sorted(self.segments[entry]), self.chance.choice([1, 2]))
            self.pending.append((self.correct, entry, {segment: self.word() for segment in chosen}))

    def come_back(self):
        send, *what = self.pending.pop(0)
        send(*what)

    def call(self, method, path, expect, **more):
        """The first answer, which the service gave; and the one that arrived."""
        first = answer = self.user.call(method, path, expect, **more)
        while self.chance.random() < LOST:
            answer = self.user.call(method, path, (*(expect if isinstance(expect, tuple) else (expect,)), 404, 412), **more)
        return first, answer

    def add_note(self, entry, note, text):
        _, arrived = self.call("POST", f"/v1/entries/{entry}/notes", 200, json={"id": note, "text": text})
        self.truth.notes[entry][note] = text
        assert [one["text"] for one in arrived.json()["notes"] if one["id"] == note] == [text], "once"

    def change_note(self, entry, note, text):
        first, _ = self.call("PATCH", f"/v1/entries/{entry}/notes/{note}", (200, 404), json={"text": text})
        if first.status_code == 200:
            self.truth.notes[entry][note] = text
        else:
            assert note not in self.truth.notes[entry]
            self.add_note(entry, str(uuid.UUID(int=self.chance.getrandbits(128), version=4)), text)

    def delete_note(self, entry, note):
        first, _ = self.call("DELETE", f"/v1/entries/{entry}/notes/{note}", (200, 404))
        assert (first.status_code == 200) == (note in self.truth.notes[entry])
        self.truth.notes[entry].pop(note, None)

    def change_tags(self, entry, added, removed):
        known = self.copy[entry]
        while not added <= set(known["tags"]) or removed & set(known["tags"]):
            tags = [tag for tag in known["tags"] if tag not in removed] + sorted(added - set(known["tags"]))
            headers = {"If-Match": f'"{known["version"]}"'}
            first, arrived = self.call("PATCH", f"/v1/entries/{entry}", (200, 412), json={"tags": tags}, headers=headers)
            if first.status_code == 200:
                self.truth.tags[entry] = set(tags)
            known = arrived.json() if arrived.status_code == 200 else arrived.json()["current"]
        self.copy[entry] = known

    def correct(self, entry, words):
        while wanted := {n: word for n, word in words.items() if word not in self.segments[entry][n].split()}:
            texts = {n: f"{self.segments[entry][n]} {word}" for n, word in wanted.items()}
            first, _ = self.call(
                "PATCH",
                f"/v1/entries/{entry}/segments",
                (200, 412),
                json={"segments": [{"id": n, "text": text} for n, text in texts.items()]},
                headers={"If-Match": self.versions[entry]},
            )
            if first.status_code == 200:
                for n, word in wanted.items():
                    self.truth.words[entry].setdefault(n, []).append(word)
            self.read_segments(entry)


@pytest.mark.parametrize("seed", range(SCHEDULES))
def test_three_devices_that_were_offline_lose_nothing_and_agree(person, seed):
    chance = random.Random(seed)
    spoken, typed = person.spoken[seed], person.create_text("words", tags=["first", "second"])["entry_id"]
    for number in range(3):
        for entry in (spoken, typed):
            person.call("POST", f"/v1/entries/{entry}/notes", 200, json={"text": f"before {number}"})
    truth = Truth([spoken, typed])
    devices = [Device(person, [spoken, typed], truth, name, chance) for name in "abc"[:DEVICES]]
    for entry in (spoken, typed):
        truth.notes[entry] = {note["id"]: note["text"] for note in devices[0].copy[entry]["notes"]}
        truth.tags[entry] = set(devices[0].copy[entry]["tags"])
    for device in devices:
        for _ in range(ACTS):
            device.act()

    while waiting := [device for device in devices if device.pending]:
        chance.choice(waiting).come_back()

    for device in devices:
        device.pull()
    assert devices[0].copy == devices[1].copy == devices[2].copy
    for entry, seen in devices[0].copy.items():
        assert {note["id"]: note["text"] for note in seen.get("notes", [])} == truth.notes[entry]
        assert set(seen["tags"]) == truth.tags[entry] and len(seen["tags"]) == len(truth.tags[entry])
        said = person.call("GET", f"/v1/entries/{entry}/transcript", 200).json()
        for segment in said["segments"]:
            words = truth.words[entry].get(segment["id"], [])
            assert segment["text"].split()[len(SPOKEN[segment["id"] - 1]["text"].split()) :] == words
            assert all(word in seen["text"] for word in words), "in the text to show, too"
