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

import act_commit_dropped
import act_graceful
import act_kill_points
import act_paused_worker
import act_postgres
import act_random_kills
import act_redis
import act_store
from stage import Run, Skipped

# The longest first: they are played side by side.
ACTS = {
    "kill-points": act_kill_points,
    "random-kills": act_random_kills,
    "redis": act_redis,
    "graceful": act_graceful,
    "postgres": act_postgres,
    "paused-worker": act_paused_worker,
    "store": act_store,
    "commit-dropped": act_commit_dropped,
}


def main():
    parser = argparse.ArgumentParser(prog="scripts/chaos")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", action="append", choices=ACTS, default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--at-once", type=int)
    options = parser.parse_args()
    if options.list:
        for name, act in ACTS.items():
            print(f"{name:15} {act.__doc__.strip()}")
        return 0
    seed = options.seed if options.seed is not None else secrets.randbelow(2**31)
    print(f"seed {seed}", flush=True)
    run = Run(seed, options.long, sys.stdout)

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
        except Exception as error:
            figures, text, outcome = {}, f"{type(error).__name__}: {error}"[:1500], "failed"
            if not isinstance(error, AssertionError):
                traceback.print_exc()
        seconds = time.monotonic() - began
        with run.lock:
            print(f"{outcome:8}{name} {text} [{seconds:.0f} s]", flush=True)
        return {"act": name, "outcome": outcome, "seconds": round(seconds, 1), "says": text, **figures}

    began = time.monotonic()
    with ThreadPoolExecutor(options.at_once or (1 if options.long else 3)) as pool:
        results = list(pool.map(play, [name for name in ACTS if not options.only or name in options.only]))
    failed = [result["act"] for result in results if result["outcome"] == "failed"]
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"seed": seed, "long": options.long, "seconds": round(time.monotonic() - began, 1), "acts": results}, file, indent=2, default=str)
            file.write("\n")
    passed = sum(result["outcome"] == "passed" for result in results)
    print(f"{passed} of {len(results)} acts passed in {time.monotonic() - began:.0f} s, seed {seed}" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
