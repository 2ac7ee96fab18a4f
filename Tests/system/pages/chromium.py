"""Headless Chromium, driven by the DevTools protocol over a pair of pipes."""

import fcntl
import json
import os
import select
import subprocess
import time

SWITCHES = (
    "--headless=new",
    # The profile is a new one, and the pages are this project's own; root has no sandbox.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
PATIENCE = 120
"""Seconds for one command; axe on the reference takes some twenty."""


class Broken(Exception):
    """The browser ended, did not answer, or refused a command."""


class Chromium:
    def __init__(self, program, folder):
        self.net_log, self.log = folder / "net.json", folder / "chromium.log"
        # The protocol is on descriptors 3 and 4, so the pipes are moved out of the way first.
        ours = [os.pipe(), os.pipe()]
        commands, answers = [[fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in pair] for pair in ours]
        for end in (*ours[0], *ours[1]):
            os.close(end)

        def connect():
            os.dup2(commands[0], 3)
            os.dup2(answers[1], 4)

        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [program, *SWITCHES, "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", f"--log-net-log={self.net_log}"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=connect,
                pass_fds=(3, 4),
            )
        os.close(commands[0])
        os.close(answers[1])
        self.to, self.of, self.rest = commands[1], answers[0], b""
        self.number, self.answers, self.listeners = 0, {}, {}

    def call(self, method, session=None, /, **parameters):
        self.number += 1
        number, message = self.number, {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data) :]
        deadline = time.monotonic() + PATIENCE
        while number not in self.answers:
            if not self.read(deadline - time.monotonic()):
                raise Broken(f"{method}: no answer in {PATIENCE} s")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Broken(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self, seconds):
        """Takes what has come within the time; whether something has."""
        if not select.select([self.of], [], [], max(0, seconds))[0]:
            return False
        data = os.read(self.of, 1 << 20)
        if not data:
            raise Broken(f"Chromium ended: {self.log.read_text(errors='replace')[-2000:]}")
        *messages, self.rest = (self.rest + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.listeners:
                self.listeners[message["sessionId"]](message["method"], message["params"])
        return True

    def wait(self, condition, seconds, what):
        """The first truthy value of the condition, which is looked at after each event and ten times a second."""
        deadline = time.monotonic() + seconds
        while True:
            if value := condition():
                return value
            if time.monotonic() > deadline:
                raise Broken(f"{what} did not happen within {seconds} s")
            self.read(0.1)

    def close(self):
        """Ends it so that its log of the network is whole."""
        try:
            self.call("Browser.close")
            self.process.wait(30)
        except (Broken, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.of)
