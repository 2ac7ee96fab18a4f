"""Generates clients, checks them, and runs the main job of an app with them."""

import argparse
import sys
import time

from checks import CHECKS
from faults import Fault
from generators import GENERATORS, generate
from job import jobs
from release import release


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", choices=GENERATORS)
    parser.add_argument("--job", action="store_true")
    parser.add_argument("--release", action="store_true")
    return parser.parse_args()


def step(what, work, *given):
    """Runs it and prints how it ended; returns whether it did well."""
    begin = time.monotonic()
    try:
        work(*given)
    except Fault as fault:
        print(f"FAILED  {what}\n{fault}", flush=True)
        return False
    print(f"ok      {what}, {time.monotonic() - begin:.0f} s", flush=True)
    return True


def main():
    options = arguments()
    if options.release:
        return 0 if step("release", release) else 1
    names = options.only or list(GENERATORS)
    made = [name for name in names if step(f"{name}: generate", generate, name)]
    fine = made == names
    sound = [name for name in made if name not in CHECKS or step(f"{name}: {CHECKS[name].__doc__}", CHECKS[name])]
    fine &= sound == made
    if options.job:
        fine &= step("main job against diary dev", jobs, sound)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
