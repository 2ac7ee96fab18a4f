"""The parts that are neither Swift tests nor black-box tests."""

import json
import os

from commands import LOGS, ROOT, Running, always, never, run
from report import Part, Test

CHAOS = "chaos acts"
FUZZ = "fuzz targets"


def formatting(files=()):
    part = Part("format")
    run(part, ["scripts/format", "--check", *files], 300)
    return part


def build(*arguments):
    """Ended after an hour: the first build on a slow machine takes many minutes."""
    part = Part("build")
    run(part, ["bash", "-c", '. scripts/lib/machine.sh; build "$@"', "build", *arguments], 3600)
    return part


def chaos(beside=None):
    """The fast pass of scripts/chaos. Its acts mostly wait: with the name of another part it runs beside that part and prints its output
    afterwards. Returns a function that waits for its end and gives the part."""
    part, figures = Part("chaos", CHAOS), LOGS / "chaos.json"
    figures.unlink(missing_ok=True)
    print(f"\n== {part.name}" + (f", beside {beside}" if beside else ""), flush=True)
    command = ["scripts/chaos", "--quiet", "--program", ROOT / ".build/debug/diary", "--json", figures]
    running = Running(part, command, 1200, never if beside else always)

    def ended():
        running.wait()
        if beside:
            print(f"\n== {part.name}\n{part.log.read_text(errors='replace')}", end="", flush=True)
        for act in read(figures).get("acts", []):
            part.tests.append(Test(f"chaos {act['act']}", act["seconds"]))
            if act["outcome"] == "failed":
                part.failures.append(f"{act['act']}: {act['says']}")
        return part

    return ended


def fuzz():
    part, figures = Part("fuzz", FUZZ), LOGS / "fuzz.json"
    figures.unlink(missing_ok=True)
    program = ROOT / ".build/debug/diary-fuzz"
    run(
        part,
        ["scripts/fuzz", "--targets", "--seconds", "3", "--jobs", str(os.cpu_count() or 2), "--program", program, "--json", figures],
        900,
    )
    for target in read(figures).get("targets", []):
        part.tests.append(Test(f"fuzz {target['target']}", target["seconds"]))
        if not target["held"]:
            part.failures.append(f"{target['target']}: {target['says']}")
    return part


def read(figures):
    return json.loads(figures.read_text()) if figures.exists() else {}
