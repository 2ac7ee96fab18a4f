"""Runs the command of a part: its output goes to a log and, filtered, to the terminal; past its time it is ended by within.py."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LOGS = ROOT / ".build/gate"
WITHIN = ROOT / "scripts/lib/within.py"


class Interrupted(BaseException):
    """A signal that asks this program to end."""

    def __init__(self, number):
        self.number = number


def always(_line):
    return True


def run(part, command, seconds, shown=always, environment=None):
    """Runs a command of the part and returns its status. Every line goes to the part's log, lines for which `shown` is true to the terminal."""
    LOGS.mkdir(parents=True, exist_ok=True)
    is_first = part.log is None
    if is_first:
        part.log = LOGS / f"{part.name.replace(' ', '-').replace(',', '')}.log"
        print(f"\n== {part.name}", flush=True)
    began = time.monotonic()
    limited = [sys.executable, str(WITHIN), "--seconds", str(seconds), "--", *map(str, command)]
    with open(part.log, "wb" if is_first else "ab") as log:
        process = subprocess.Popen(
            limited, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}
        )
        reader = threading.Thread(target=copy, args=(process.stdout, log, shown), daemon=True)
        reader.start()
        received = wait(process)
        # A process that outlives the command keeps the pipe open.
        reader.join(5)
    part.seconds += time.monotonic() - began
    part.status = part.status or process.returncode
    if received:
        raise Interrupted(received)
    return process.returncode


def wait(process):
    """Waits for the process. Returns the signal that asked to end meanwhile; SIGINT reaches the whole process group, others are passed on."""
    received = None

    def note(number, _frame):
        nonlocal received
        received = number
        if number != signal.SIGINT:
            process.send_signal(number)

    numbers = [n for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return received


def copy(source, log, shown):
    for line in source:
        if not log.closed:
            log.write(line)
        text = line.decode(errors="replace").rstrip("\n")
        if shown(text):
            print("".join(c if c.isprintable() or c == "\t" else "·" for c in text), flush=True)
