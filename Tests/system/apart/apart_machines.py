"""Machines of scripts/apart: network namespaces on one bridge, each with a root of its own. Run in namespaces that end with the script."""

import os
import pathlib
import pwd
import signal
import socket
import subprocess

from processes import wait_for

SETUP = pathlib.Path(__file__).with_name("apart_machine.sh")
BRIDGE = "apart"
NETWORK = "10.77.0"
CLIENT = f"{NETWORK}.1"
SPACES = ("net", "mnt", "pid", "ipc", "uts")
KERNEL = {"proc", "sysfs", "mqueue", "devpts", "cgroup2"}
"""File systems that hold no files of a process."""


class CannotBegin(Exception):
    """This machine lacks what a network of namespaces needs; the text says what."""


def run(*words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **more)
    if done.returncode:
        raise CannotBegin(f"{' '.join(words)}: {done.stdout.strip()[-500:]}")
    return done.stdout


class Network:
    """A bridge with the client's address, in the network namespace of this process."""

    def __init__(self, folder):
        self.folder, self.machines, self.last = folder, [], 1
        run("mount", "--make-rprivate", "/")
        pathlib.Path("/run/netns").mkdir(exist_ok=True)
        run("mount", "-t", "tmpfs", "netns", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "address", "add", f"{CLIENT}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")

    def machine(self, name, **more):
        self.last += 1
        made = Machine(self, name, f"{NETWORK}.{self.last}", **more)
        self.machines.append(made)
        return made

    def end(self):
        for machine in self.machines:
            machine.kill()


class Machine:
    """`isolated`: it reaches the servers and the client, and no other isolated machine."""

    def __init__(self, network, name, address, user="root", isolated=False):
        self.network, self.name, self.address, self.user = network, name, address, user
        self.process, self.files, self.bound = None, {}, {}
        self.log = network.folder / "logs" / f"{name}.log"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", name, "master", BRIDGE, "up")
        if isolated:
            run("bridge", "link", "set", "dev", name, "isolated", "on")
        for words in (f"address add {address}/24 dev eth0", "link set eth0 up", "link set lo up"):
            run("ip", "-n", name, *words.split())

    def start(self, command, environment=None, **more):
        """Runs the command as the machine's user; the machine's root is made for it, with `files` in /srv."""
        spool = self.network.folder / "files" / self.name
        spool.mkdir(parents=True)
        owner = pwd.getpwnam(self.user)
        for name, text in self.files.items():
            (spool / name).write_text(text)
            (spool / name).chmod(0o600)
            os.chown(spool / name, owner.pw_uid, owner.pw_gid)
        words = ["ip", "netns", "exec", self.name, "unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
        words += ["bash", str(SETUP), self.name, self.user, str(spool)]
        words += [f"{source}={place}" for source, place in self.bound.items()] + ["--", *command]
        own = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/srv", **(environment or {})}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(words, env=own, stdout=log, stderr=log, **{"stdin": subprocess.DEVNULL, **more})
        return self

    def alive(self):
        assert self.process.poll() is None, f"{self.name} ended: {self.text[-2000:]}"
        return True

    @property
    def text(self):
        return self.log.read_text(errors="replace")

    @property
    def first(self):
        """The first process of the machine, as this one sees it; None when it has ended."""
        found = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(found[0]) if found else None

    def spaces(self):
        return {kind: os.readlink(f"/proc/{self.first}/ns/{kind}") for kind in SPACES}

    def writable(self):
        """Devices of the file systems that are mounted to be written."""
        found = set()
        for line in pathlib.Path(f"/proc/{self.first}/mountinfo").read_text().splitlines():
            own, rest = line.split(" - ")
            _, _, device, _, _, options, *_ = own.split()
            if "rw" in options.split(",") and rest.split()[0] not in KERNEL:
                found.add(device)
        return found

    def reaches(self, address, port):
        """Whether a connection from here can be opened."""
        words = ["ip", "netns", "exec", self.name, "timeout", "1", "bash", "-c", f"</dev/tcp/{address}/{port}"]
        return subprocess.run(words, capture_output=True).returncode == 0

    def cut_off(self):
        """As when its power fails: the others get no byte of it any more, not even the end of a connection."""
        run("ip", "link", "set", self.name, "down")
        self.kill()

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


def nothing_in_common(machines):
    """Asserts that no two machines share a namespace or a file system that either can write to; returns how many file systems there are."""
    count = 0
    for at, one in enumerate(machines):
        count += len(one.writable())
        for other in machines[at + 1 :]:
            shared = one.writable() & other.writable()
            assert not shared, f"{one.name} and {other.name} can both write to {shared}"
            assert not set(one.spaces().items()) & set(other.spaces().items()), f"{one.name} and {other.name} share a namespace"
    assert count >= len(machines)
    return count


def wait_for_port(machine, port, seconds=60):
    def open_now():
        machine.alive()
        try:
            socket.create_connection((machine.address, port), 1).close()
            return True
        except OSError:
            return False

    wait_for(open_now, seconds, f"{machine.name} at port {port}")
