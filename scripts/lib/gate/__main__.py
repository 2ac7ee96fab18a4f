"""The tests of scripts/test, whose --help says more: what runs, in which order, and the table at the end."""

import argparse
import re
import sys
import threading
import time

import blackbox
import changes
import others
import report
import swift_tests
from commands import SIGNALS, Interrupted
from package import Package
from report import Part


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/test", add_help=False)
    parser.add_argument("--swift", action="store_true")
    parser.add_argument("--blackbox", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--filter")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--base")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--store")
    parser.add_argument("--optimised", action="store_true")
    parser.add_argument("pytest", nargs="*")
    return parser.parse_args()


def main():
    options = arguments()
    chosen = parts_of(options)
    if isinstance(chosen, int):
        return chosen
    began, done = time.monotonic(), []
    SIGNALS.catch()
    try:
        for part in chosen:
            done.append(part)
            if part.name == "build" and not part.passed:
                break
    except Interrupted as interrupted:
        print(f"interrupted after {time.monotonic() - began:.0f} s; {len(done)} parts were done", file=sys.stderr)
        return 128 + interrupted.number
    return report.show(done, time.monotonic() - began)


def parts_of(options):
    """A generator that runs the parts one after the other, or an exit status when there is nothing to run."""
    if options.changed or options.base:
        return of_change(options)
    if options.only:
        return of_names(options)
    if is_refused(options.filter, not options.swift):
        return 2
    if options.store or options.optimised:
        return of_program(options)
    faults = changes.Areas().faults()
    return everything(options, faults)


def everything(options, faults):
    whole = not options.swift and not options.blackbox and not options.pytest and not options.filter
    if whole:
        yield from whole_run(options, faults)
        return
    yield others.build("--product", "diary") if options.blackbox else others.build("--build-tests")
    suites = []
    if not options.blackbox:
        suites.append(swift(options))
    if not options.swift:
        suites.append(blackbox.parts(text=options.filter, more=options.pytest))
    yield from of_suites(suites, options)


def whole_run(options, faults):
    """Every part. The black-box tests begin as soon as the program is built, and the Swift tests are built with what they leave of the
    processors. Swift tests that measure time run beside chaos, and when that has ended beside the black-box tests that do."""
    if faults:
        yield Part("areas of black-box tests", status=1, failures=faults)
    fetched = None if others.are_packages_there() else others.packages(beside="build")
    built = others.build("--product", "diary")
    if fetched:
        yield fetched()
    yield built
    if not built.passed:
        return
    tests_built = others.build_tests(beside=blackbox.KIND)
    yield from blackbox.together()
    built = tests_built()
    yield built
    if not built.passed:
        yield others.formatting()()
        return
    chosen = swift_tests.Chosen(None, None)
    yield from chosen.at_once()
    beside = Beside(chaos_and_alone())
    yield from chosen.alone()
    yield from beside.parts()


def chaos_and_alone():
    """Acts of chaos mostly wait, and so do the tests that follow them, with fuzz and the format check in what both leave of the processors."""
    yield others.chaos(beside=swift_tests.TIMED_NAME)()
    yield from blackbox.alone(companions=[others.fuzz, lambda beside: others.formatting(beside=beside)])


class Beside(threading.Thread):
    """Runs the parts of a generator while others run."""

    def __init__(self, generator):
        super().__init__(daemon=True)
        self.generator, self.done, self.fault = generator, [], None
        self.start()

    def run(self):
        try:
            self.done.extend(self.generator)
        except BaseException as fault:  # Raised where the parts are asked for.
            self.fault = fault

    def parts(self):
        self.join()
        if self.fault:
            raise self.fault
        return self.done


def of_program(options):
    """What needs the program alone. With a bucket instead of a folder: the main job, the kill points and the rest of the fast pass of
    scripts/chaos. Of an optimised program: the black-box tests that do not measure time, or those with a bucket."""
    yield others.build_optimised() if options.optimised else others.build("--product", "diary")
    program = others.OPTIMISED if options.optimised else others.PROGRAM
    tests = blackbox.with_bucket if options.store else blackbox.together
    yield from of_suites([tests(text=options.filter, more=options.pytest, program=program)], options)
    if options.store:
        yield others.chaos("--store", "s3", program=program)()


def swift(options, targets=None):
    chosen = swift_tests.Chosen(targets, options.filter)
    yield from chosen.at_once()
    yield from chosen.alone()


def of_suites(suites, options):
    """Runs suites. Each must have tests; with --filter it is enough that one of them has a test that matches."""
    found = []
    for suite in suites:
        parts = 0
        for part in suite:
            parts += 1
            yield part
        found.append(parts)
    if found and not (any(found) if options.filter else all(found)):
        yield Part("choice of tests", status=1, failures=["no test matches"])


def is_refused(text, with_blackbox):
    """Whether --filter cannot be read; says why."""
    if not text:
        return False
    try:
        re.compile(text)
    except re.error as error:
        print(f"--filter: {text} is no regular expression: {error}", file=sys.stderr)
        return True
    if with_blackbox and not blackbox.expression(text):
        print(f"--filter: the black-box tests take words, or several joined by |, not: {text}", file=sys.stderr)
        return True
    return False


def of_names(options):
    package = Package()
    targets, files, wrong = set(), set(), []
    for name in options.only:
        short = name.removesuffix(".py")
        if name in package.tests() or f"{name}Tests" in package.tests():
            targets.add(name if name in package.tests() else f"{name}Tests")
        elif (changes.BLACKBOX / f"{short}.py").exists() and short.startswith("test_"):
            files.add(f"{short}.py")
        else:
            wrong.append(name)
    if wrong:
        known = " ".join([*package.tests(), *(file.removesuffix(".py") for file in changes.Areas().files)])
        print(f"no such tests: {' '.join(wrong)}. There are: {known}", file=sys.stderr)
        return 2
    if is_refused(options.filter, bool(files)):
        return 2
    if options.plan:
        print("\n".join([*(f"Swift {target}" for target in sorted(targets)), *(f"black-box {file}" for file in sorted(files))]))
        return 0
    return some(targets, files, options)


def of_change(options):
    files = changes.changed(options.base)
    if not files:
        print("nothing has changed" + (f" since {options.base}" if options.base else ""))
        return 0
    plan = changes.plan(files, Package())
    if is_refused(options.filter, bool(plan.blackbox)):
        return 2
    print("\n".join(plan.lines()))
    print("chaos and fuzz run for their own files alone, and in the whole of scripts/test", flush=True)
    if options.plan:
        return 0
    return some(set(plan.swift), set(plan.blackbox), options, plan, [file for file in files if (changes.ROOT / file).exists()])


def some(targets, files, options, plan=None, changed=()):
    if changed:
        yield others.formatting(changed)()
    if targets:
        yield others.build("--product", "diaryPackageTests")
    if (files - changes.NEEDS_NO_SERVICE) or (plan and plan.chaos):
        yield others.build("--product", "diary")
    suites = [swift(options, targets)] if targets else []
    if files:
        suites.append(blackbox.parts(sorted(files), options.filter, options.pytest))
    yield from of_suites(suites, options)
    if plan and plan.chaos:
        yield others.chaos()()
    if plan and plan.fuzz:
        yield others.build("--product", "diary-fuzz")
        yield others.fuzz()()


if __name__ == "__main__":
    sys.exit(main())
