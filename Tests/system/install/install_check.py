"""scripts/install-check: boots machines, runs its parts in them and prints every outcome. scripts/install-check --help says more."""

import argparse
import dataclasses
import fcntl
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import install_check_faults
import install_check_first
import install_check_restore
import install_check_upgrade
from install_check_first import CERTIFICATE
from install_check_machine import Machine
from install_check_root import CannotBoot, nspawn, root

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".build/install-check"
# Caddy has names below localhost signed by an authority of its own.
HOST = "diary.localhost"


class Broken(Exception):
    """What comes after this step cannot be tried."""


@dataclasses.dataclass
class Step:
    part: str
    did: str
    ok: bool
    message: str
    seconds: float


class Report:
    """What was done, printed at once and kept for the table at the end."""

    def __init__(self):
        self.steps, self.part, self.last = [], "", time.monotonic()

    def begin(self, part, what):
        self.part, self.last = part, time.monotonic()
        print(f"\n== {part}: {what}", flush=True)

    def saw(self, did, ok, message="", go_on=True):
        """An outcome; without `go_on` a bad one ends the part."""
        now = time.monotonic()
        step = Step(self.part, did, bool(ok), " ".join(str(message).split()), round(now - self.last, 1))
        self.last = now
        self.steps.append(step)
        print(
            f"  {'ok' if step.ok else 'FAILED':6} {step.seconds:7.1f} s  {did}{': ' if step.message else ''}{step.message[:600]}",
            flush=True,
        )
        if not ok and not go_on:
            raise Broken(did)
        return ok

    def ran(self, did, done, expect="", go_on=False):
        """A command that ended: right with status 0, without an error of SQL, and with these words in what it printed."""
        text = done.stdout + done.stderr
        ok = done.returncode == 0 and not re.search(r"^(?:psql:\S* )?ERROR:", text, re.M) and re.search(expect, text)
        found = re.search(f".*(?:{expect}).*", text) if expect else None
        tail = "\n".join(text.strip().splitlines()[-12:])
        return self.saw(did, ok, (found[0] if found else "") if ok else f"status {done.returncode}: {tail}", go_on)

    def quote(self, text):
        for line in text.rstrip().splitlines():
            print(f"         | {line}", flush=True)


class Lab:
    """What the parts work with."""

    def __init__(self, report, wanted):
        self.report, self.package, self.before, self.machines = report, pathlib.Path(wanted.package), None, []
        if wanted.before:
            self.before = pathlib.Path(wanted.before)
        self.host, self.keep = HOST, wanted.keep
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.lock = (FOLDER / "lock").open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotBoot("another scripts/install-check runs in this checkout") from None
        print(
            "preparing a Debian root" if wanted.fresh or not list(FOLDER.glob("root-*")) else "using the Debian root made before",
            flush=True,
        )
        self.base = root(FOLDER, [p for p in (self.package, self.before) if p], HOST, wanted.fresh)
        self.nspawn = nspawn(FOLDER)

    def machine(self, name):
        machine = Machine(FOLDER / "machines", self.base, self.nspawn, name)
        self.machines.append(machine)
        return machine

    def client(self, machine, *words):
        """The client's process in the machine's network."""
        return machine.in_network("install_check_client.py", self.host, f"{machine.root}{CERTIFICATE}", *words)

    def is_ready(self, machine):
        """Whether /readyz says so over TLS."""
        done = machine.run(f"curl -s --cacert {CERTIFICATE} --max-time 5 https://{self.host}/readyz", seconds=20)
        return '"status":"ready"' in done.stdout.replace(" ", "")

    def ask(self, machine, *words, seconds=900):
        """A client that ended."""
        process = self.client(machine, *words)
        try:
            out, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, said = process.communicate()
        return subprocess.CompletedProcess(words, process.returncode, out, said)

    def end(self):
        for machine in self.machines:
            machine.stop()
            if not self.keep:
                shutil.rmtree(machine.root.parent, ignore_errors=True)


def run(lab, only):
    def wanted(part):
        return not only or part in only

    if not only or set(only) - {"upgrade"}:
        machine = install_check_first.install(lab, lab.package)
        if wanted("restored"):
            install_check_restore.restored(lab, machine)
        if wanted("frozen"):
            install_check_faults.frozen(lab, machine)
        if wanted("late"):
            install_check_faults.late(lab, machine)
        machine.stop()
    if lab.before and wanted("upgrade"):
        install_check_upgrade.upgrade(lab)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="scripts/install-check", add_help=False)
    parser.add_argument("--package", required=True)
    parser.add_argument("--before")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--json")
    wanted = parser.parse_args()
    report, lab, began = Report(), None, time.monotonic()
    try:
        lab = Lab(report, wanted)
        run(lab, wanted.only)
    except CannotBoot as error:
        print(error, file=sys.stderr)
        return 3
    except Broken:
        pass
    except KeyboardInterrupt:
        report.saw("interrupted", False)
    finally:
        if lab:
            lab.end()
    print(f"\n{'part':9} {'outcome':7} {'s':>7}  step")
    for step in report.steps:
        print(f"{step.part:9} {'ok' if step.ok else 'FAILED':7} {step.seconds:7.1f}  {step.did}")
    bad = sum(not step.ok for step in report.steps)
    print(f"\n{len(report.steps)} steps, {bad} failed, {time.monotonic() - began:.0f} s")
    if wanted.json:
        pathlib.Path(wanted.json).write_text(json.dumps([dataclasses.asdict(step) for step in report.steps], indent=1) + "\n")
    return 1 if bad or not report.steps else 0


if __name__ == "__main__":
    sys.exit(main())
