"""A3: a worker sleeps past its lease with an answer in its hand; its late write must be refused."""

import pathlib
import signal
import time

from client import Client, recording
from rig import wait_for
from supervisor import spawn

AT_ONCE = 5


def play(run):
    wanted = run.pick(5, 50)
    random = run.random("paused-worker")
    refused = by_database = 0
    with run.stage() as (rig, history, oracle):
        client = Client(rig, history)
        while refused < wanted:
            rig.stop("work")
            # Each stops itself when it has the recogniser's answer (P16), or with the sealed result in its hand (P17).
            names = [f"late-{refused + i}" for i in range(AT_ONCE)]
            for i, name in enumerate(names):
                spawn(rig, name, "work", DIARY_FAIL=f"{random.choice(['P16', 'P17'])}:1:stop")
            entries = [client.voice(recording(random)) for _ in names]
            wait_for(lambda: all(state(rig, name) == "T" for name in names), 30, "five stopped workers")
            rig.start("work")
            for entry in entries:
                wait_for(lambda: client.entry(entry)["status"] == "transcribed", 30, "the second worker's result")
            before, said = rows(rig, client), lost_leases(rig)
            for name in names:
                rig.processes[name].send_signal(signal.SIGCONT)
            # Each says itself that its attempt was for nothing.
            wait_for(lambda: all("abandoned" in log(rig, name) for name in names), 20, "five abandoned attempts")
            time.sleep(0.3)
            assert rows(rig, client) == before, "a late write changed an entry"
            refused += len(names)
            by_database += lost_leases(rig) - said
            for name in names:
                assert rig.stop(name) == 0, f"{name} did not end well"
            run.say("paused-worker", f"{refused} refused")
        counts = oracle.judge([client], 20)
    return {**counts, "refused": refused, "refused_by_fence": by_database}, (
        f"{refused} of {wanted} late attempts wrote nothing ({by_database} writes refused by the fencing token, the others stopped before), the second worker's results stand")


def state(rig, name):
    """T: stopped."""
    return pathlib.Path(f"/proc/{rig.processes[name].pid}/stat").read_text().rpartition(")")[2].split()[0]


def log(rig, name):
    return (rig.folder / "logs" / f"{name}.log").read_text(errors="replace")


def lost_leases(rig):
    return pathlib.Path(rig.postgres.log).read_text(errors="replace").count("the lease has been lost")


def rows(rig, client):
    return rig.postgres.sql("diary", "select e.id, e.machine_version, e.change_number, md5(e.machine), md5(s.sealed), s.version from entries e "
                                     "left join entry_segments s on s.entry_id = e.id where e.user_id = %s order by e.id", client.id)
