"""Runs a command that must end: past its time it says where each thread stands, ends it with everything it started, and fails.

Ctrl-C reaches the command as without it: both are in one process group, and with --background it is passed on.
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
SHOWN = ("diaryPackageTests"[:15], "diary", "diary-fuzz")
"""Programs whose threads are shown, by the 15 bytes that the system keeps of a name."""
GRACE = 30
"""Seconds in which a command that is asked to end may clean up: tests end their servers, acts of scripts/chaos their services."""


class Terminated(BaseException):
    """A signal that asks this program to end."""

    def __init__(self, number: int):
        self.number = number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--background", action="store_true", help="with what all others leave of the processors")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="after --")
    given = parser.parse_args()
    given.command = given.command[given.command[:1] == ["--"] :]
    if not given.command:
        parser.error("a command is needed")
    return given


def read(process: int, name: str) -> str:
    try:
        return pathlib.Path(f"/proc/{process}/{name}").read_text(errors="replace")
    except OSError:  # gone
        return ""


def parent(process: int) -> int:
    after_name = read(process, "stat").rpartition(")")[2].split()
    return int(after_name[1]) if after_name else 0


def began(process: int) -> str:
    """With its number, names a process for good: numbers are used again."""
    after_name = read(process, "stat").rpartition(")")[2].split()
    return after_name[19] if after_name else ""


def is_shown(process: int) -> bool:
    return read(process, "comm").strip() in SHOWN


def descendants() -> list[int]:
    """Those that were started, and theirs; parents before children."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            children.setdefault(parent(int(name)), []).append(int(name))
    found = [os.getpid()]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def show_threads():
    if not shutil.which("gdb"):
        print("gdb is not installed: where it stood is not known", file=sys.stderr)
        return
    for process in filter(is_shown, descendants()):
        look = ["gdb", "-p", str(process), "-batch", "-ex", "set print frame-arguments none", "-ex", "thread apply all bt 30"]
        try:
            seen = subprocess.run(
                look, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120, check=False
            )
        except subprocess.TimeoutExpired:
            continue
        print(seen.stdout if "\nThread " in seen.stdout else seen.stderr, file=sys.stderr, flush=True)


def end_all(process: subprocess.Popen, first: signal.Signals):
    """First by the signal; then the programs whose children end with them; then all that is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    everyone = {one: began(one) for one in descendants()}
    left = [one for one in everyone if is_shown(one)]

    def kill(which):
        for one in which:
            if began(one) == everyone.get(one):
                with contextlib.suppress(OSError):
                    os.kill(one, signal.SIGKILL)

    process.send_signal(first)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    kill([process.pid, *left])
    time.sleep(2)
    kill(everyone)
    process.wait()


def give_way():
    """Where the kernel groups processes by session (sched(7), autogroup), nice values count within a session only: this one has its own.
    Above the least, or a build would begin in earnest when all others have ended."""
    os.nice(10)
    with contextlib.suppress(OSError):
        pathlib.Path("/proc/self/autogroup").write_text("10")


def main():
    given = arguments()
    for number in (signal.SIGTERM, signal.SIGHUP):
        # Under nohup it stays ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, raise_terminated)
    process = subprocess.Popen(given.command, start_new_session=given.background, preexec_fn=give_way if given.background else None)
    deadline = time.monotonic() + given.seconds
    while True:
        try:
            status = process.wait(max(0.0, deadline - time.monotonic()))
            sys.exit(status if status >= 0 else 128 - status)
        except KeyboardInterrupt:
            if given.background:
                os.killpg(process.pid, signal.SIGINT)
            continue  # otherwise it has had the signal too
        except Terminated as terminated:
            end_all(process, signal.Signals(terminated.number))
            sys.exit(128 + terminated.number)
        except subprocess.TimeoutExpired:
            print(f"not done after {given.seconds:.0f} s: {' '.join(given.command)}", file=sys.stderr, flush=True)
            try:
                show_threads()
            finally:
                end_all(process, signal.SIGINT)
            sys.exit(TOO_LATE)


def raise_terminated(number, _frame):
    raise Terminated(number)


main()
