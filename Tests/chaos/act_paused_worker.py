"""A3: a worker sleeps past its lease with an answer in its hand; its late write must be refused."""

import json
import pathlib
import signal
import time

from client import Client, recording
from processes import wait_for
from supervisor import spawn

AT_ONCE = 5
# With the recogniser's answer, or (mostly) with the sealed result in its hand.
POINTS = ("P16", "P17", "P17", "P17")


def play(run):
    wanted = run.pick(5, 50)
    random = run.random("paused-worker")
    refused = by_database = early = batch = 0
    with run.stage() as (rig, history, oracle):
        client = Client(rig, history)
        while by_database < wanted:
            batch += 1
            assert batch <= 6 * wanted / AT_ONCE + 3, (
                f"only {refused} workers could be caught with an answer in their hand, {by_database} writes"
            )
            rig.stop("work")
            # Each stops itself.
            names = [f"late-{batch}-{i}" for i in range(AT_ONCE)]
            for name in names:
                spawn(rig, name, "work", DIARY_FAIL=random.choice(POINTS) + ":1:stop")
            wait_for(
                lambda: (
                    rig.postgres.sql("postgres", "select count(*) from pg_stat_activity where usename = 'diary_worker'")[0][0] >= AT_ONCE
                ),
                20,
                "five workers",
            )
            entries = [client.voice(recording(random)) for _ in names]
            with rig.leases.unattended():
                wait_for(lambda: all(state(rig, name) == "T" for name in names), 30, "five stopped workers")
                rig.start("work")
            for entry in entries:
                wait_for(lambda: settled(client, entry), 30, "the second worker's result")
            before, said = rows(rig, client), lost_leases(rig)
            for name in names:
                rig.processes[name].send_signal(signal.SIGCONT)
            # Each says itself how its attempt ended. A stop takes hold a moment late on a busy machine: a worker that had written its
            # result before it slept proves nothing, and is not counted.
            wait_for(lambda: all(ends(rig, name) for name in names), 20, "the end of five attempts")
            time.sleep(0.3)
            assert rows(rig, client) == before, "a late write changed an entry"
            late = sum("abandoned" in ends(rig, name) for name in names)
            refused, early, by_database = refused + late, early + len(names) - late, by_database + lost_leases(rig) - said
            for name in names:
                code = rig.stop(name)
                assert code == 0, f"{name} ended with {code}: {log(rig, name)[-3000:]}"
            run.say("paused-worker", f"{by_database} late writes refused, {refused} late attempts in all")
        counts = oracle.judge([client], 20)
    return {**counts, "refused": refused, "writes_refused_by_fence": by_database, "slept_too_late": early}, (
        f"{by_database} of {by_database} late writes refused by the fencing token; {refused} of {refused} late attempts wrote nothing (the others stopped before); the second worker's results stand"
    )


def settled(client, entry):
    status = client.entry(entry)["status"]
    if status == "failed":
        # Put to sleep three times over: its owner asks again.
        client.insist("POST", f"/v1/entries/{entry}/reprocess", (202, 409), json={})
    return status == "transcribed"


def ends(rig, name):
    """How its attempts at transcribing ended."""
    lines = (json.loads(line) for line in log(rig, name).splitlines() if line.startswith("{") and line.endswith("}"))
    return [line["outcome"] for line in lines if line.get("message") == "job ended" and line.get("kind") == "transcribe"]


def state(rig, name):
    """T: stopped."""
    return pathlib.Path(f"/proc/{rig.processes[name].pid}/stat").read_text().rpartition(")")[2].split()[0]


def log(rig, name):
    return (rig.folder / "logs" / f"{name}.log").read_text(errors="replace")


def lost_leases(rig):
    return pathlib.Path(rig.postgres.log).read_text(errors="replace").count("the lease has been lost")


def rows(rig, client):
    return rig.postgres.sql(
        "diary",
        "select e.id, e.machine_version, e.change_number, md5(e.machine), md5(s.sealed), s.version from entries e "
        "left join entry_segments s on s.entry_id = e.id where e.user_id = %s order by e.id",
        client.id,
    )
