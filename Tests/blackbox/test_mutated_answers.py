"""Answers of speech and text servers with faults: where a reader finds the words, the entry has them, after two calls at most, and no engine stops.

    DIARY_ANSWERS=3000 .venv/bin/python -m pytest -s Tests/blackbox/test_mutated_answers.py

takes all, some minutes; without the variable the first 72, in which each fault is once. `python mutated_answers.py NUMBER` shows an answer.
"""

import collections
import contextlib
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fake_openai import FakeOpenAI
from hosted_engine import hosted_engine
from mutated_answers import SEED, answer, folded, marker
from openai_replies import Reply
from rig import Rig
from test_field_answers import Scene, number_of, recording

COUNT = int(os.environ.get("DIARY_ANSWERS", "72"))
SECONDS = 60 + COUNT / 4
PEOPLE = 4 if COUNT < 500 else 24
"""Of each stage."""
UPLOADS = 8


class Answers(Scene):
    """The even numbers are recordings of the app of the process's own engine, the odd ones of an app whose texts a server cleans.

    - stopped: how often an engine was found to be left alone. It is asked again at once, so that one fault is not that of all later answers.
    """

    def __init__(self, rig, fake):
        super().__init__(rig)
        self.answers = {number: answer(number) for number in range(COUNT)}
        self.marked = {marker(number): number for number in self.answers}
        self.stopped, self.ended = collections.Counter(), threading.Event()
        fake.hears, fake.writes = self.hears, self.writes
        rig.tenant("written")
        engine = ("--kind", "openai", "--url", fake.url, "--model", "a-model", "--slots", "16")
        rig.diary("tenant", "engine", "set", "written", "text", "far", *engine)
        rig.wait_for_app("written")

    def hears(self, request):
        number = number_of(request)
        given = self.answers[number]
        if given.stage == "text":
            return given.raw
        self.requests[number].append(request)
        return Reply(200, given.body, (("Content-Type", given.content_type),))

    def writes(self, request):
        said = request.json["messages"][-1]["content"]
        number = next(self.marked[word] for word in said.split() if word in self.marked)
        given = self.answers[number]
        self.requests[number].append(request)
        return Reply(200, given.body, (("Content-Type", given.content_type),))

    def watch(self):
        while not self.ended.wait(2):
            for engine in json.loads(self.rig.diary("jobs", "stats", "--json"))["engines"]:
                self.stopped[engine["tenant"], engine["name"], engine["state"]] += 1
                self.rig.diary("jobs", "resume", "--engines")

    def play(self):
        people = {app: [self.rig.user(app) for _ in range(PEOPLE)] for app in ("my-day", "written")}
        watch = threading.Thread(target=self.watch)
        watch.start()
        try:
            with ThreadPoolExecutor(UPLOADS) as pool:
                owners = {number: people["written" if number % 2 else "my-day"][number // 2 % PEOPLE] for number in self.answers}
                list(pool.map(lambda number: self.record(number, owners[number], recording(number, seconds=12.0)), owners))
            self.wait(list(self.answers), SECONDS)
        finally:
            self.ended.set()
            watch.join()

    def faults(self, number):
        given, entry, asked = self.answers[number], self.entries.get(number), len(self.requests[number])
        if not entry or entry["status"] != "transcribed":
            shown = entry and (entry["status"], (entry.get("processing") or {}).get("code"))
            return [f"{shown} after {asked} calls"]
        found = [f"{asked} calls"] if asked > 2 else []
        shown = folded(entry["transcript_raw" if given.stage == "speech" else "transcript_clean"])
        left = iter(shown)
        if missing := [word for word in given.words if word not in left]:
            found.append(f"without {missing[0]!r}: {' '.join(shown)[:200]!r} {entry.get('cleanup') if given.stage == 'text' else ''}")
        if len(shown) > given.most:
            found.append(f"{len(shown)} words of {given.most}: {' '.join(shown)[:200]!r}")
        return found


@pytest.fixture(scope="module")
def answers():
    with FakeOpenAI() as fake, contextlib.ExitStack() as stack:
        rig = Rig(**hosted_engine("SPEECH", fake.url, "whisper-1", "sk-mutated"), DIARY_SPEECH_SLOTS="32")
        stack.callback(rig.end)
        yield Answers(rig, fake)


@pytest.mark.long
def test_words_that_a_reader_finds_are_in_the_entry(answers):
    answers.play()
    wrong = {number: found for number in answers.answers if (found := answers.faults(number))}
    by_fault = collections.Counter(name for number in wrong for name in answers.answers[number].mutations)
    all_faults = collections.Counter(name for given in answers.answers.values() for name in given.mutations)
    waited = [number for number in answers.answers if "engine_paused" in answers.codes[number]]
    told = [f"{len(wrong)} of {COUNT} answers wrong, {len(waited)} waited for a stopped engine, seed {SEED}"]
    told += [f"{count:5} of {all_faults[name]:4} with {name}" for name, count in by_fault.most_common()]
    print("\n".join(told))
    for number in list(wrong)[:100]:
        given = answers.answers[number]
        told.append(f"{number}, {given.server}, {', '.join(given.mutations)}: {'; '.join(wrong[number])}")
    assert not wrong, "\n".join(told)
    assert not waited and not answers.stopped, f"stopped: {answers.stopped}, waited: {waited}"
