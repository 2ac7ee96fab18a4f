"""What an act stands on: a service of its own, a bystander, a history, an oracle; and what it may ask of the run."""

import contextlib
import random
import subprocess
import threading

from history import History
from oracle import Bystander, Oracle
from rig import Rig


class Skipped(Exception):
    """The act cannot be played on this machine; the reason."""


class Run:
    def __init__(self, seed, long, out):
        self.seed, self.long, self.out = seed, long, out
        self.lock = threading.Lock()
        self.rigs = []

    def pick(self, fast, long):
        return long if self.long else fast

    def random(self, act):
        return random.Random(f"{self.seed}:{act}")

    def say(self, act, text):
        with self.lock:
            print(f"  {act}: {text}", file=self.out, flush=True)

    @contextlib.contextmanager
    def rig(self, speech=None, **settings):
        rig = Rig(**settings)
        with self.lock:
            self.rigs.append(rig)
        try:
            rig.calls = rig.folder / "calls"
            rig.script("speech", calls_log=str(rig.calls), **(speech or {}))
            rig.history = History(rig.folder / "history.jsonl")
            yield rig
        finally:
            self.end(rig)

    @contextlib.contextmanager
    def stage(self, speech=None, **settings):
        """A rig with a bystander and an oracle."""
        with self.rig(speech, **settings) as rig:
            yield rig, rig.history, Oracle(rig, rig.history, Bystander(rig))

    def end(self, rig):
        with self.lock:
            if rig not in self.rigs:
                return
            self.rigs.remove(rig)
        # A stopped process does not hear; the rig kills.
        rig.end()

    def end_all(self):
        for rig in list(self.rigs):
            self.end(rig)


def calls(rig):
    """How often the recogniser was asked, the bystander's recording left out."""
    return max(0, len(rig.calls.read_text().splitlines()) - 1) if rig.calls.exists() else 0


def worked(rig):
    """Errors and crashes that the jobs count."""
    return rig.postgres.sql("diary", "select coalesce(sum(errors), 0)::int, coalesce(sum(crashes), 0)::int from jobs")[0]


def mounted(folder, megabytes):
    """A small disk; False when this user may not."""
    return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(folder)], capture_output=True).returncode == 0
