"""What an act stands on: a service of its own, a bystander, a history, an oracle; and what it may ask of the run."""

import contextlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading

import shim
from bystander import Bystander
from history import History
from leases import Leases
from oracle import Oracle
from rig import Rig
from s3_server import GIVEN

OFTEN = {"DIARY_SWEEP_SECONDS": "0.5", "DIARY_POLL_SECONDS": "0.5"}
"""What is measured here are the times until a dead worker's job is taken up: workers look twice as often as those of a rig."""


class Skipped(Exception):
    """The act cannot be played on this machine; the reason."""


class NotApplicable(Exception):
    """The act says nothing about this store; the reason."""


class Run:
    def __init__(self, seed, long, out, quiet=False):
        self.seed, self.long, self.out, self.quiet = seed, long, out, quiet
        self.lock = threading.Lock()
        self.rigs = []
        self.has_bucket = GIVEN in os.environ

    def needs_folder(self, reason):
        """For acts on a folder of objects: the reason why they do not apply to a bucket."""
        if self.has_bucket:
            raise NotApplicable(reason)

    def pick(self, fast, long):
        return long if self.long else fast

    def random(self, act):
        return random.Random(f"{self.seed}:{act}")

    def say(self, act, text):
        """A line of progress, or what a failure left behind."""
        if self.quiet and act != "failure":
            return
        with self.lock:
            print(f"  {act}: {text}", file=self.out, flush=True)

    @contextlib.contextmanager
    def rig(self, speech=None, **settings):
        rig = Rig(**{**OFTEN, **settings})
        with self.lock:
            self.rigs.append(rig)
        try:
            rig.calls = rig.folder / "calls"  # of the recogniser
            rig.script("speech", calls_log=str(rig.calls), **(speech or {}))
            rig.history = History(rig.folder / "history.jsonl")
            rig.leases = Leases(rig)
            yield rig
        except Exception:
            self.keep(rig)
            raise
        finally:
            self.end(rig)

    def keep(self, rig):
        """What a reader needs to understand a failure: logs, history and the jobs as they were."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-chaos-", dir="/tmp"))
        shutil.copytree(rig.folder / "logs", folder / "logs")
        for path in (rig.folder / "history.jsonl", rig.calls, pathlib.Path(rig.postgres.log)):
            if path.exists():
                shutil.copy(path, folder / path.name)
        try:
            for table in ("jobs", "entries"):
                rows = rig.postgres.sql("diary", f"select to_jsonb(t) - array['personal', 'machine', 'request_hash'] from {table} t")
                (folder / f"{table}.jsonl").write_text("".join(json.dumps(row[0]) + "\n" for row in rows))
        except Exception as error:
            (folder / "database").write_text(f"{type(error).__name__}: {error}")
        self.say("failure", f"logs, history and jobs are in {folder}")

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
        if hasattr(rig, "leases"):
            rig.leases.end()
        # A stopped process does not hear; the rig kills.
        rig.end()

    def end_all(self):
        for rig in list(self.rigs):
            self.end(rig)
        shim.end()


def calls(rig):
    """How often the recogniser was asked, the bystander's recording left out."""
    return max(0, len(rig.calls.read_text().splitlines()) - 1) if rig.calls.exists() else 0


def worked(rig):
    """Errors and crashes that the jobs count."""
    return rig.postgres.sql("diary", "select coalesce(sum(errors), 0)::int, coalesce(sum(crashes), 0)::int from jobs")[0]


def mounted(folder, megabytes):
    """A small disk; False when this user may not."""
    return (
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(folder)], capture_output=True).returncode
        == 0
    )
