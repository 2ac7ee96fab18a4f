"""scripts/ease: runs the rows and prints every outcome. scripts/ease --help says more."""

import argparse
import dataclasses
import fnmatch
import json
import pathlib
import re
import signal
import subprocess
import sys
import time

import ease_environment
import ease_folders
import ease_interrupts
import ease_people
import ease_ports
from ease_machine import CannotCopy, Machine, why_not

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROWS = [*ease_people.ROWS, *ease_ports.ROWS, *ease_folders.ROWS, *ease_interrupts.ROWS, *ease_environment.ROWS]

OUTCOMES = {True: "ok", False: "NOT OK", None: "left out"}


class Skip(Exception):
    """The row cannot run here; the text says why."""


@dataclasses.dataclass
class Step:
    did: str
    code: int | None
    message: str
    # None: left out, the message says why.
    ok: bool | None


class Lab:
    """What a row works with: machines, and a place to say what it saw."""

    def __init__(self, row, logs):
        self.row, self.logs, self.steps, self.machines = row, logs, [], 0

    def machine(self, **more):
        logs = None
        if self.logs:
            self.machines += 1
            logs = pathlib.Path(self.logs) / self.row / str(self.machines)
            logs.mkdir(parents=True, exist_ok=True)
        try:
            return Machine(ROOT, logs=logs, **more)
        except CannotCopy as error:
            raise Skip(str(error)) from None

    def saw(self, did, command, code, words):
        """A command that ended: right when its exit code is `code` and some line of it matches `words`."""
        lines = [line.strip() for line in command.text.splitlines() if line.strip()]
        found = [line for line in lines if re.search(words, line)]
        raw = re.search(r"Traceback|Fatal error|Stack dump|unbound variable", command.text)
        ok = command.code == code and bool(found) and not raw
        self.steps.append(Step(did, command.code, (found or lines[-1:] or [""])[0], bool(ok)))
        return ok

    def held(self, did, ok, message=""):
        """Something that is so or not."""
        self.steps.append(Step(did, None, str(message), bool(ok)))
        return ok

    def left_out(self, did, why):
        """A part of the row that this machine cannot show."""
        self.steps.append(Step(did, None, why, None))

    def skip(self, why):
        raise Skip(why)


def build():
    """As scripts/demo does it: rows then find everything built."""
    print("building the checkout once; rows work on copies of it", flush=True)
    subprocess.run(["swift", "build", "--product", "diary"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def main():
    # A job in the background of a script is started with Ctrl-C ignored, and would hand that on to everything it runs.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="scripts/ease", add_help=False)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--keep-logs")
    wanted = parser.parse_args()
    if wanted.list:
        for name, what, _ in ROWS:
            print(f"{name:22} {what}")
        return 0
    unknown = [w for w in wanted.only if not any(fnmatch.fnmatch(name, w) for name, _, _ in ROWS)]
    if unknown:
        print(f"no such row: {', '.join(unknown)}; --list names them", file=sys.stderr)
        return 2
    rows = [r for r in ROWS if not wanted.only or any(fnmatch.fnmatch(r[0], w) for w in wanted.only)]
    impossible = why_not()
    if not impossible and not wanted.no_build:
        build()
    results = [run(row, wanted.keep_logs, impossible) for row in rows]
    counts = {state: sum(r["state"] == state for r in results) for state in ("ok", "NOT OK", "skipped")}
    print(f"\n{len(results)} rows: {counts['ok']} ok, {counts['NOT OK']} not ok, {counts['skipped']} skipped")
    if wanted.json:
        pathlib.Path(wanted.json).write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return 1 if counts["NOT OK"] else 0


def run(row, logs, impossible):
    name, what, body = row
    lab, began, why = Lab(name, logs), time.monotonic(), impossible
    state = "skipped"
    if not impossible:
        try:
            body(lab)
            state = "NOT OK" if any(s.ok is False for s in lab.steps) or not any(s.ok for s in lab.steps) else "ok"
        except Skip as reason:
            why = str(reason)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            state, why = "NOT OK", f"the row itself stumbled: {error}"
    seconds = time.monotonic() - began
    print(f"\n{state:7} {name}: {what} ({seconds:.0f} s)")
    for step in lab.steps:
        code = "" if step.code is None else f" -> exit {step.code}"
        print(f"    {OUTCOMES[step.ok]:8} {step.did}{code}{': ' if step.message else ''}{step.message[:400]}")
    if why and state != "ok":
        print(f"    {why}")
    sys.stdout.flush()
    return {
        "row": name,
        "what": what,
        "state": state,
        "why": why,
        "seconds": round(seconds, 1),
        "steps": [dataclasses.asdict(s) for s in lab.steps],
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
