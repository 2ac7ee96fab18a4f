"""scripts/apart: machines, the service on them, and the main job. scripts/apart --help says more."""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import time

from apart_job import Job
from apart_machines import CannotBegin, Network
from apart_service import Service


class Report:
    """What was seen, printed at once and kept for --json."""

    def __init__(self):
        self.steps, self.last = [], time.monotonic()

    def saw(self, did, ok=True, message=""):
        now = time.monotonic()
        seconds, self.last = round(now - self.last, 1), now
        self.steps.append({"did": did, "ok": ok, "seconds": seconds, "message": message})
        print(f"  {'ok' if ok else 'FAILED':6} {seconds:6.1f} s  {did}{': ' if message else ''}{message[:1000]}", flush=True)


def play(program, folder, report):
    network = Network(folder)
    try:
        service = Service(network, program)
        try:
            report.saw("Postgres, Redis and a bucket on machines of their own")
            found = service.operate()
            report.saw("migrated, and an app made, from a machine that ended then; the bucket was tried", message=str(found))
            service.start(2)
            report.saw("two API and two worker machines are ready")
            Job(service, network, report.saw).run()
        finally:
            service.end()
    finally:
        network.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--logs", type=pathlib.Path)
    options = parser.parse_args()
    folder, report, code = pathlib.Path(tempfile.mkdtemp(prefix="diary-apart-", dir="/tmp")), Report(), 0
    for name in ("logs", "files"):
        (folder / name).mkdir(mode=0o700)
    began = time.monotonic()
    try:
        play(options.program, folder, report)
    except CannotBegin as error:
        print(f"cannot be tried here: {error}", file=sys.stderr)
        code = 3
    except Exception as error:
        report.saw("the next step", False, f"{type(error).__name__}: {error}")
        code = 1
    finally:
        if options.logs:
            shutil.copytree(folder / "logs", options.logs, dirs_exist_ok=True)
        elif code:
            kept = tempfile.mkdtemp(prefix="diary-apart-logs-", dir="/tmp")
            shutil.copytree(folder / "logs", kept, dirs_exist_ok=True)
            print(f"the machines' logs are in {kept}")
        shutil.rmtree(folder, ignore_errors=True)
    seconds = round(time.monotonic() - began, 1)
    if options.json:
        options.json.write_text(json.dumps({"held": code == 0, "seconds": seconds, "steps": report.steps}, indent=1) + "\n")
    if code != 3:
        print(f"{sum(step['ok'] for step in report.steps)} of {len(report.steps)} steps held, {seconds} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
