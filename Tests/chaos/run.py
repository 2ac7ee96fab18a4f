"""Plays the acts and says what each has proved. Called by scripts/chaos."""

import argparse
import json
import os
import secrets
import signal
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import shim
from acts import ACTS
from leases import LEASE_SECONDS
from stage import NotApplicable, Run, Skipped


def main():
    parser = argparse.ArgumentParser(prog="scripts/chaos")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", action="append", choices=ACTS, default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--at-once", type=int)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, act in ACTS.items():
            print(f"{name:15} {act.__doc__.strip()}")
        return 0
    seed = options.seed if options.seed is not None else secrets.randbelow(2**31)
    print(f"seed {seed}", flush=True)
    run = Run(seed, options.long, sys.stdout, options.quiet)

    def ended(number, _):
        # The service and its servers end with us.
        run.end_all()
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, ended)
    signal.signal(signal.SIGINT, ended)

    def play(name):
        began = time.monotonic()
        try:
            figures, text = ACTS[name].play(run)
            outcome = "passed"
        except Skipped as reason:
            figures, text, outcome = {}, str(reason), "skipped"
        except NotApplicable as reason:
            figures, text, outcome = {}, str(reason), "not applicable"
        except Exception as error:
            figures, text, outcome = {}, f"{type(error).__name__}: {error}"[:700], "failed"
            if not isinstance(error, AssertionError):
                # The frames; the text, which may hold a whole answer, is cut above.
                traceback.print_tb(error.__traceback__)
        seconds = time.monotonic() - began
        with run.lock:
            if outcome != "passed" or not options.quiet:
                print(f"{outcome:7} {name} {text} [{seconds:.0f} s]", flush=True)
        return {"act": name, "outcome": outcome, "seconds": round(seconds, 1), "says": text, **figures}

    began = time.monotonic()
    with ThreadPoolExecutor(options.at_once or (1 if options.long else 4)) as pool:
        results = list(pool.map(play, [name for name in ACTS if not options.only or name in options.only]))
    shim.end()
    failed = [result["act"] for result in results if result["outcome"] == "failed"]
    if options.json:
        with open(options.json, "w") as file:
            json.dump(
                {"seed": seed, "long": options.long, "seconds": round(time.monotonic() - began, 1), "acts": results},
                file,
                indent=2,
                default=str,
            )
            file.write("\n")
    passed = sum(result["outcome"] == "passed" for result in results)
    other = [result["act"] for result in results if result["outcome"] == "not applicable"]
    oldest, takeover = (max((result.get(what, 0) for result in results), default=0) for what in ("oldest_lease_s", "slowest_takeover_s"))
    print(f"leases of {LEASE_SECONDS:.0f} s: the oldest was {oldest:.1f} s old, a dead worker's job was taken up within {takeover:.1f} s")
    print(
        f"{passed} of {len(results)} acts passed in {time.monotonic() - began:.0f} s, seed {seed}"
        + (f"; not applicable to a bucket: {', '.join(other)}" if other else "")
        + (f"; failed: {', '.join(failed)}" if failed else "")
    )
    return 1 if failed else 0


sys.exit(main())
