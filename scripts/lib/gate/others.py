"""The parts that are neither Swift tests nor black-box tests."""

import json
import os

from commands import LOGS, ROOT, Running, always, never, run
from report import Part, Test

CHAOS = "chaos acts"
FUZZ = "fuzz targets"
PROGRAM = ROOT / ".build/debug/diary"
OPTIMISED = ROOT / ".build/release/diary"
"""After `build_optimised`."""


def formatting(files=(), beside=None):
    """Beside another part with what it leaves of the processors. Returns a function that waits for the end and gives the part."""
    part = Part("format")
    command = ["scripts/format", "--check", *files]
    ended = start(part, command, 300, beside, gives_way=bool(beside))

    def finish():
        ended()
        return part

    return finish


def build(*arguments):
    """Ended after an hour: the first build on a slow machine takes many minutes."""
    part = Part("build")
    run(part, ["bash", "-c", '. scripts/lib/machine.sh; build "$@"', "build", *arguments], 3600)
    return part


def build_optimised():
    """The program as in a release build, with the failpoints and scripted engines that the black-box tests need."""
    return build("-c", "release", "--product", "diary", "--static-swift-stdlib", "-Xswiftc", "-DDIARY_FAILPOINTS")


def build_tests(beside):
    """Builds what the program's build left, with what another part leaves of the processors. Returns a function that waits for the end and
    gives the part."""
    part = Part("build of tests")
    ended = start(part, ["bash", "-c", ". scripts/lib/machine.sh; build --build-tests"], 3600, beside, gives_way=True)

    def finish():
        ended()
        return part

    return finish


def are_packages_there():
    """Of Python, as scripts/test makes them before anything but everything in a fresh clone."""
    return (ROOT / ".venv/bin/pytest").exists()


def packages(beside):
    """Makes what the service shows of the contract, fetches Python's packages and the proxies, and lists the black-box tests, for what their
    processes then find made. Returns a function that waits for the end and gives the part."""
    part = Part("packages")
    ended = start(
        part,
        [
            "bash",
            "-euo",
            "pipefail",
            "-c",
            ". scripts/lib/machine.sh; scripts/contract --share; need_venv; fetch_speech; fetch_proxies; fetch_postfix; need_packages $bucket_packages; "
            "PYTHONDONTWRITEBYTECODE= .venv/bin/python -m pytest -q --collect-only Tests/blackbox >/dev/null",
        ],
        1200,
        beside,
    )

    def finish():
        ended()
        return part

    return finish


def chaos(*more, program=PROGRAM, beside=None):
    """The fast pass of scripts/chaos, whose acts mostly wait. Returns a function that waits for its end and gives the part."""
    part, figures = Part("chaos", CHAOS), LOGS / "chaos.json"
    figures.unlink(missing_ok=True)
    command = ["scripts/chaos", "--quiet", "--program", program, "--json", figures, *more]
    ended = start(part, command, 1200, beside)

    def finish():
        ended()
        for act in read(figures).get("acts", []):
            part.tests.append(Test(f"chaos {act['act']}", act["seconds"]))
            if act["outcome"] == "failed":
                part.failures.append(f"{act['act']}: {act['says']}")
        return part

    return finish


def fuzz(beside=None):
    """Some seconds for each target; beside another part one after the other, with what it leaves of the processors. Returns a function that
    waits for the end and gives the part."""
    part, figures = Part("fuzz", FUZZ), LOGS / "fuzz.json"
    figures.unlink(missing_ok=True)
    jobs = 1 if beside else os.cpu_count() or 2
    command = [
        "scripts/fuzz",
        "--targets",
        "--seconds",
        "1",
        "--jobs",
        jobs,
        "--program",
        ROOT / ".build/debug/diary-fuzz",
        "--json",
        figures,
    ]
    ended = start(part, command, 900, beside, gives_way=bool(beside))

    def finish():
        ended()
        for target in read(figures).get("targets", []):
            part.tests.append(Test(f"fuzz {target['target']}", target["seconds"]))
            if not target["held"]:
                part.failures.append(f"{target['target']}: {target['says']}")
        return part

    return finish


def start(part, command, seconds, beside, gives_way=False):
    """Starts the command of a part. With the name of another part it runs beside that one and prints its output afterwards. With `gives_way`
    it has what all others leave of the processors. Returns a function that waits for its end."""
    print(f"\n== {part.name}" + (f", beside {beside}" if beside else ""), flush=True)
    running = Running(part, command, seconds, never if beside else always, gives_way=gives_way)

    def ended():
        running.wait()
        if beside:
            print(f"\n== {part.name}\n{part.log.read_text(errors='replace')}", end="", flush=True)

    return ended


def read(figures):
    return json.loads(figures.read_text()) if figures.exists() else {}
