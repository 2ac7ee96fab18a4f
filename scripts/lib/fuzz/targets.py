"""Runs the libFuzzer targets of Tests/fuzz, each from its seeds and its regressions, and keeps what breaks one."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEEDS = ROOT / "Tests/fuzz/seeds"
FOUND = ROOT / ".build/fuzz-found"
LONGEST = {"sealed": 600, "head": 700, "range": 60, "cursor": 60, "zip": 1200}
"""Bytes of an input; a longer one finds nothing that a shorter one does not."""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--target", action="append")
    parser.add_argument("--jobs", type=float, default=1)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def environment(target):
    # A broken property is told in one line; a backtrace takes minutes to write.
    return {**os.environ, "DIARY_FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "handle_abort=1:handle_sigill=1"}


def run(program, target, more, corpus=()):
    line = [program, f"-artifact_prefix={FOUND}/{target}-", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", *more, *corpus]
    return subprocess.run(line, env=environment(target), capture_output=True, text=True, errors="replace")


def one(options, target):
    """(whether it held, one line, the end of its output)"""
    seeds = SEEDS / target
    with tempfile.TemporaryDirectory(prefix="diary-fuzz-") as corpus:
        more = [f"-max_total_time={max(1, round(options.seconds))}", f"-max_len={LONGEST.get(target, 4096)}"]
        words = SEEDS / f"{target}.dict"
        if words.exists():
            more.append(f"-dict={words}")
        done = run(options.program, target, more, [corpus, *([seeds] if seeds.is_dir() else [])])
    output = done.stdout + done.stderr
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", output)
    covered = re.findall(r" cov: (\d+)", output)
    line = f"{target:12} {'held' if done.returncode == 0 else 'BROKEN'}, {int(runs[1]) if runs else 0:,} runs, {covered[-1] if covered else '?'} edges"
    return done.returncode == 0, line, output


def complaint(output):
    lines = [l for l in output.splitlines() if re.search(r"ERROR: (?!.*: ILL)|Fatal error|SUMMARY: (?!.*: ILL)|Test unit written|#\d+ 0x.*Rooms/", l)]
    return "\n".join("    " + l[:300] for l in lines[:25])


def main():
    options = arguments()
    FOUND.mkdir(parents=True, exist_ok=True)
    known = subprocess.run([options.program], env=environment("list"), capture_output=True, text=True).stdout.split()
    targets = options.target or known
    if set(targets) - set(known) or (options.files and len(targets) != 1):
        print(f"targets: {' '.join(known)}; files need exactly one", file=sys.stderr)
        return 2
    if options.files:
        done = run(options.program, targets[0], [], options.files)
        print((done.stdout + done.stderr)[-6000:])
        return 1 if done.returncode else 0
    fine = True
    with ThreadPoolExecutor(max(1, int(options.jobs))) as pool:
        for held, line, output in pool.map(lambda t: one(options, t), targets):
            print(line, flush=True)
            if not held:
                fine = False
                print(complaint(output), flush=True)
    print("every property held" if fine else f"inputs that break a property: {FOUND}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
