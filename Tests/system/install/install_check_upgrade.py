"""An upgrade from an older package, with clients and data."""

import json
import shutil
import signal
import subprocess

import install_check_docs as docs
from install_check_first import UNITS, fetch_speech, install, isolation, look, main_job
from install_check_machine import wait


def upgrade(lab):
    report = lab.report
    machine = install(lab, lab.before, "older")
    report.begin("upgrade", f"{lab.before.name} to {lab.package.name}")
    before, known = state(machine), len(migrations(machine))
    shutil.copy(lab.package, machine.root / "root")
    commands = docs.own(docs.blocks("upgrade")["package"], lab.package.name, lab.host)
    report.quote(commands)
    watcher = lab.client(machine, "watch")
    watcher.stdout.readline()
    machine.folder = "/root"
    report.ran("upgrade package", machine.operate(commands), go_on=True)
    counts = stop(watcher)
    report.saw("no request failed meanwhile", counts.get("asked", 0) > 20 and counts.get("failed") == 0, json.dumps(counts))
    done = migrations(machine)[known:]
    report.saw("the databases were migrated", done[-1:] == ["keys: up to date"], ", ".join(done))
    after = state(machine)
    report.saw("the newer build is installed", after["build"] != before["build"], f"{before['build']} -> {after['build']}")
    for unit in ("diary-api", "diary-worker"):
        report.saw(f"{unit} was started anew and runs", after[unit] not in (before[unit], "0"), f"{before[unit]} -> {after[unit]}")
        line = next((line for line in reversed(machine.journal(unit).splitlines()) if '"starting"' in line), "{}")
        report.saw(f"{unit} says that it is the newer build", after["build"] in line, json.loads(line).get("version", "no line `starting`"))
    active = {unit: machine.property(unit, "ActiveState") for unit in UNITS}
    report.saw("all units run", set(active.values()) == {"active"}, active)
    report.ran("diary-admin migrate verify", machine.run("diary-admin migrate verify"), go_on=True)
    report.saw("sandbox state", isolation(machine)[-1:] == ["namespaces"], ", ".join(isolation(machine)))
    look(lab, machine, "the account of before the upgrade reads and hears its entry")
    fetch_speech(lab, machine)
    main_job(lab, machine, "after")
    without_database(lab, machine)
    back(lab, machine)
    machine.stop()
    stopped(lab)


def stopped(lab):
    """An upgrade while no process of the service runs: it starts none, and the databases are migrated before the first one that is started."""
    report = lab.report
    machine = install(lab, lab.before, "stopped")
    report.begin("upgrade", f"{lab.before.name} to {lab.package.name}, stopped")
    services = "diary-api diary-worker"
    report.ran(f"systemctl stop {services}", machine.run(f"systemctl stop {services}"))
    known = len(migrations(machine))
    shutil.copy(lab.package, machine.root / "root")
    machine.folder = "/root"
    report.ran("apt install", machine.operate(f"apt install ./{lab.package.name}"))
    active = [machine.property(unit, "ActiveState") for unit in UNITS]
    report.saw("it starts nothing", set(active) == {"inactive"}, ", ".join(active))
    report.ran(f"systemctl start {services}", machine.run(f"systemctl start {services}", seconds=90))
    done = migrations(machine)[known:]
    report.saw("the databases were migrated first", done[-1:] == ["keys: up to date"], ", ".join(done))
    ready, seconds = wait(lambda: lab.is_ready(machine), 30)
    restarts = [machine.property(unit, "NRestarts") for unit in UNITS]
    report.saw(
        "it is ready over TLS and none had to be started twice", ready and set(restarts) == {"0"}, f"{seconds:.0f} s later: {restarts}"
    )
    look(lab, machine, "the account of before the upgrade reads and hears its entry")
    fetch_speech(lab, machine)
    main_job(lab, machine, "after")
    machine.stop()


def without_database(lab, machine):
    """An installation whose migrations fail leaves the old processes, and goes on when the cause is mended."""
    report, before = lab.report, state(machine)
    machine.run("systemctl stop postgresql")
    done = machine.operate(f"apt install --reinstall ./{lab.package.name}")
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("diary:")]
    ok = done.returncode and "journalctl -u diary-migrate" in "".join(said) and "dpkg --configure diary" in "".join(said)
    report.saw("with the database away apt fails and says what to do", ok, f"{done.returncode}: {' '.join(said)}")
    report.saw("the processes of before go on", state(machine) == before, state(machine))
    machine.run("systemctl start postgresql")
    report.ran("dpkg --configure diary", machine.operate("dpkg --configure diary"))
    ready, seconds = wait(lambda: lab.is_ready(machine), 30)
    report.saw("it is ready over TLS", ready, f"{seconds:.0f} s later")


def back(lab, machine):
    """The older package over the newer one, whose migrations stay."""
    report = lab.report
    report.ran("apt install --allow-downgrades", machine.operate(f"apt install --allow-downgrades ./{lab.before.name}"))
    ready, seconds = wait(lambda: lab.is_ready(machine), 30)
    active = {unit: machine.property(unit, "ActiveState") for unit in UNITS}
    ok = ready and set(active.values()) == {"active"}
    report.saw("the older build runs again", ok, f"{state(machine)['build']}, {seconds:.0f} s later: {active}")
    look(lab, machine, "the account reads and hears its entry")


def migrations(machine):
    """What `diary migrate up` printed since the boot."""
    return [line for line in machine.journal("diary-migrate").splitlines() if line.startswith(("main:", "keys:"))]


def state(machine):
    found = {unit: machine.property(unit, "MainPID") for unit in ("diary-api", "diary-worker")}
    return {**found, "build": machine.run("cat /usr/share/diary/build").stdout.strip()}


def stop(watcher):
    watcher.send_signal(signal.SIGTERM)
    try:
        out, said = watcher.communicate(timeout=60)
        return json.loads(out.strip().splitlines()[-1]) if out.strip() else {"first_fault": said[-300:]}
    except subprocess.TimeoutExpired:
        watcher.kill()
        return {"first_fault": "the watching client did not end"}
