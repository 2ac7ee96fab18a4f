"""A10: what keeps an engine from being asked: slots, failures in a row, a refusal. Judged by what the engine saw."""

import contextlib
import json
import secrets
import subprocess

import pytest

from fake_openai import FakeOpenAI
from openai_answers import words_of_file
from openai_replies import fault
from processes import PROGRAM, wait_for
from repetitions import repetitions
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
    count = repetitions(12, 6)

    def meets_another(request):
        # Short of the engine's time-out. One worker takes half of its eight slots for an account at most, so the other one has some of the recordings.
        with contextlib.suppress(AssertionError):
            wait_for(lambda: cloud.most >= 2, 3, "another call")
        return words_of_file(request)

    def heard(numbers):
        for entry in [user.record(recording(number)) for number in numbers]:
            user.wait_done(entry, 60)

    cloud.hears, cloud.most = meets_another, 0
    heard(range(count))
    # One for each of the two processes, each of which has eight slots for recordings.
    assert cloud.most == 2
    own.stop("work-2")
    cloud.hears, cloud.delay, cloud.most = words_of_file, 0.1, 0
    heard(range(count, 2 * count))
    assert cloud.most == 1
    own.start("work", "work-2")
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
    # The one that was refused, and of the other worker at most the one that was under way.
    refused, *further = cloud.requests[known:]
    assert len(further) <= 1 and not [request for request in further if request.at > refused.answered + 1]
    assert {e["processing"]["action"] for e in seen} == {"wait"}
    assert "engine_paused" in {e["processing"]["code"] for e in seen}
    assert [(e["tenant"], e["name"], e["state"]) for e in open_engines(own)] == [("my-day", "refusing", "refused")]
    said = own.log_text()
    assert said.count("engine refuses the service") - lines == 1 and cloud.url not in said and KEY not in said

    # The right key is another revision of the engine: it is asked at once.
    cloud.key = KEY + "2"
    give(own, KEY + "2")
    # What waits has its time; the command lets it run.
    assert json.loads(own.diary("jobs", "resume", "--engines", "--tenant", "my-day", "--json"))["jobs"] >= len(entries)
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
