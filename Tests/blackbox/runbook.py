"""The commands of the runbook in docs/operations.md, run as they stand there."""

import os
import re
import shutil
import subprocess

from processes import PROGRAM
from servers import ROOT

PAGE = (ROOT / "docs/operations.md").read_text()
BLOCKS = dict(re.findall(r"<!-- (backup|restore \w+) -->\n+```sh\n(.*?)```", PAGE, re.DOTALL))


class Runbook:
    def __init__(self, rig):
        self.rig = rig

    def run(self, block, backup=None):
        """The output of one block of commands."""
        environment = {
            **self.rig.environment,
            "PATH": f"{self.rig.postgres.binaries}:{os.environ['PATH']}",
            "MAIN": f"host={self.rig.postgres.folder}",
            "KEYS": f"host={self.rig.postgres.folder}",
            "BACKUP": str(backup or ""),
            "SHARE": str(ROOT),
            "PROGRAM": str(PROGRAM),
        }
        script = f'set -eu\ndiary() {{ "$PROGRAM" "$@"; }}\n{BLOCKS[block]}'
        done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=120, cwd="/")
        assert done.returncode == 0, (block, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def back_up(self, name):
        folder = self.rig.folder / name
        folder.mkdir()
        self.run("backup", folder)
        return folder

    def stop(self):
        for name in list(self.rig.processes):
            self.rig.stop(name)

    def start(self):
        self.rig.start("serve")
        self.rig.start("work")

    def destroy(self, *databases, objects=False):
        for database in databases:
            self.rig.postgres.sql("postgres", f"drop database {database} with (force)")
        if objects:
            shutil.rmtree(self.rig.folder / "objects")
