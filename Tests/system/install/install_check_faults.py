"""What must mend itself in an installed service: a process that froze, a boot at which the database comes late."""

import time

from install_check_first import UNITS, isolation, look, main_job
from install_check_machine import wait

# How long after the boot the database comes.
LATE = 30
# A line for each pool of connections in ten seconds, and the API is started some times.
MOST_LINES = 100


def frozen(lab, machine):
    report = lab.report
    report.begin("frozen", "the API stops working; its watchdog is at 30 s")
    old = machine.property("diary-api", "MainPID")
    machine.run(f"kill -STOP {old}")
    new, seconds = wait(lambda: machine.property("diary-api", "MainPID") not in (old, "0"), 90)
    report.saw("systemd ends it and starts it again", new, f"after {seconds:.0f} s")
    ready, seconds = wait(lambda: lab.is_ready(machine), 30)
    report.saw("it is ready over TLS", ready, f"{seconds:.0f} s later")


def late(lab, machine):
    report = lab.report
    report.begin("late", f"a boot at which the database comes {LATE} s late")
    report.ran("Postgres is kept from starting", machine.run("systemctl mask --quiet postgresql postgresql@15-main"))
    machine.stop()
    seconds = machine.boot()
    report.saw("the machine boots without it", True, f"{seconds:.0f} s; systemd is {machine.state()}")
    time.sleep(LATE)
    states = {unit: machine.property(unit, "ActiveState") for unit in UNITS}
    report.saw("no unit failed", "failed" not in states.values() and not lab.is_ready(machine), states)
    began = time.monotonic()
    report.ran("the database comes", machine.run("systemctl unmask --quiet postgresql postgresql@15-main; systemctl start postgresql"))
    ready, _ = wait(lambda: lab.is_ready(machine), 90)
    report.saw("the service is ready over TLS, without a hand", ready, f"{time.monotonic() - began:.0f} s after the database")
    running, _ = wait(lambda: all(machine.property(unit, "ActiveState") == "active" for unit in UNITS), 30)
    restarts = {unit: machine.property(unit, "NRestarts") for unit in UNITS}
    report.saw("all units run", running, f"tries after the first: {restarts}")
    failed = machine.run("systemctl --failed --plain --no-legend").stdout.strip()
    report.saw("no unit of the machine is failed", not failed, failed)
    found = isolation(machine)
    report.saw("sandbox state", found and set(found) == {"namespaces"}, ", ".join(found) or "no line")
    lines = {unit: machine.journal(unit).count("connection refused") for unit in ("diary-api", "diary-worker")}
    report.saw("the logs say it without a flood", all(0 < count <= MOST_LINES for count in lines.values()), f"lines about it: {lines}")
    look(lab, machine, "the account of before the boot reads and hears its entry")
    main_job(lab, machine, "after")
