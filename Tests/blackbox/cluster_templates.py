"""Stopped Postgres clusters that new ones are copied from: making one takes seconds of processor time, copying it a tenth.

They lie in the build folder, named by what they were made of. A test gets a copy, never the template.
"""

import contextlib
import fcntl
import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build/gate"
OLD = 86_400
"""Seconds after which a template of other migrations is removed."""


@functools.cache
def fingerprint(version):
    """Of everything that is in a furnished cluster, and of the server's version."""
    digest = hashlib.sha256(str(version).encode())
    own = [pathlib.Path(__file__).with_name(name) for name in ("servers.py", "rig.py")]
    for file in [*own, *sorted((ROOT / "migrations").rglob("*.sql"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def path(state, version):
    return FOLDER / f"cluster-{state}-{fingerprint(version)}"


@contextlib.contextmanager
def turn(state, version):
    """While the template of this state is not there, one process at a time: the others then copy what the first has saved."""
    if path(state, version).exists():
        yield
        return
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            FOLDER.mkdir(parents=True, exist_ok=True)
            fcntl.flock(held.enter_context(open(FOLDER / "cluster.lock", "w")), fcntl.LOCK_EX)
        yield


def copy_to(data, state, version):
    """Copies the template of this state to a folder that is not there yet. Returns whether there is one."""
    template = path(state, version)
    if not template.exists():
        return False
    return copied(template, data)


def save(data, state, version):
    """Makes a template of a stopped cluster. Without a build folder, or on a full disk, there is none."""
    template = path(state, version)
    if template.exists():
        return
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        remove_old()
        temporary = pathlib.Path(tempfile.mkdtemp(prefix="cluster-new-", dir=FOLDER))
        try:
            if copied(data, temporary / "data"):
                os.rename(temporary / "data", template)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError:
        # Another process was first, or nothing can be written here.
        return


def copied(source, target):
    if subprocess.run(["cp", "-a", "--reflink=auto", source, target], capture_output=True, timeout=120).returncode == 0:
        return True
    shutil.rmtree(target, ignore_errors=True)
    return False


def remove_old():
    for other in FOLDER.glob("cluster-*"):
        if time.time() - other.stat().st_mtime > OLD:
            shutil.rmtree(other, ignore_errors=True)
