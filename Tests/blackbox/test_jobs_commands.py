"""Operators hold queues, drain workers and try failed jobs again: by command, seen by running workers, written down with who did it."""

import json
import subprocess

import pytest

from processes import PROGRAM, wait_for
from test_admin import says
from user import SAMPLE


def jobs(rig, *words):
    return json.loads(rig.diary("jobs", *words, "--json"))


@pytest.fixture
def held(rig):
    """Nothing stays paused for the tests of other files."""
    yield rig
    rig.diary("jobs", "resume")


def waiting(user, entry, stage="transcribe"):
    """The entry, once it waits for this stage."""
    return wait_for(
        lambda: (e := user.entry(entry))["status"] == "uploaded" and e["processing"]["stage"] == stage and e, 20, f"{entry} before {stage}"
    )


def recording(number):
    return SAMPLE.read_bytes() + bytes([number])


def test_a_paused_queue_takes_no_new_jobs_until_it_is_resumed_and_shows_that(held):
    rig, user = held, held.user()
    assert jobs(rig, "pause", "speech", "--tenant", "my-day", "--operator", "ann") == {
        "queue": "speech",
        "tenant": "my-day",
        "paused": True,
        "changed": True,
    }
    assert jobs(rig, "pause", "speech", "--tenant", "my-day")["changed"] is False
    entries = [user.record(recording(n)) for n in range(2)]

    places = [waiting(user, entry)["processing"] for entry in entries]

    # The check of a recording is another queue, which goes on.
    assert sorted(p["queue_position"] for p in places) == [1, 2]
    assert {(p["estimated_wait_s"], p["action"], p["code"], p["percent"]) for p in places} == {(None, "wait", None, None)}
    shown = jobs(rig, "stats")["paused"]
    assert [(row["queue"], row["tenant"], row["operator"]) for row in shown] == [("speech", "my-day", "ann")]
    assert "speech of my-day is paused since" in rig.diary("jobs", "stats")
    assert jobs(rig, "resume", "speech") == [{"queue": "speech", "tenant": None, "paused": False, "changed": False}]
    assert all(user.entry(entry)["status"] == "uploaded" for entry in entries)

    assert jobs(rig, "resume", "speech", "--tenant", "my-day")[0]["changed"] is True
    for entry in entries:
        user.wait_done(entry)
    acts = json.loads(rig.diary("tenant", "acts", "my-day", "--limit", "2", "--json"))
    assert [(act["act"], act["settings"]) for act in acts] == [("work_resumed", ["speech"]), ("work_paused", ["speech"])]
    assert acts[1]["operator"] == "ann" and jobs(rig, "stats")["paused"] == []


def test_drain_waits_for_what_runs_and_lets_nothing_new_begin(held):
    rig, user = held, held.user()
    rig.script("speech", delay_seconds=3)
    running = user.record(recording(10))
    wait_for(lambda: user.entry(running)["status"] == "transcribing", 20, "work")

    early = subprocess.run(
        [PROGRAM, "jobs", "drain", "speech", "--wait", "0", "--json"], env=rig.environment, capture_output=True, text=True
    )
    later = user.record(recording(11))
    done = jobs(rig, "drain", "speech", "--wait", "30")

    assert early.returncode == 1 and json.loads(early.stdout) == {"queues": ["speech"], "running": 1, "drained": False}
    assert done == {"queues": ["speech"], "running": 0, "drained": True}
    # It was finished, not taken away: no try is counted.
    user.wait_done(running)
    assert rig.postgres.sql("diary", "select sum(errors + crashes)::int from jobs where subject = %s", running) == [(0,)]
    assert waiting(user, later)["processing"]["queue_position"] == 1
    rig.unscript()
    assert [row["queue"] for row in jobs(rig, "resume")] == ["speech"]
    user.wait_done(later)
    assert "nothing was paused" in rig.diary("jobs", "resume")
    assert jobs(rig, "resume", "--engines")["engines"] == []


def test_all_queues_are_drained_without_a_name(held):
    rig = held
    done = jobs(rig, "drain", "--wait", "30", "--operator", "bob")
    assert done == {"queues": ["exports", "imports", "mail", "media", "speech", "text"], "running": 0, "drained": True}
    assert {row["tenant"] for row in jobs(rig, "stats")["paused"]} == {None}
    assert len(jobs(rig, "resume")) == 6
    acts = json.loads(rig.diary("tenant", "acts", "*", "--limit", "10", "--json"))
    assert {act["act"] for act in acts} == {"work_resumed", "work_paused"} and "bob" in {act["operator"] for act in acts}


def test_failed_jobs_are_tried_again_one_by_one_or_by_code(rig):
    user = rig.user()
    rig.script("speech", fail="permanent")
    entries = [user.record(recording(20 + n)) for n in range(3)]
    for entry in entries:
        failed = user.wait_done(entry, status="failed")
    code = failed["processing"]["code"]
    dead = {job["subject"]: job["id"] for job in jobs(rig, "list", "--user", user.id, "--state", "dead")["jobs"]}
    rig.unscript()

    one = jobs(rig, "retry", dead[entries[0]])
    assert one == {"retried": 1, "passed_over": 0, "jobs": [{"id": dead[entries[0]], "kind": "transcribe", "retried": True}]}
    user.wait_done(entries[0])
    says(rig, ("jobs", "retry", dead[entries[0]]), 1, "no failed job")
    assert all(user.entry(entry)["status"] == "failed" for entry in entries[1:])

    # The second is retried by its owner: the operator's command passes it over.
    user.retry(entries[1])
    user.wait_done(entries[1])
    assert jobs(rig, "retry", "--failed", "--code", "upload_missing", "--tenant", "my-day")["retried"] == 0
    rest = {row["id"]: row["retried"] for row in jobs(rig, "retry", "--failed", "--code", code, "--tenant", "my-day")["jobs"]}
    assert rest[dead[entries[2]]] is True and rest[dead[entries[1]]] is False
    user.wait_done(entries[2])
    acts = json.loads(rig.diary("tenant", "acts", "my-day", "--limit", "1", "--json"))
    assert acts[0]["act"] == "jobs_retried"


def test_jobs_that_wait_for_a_later_time_are_let_run_now(held):
    rig, user = held, held.user()
    rig.diary("jobs", "pause", "speech")
    entries = [user.record(recording(40 + n)) for n in range(3)]
    for entry in entries:
        waiting(user, entry)
    # As a gate leaves them.
    later = "update jobs set run_at = clock_timestamp() + interval '1 day', code = %s where subject = %s and state = 'ready'"
    for entry, code in zip(entries, ("budget_exceeded", "budget_exceeded", "engine_paused"), strict=True):
        rig.postgres.sql("diary", later, code, entry)
    rig.diary("jobs", "resume", "speech")
    ids = {job["subject"]: job["id"] for job in jobs(rig, "list", "--user", user.id, "--state", "ready")["jobs"]}

    assert jobs(rig, "retry", ids[entries[0]]) == {
        "retried": 1,
        "passed_over": 0,
        "jobs": [{"id": ids[entries[0]], "kind": "transcribe", "retried": True}],
    }
    user.wait_done(entries[0])
    rest = jobs(rig, "retry", "--waiting", "--code", "budget_exceeded", "--tenant", "my-day")["jobs"]
    assert {"id": ids[entries[1]], "kind": "transcribe", "retried": True} in rest
    user.wait_done(entries[1])
    assert user.entry(entries[2])["status"] == "uploaded"
    assert "jobs that waited for an engine run now" in rig.diary("jobs", "resume", "--engines")
    user.wait_done(entries[2])


def test_commands_that_hold_and_retry_say_what_is_wrong(rig):
    unknown = "01a1fe44-8066-7418-b9c1-43885fea9d36"
    for words, code, message in [
        (("pause", "thinking"), 64, "must be one of exports, imports, mail, media, speech, text"),
        (("pause", "speech", "--tenant", "nowhere"), 1, "no tenant"),
        (("resume", "--tenant", "my-day"), 64, "--tenant needs a queue"),
        (("resume", "speech", "--engines"), 64, "--engines takes no queue"),
        (("drain", "thinking"), 64, "no queue thinking"),
        (("drain", "--wait", "-1"), 64, "--wait"),
        (("retry",), 64, "give a job's id, --failed or --waiting"),
        (("retry", unknown, "--failed"), 64, "give a job's id, --failed or --waiting"),
        (("retry", "--waiting", "--failed"), 64, "give a job's id, --failed or --waiting"),
        (("retry", "x"), 64, "must be a job's id"),
        (("retry", unknown, "--code", "x"), 64, "need --failed"),
        (("retry", unknown), 1, "no failed job"),
    ]:
        says(rig, ("jobs", *words), code, message)
