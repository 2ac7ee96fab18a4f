"""A throw-away copy of this machine: overlays of / and of the checkout, with processes, ports, sockets and users of its own."""

import contextlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

# Written to: the overlays' upper sides. In memory, so that nothing has to be cleaned up.
SETUP = r"""
set -euo pipefail
base=$1 checkout=$2 place=$3 layer=$4
mount -t tmpfs -o mode=755 ease "$base"
mkdir -p "$base"/{up,work,root,lower,layer,coup,cowork,co}
# Under names without the characters that overlay options are made of.
mount --bind "$checkout" "$base/lower"
lower=$base/lower
if [ -n "$layer" ]; then mount --bind "$layer" "$base/layer"; lower=$base/layer:$lower; fi
over() { mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,metacopy=on,redirect_dir=on" ease "$4" 2>/dev/null ||
    mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$3" ease "$4"; }
over / "$base/up" "$base/work" "$base/root"
over "$lower" "$base/coup" "$base/cowork" "$base/co"
root=$base/root
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
# Other disks as they are: a toolchain may lie on one.
while read -r _ _ _ _ target _ rest; do
    case "$target" in /|/proc*|/sys*|/dev*|/run*|/tmp*|"$base"*) continue ;; esac
    case "${rest##* - }" in ext*|xfs*|btrfs*|zfs*|f2fs*|nfs*) mount --bind "$target" "$root$target" ;; esac
done </proc/self/mountinfo
mkdir -p "$root$place"
mount --bind "$base/co" "$root$place"
# The checkout is readable by all, unless a row says otherwise.
above=$root$(dirname "$place")
while [ "$above" != "$root" ] && [ "$above" != / ]; do chmod o+x "$above"; above=$(dirname "$above"); done
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mkdir "$root/.ease" "$root/.outside"
chmod 777 "$root/.ease"
cd "$root"
pivot_root . .outside
umount -l /.outside
rmdir /.outside 2>/dev/null || true
rm -rf "$place/.diary" /var/tmp/diary-* /var/lib/diary-dev
exec python3 -c "$5"
"""

# The first process: brings the loopback up and takes in orphans.
INIT = r"""
import ctypes, fcntl, os, signal, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    flags = struct.unpack("16sh", fcntl.ioctl(s, 0x8913, struct.pack("16sh", b"lo", 0)))[1]
    fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", flags | 1))
signal.signal(signal.SIGCHLD, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
print("up", flush=True)
while True:
    signal.sigtimedwait({signal.SIGCHLD}, 1)
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass
"""


class CannotCopy(Exception):
    """This machine cannot be copied; the text says why."""


class Command:
    """One command line in a machine, running."""

    def __init__(self, machine, process, log, group):
        self.machine, self.process, self.log, self.group = machine, process, log, group

    @property
    def text(self):
        return self.log.read_text(errors="replace")

    @property
    def code(self):
        """As a shell has it: 128 and the signal's number when one ended it; None while it runs."""
        code = self.process.poll()
        return 128 - code if code is not None and code < 0 else code

    def wait(self, seconds=300):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.send("KILL")
            self.process.wait(10)
            with self.log.open("a") as log:
                log.write(f"\n(ended by scripts/ease after {seconds} s)\n")
        return self

    def wait_for(self, words, seconds=120):
        """Until it printed one of the words or ended. True when it printed one."""
        words = [words] if isinstance(words, str) else words
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if any(w in self.text for w in words):
                return True
            if self.process.poll() is not None:
                return any(w in self.text for w in words)
            time.sleep(0.05)
        return False

    def send(self, name):
        """To the whole group, as a terminal does at Ctrl-C."""
        self.machine.quiet("kill", f"-{name}", "--", f"-{self.leader()}")

    def send_one(self, name):
        self.machine.quiet("kill", f"-{name}", str(self.leader()))

    def leader(self):
        return int(self.machine.read(self.group) or 0)


class Machine:
    def __init__(self, checkout, place=None, layer=None, network=False, logs=None):
        self.place = str(place or checkout)
        self.logs = pathlib.Path(logs or tempfile.mkdtemp(prefix="diary-ease-logs-", dir="/tmp"))
        self.is_own_logs = logs is None
        self.count = 0
        self.base = tempfile.mkdtemp(prefix="diary-ease-", dir="/tmp")
        line = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"] + ([] if network else ["--net"])
        self.process = subprocess.Popen(
            [*line, "bash", "-c", SETUP, "ease", self.base, str(checkout), self.place, str(layer or ""), INIT],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if self.process.stdout.readline() != "up\n":
            why = self.process.stderr.read().strip().splitlines()
            self.close()
            raise CannotCopy(why[-1] if why else "unshare failed")
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.inside = ["nsenter", "-t", children[0], "-m", "-p", "-i", "-u", "-n"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.kill()
        self.process.wait()
        for _ in range(50):
            with contextlib.suppress(OSError):
                os.rmdir(self.base)
                break
            time.sleep(0.1)
        if self.is_own_logs:
            shutil.rmtree(self.logs, ignore_errors=True)

    def quiet(self, *words):
        """A command of the row's own; its standard output."""
        return subprocess.run([*self.inside, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace").stdout

    def do(self, line):
        """Prepares something as root; raises when that fails."""
        done = subprocess.run(
            [*self.inside, "bash", "-c", f"set -e; cd {shlex.quote(self.place)}; {line}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode:
            raise RuntimeError(f"{line}: {(done.stderr or done.stdout).strip()[-300:]}")
        return done.stdout

    def read(self, path):
        return self.quiet("cat", path).strip()

    def user(self, name, *, owns=True):
        """An ordinary user, with the checkout as their own."""
        self.do(f"useradd -m -s /bin/bash {name}")
        if owns:
            self.do(f"chown -R {name} .")

    def start(self, line, user="root", env=None, without=(), cwd=None, umask="022"):
        """Starts a shell line in the checkout, in a session of its own, with an environment of its own."""
        self.count += 1
        log = self.logs / f"{self.count:02d}.log"
        group = f"/.ease/{self.count}"
        home = "/root" if user == "root" else f"/home/{user}"
        values = {"HOME": home, "USER": user, "LOGNAME": user, "LANG": "C.UTF-8", "TERM": "dumb", "PATH": os.environ["PATH"], **(env or {})}
        values = [f"{k}={v}" for k, v in values.items() if k not in without and v is not None]
        whom = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--"]
        script = f'echo $$ >{group}; cd "$1"; umask "$2"; shift 2; exec "$@"'
        with log.open("wb") as out:
            process = subprocess.Popen(
                [
                    *self.inside,
                    "setsid",
                    "--wait",
                    "bash",
                    "-c",
                    script,
                    "ease",
                    cwd or self.place,
                    umask,
                    *whom,
                    "env",
                    "-i",
                    *values,
                    "bash",
                    "-c",
                    line,
                ],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Command(self, process, log, group)

    def run(self, line, seconds=300, **more):
        return self.start(line, **more).wait(seconds)

    def processes(self):
        """Everything that runs here but the first process, as (id, command line)."""
        listed = self.quiet("ps", "-eo", "pid=,comm=,args=").splitlines()
        rows = [row.split(None, 2) for row in listed]
        return [(int(r[0]), r[2]) for r in rows if len(r) == 3 and r[0] != "1" and r[1] not in ("ps", "nsenter")]

    def left(self, seconds=20):
        """What still runs after that time."""
        deadline = time.monotonic() + seconds
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.1)
        return self.processes()

    def pids(self, words):
        return [pid for pid, line in self.processes() if words in line]

    def kill(self, pids, name="KILL"):
        for pid in pids:
            self.quiet("kill", f"-{name}", str(pid))


def why_not():
    """Why no copy can be made here, or None."""
    if os.geteuid() != 0:
        return "needs root"
    for program in ("unshare", "nsenter", "pivot_root", "setpriv", "mount"):
        if not shutil.which(program):
            return f"{program} is not installed (util-linux)"
    try:
        with tempfile.TemporaryDirectory(prefix="ease-probe-", dir="/var/tmp") as folder, Machine(folder):
            return None
    except CannotCopy as error:
        return f"this machine gives no overlay: {error}"


def forget(*_):
    raise KeyboardInterrupt


signal.signal(signal.SIGTERM, forget)
