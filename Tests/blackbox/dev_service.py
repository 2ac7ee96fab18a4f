"""`diary dev` in a folder of its own, and what it prints."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading

from processes import PROGRAM, free_port, wait_for


class Dev:
    def __init__(self, scripted=True):
        """`scripted`: media that need no programs."""
        # Below /tmp and open, so that the databases can be in it when this is root.
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="diary-dev-", dir="/tmp"))
        self.root.chmod(0o755)
        self.folder, self.scripts, self.port = self.root / "state", self.root / "scripts", free_port()
        self.scripts.mkdir()
        own = {k: v for k, v in os.environ.items() if not k.startswith("DIARY_")}
        media = {f"DIARY_{name}": "scripted" for name in ("PROBE", "SPEECH", "CLEANUP")} | {"DIARY_SCRIPTS": str(self.scripts)}
        self.given = media if scripted else {}
        self.environment, self.url = own, f"http://127.0.0.1:{self.port}"
        self.log = open(self.root / "log", "wb")
        self.process = subprocess.Popen(
            [PROGRAM, "dev", "--port", str(self.port), "--folder", self.folder],
            env=own | self.given,
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.lines = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def says(self, pattern):
        """Waits for a line on standard output."""

        def found():
            assert self.process.poll() is None, (self.lines, (self.root / "log").read_text()[-2000:])
            return next((m for m in map(re.compile(pattern).search, list(self.lines)) if m), None)

        return wait_for(found, 60, f"{pattern!r} in {self.lines}")

    def shell(self, line, code=0):
        """With the settings of `diary dev env`, as its user's shell has them."""
        done = subprocess.run(
            ["bash", "-c", f'set -e; eval "$("{PROGRAM}" dev env --folder "{self.folder}")"; "{PROGRAM}" {line}'],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == code, (line, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0
        self.reader.join(10)

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.log.close()
        subprocess.run(["rm", "-rf", self.root])
