"""The speech server of speech/, with a real model, for tests that hear."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
from http.client import HTTPConnection

from processes import wait_for
from servers import ROOT

HOME = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "diary/speech"
VOICES = HOME / "voices"


class SpeechServer:
    """On a Unix socket, ended with the tests. model: `base` hears all languages, `tiny.en` English, in a third of the time."""

    def __init__(self, model="base", **options):
        self.folder = tempfile.mkdtemp(prefix="diary-hear-", dir="/tmp")
        self.socket = f"{self.folder}/s"
        self.log = open(f"{self.folder}/log", "wb")
        self.model, self.options = model, options
        self.start()

    def start(self):
        more = [word for name, value in self.options.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", HOME / "venv/bin/python", ROOT / "speech/server.py"]
            + ["--socket", self.socket, "--model", HOME / self.model, *more],
            stdout=self.log,
            stderr=self.log,
            stdin=subprocess.DEVNULL,
        )
        wait_for(lambda: os.path.exists(self.socket) or self.process.poll() is not None, 120, "the speech server")
        assert self.process.poll() is None, self.said()

    def kill(self):
        self.process.kill()
        self.process.wait()
        # As after a power cut: the socket's file stays.

    def end(self):
        self.kill()
        self.log.close()
        subprocess.run(["rm", "-rf", self.folder])

    def said(self):
        return pathlib.Path(f"{self.folder}/log").read_text()

    @property
    def settings(self):
        """For a rig that hears."""
        return {"DIARY_PROBE": "ffmpeg", "DIARY_SPEECH": "local", "DIARY_SPEECH_SOCKET": self.socket}

    @property
    def memory(self):
        """Resident and highest resident bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        value = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if line.startswith("Vm")}
        return int(value["VmRSS"]) * 1024, int(value["VmHWM"]) * 1024

    def get(self, path):
        connection = HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.connect(self.socket)
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())
