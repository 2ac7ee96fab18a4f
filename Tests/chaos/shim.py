"""A preloaded library that makes one process's clock run ahead and its disk fail: compiled when first asked for, away with the run."""

import pathlib
import shutil
import subprocess
import tempfile
import threading

_lock = threading.Lock()
_built = []


def library():
    """The library's path; None when this machine has no C compiler."""
    with _lock:
        if not _built:
            _built.append(_build())
        return _built[0]


def _build():
    compiler = next((name for name in ("gcc", "cc", "clang") if shutil.which(name)), None)
    if compiler is None:
        return None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-shim-", dir="/tmp"))
    folder.chmod(0o755)
    target = folder / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", target, pathlib.Path(__file__).with_name("shim.c"), "-ldl"], check=True)
    return target


def end():
    with _lock:
        if _built and _built[0]:
            shutil.rmtree(_built[0].parent, ignore_errors=True)
        _built.clear()


def ahead(seconds):
    """Environment of a process whose wall clock is this far ahead."""
    return {"LD_PRELOAD": str(library()), "SHIM_AHEAD": str(seconds)}


class Disk:
    """A folder that a process sees as an unreliable disk."""

    def __init__(self, folder, switch):
        self.switch = pathlib.Path(switch)
        self.switch.write_text("-")
        self.environment = {"LD_PRELOAD": str(library()), "SHIM_FOLDER": str(folder), "SHIM_SWITCH": str(switch)}

    def set(self, how):
        """w, s, r, h as in shim.c; `-`: well again."""
        with open(self.switch, "r+") as file:
            file.write(how)
