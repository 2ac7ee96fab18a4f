"""Runners of due schedules that are killed."""

import subprocess
import threading

from processes import PROGRAM


class Runners:
    """Three workers, and two cron jobs beside them that run the command again and again; one of the five is killed now and then."""

    def __init__(self, rig):
        self.rig, self.stopping, self.killed = rig, threading.Event(), 0
        self.cron = [None, None]
        for name in ("second", "third"):
            rig.start("work", name)
        self.threads = [threading.Thread(target=self.loop, args=(number,)) for number in range(2)]
        for thread in self.threads:
            thread.start()

    def loop(self, number):
        while not self.stopping.is_set():
            self.cron[number] = subprocess.Popen(
                [PROGRAM, "exports", "run-due"], env=self.rig.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            self.cron[number].wait()

    def kill_one(self, pick):
        self.killed += 1
        if pick.random() < 0.4 and (process := pick.choice(self.cron)):
            process.kill()
            return
        name = pick.choice(["work", "second", "third"])
        self.rig.processes.pop(name).kill()
        self.rig.start("work", name)

    def end(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(30)
