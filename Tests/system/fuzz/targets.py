"""Runs the fuzz targets of Tests/fuzz, each from its seeds and its regressions, and keeps what breaks one.

An ordinary build gets random changes of its seeds for some seconds; an instrumented one (--coverage) is driven by libFuzzer.
"""

import argparse
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEEDS = ROOT / "Tests/fuzz/seeds"
FOUND = ROOT / ".build/fuzz-found"
LONGEST = {"sealed": 600, "head": 700, "range": 60, "cursor": 60, "zip": 1200}
"""Bytes of an input; a longer one finds nothing that a shorter one does not."""
GRACE = 20
"""Seconds that one input may take."""
MEMORY = 4 << 30
"""Bytes of address space; an instrumented build has libFuzzer's own limit instead."""
MOST_RUNS = 1_000_000_000


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--target", action="append")
    parser.add_argument("--jobs", type=float, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def environment(target):
    # A broken property is told in one line; a backtrace takes minutes to write.
    return {**os.environ, "DIARY_FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "handle_abort=1:handle_sigill=1"}


def run(line, target, seconds):
    """(exit status, output); a program that does not end is ended."""
    began = subprocess.Popen(line, env=environment(target), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        output, _ = began.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        began.kill()
        output, _ = began.communicate()
        return 1, f"{output}\nERROR: an input took more than {GRACE} s\n"
    return began.returncode, output


def longest(target):
    return LONGEST.get(target, 4096)


def with_libfuzzer(options, target, folder):
    words = SEEDS / f"{target}.dict"
    line = [options.program, f"-artifact_prefix={FOUND}/{target}-", f"-timeout={GRACE}", "-rss_limit_mb=2048", "-print_final_stats=1"]
    if options.files:
        return run([*line, *options.files], target, GRACE * len(options.files) + 60)
    line += [f"-max_total_time={max(1, round(options.seconds))}", f"-max_len={longest(target)}", f"-seed={options.seed}"]
    line += [f"-dict={words}"] if words.exists() else []
    return run([*line, folder, *([SEEDS / target] if (SEEDS / target).is_dir() else [])], target, options.seconds + GRACE + 60)


def with_random_changes(options, target, folder):
    kept = pathlib.Path(folder) / "input"
    files = options.files or sorted((SEEDS / target).glob("*"))
    line = ["prlimit", f"--as={MEMORY}", "--core=0", options.program, "--keep", kept, "--longest", str(longest(target))]
    if not options.files:
        line += ["--seed", str(options.seed), "--runs", str(MOST_RUNS), "--seconds", str(max(1, round(options.seconds)))]
        line += [word for text in dictionary(target) for word in ("--word", text.hex())]
    status, output = run([*line, *files], target, options.seconds + GRACE)
    if status and kept.exists():
        broken = FOUND / f"{target}-{time.time_ns()}"
        broken.write_bytes(kept.read_bytes())
        output += f"\nTest unit written to {broken}\n"
    return status, output


def dictionary(target):
    """The words of a libFuzzer dictionary: "text", with \\\\, \\" and \\xAB."""
    file = SEEDS / f"{target}.dict"
    for line in file.read_text().splitlines() if file.exists() else []:
        if found := re.search(r'^[^#"]*"(.*)"\s*$', line):
            yield re.sub(rb'\\(x([0-9A-Fa-f]{2})|[\\"])', lambda m: bytes.fromhex(m[2].decode()) if m[2] else m[1], found[1].encode())


def one(options, target):
    """(whether it held, one line, its output, figures)"""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="diary-fuzz-") as folder:
        status, output = (with_libfuzzer if options.coverage else with_random_changes)(options, target, folder)
    runs = re.search(r"stat::number_of_executed_units: *(\d+)|^(\d+) runs$", output, re.MULTILINE)
    count = int(runs[1] or runs[2]) if runs else 0
    covered = re.findall(r" cov: (\d+)", output)
    line = f"{target:12} {'BROKEN' if status else 'held'}, {count:,} runs" + (f", {covered[-1]} edges" if covered else "")
    figures = {"target": target, "held": status == 0, "runs": count, "seconds": round(time.monotonic() - began, 1), "says": ""}
    return status == 0, line, output, figures


def complaint(output):
    lines = [
        line
        for line in output.splitlines()
        if re.search(r"ERROR: (?!.*: ILL)|Fatal error|SUMMARY: (?!.*: ILL)|Test unit written|#\d+ 0x.*Sources/", line)
    ]
    return "\n".join("    " + line[:300] for line in (lines or output.splitlines()[-5:])[:25])


def main():
    options = arguments()
    FOUND.mkdir(parents=True, exist_ok=True)
    known = run([options.program], "list", 60)[1].split()
    targets = options.target or known
    if set(targets) - set(known) or (options.files and len(targets) != 1):
        print(f"targets: {' '.join(known)}; files need exactly one", file=sys.stderr)
        return 2
    if options.files:
        held, _, output, _ = one(options, targets[0])
        print(output[-6000:])
        return 0 if held else 1
    print(f"seed {options.seed}", flush=True)
    all_figures = []
    with ThreadPoolExecutor(max(1, int(options.jobs))) as pool:
        for held, line, output, figures in pool.map(lambda target: one(options, target), targets):
            print(line, flush=True)
            if not held:
                figures["says"] = complaint(output).strip()
                print(complaint(output), flush=True)
            all_figures.append(figures)
    if options.json:
        options.json.write_text(json.dumps({"seed": options.seed, "targets": all_figures}, indent=1) + "\n")
    fine = bool(all_figures) and all(figures["held"] for figures in all_figures)
    print("every property held" if fine else f"inputs that break a property: {FOUND}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
