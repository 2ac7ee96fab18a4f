"""A machine booted from a folder by systemd-nspawn: commands in it, programs in its network, its end."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from install_check_root import CannotBoot

HERE = pathlib.Path(__file__).resolve().parent
DEMO = HERE.parents[2] / "scripts/lib"
"""The main job of scripts/demo, which a client does."""
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def wait(condition, seconds, every=0.5):
    """What the condition gave at last, and after how many seconds."""
    began = time.monotonic()
    while True:
        value = condition()
        if value or time.monotonic() - began > seconds:
            return value, time.monotonic() - began
        time.sleep(every)


class Machine:
    def __init__(self, folder, base, nspawn, name):
        self.name, self.root, self.nspawn = name, folder / name / "root", nspawn
        self.mails, self.log = folder / name / "mails", folder / name / "console.log"
        shutil.rmtree(folder / name, ignore_errors=True)
        self.mails.mkdir(parents=True)
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.root], check=True)
        self.process = self.leader = self.server = None
        # Where the operator's shell stands and what its umask is, from one block of commands to the next.
        self.folder, self.mask = "/root", "0022"

    # Boots

    def boot(self):
        """Seconds until systemd says that everything was started."""
        program, environment = self.nspawn
        line = [program, "-D", self.root, f"--machine=diary-{self.name}", "--private-network", "--register=no", "--keep-unit", "--boot"]
        line += ["--console=read-only", "--link-journal=no", "--resolv-conf=off", "--timezone=off"]
        began = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.leader, _ = wait(self.find_leader, 30, 0.1)
        if not self.leader:
            raise CannotBoot(f"systemd-nspawn did not boot it: {self.log.read_text(errors='replace').strip()[-500:]}")
        state, _ = wait(lambda: self.state() in ("running", "degraded") and self.state(), 120)
        if not state:
            raise CannotBoot(f"systemd did not finish booting; its state is {self.state()}, its console {self.log}")
        self.server = self.in_network("install_check_mail.py", self.mails, "25")
        self.server.stdout.readline()
        return time.monotonic() - began

    def find_leader(self):
        """The process that is number 1 inside."""
        if self.process.poll() is not None:
            return None
        for child in subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split():
            status = pathlib.Path(f"/proc/{child}/status")
            if status.exists() and any(l.startswith("NSpid:") and l.split()[-1] == "1" for l in status.read_text().splitlines()):
                return child
        return None

    def state(self):
        return self.run("systemctl is-system-running").stdout.strip()

    def stop(self):
        """Powers it off; what does not end by itself is killed, with everything in it."""
        if self.server:
            self.server.terminate()
            self.server.wait(10)
            self.server = None
        if self.process and self.process.poll() is None:
            if self.leader:
                self.run("systemctl poweroff", seconds=20)
            try:
                self.process.wait(90)
            except subprocess.TimeoutExpired:
                if self.leader:
                    subprocess.run(["kill", "-KILL", self.leader], stderr=subprocess.DEVNULL)
                self.process.send_signal(signal.SIGKILL)
                self.process.wait(10)
        self.process = self.leader = None

    # Commands

    def run(self, commands, seconds=120, **environment):
        """Commands of a root shell inside, which ends with the first that fails."""
        line = [
            "nsenter",
            "-t",
            str(self.leader),
            "-m",
            "-u",
            "-i",
            "-n",
            "-p",
            "--",
            "env",
            "-i",
            f"PATH={PATHS}",
            "HOME=/root",
            "LANG=C.UTF-8",
        ]
        line += [f"{name}={value}" for name, value in environment.items()]
        line += ["bash", "-c", f"set -e -o pipefail\n{commands}"]
        try:
            return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace") + (late.stderr or b"").decode(errors="replace")
            return subprocess.CompletedProcess(line, 124, said, f"did not end within {seconds} s")

    def operate(self, commands, seconds=900, **environment):
        """Commands of a document, in the shell of one operator: folder and umask are as the block before left them."""
        text = f"umask {self.mask}\ncd {self.folder}\n{commands}\nset +e\n(umask; pwd) > /run/operator"
        done = self.run(text, seconds, DEBIAN_FRONTEND="noninteractive", **environment)
        if done.returncode == 0:
            self.mask, self.folder = self.run("cat /run/operator").stdout.split()
        return done

    def property(self, unit, name):
        return self.run(f"systemctl show -p {name} --value {unit}").stdout.strip()

    def journal(self, unit):
        return self.run(f"journalctl -b -o cat -u {unit}").stdout

    def in_network(self, program, *words):
        """A Python program of this folder, of this machine's files, in the network of that one."""
        line = ["nsenter", "-t", str(self.leader), "-n", "--", sys.executable, HERE / program, *words]
        environment = {**os.environ, "PYTHONPATH": str(DEMO)}
        return subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
