"""Processes of the service: started, stopped, killed and started again."""

import contextlib
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import time

import requests

import http_client
from servers import ROOT

PROGRAM = pathlib.Path(os.environ.get("DIARY_PROGRAM", ROOT / ".build/debug/diary"))


def free_port():
    """Below those that the system hands out: while a service is down, a client of its port could otherwise be given that very port, and meet itself."""
    end = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    begin = max(1024, end - 16_000)
    if end - begin < 1000:  # A machine that hands out nearly all of them.
        begin, end = 20_000, 60_000
    while True:
        port = begin + secrets.randbelow(end - begin)
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port


def wait_for(condition, seconds, what):
    """Waits on a condition with a deadline; returns its first truthy value. Looks less often the longer it waits: most looks are requests."""
    began = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - began
        assert waited < seconds, f"{what} did not happen within {seconds} s"
        time.sleep(min(0.15, 0.04 + waited / 12))


class Processes:
    """Runs commands of the program in one environment. Logs are in `folder`/logs."""

    def __init__(self, folder, url, environment):
        self.folder, self.url, self.environment = folder, url, environment
        self.processes = {}

    def diary(self, *words):
        done = subprocess.run([PROGRAM, *words], env=self.environment, capture_output=True, text=True, timeout=5 * http_client.PATIENCE)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def start(self, what, name=None, **more):
        """Starts `diary serve` or `diary work`; API starts are waited for."""
        name = name or what
        log = open(self.folder / "logs" / f"{name}.log", "ab")
        process = subprocess.Popen([PROGRAM, what], env={**self.environment, **more}, stdout=log, stderr=log)
        self.processes[name] = process
        if what == "serve":

            def alive():
                assert process.poll() is None, (self.folder / "logs" / f"{name}.log").read_text()[-3000:]
                try:
                    return http_client.get(self.url + "/readyz", timeout=2).status_code == 200
                except requests.RequestException:
                    return False

            wait_for(alive, 20, "readiness")
        return process

    def stop(self, name, how=signal.SIGTERM):
        process = self.processes.pop(name)
        process.send_signal(how)
        try:
            return process.wait(40)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def supervise(self, what, name=None, **more):
        """Like a process supervisor: starts it again when it has ended. Returns whether it had."""
        name = name or what
        process = self.processes[name]
        if process.poll() is None:
            return False
        self.start(what, name, **more)
        return True

    def kill_all(self):
        for name in list(self.processes):
            self.processes.pop(name).kill()

    def log_text(self):
        return "".join(p.read_text(errors="replace") for p in (self.folder / "logs").iterdir())
