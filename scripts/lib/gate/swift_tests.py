"""The Swift tests: many at once first, then those that measure, target by target and two at once."""

import itertools
import os
import re
import subprocess

import swift_events
from commands import LOGS, ROOT, run
from report import Part

BUNDLE = ROOT / ".build/debug/diaryPackageTests.xctest"
TIMED = ROOT / "Tests/timed-tests.txt"
AT_ONCE = 8
"""Tests at once. With all at once each waits so long for its turn that no deadline of any of them holds."""
TIMED_AT_ONCE = 2
"""Most of those that measure deadlines wait; two at once disturb each other little and take half the time."""
LIMIT = 900
"""Seconds for a pass: several times what it needs."""
KIND = "Swift tests"
TIMED_NAME = "Swift tests, timed"

LONG = ["DiaryMediaTests.PartedSpeechEngineTests/twoHours", "ZipArchiveTests.Zip64Tests/largeMember"]
"""Tests that run with DIARY_TIMES=1 only: minutes of work each."""
ON_LOCALSTACK = ["DiaryObjectStoreTests.BucketConditionTests"]
"""Suites that run with DIARY_TEST_LOCALSTACK only: 195 MB of packages."""


def listed():
    """Every test function."""
    events = LOGS / "swift-list.json"
    LOGS.mkdir(parents=True, exist_ok=True)
    events.unlink(missing_ok=True)
    command = [
        BUNDLE,
        "--testing-library",
        "swift-testing",
        "--list-tests",
        "--event-stream-output-path",
        events,
        "--event-stream-version",
        "0",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{BUNDLE} does not list its tests:\n{done.stdout}{done.stderr}")
    left_out = [] if os.environ.get("DIARY_TIMES") == "1" else [*LONG]
    left_out += [] if os.environ.get("DIARY_TEST_LOCALSTACK") else ON_LOCALSTACK
    return [test for test in swift_events.functions(events).values() if not any(is_named(test, name) for name in left_out)]


def timed_names():
    lines = (line.split("#")[0].strip() for line in TIMED.read_text().splitlines())
    return [line for line in lines if line]


def is_named(test, name):
    """Whether a line of timed-tests.txt, a suite or one function of it, names the test."""
    return test.name.startswith(name + "/") or test.name.split("(")[0] == name


def chosen(tests, targets=None, text=None):
    """Tests of the targets of which suite, function or title matches the text, a regular expression."""
    pattern = re.compile(text, re.IGNORECASE) if text else None
    return [
        test
        for test in tests
        if (targets is None or test.name.split(".")[0] in targets)
        and (pattern is None or pattern.search(test.name.partition(".")[2]) or pattern.search(test.title))
    ]


def matching(tests):
    """A regular expression that matches exactly these."""
    return "^(?:" + "|".join(re.sub(r"([^\w/:])", r"\\\1", test.name) for test in tests) + ")(?:/|$)"


class Chosen:
    """The tests of the targets, or all, of which suite, function or title matches the text."""

    def __init__(self, targets=None, text=None):
        every, names = listed(), timed_names()
        self.unknown = [name for name in names if not any(is_named(test, name) for test in every)]
        wanted = chosen(every, targets, text)
        self.timed = [test for test in wanted if any(is_named(test, name) for name in names)]
        self.others = [test for test in wanted if test not in self.timed]
        self.are_all = len(wanted) == len(every)

    def at_once(self):
        """Runs the tests that measure nothing; yields their part, and one for each fault of the choice."""
        if self.unknown:
            faults = [f"Tests/timed-tests.txt names {name}, which no test has" for name in self.unknown]
            yield Part("list of timed tests", status=1, failures=faults)
        if not self.others:
            return
        if not self.are_all:
            which = ["--filter", matching(self.others)]
        else:
            which = ["--skip", matching(self.timed)] if self.timed else []
        part = Part("Swift tests", KIND)
        play(part, ["--experimental-maximum-parallelization-width", AT_ONCE, *which], len(self.others), AT_ONCE)
        yield part

    def alone(self):
        """Runs the tests that measure; yields their part."""
        if not self.timed:
            return
        part = Part(TIMED_NAME, KIND)
        # A process for each target: some measure the memory of their process. First the one with programs that give way to all others: fuzz,
        # which gives way less, begins later.
        ordered = sorted(self.timed, key=lambda test: (not test.name.startswith("DiaryMediaTests."), test.name))
        for _, tests in itertools.groupby(ordered, lambda test: test.name.split(".")[0]):
            of_target = list(tests)
            which = ["--experimental-maximum-parallelization-width", TIMED_AT_ONCE, "--filter", matching(of_target)]
            play(part, which, len(of_target), TIMED_AT_ONCE)
        yield part


def play(part, more, expected, width):
    """Runs some tests and adds what they say to the part."""
    events = LOGS / "swift.json"
    events.unlink(missing_ok=True)
    before = len(part.tests)
    command = [BUNDLE, "--testing-library", "swift-testing", "--event-stream-output-path", events, "--event-stream-version", "0", *more]
    status = run(part, command, LIMIT, shown, {"NO_COLOR": "1"})
    swift_events.read(part, events, width)
    if status == 0 and len(part.tests) - before != expected:
        part.failures.append(f"{len(part.tests) - before} tests ran instead of {expected}")


def shown(line):
    """The beginnings and good ends of single tests are left out; figures that tests print and failures are shown."""
    return not re.match(r"◇ (?!Test run)|✔ (?!Test run)|↳ T|➜", line)
