"""The main job of an app against `diary dev`, by the clients that were generated."""

import os
import sys

from dev_service import Dev
from faults import FOLDER, ROOT, Fault, ran
from generators import PYTHON
from later_version import VALUE, LaterVersion


def jobs(names):
    """With the media programs that `diary dev` has by itself."""
    dev = Dev(scripted=False)
    try:
        dev.says("ready on")
        outbox = dev.folder / "mail"
        packages = [f"{PYTHON[name]}=diary_{PYTHON[name]}" for name in names if name in PYTHON]
        if packages:
            os.environ["PYTHONPATH"] = os.pathsep.join(
                [os.environ["PYTHONPATH"], *(str(FOLDER / name) for name in names if name in PYTHON)]
            )
            print(
                ran("python-job", [sys.executable, "-m", "client_job", "--url", dev.url, "--outbox", outbox, *packages]), end="", flush=True
            )
        if "swift6" in names:
            swift(dev.url, outbox)
    except AssertionError as error:
        raise Fault(f"  {error}") from None
    finally:
        dev.end()


def swift(url, outbox):
    program = FOLDER / "swift-build/debug/ClientJob"
    sample = ROOT / "Tests/Samples/walk.m4a"
    print(ran("swift-job", [program, url, outbox, sample], 300), end="", flush=True)
    with LaterVersion(url) as later:
        print(ran("swift-job-later", [program, later.url, outbox, sample, VALUE], 300), end="", flush=True)
