"""A10: entries meet every fault of an engine while workers are killed; each fault is classified, nothing is lost, no stored part is asked for again.

`DIARY_TIMES=1` takes 1,000 entries and 50 kills, six to ten minutes."""

import collections
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from contract import STAGES
from engine_storm import FINAL, PART_SECONDS, Storm, hint, is_long, met_by, outcomes, recording
from fake_openai import FakeOpenAI
from repetitions import repetitions
from rig import Rig

ENTRIES, KILLS = repetitions((1_000, 50), (40, 4))
WORKERS, SLOTS, JOBS = ["work", "work-2"], 4, 8
"""Slots of the engine and of the queue, in each worker."""
CAP = len(WORKERS) * SLOTS
RUNNING = f"kind in ({', '.join(map(repr, STAGES))}) and state in ('ready', 'leased')"


@pytest.fixture
def elsewhere():
    """A server with a private address, to which the engine redirects; counts who comes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        came = []

        def accept():
            while True:
                try:
                    came.append(listener.accept())
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1/audio/transcriptions", came
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def stormy(elsewhere):
    """A service with two workers and the engine, and the storm."""
    # A lease outlasts the pauses of a busy machine, and so does the engine's time limit: only a death ends one, only a hang or a drip reaches the other.
    rig = Rig(DIARY_ENGINES_PRIVATE="1", DIARY_SPEECH_SLOTS=str(JOBS), DIARY_LEASE_SECONDS="10", DIARY_HEARTBEAT_SECONDS="1")
    try:
        with FakeOpenAI() as fake:
            chosen = ["--kind", "openai", "--url", fake.url, "--model", "whisper-1", "--timeout", "10"]
            limits = ["--slots", str(SLOTS), "--max-seconds", str(PART_SECONDS)]
            rig.diary("tenant", "engine", "set", "my-day", "speech", "stormy", *chosen, *limits)
            storm = Storm(rig, elsewhere[0], delay=0.1)
            fake.hears = storm.hears
            yield rig, fake, storm
    finally:
        rig.end()


def owner(rig, number):
    """Of one long recording, whose requests name it."""
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"vocabulary": [hint(number)]})
    return user


def recorded(rig, storm):
    """Makes the entries while no worker runs. Returns their owners, by number."""
    many = [rig.user() for _ in range(8)]
    people = [owner(rig, number) if is_long(number) else many[number % len(many)] for number in range(ENTRIES)]
    rig.stop("work")

    def record(number):
        kind = {"content_type": "audio/wav"} if is_long(number) else {}
        storm.entries[number] = people[number].record(recording(number), **kind)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(record, range(ENTRIES)))
    return people


def count(rig, condition):
    return rig.postgres.sql("diary", f"select count(*) from jobs where {condition}")[0][0]


def is_parked(rig):
    """Whether the engine is stopped, and all that could have asked it since wait: as many as the workers' slots, or all that are left."""
    ready, waiting = rig.postgres.sql(
        "diary",
        "select count(*), count(*) filter (where run_at > clock_timestamp() + interval '1 minute') "
        "from jobs where kind = 'transcribe' and state = 'ready'",
    )[0]
    return waiting and waiting >= min(ready, len(WORKERS) * JOBS)


def operator_acts(rig):
    """The engine is asked again at once, and so is what waited for that."""
    rig.diary("jobs", "resume", "--engines")
    rig.postgres.sql("diary", "update jobs set run_at = clock_timestamp() where state = 'ready' and kind = 'transcribe'")


def kill(rig, storm, name):
    process = rig.processes[name]
    process.kill()
    process.wait()
    storm.died(process)
    rig.start("work", name)


def play(rig, fake, storm):
    """Kills at even distances of requests, while at least two are under way: one alone may be a probe, whose death keeps the engine waiting.
    Returns the moments in which the operator acted."""
    acts, began = [], time.monotonic()
    while count(rig, RUNNING):
        assert time.monotonic() - began < repetitions(1_200, 150), "the entries did not end"
        due = (len(storm.deaths) + 1) * ENTRIES // (KILLS + 1)
        if is_parked(rig):
            acts.append(time.time())
            operator_acts(rig)
        elif len(storm.deaths) < KILLS and len(storm.calls) >= due and fake.under_way() >= 2:
            kill(rig, storm, WORKERS[len(storm.deaths) % len(WORKERS)])
        with storm.came:
            storm.came.wait(0.2)
    return acts


def quarantined(rig, storm, people):
    """Those that were running at three deaths (A13)."""
    query = "select id::text from entries where status = 'failed'"
    failed = {row[0] for row in rig.postgres.sql("diary", query)}
    numbers = [n for n, entry in storm.entries.items() if entry in failed]
    return [n for n in numbers if people[n].entry(storm.entries[n])["processing"]["code"] == "processing_crashed"]


def assert_ended_as_its_fault_says(shown, name):
    if name in FINAL:
        assert (shown["status"], shown["processing"]["code"]) == ("failed", FINAL[name].code), (name, shown)
    else:
        state = "no_speech" if name == "empty" else "heard"
        assert (shown["status"], shown["transcription"]["state"]) == ("transcribed", state), (name, shown)
        assert bool(shown["transcript_raw"]) == (state == "heard")


def classified(storm, runs, crashed):
    """Entries of which a run ended in another way than A10 says, and how many outcomes have no line: of workers that died after the commit."""
    wrong, unlogged = {}, 0
    for number, entry in storm.entries.items():
        wanted, found = collections.Counter(outcomes(number)), collections.Counter(runs[entry])
        unlogged += (wanted - found).total()
        # What its account has asked for again may meet its fault again.
        if (set(found) - set(wanted)) if number in crashed else (found - wanted):
            wrong[number, met_by(number)] = runs[entry]
    return wrong, unlogged


def further(storm, refusals, acts):
    """For each refusal that a worker has told: the requests that came before the operator acted, in seconds after it."""
    ends = [min((act for act in acts if act > at), default=time.time()) for at in refusals]
    return [
        [round(call.request.at - at, 3) for call in storm.calls if at < call.request.at < end]
        for at, end in zip(refusals, ends, strict=True)
    ]


@pytest.mark.long
def test_a10_every_fault_and_killed_workers_lose_no_entry_and_repeat_no_stored_part(stormy, elsewhere):
    rig, fake, storm = stormy
    people = recorded(rig, storm)
    began = time.monotonic()
    for name in WORKERS:
        rig.start("work", name)

    acts, crashed = play(rig, fake, storm), []
    while again := quarantined(rig, storm, people):
        for number in again:
            people[number].retry(storm.entries[number])
        crashed += again
        acts += play(rig, fake, storm)

    seconds = time.monotonic() - began
    for number, entry in storm.entries.items():
        assert_ended_as_its_fault_says(people[number].entry(entry), met_by(number))
    runs, refusals = storm.logged()
    wrong, unlogged = classified(storm, runs, crashed)
    lost, more = storm.paid_again(), further(storm, refusals, acts)
    print(
        f"A10: {ENTRIES} entries in {seconds:.0f} s, {len(storm.deaths)} kills, {len(crashed)} quarantined and retried, "
        f"{len(storm.calls)} requests, {fake.most} at once, {len(storm.repeated)} for stored parts, {len(lost)} answers lost by a kill; "
        f"{len(refusals)} refusals, further requests after each: {more}; {unlogged} outcomes without a line"
    )
    assert wrong == {} and unlogged <= KILLS * JOBS
    assert storm.impatient(acts) == []
    assert len(storm.deaths) == KILLS
    assert storm.repeated == []
    # A part is known by its bytes.
    [parts] = {tuple(parts) for number, parts in storm.parts.items() if is_long(number)}
    assert len(parts) > 1
    # An answer that was on its way when its worker died is the only one that is paid for again.
    assert [pair for pair in lost if not storm.explained(*pair)] == [] and len(lost) <= KILLS * JOBS
    assert repetitions(SLOTS, 1) < fake.most <= CAP
    # Those that were admitted before and on their way. That it is one where each worker has one slot is a test of test_engine_gates.
    assert more and max(map(len, more)) < CAP
    assert elsewhere[1] == []
