"""A Debian 12 with systemd in a folder, made once by mmdebstrap, and the programs that boot it. Neither is installed on this machine."""

import hashlib
import os
import pathlib
import shutil
import subprocess

# What the installer of Debian leaves on a server and the documents count on; all else is for the package to bring.
INCLUDED = "systemd,systemd-sysv,dbus,adduser,ca-certificates,curl,openssl,procps,iproute2"
SOURCES = [
    "deb http://deb.debian.org/debian bookworm main",
    "deb http://deb.debian.org/debian bookworm-updates main",
    "deb http://security.debian.org/debian-security bookworm-security main",
]
SPEECH = pathlib.Path(__file__).resolve().parents[3] / "scripts/speech"
PACKAGES = SPEECH.parents[1] / "speech/requirements.txt"
# A booted machine shares the kernel: these would set its parameters, load modules into it and ask its devices anew.
MASKED = [
    "systemd-sysctl.service",
    "systemd-modules-load.service",
    "systemd-binfmt.service",
    "systemd-udevd.service",
    "systemd-udevd-control.socket",
    "systemd-udevd-kernel.socket",
    "systemd-udev-trigger.service",
]


class CannotBoot(Exception):
    """This machine cannot make or boot another; the text says why."""


def needed(package):
    """What a package wants besides itself."""
    fields = ["dpkg-deb", "-f", str(package), "Depends", "Recommends"]
    return subprocess.run(fields, capture_output=True, text=True, check=True).stdout


def root(folder, packages, host, fresh):
    """The folder of a Debian root that has everything in apt's cache that the packages ask for, as the documents install it."""
    wanted = "".join(sorted(needed(package) for package in packages)) + INCLUDED + host + PACKAGES.read_text()
    made = folder / f"root-{hashlib.sha256(wanted.encode()).hexdigest()[:8]}"
    if made.exists() and not fresh:
        return made
    part = made.with_suffix(".part")
    for old in (part, made):
        shutil.rmtree(old, ignore_errors=True)
    log = folder / "root.log"
    with log.open("wb") as out:
        line = ["mmdebstrap", "--variant=minbase", "--mode=root", f"--include={INCLUDED}", "--skip=cleanup/apt", "bookworm", str(part)]
        try:
            subprocess.run([*line, *SOURCES], stdout=out, stderr=out, check=True)
            prepare(part, host)
            for package in packages:
                fetch(part, package, out)
            fetch_speech(folder / "speech", part, out)
        except subprocess.CalledProcessError as error:
            raise CannotBoot(f"{error.cmd[0]} failed: see {log}") from None
    part.rename(made)
    return made


def prepare(root, host):
    """The answers an operator gives, and what a machine in a folder needs."""
    # `apt` asks before it installs more than was named; and a chroot must not start what it only fetches.
    (root / "etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\n')
    for unit in MASKED:
        (root / "etc/systemd/system" / unit).symlink_to("/dev/null")
    (root / "etc/hostname").write_text("diary\n")
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost diary {host}\n::1 localhost\n")


def fetch(root, package, out):
    """Into apt's cache: the booted machine has no network."""
    inside = root / "root" / package.name
    shutil.copy(package, inside)
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    line = ["chroot", root, "apt-get", "-o", "APT::Sandbox::User=root", "install", "--download-only", f"/root/{package.name}"]
    subprocess.run(line, stdout=out, stderr=out, check=True, env=environment)
    inside.unlink()


def fetch_speech(home, root, out):
    """Wheels for pip of the booted machine, and the model in the place where `diary-speech` leaves it."""
    subprocess.run([SPEECH, "--folder", home], stdout=out, stderr=out, check=True)
    line = [home / "venv/bin/pip", "download", "-q", "--require-hashes", "--only-binary", ":all:", "--python-version", "3.11"]
    subprocess.run([*line, "-r", PACKAGES, "-d", root / "var/cache/wheels"], stdout=out, stderr=out, check=True)
    shutil.copytree(home / "base", root / "var/lib/diary-speech/base")


def nspawn(folder):
    """The path of systemd-nspawn, and the environment that it runs in."""
    tools = folder / "tools"
    if not (tools / "usr/bin/systemd-nspawn").exists():
        shutil.rmtree(tools, ignore_errors=True)
        part = tools.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for name in ("systemd-container", "libsystemd-shared"):
            done = subprocess.run(["apt-get", "download", name], cwd=part, capture_output=True, text=True)
            if done.returncode:
                raise CannotBoot(f"{name} could not be fetched: {done.stderr.strip().splitlines()[-1:]}")
        for file in part.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", file, part], check=True)
        part.rename(tools)
    libraries = next(iter(tools.glob("usr/lib/*/systemd")))
    unified = subprocess.run(["stat", "-f", "-c", "%T", "/sys/fs/cgroup"], capture_output=True, text=True).stdout.strip() == "cgroup2fs"
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(libraries),
        # As the kernel that is shared has it.
        "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1" if unified else "0",
        # Else nspawn covers parts of /proc, and the kernel gives no namespace inside a /proc of its own, which the media sandbox needs.
        "SYSTEMD_NSPAWN_API_VFS_WRITABLE": "1",
    }
    return pathlib.Path(tools / "usr/bin/systemd-nspawn"), environment
