"""A10: what keeps an engine from being asked: slots, failures in a row, a refusal. Judged by what the engine saw."""

import json
import secrets
import subprocess
import time

import pytest

from fake_openai import FakeOpenAI
from openai_answers import words_of_file
from openai_replies import fault
from processes import PROGRAM, wait_for
from repetitions import LONG, repetitions
from rig import Rig
from user import SAMPLE

KEY = "sk-" + secrets.token_urlsafe(16)


def recording(number):
    return SAMPLE.read_bytes() + number.to_bytes(4, "big")


@pytest.fixture
def cloud():
    with FakeOpenAI(key=KEY) as fake:
        yield fake


@pytest.fixture(scope="module")
def own():
    rig = Rig(DIARY_ENGINES_PRIVATE="1", DIARY_SPEECH_SLOTS="8")
    # Two workers: what one finds out holds for both.
    rig.start("work", "work-2")
    yield rig
    rig.end()


def engine(rig, fake, name, *more, key=KEY, app="my-day"):
    give(rig, key, app)
    chosen = ("--kind", "openai", "--url", fake.url, "--model", "whisper-1", "--secret", "cloud-key", "--timeout", "5", *more)
    rig.diary("tenant", "engine", "set", app, "speech", name, *chosen)
    # Workers see the change within seconds.
    user, known = rig.user(app), len(fake.requests)

    def asked():
        entry = user.record(recording(secrets.randbelow(1 << 30)))
        ended = ("transcribed", "failed")
        wait_for(lambda: len(fake.requests) > known or user.entry(entry)["status"] in ended, 20, "a transcript by any engine")
        return len(fake.requests) > known

    wait_for(asked, 30, "a request of the new engine")
    return user


def give(rig, key, app="my-day"):
    done = subprocess.run(
        [PROGRAM, "tenant", "secret", "set", app, "cloud-key"], env=rig.environment, input=key, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr


def open_engines(rig):
    return json.loads(rig.diary("jobs", "stats", "--json"))["engines"]


def failing(rig):
    return [engine for engine in open_engines(rig) if engine["state"] == "failing"]


def test_no_more_calls_at_once_than_slots(own, cloud):
    user = engine(own, cloud, "narrow", "--slots", "1")
    cloud.delay, cloud.most = 0.1, 0

    entries = [user.record(recording(n)) for n in range(repetitions(12, 6))]

    for entry in entries:
        user.wait_done(entry, 60)
    # One for each of the two processes, each of which has eight slots for recordings.
    assert cloud.most <= 2
    own.diary("tenant", "engine", "unset", "my-day", "speech", "narrow")


def test_a_refusal_stops_all_workers_and_tells_the_operator_once(own, cloud):
    user = engine(own, cloud, "refusing", "--slots", "1")
    lines = own.log_text().count("engine refuses the service")
    cloud.key = "another"
    known = len(cloud.requests)

    entries = [user.record(recording(100 + n)) for n in range(repetitions(12, 6))]

    def paused():
        seen = [user.entry(entry) for entry in entries]
        told = {"engine_paused", "engine_refused"}
        return (
            all(e["status"] == "transcribing" and e["processing"]["next_attempt_at"] and e["processing"]["code"] in told for e in seen)
            and seen
        )

    seen = wait_for(paused, 30, "the stop")
    # Of each of the two workers at most the call that was under way.
    assert len(cloud.requests) - known <= 2
    assert {e["processing"]["action"] for e in seen} == {"wait"}
    assert "engine_paused" in {e["processing"]["code"] for e in seen}
    assert [(e["tenant"], e["name"], e["state"]) for e in open_engines(own)] == [("my-day", "refusing", "refused")]
    said = own.log_text()
    assert said.count("engine refuses the service") - lines == 1 and cloud.url not in said and KEY not in said

    # The right key is another revision of the engine: it is asked at once.
    cloud.key = KEY + "2"
    give(own, KEY + "2")
    own.postgres.sql("diary", "update jobs set run_at = clock_timestamp() where state = 'ready' returning 1")
    for entry in entries:
        user.wait_done(entry, 60)
    assert own.postgres.sql("diary", "select max(errors) from jobs where subject = any (%s::uuid[])", entries)[0][0] <= 1
    own.diary("tenant", "engine", "unset", "my-day", "speech", "refusing")


def test_an_engine_that_fails_in_a_row_is_left_alone_and_asked_by_one_call_again(own, cloud):
    user = engine(own, cloud, "failing", "--slots", "1")
    cloud.hears = lambda request: fault("503")
    entries = [user.record(recording(200 + n)) for n in range(repetitions(12, 8))]

    wait_for(lambda: failing(own), 20, "an open breaker")
    counted = [e["failures"] for e in failing(own)]
    cloud.hears = words_of_file
    for entry in entries:
        user.wait_done(entry, 60)

    assert counted[0] >= 5 and failing(own) == []
    own.diary("tenant", "engine", "unset", "my-day", "speech", "failing")


PASSING = ["429-after-1", "500", "503", "502", "html", "bad-json", "shape", "cut", "drip", "hang"]
FINAL = {"413": "media_limits_exceeded", "400": "media_unsupported", "422": "media_unsupported"}
ENTRIES, KILLS, WORKERS, SLOTS = 1_000, 50, 2, 4


@pytest.mark.skipif(not LONG, reason="a long measurement")
def test_a10_a_thousand_entries_every_fault_and_fifty_killed_workers(own, cloud):
    rig = own
    engine(rig, cloud, "stormy", "--slots", str(SLOTS))
    asked, paid = {}, {}

    def hears(request):
        # A recording's own bytes say what becomes of it; a fault that passes comes once.
        body = request.file.body
        number = int.from_bytes(body[-4:], "big")
        asked[number] = asked.get(number, 0) + 1
        choices = [None] * 8 + PASSING + list(FINAL)
        choice = choices[number % len(choices)]
        if choice and (choice in FINAL or asked[number] == 1):
            return fault(choice)
        paid[number] = paid.get(number, 0) + 1
        return words_of_file(request)

    people = [rig.user() for _ in range(10)]
    cloud.hears, cloud.most, cloud.delay = hears, 0, 0.02
    entries = [(people[n % 10], people[n % 10].record(recording(n)), n) for n in range(ENTRIES)]
    kills, names = 0, ["work", "work-2"]

    def left():
        query = "select count(*) from jobs where kind in ('verify', 'transcribe', 'clean') and state in ('ready', 'leased')"
        return rig.postgres.sql("diary", query)[0][0]

    def may_kill():
        # A third death under one job would quarantine it (A13), which is no fault of the engine.
        query = "select count(*) from jobs where state in ('ready', 'leased') and crashes >= 2"
        return kills < KILLS and not rig.postgres.sql("diary", query)[0][0]

    began = time.monotonic()
    while left() and time.monotonic() - began < 1_800:
        if may_kill():
            name = names[kills % WORKERS]
            rig.processes[name].kill()
            rig.processes[name].wait()
            rig.start("work", name)
            kills += 1
        time.sleep(1)

    choices = [None] * 8 + PASSING + list(FINAL)
    for user, entry, number in entries:
        shown, choice = user.entry(entry), choices[number % len(choices)]
        if choice in FINAL:
            assert (shown["status"], shown["processing"]["code"]) == ("failed", FINAL[choice]), (number, choice, shown)
        else:
            assert shown["status"] == "transcribed" and shown["transcript_raw"], (number, choice, shown)
    # A worker that is killed between an answer and its commit is the only way to pay for one twice.
    twice = sum(count - 1 for count in paid.values())
    print(
        f"A10: {ENTRIES} entries, {kills} kills, {len(cloud.requests)} requests, {cloud.most} at once, {twice} answers that no worker stored"
    )
    assert kills == KILLS and twice <= KILLS * SLOTS
    # Requests of a worker that was killed are still being answered while its successor asks.
    assert cloud.most <= (WORKERS + 1) * SLOTS
    rig.diary("tenant", "engine", "unset", "my-day", "speech", "stormy")
