"""Starts again at once whatever was killed, as systemd would, and counts how often."""

import pathlib
import subprocess
import threading

from processes import PROGRAM


class Supervisor:
    def __init__(self, rig):
        self.rig = rig
        self.wanted = {}
        self.exits = []
        self.lock = threading.RLock()
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def watch(self, name, what, **more):
        with self.lock:
            self.wanted[name] = (what, more)

    def unwatch(self, name):
        with self.lock:
            return self.wanted.pop(name, None)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
        self.look()

    def run(self):
        while not self.done.wait(0.02):
            self.look()

    def look(self):
        with self.lock:
            for name, (what, more) in self.wanted.items():
                process = self.rig.processes.get(name)
                if process is not None and process.poll() is not None:
                    self.exits.append((name, process.returncode))
                    self.rig.leases.died(process.pid, was_last_worker=what == "work" and not self.works())
                    spawn(self.rig, name, what, **more)

    def works(self):
        """Whether a worker lives."""
        return any(
            name.startswith("work") and process is not None and process.poll() is None for name, process in self.rig.processes.items()
        )


def spawn(rig, name, what, **more):
    """Without waiting for its readiness."""
    log = open(pathlib.Path(rig.folder) / "logs" / f"{name}.log", "ab")
    rig.processes[name] = subprocess.Popen([PROGRAM, what], env={**rig.environment, **more}, stdout=log, stderr=log)
    log.close()
    return rig.processes[name]
