"""Runs a command that must end: past its time it says where each thread stands, ends it with everything it started, and fails.

Ctrl-C reaches the command as without it: both are in one process group.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys

TOO_LATE = 124
"""Exit status of a command that was ended, as timeout(1) has it."""
LOOKED_INTO = ("diaryPackageTests", "diary")
"""Names of programs whose threads are shown; 15 bytes of a name are known."""


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


def descendants(process: int) -> list[int]:
    """Those that it started, and theirs; parents before children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (parent := status_of(int(name)).get("PPid")):
            children.setdefault(int(parent), []).append(int(name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def show_threads(processes: list[int]):
    if not shutil.which("gdb"):
        print("gdb is not installed: where it stood is not known", file=sys.stderr)
        return
    for process in processes:
        if status_of(process).get("Name", "") in {name[:15] for name in LOOKED_INTO}:
            look = ["gdb", "-p", str(process), "-batch", "-ex", "set print frame-arguments none", "-ex", "thread apply all bt 30"]
            subprocess.run(look, stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=subprocess.DEVNULL, timeout=120, check=False)


def end(processes: list[int]):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def main():
    given = arguments()
    process = subprocess.Popen(given.command)
    while True:
        try:
            status = process.wait(given.seconds)
            sys.exit(status if status >= 0 else 128 - status)
        except KeyboardInterrupt:
            continue  # it has had the signal too
        except subprocess.TimeoutExpired:
            print(f"not done after {given.seconds:.0f} s: {' '.join(given.command)}", file=sys.stderr, flush=True)
            processes = descendants(process.pid)
            try:
                show_threads(processes)
            finally:
                end([process.pid, *descendants(process.pid), *processes])
                process.wait()
            sys.exit(TOO_LATE)


main()
