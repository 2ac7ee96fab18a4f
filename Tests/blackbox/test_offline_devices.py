"""Three devices of one person change the same entries while they are offline: notes, tags, metadata, segments, and who speaks. Whatever the order in
which they come back, nothing is lost and all agree.

The seeds are fixed; DIARY_TIMES=1 takes a hundred of them."""

import random
import secrets
import uuid

import pytest

from repetitions import repetitions

SCHEDULES = repetitions(100, 10)
SPOKEN = [
    {"text": "hello hannah", "speaker": "A"},
    {"text": "good morning doctor brown", "speaker": "B"},
    {"text": "shall we begin", "speaker": "A"},
]
KEYS = ["cue", "file", "sheet"]
DEVICES, ACTS, LOST = 3, 13, 0.2
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

    def __init__(self, entries, speakers):
        self.notes = {entry: {} for entry in entries}
        self.tags = {entry: set() for entry in entries}
        self.metadata = {entry: {} for entry in entries}
        self.words = {entry: {} for entry in entries}
        """By segment."""
        self.speakers = dict(speakers)
        """Names of those of the account."""
        self.made = set(speakers)
        """Those that were deleted, too."""
        self.spoken = {entry: {"A": (None, None), "B": (None, None)} for entry in entries}
        """By label: the name that the recording has kept of a deleted speaker, or the speaker."""

    def shown(self, entry):
        """Name and speaker of each label of a recording."""
        return {label: (self.speakers.get(speaker, kept), speaker) for label, (kept, speaker) in self.spoken[entry].items()}

    def delete(self, speaker):
        name = self.speakers.pop(speaker)
        for labels in self.spoken.values():
            labels |= {label: (name, None) for label, (_, pointed) in labels.items() if pointed == speaker}


class Device:
    def __init__(self, user, entries, truth, name, chance):
        self.user, self.truth, self.name, self.chance = user, truth, name, chance
        self.copy, self.speakers, self.since = {}, {}, ""
        self.pull()
        self.copy = {entry: user.entry(entry) for entry in entries}
        self.segments, self.labels, self.versions = {}, {}, {}
        for entry in entries:
            if self.copy[entry]["kind"] == "voice":
                self.read_segments(entry)
        self.pending, self.made = [], 0

    def id(self):
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def word(self):
        self.made += 1
        return f"{self.name}{self.made}"

    def pull(self):
        more = True
        while more:
            page = self.user.call("GET", "/v1/changes" + (f"?since={self.since}" if self.since else ""), 200).json()
            self.copy |= {entry["id"]: entry for entry in page["items"] if entry["id"] in self.copy}
            for speaker in page["speakers"]:
                if speaker["deleted_at"]:
                    self.speakers.pop(speaker["id"], None)
                elif speaker["id"] in self.truth.made:
                    self.speakers[speaker["id"]] = speaker
            self.since, more = page["next_since"], page["has_more"]

    def read_segments(self, entry):
        answer = self.user.call("GET", f"/v1/entries/{entry}/transcript", 200)
        self.segments[entry] = {segment["id"]: segment["text"] for segment in answer.json()["segments"]}
        self.labels[entry] = {speaker["id"]: speaker["speaker_id"] for speaker in answer.json()["speakers"]}
        self.versions[entry] = answer.headers["etag"]

    # Offline: each act is a method that sends it later, with what the device knew.

    def act(self):
        entry = self.chance.choice(sorted(self.copy))
        notes = [note["id"] for note in self.copy[entry].get("notes", [])]
        tags = self.copy[entry]["tags"]
        kinds = ["add_note", "add_note", "add_tag", *["change_note", "delete_note"] * bool(notes), *["remove_tag"] * bool(tags)]
        kinds += ["set_metadata"] * 2 + ["add_speaker"] + ["rename_speaker", "rename_speaker", "delete_speaker"] * bool(self.speakers)
        kinds += ["correct"] * 3 * (entry in self.segments) + ["point"] * 3 * (entry in self.segments and bool(self.speakers))
        kind = self.chance.choice(kinds)
        speaker = self.chance.choice(sorted(self.speakers)) if self.speakers else None
        if kind == "add_note":
            self.pending.append((self.add_note, entry, self.id(), self.word()))
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
        elif kind == "set_metadata":
            self.pending.append((self.set_metadata, entry, self.chance.choice(KEYS), self.chance.choice([self.word(), self.word(), None])))
        elif kind == "add_speaker":
            self.pending.append((self.add_speaker, self.id(), self.word()))
        elif kind == "rename_speaker":
            self.pending.append((self.rename_speaker, self.speakers[speaker], self.word()))
        elif kind == "delete_speaker":
            del self.speakers[speaker]
            self.pending.append((self.delete_speaker, speaker))
        elif kind == "point":
            self.pending.append((self.point, entry, self.chance.choice(sorted(self.labels[entry])), speaker))
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
            self.add_note(entry, self.id(), text)

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
                # What other devices wrote meanwhile is to stay.
                self.truth.tags[entry] = (self.truth.tags[entry] | added) - removed
            known = arrived.json() if arrived.status_code == 200 else arrived.json()["current"]
        self.copy[entry] = known

    def set_metadata(self, entry, key, value):
        known = self.copy[entry]
        while known["metadata"].get(key) != value:
            headers = {"If-Match": f'"{known["version"]}"'}
            first, arrived = self.call("PATCH", f"/v1/entries/{entry}", (200, 412), json={"metadata": {key: value}}, headers=headers)
            if first.status_code == 200:
                pairs = {**self.truth.metadata[entry], key: value}
                self.truth.metadata[entry] = {name: pair for name, pair in pairs.items() if pair is not None}
            known = arrived.json() if arrived.status_code == 200 else arrived.json()["current"]
        self.copy[entry] = known

    def add_speaker(self, speaker, name):
        _, arrived = self.call("POST", "/v1/speakers", 201, json={"id": speaker, "name": name})
        self.truth.speakers[speaker] = arrived.json()["name"]
        self.truth.made.add(speaker)

    def rename_speaker(self, known, name):
        while known["name"] != name:
            path, headers = f"/v1/speakers/{known['id']}", {"If-Match": f'"{known["version"]}"'}
            first, arrived = self.call("PATCH", path, (200, 404, 412), json={"name": name}, headers=headers)
            if first.status_code == 404:
                assert known["id"] not in self.truth.speakers
                return self.add_speaker(self.id(), name)
            if first.status_code == 200:
                self.truth.speakers[known["id"]] = name
            known = arrived.json() if arrived.status_code == 200 else arrived.json()["current_speaker"]

    def delete_speaker(self, speaker):
        first, _ = self.call("DELETE", f"/v1/speakers/{speaker}", (204, 404))
        assert (first.status_code == 204) == (speaker in self.truth.speakers)
        if first.status_code == 204:
            self.truth.delete(speaker)

    def point(self, entry, label, speaker):
        while self.labels[entry][label] != speaker:
            body, headers = {label: {"speaker_id": speaker}}, {"If-Match": self.versions[entry]}
            first, _ = self.call("PATCH", f"/v1/entries/{entry}/speakers", (200, 412, 422), json=body, headers=headers)
            if first.status_code == 422:
                # Another device has deleted them.
                assert speaker not in self.truth.speakers
                return
            if first.status_code == 200:
                self.truth.spoken[entry][label] = (None, speaker)
            self.read_segments(entry)

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
    made = [person.call("POST", "/v1/speakers", 201, json={"name": name}).json() for name in ("Anna", "Ben", "Cem")]
    truth = Truth([spoken, typed], {speaker["id"]: speaker["name"] for speaker in made})
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
    assert devices[0].speakers == devices[1].speakers == devices[2].speakers
    assert {id: speaker["name"] for id, speaker in devices[0].speakers.items()} == truth.speakers
    for entry, seen in devices[0].copy.items():
        assert {note["id"]: note["text"] for note in seen.get("notes", [])} == truth.notes[entry]
        assert set(seen["tags"]) == truth.tags[entry] and len(seen["tags"]) == len(truth.tags[entry])
        assert seen["metadata"] == truth.metadata[entry]
        said = person.call("GET", f"/v1/entries/{entry}/transcript", 200).json()
        for segment in said["segments"]:
            words = truth.words[entry].get(segment["id"], [])
            assert segment["text"].split()[len(SPOKEN[segment["id"] - 1]["text"].split()) :] == words
            assert all(word in seen["text"] for word in words), "in the text to show, too"
        shown = {speaker["id"]: (speaker["name"], speaker["speaker_id"]) for speaker in said["speakers"]}
        assert shown == (truth.shown(entry) if entry == spoken else {})
    # An account may have 500 speakers.
    for id in truth.speakers:
        person.call("DELETE", f"/v1/speakers/{id}", 204)
