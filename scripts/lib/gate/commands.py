"""Runs the commands of parts: the output goes to a log and, filtered, to the terminal; past its time a command is ended by within.py."""

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


class Signals:
    """Signals that ask this program to end: noted, and passed on to the commands that run. SIGINT reaches them by itself, as they are in the
    same process group."""

    def __init__(self):
        self.received = None
        self.processes = set()

    def catch(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.note)

    def note(self, number, _frame):
        self.received = number
        if number != signal.SIGINT:
            for process in list(self.processes):
                process.send_signal(number)

    def check(self):
        if self.received:
            raise Interrupted(self.received)


SIGNALS = Signals()


def always(_line):
    return True


def never(_line):
    return False


class Running:
    """A command of a part that has been started. Every line goes to the part's log, lines for which `shown` is true to the terminal."""

    def __init__(self, part, command, seconds, shown=always, environment=None, gives_way=False):
        SIGNALS.check()
        LOGS.mkdir(parents=True, exist_ok=True)
        is_first = part.log is None
        if is_first:
            part.log = LOGS / f"{part.name.replace(' ', '-').replace(',', '')}.log"
        self.part, self.began = part, time.monotonic()
        self.log = open(part.log, "wb" if is_first else "ab")
        limited = [
            sys.executable,
            str(WITHIN),
            "--seconds",
            str(seconds),
            *(["--background"] if gives_way else []),
            "--",
            *map(str, command),
        ]
        self.process = subprocess.Popen(
            limited, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}
        )
        SIGNALS.processes.add(self.process)
        self.reader = threading.Thread(target=copy, args=(self.process.stdout, self.log, shown), daemon=True)
        self.reader.start()

    def wait(self):
        """Waits for the command's end and returns its status."""
        self.process.wait()
        SIGNALS.processes.discard(self.process)
        # A process that outlives the command keeps the pipe open.
        self.reader.join(5)
        self.log.close()
        self.part.seconds += time.monotonic() - self.began
        self.part.status = self.part.status or self.process.returncode
        SIGNALS.check()
        return self.process.returncode


def run(part, command, seconds, shown=always, environment=None):
    """Runs a command of the part and returns its status."""
    if part.log is None:
        print(f"\n== {part.name}", flush=True)
    return Running(part, command, seconds, shown, environment).wait()


def copy(source, log, shown):
    for line in source:
        if not log.closed:
            log.write(line)
        text = line.decode(errors="replace").rstrip("\n")
        if shown(text):
            print("".join(c if c.isprintable() or c == "\t" else "·" for c in text), flush=True)
