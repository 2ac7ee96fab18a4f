"""Backup and restore by the blocks of docs/backup.md, on the machine that docs/install.md made, after everything but the keys was lost."""

import pathlib
import re

from install_check_first import UNITS, look
from install_check_machine import wait

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/backup.md"
BLOCKS = dict(re.findall(r"<!-- (runbook|backup|restore \w+) -->\n+```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
BACKUP = "/srv/backup/day"
STOP = "systemctl stop diary-api.socket diary-api diary-worker"
START = "systemctl start diary-api.socket diary-api diary-worker"
LOSE = """
for database in diary diary_keys; do
    runuser -u postgres -- psql -qc "alter database $database rename to ${database}_old"
done
mv /var/lib/diary/objects /srv/objects_old
"""


def restored(lab, machine):
    report = lab.report
    report.begin("restored", "databases and objects are lost, and restored by docs/backup.md")

    def block(name, expect=""):
        done = machine.operate(BLOCKS["runbook"] + BLOCKS[name], BACKUP=BACKUP)
        report.ran(name if name == "backup" else f"backup.md, {name}", done, expect)

    report.ran("a folder for the backup", machine.run(f"install -d -m 0700 {BACKUP}"))
    block("backup")
    report.ran("the service is stopped", machine.run(STOP))
    report.ran("everything but the keys is lost", machine.run(LOSE))
    for part in ("roles", "main", "keys", "objects", "finish"):
        block(f"restore {part}")
    block("restore check")
    report.ran("the service is started", machine.run(START))
    ready, seconds = wait(lambda: lab.is_ready(machine), 60)
    report.saw("it is ready over TLS", ready, f"after {seconds:.0f} s")
    states = {unit: machine.property(unit, "ActiveState") for unit in UNITS}
    report.saw("all units run", set(states.values()) == {"active"}, states)
    look(lab, machine, "the account of before the loss reads and hears its entry")
    report.ran("diary-admin check", machine.run("diary-admin check"))
