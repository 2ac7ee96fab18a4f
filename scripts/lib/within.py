"""Runs a command that must end: past its time it says where each thread stands, ends it with everything it started, and fails.

Ctrl-C reaches the command as without it: both are in one process group.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

TOO_LATE = 124
"""Exit status of a command that was ended, as timeout(1) has it."""
SHOWN = ("diaryPackageTests"[:15], "diary")
"""Programs whose threads are shown, by the 15 bytes that the system keeps of a name."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="after --")
    given = parser.parse_args()
    given.command = given.command[given.command[:1] == ["--"] :]
    if not given.command:
        parser.error("a command is needed")
    return given


def status_of(process: int) -> dict[str, str]:
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:  # gone
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def descendants() -> list[int]:
    """Those that were started, and theirs; parents before children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (parent := status_of(int(name)).get("PPid")):
            children.setdefault(int(parent), []).append(int(name))
    found = [os.getpid()]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def show_threads():
    if not shutil.which("gdb"):
        print("gdb is not installed: where it stood is not known", file=sys.stderr)
        return
    for process in descendants():
        if status_of(process).get("Name") in SHOWN:
            look = ["gdb", "-p", str(process), "-batch", "-ex", "set print frame-arguments none", "-ex", "thread apply all bt 30"]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(look, stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=subprocess.DEVNULL, timeout=120, check=False)


def end_all(process: subprocess.Popen):
    """First whoever holds others on a leash, so that these end by themselves and take their folders along; then what is left."""
    tests = [one for one in descendants() if status_of(one).get("Name") in SHOWN]
    for group in ([process.pid, *tests], None):
        for one in descendants() if group is None else group:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        if group:
            time.sleep(5)
    process.wait()


def main():
    given = arguments()
    process = subprocess.Popen(given.command)

    def ended(number, frame):
        end_all(process)
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    deadline = time.monotonic() + given.seconds
    while True:
        try:
            status = process.wait(max(0.0, deadline - time.monotonic()))
            sys.exit(status if status >= 0 else 128 - status)
        except KeyboardInterrupt:
            continue  # it has had the signal too
        except subprocess.TimeoutExpired:
            print(f"not done after {given.seconds:.0f} s: {' '.join(given.command)}", file=sys.stderr, flush=True)
            show_threads()
            end_all(process)
            sys.exit(TOO_LATE)


main()
