"""Ceph's object gateway on a free port of the loopback address, which keeps its data in memory.

    with S3Server() as server: …          # in a test; `server.url`, ACCESS_KEY, SECRET_KEY

As a program it runs a command beside one server, which the rigs of the command then use (`DIARY_TEST_S3`), and ends with its status:

    s3_server.py COMMAND…
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import http_client
from processes import free_port

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "TestServers/S3/radosgw.sh"
ACCESS_KEY, SECRET_KEY, REGION = "testaccesskey", "testsecretkey", "us-east-1"
IS_INSTALLED = pathlib.Path("/usr/bin/radosgw").exists()
GIVEN = "DIARY_TEST_S3"
"""The address of a server that runs already: rigs then keep their objects in buckets of it."""


class S3Server:
    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        folder = tempfile.mkdtemp(prefix="diary-s3-", dir="/tmp")
        # It ends when its standard input closes, however this process ends. Ctrl-C is for the tests, which need it a moment longer.
        self.process = subprocess.Popen(
            ["bash", SCRIPT, folder, str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        try:
            self.wait()
        except BaseException:
            self.end()
            raise

    def wait(self):
        if self.process.stdout.readline() != b"started\n":
            raise RuntimeError("radosgw did not start: radosgw ceph-mon ceph-osd ceph-common must be installed")
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                # A list of no buckets, for anybody.
                if http_client.get(self.url, timeout=5).status_code == 200:
                    return
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("radosgw does not answer")
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def beside(command):
    """Runs the command beside a server; returns its status. Signals that ask this program to end go to the command."""
    with S3Server() as server:
        running = subprocess.Popen(command, env={**os.environ, GIVEN: server.url})
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: running.send_signal(number))
        # The terminal sends it to the command as well.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = running.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(beside(sys.argv[1:]))
