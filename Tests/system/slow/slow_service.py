"""slow.py against a service of its own, started for it and ended with it."""

import pathlib
import subprocess
import sys

from rig import Rig

rig = Rig()
try:
    slow = pathlib.Path(__file__).with_name("slow.py")
    done = subprocess.run([sys.executable, slow, "--url", rig.url, "--pid", str(rig.processes["serve"].pid), *sys.argv[1:]])
finally:
    rig.end()
sys.exit(done.returncode)
