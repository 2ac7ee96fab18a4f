"""The commands of the runbook in docs/backup.md, run as they stand there."""

import getpass
import grp
import os
import re
import shutil
import subprocess

from processes import PROGRAM
from servers import ROOT

PAGE = (ROOT / "docs/backup.md").read_text()
BLOCKS = dict(re.findall(r"<!-- (runbook|backup|restore \w+) -->\n+```sh\n(.*?)```", PAGE, re.DOTALL))


def script(block, **own):
    """A block after the lines with which the shell begins. What a machine with the package has is replaced by what stands for it here."""
    text = BLOCKS["runbook"] + BLOCKS[block]
    user, group = own.pop("owner", (getpass.getuser(), grp.getgrgid(os.getegid()).gr_name))
    own = {"/usr/share/diary": str(ROOT), "-o diary -g diary": f"-o {user} -g {group}", **own}
    for theirs, ours in own.items():
        text = text.replace(theirs, ours)
    return f"set -eu\n{text}"


class Runbook:
    def __init__(self, rig):
        self.rig = rig
        self.tools = rig.folder / "tools"
        self.tools.mkdir()
        (self.tools / "diary-admin").write_text('#!/bin/sh\nexec "$PROGRAM" "$@"\n')
        (self.tools / "diary-admin").chmod(0o755)

    def run(self, block, backup=None):
        """The output of one block of commands."""
        environment = {
            **self.rig.environment,
            "PATH": f"{self.tools}:{self.rig.postgres.binaries}:{os.environ['PATH']}",
            "BACKUP": str(backup or ""),
            "PROGRAM": str(PROGRAM),
        }
        server = f"host={self.rig.postgres.folder}"
        own = {
            "=host=127.0.0.1": f"='{server}'",
            "=dbname=postgres": f"='{server} dbname=postgres user=postgres'",
            "runuser -u postgres -- ": "",
            "/var/lib/diary/objects": str(self.rig.folder / "objects"),
            "/etc/diary/pgpass/admin": str(self.tools / "pgpass"),
        }
        done = subprocess.run(["bash", "-c", script(block, **own)], env=environment, capture_output=True, text=True, timeout=120, cwd="/")
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
