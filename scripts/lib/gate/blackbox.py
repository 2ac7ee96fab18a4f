"""The black-box tests: several pytest processes first, each with a service of its own; then those marked `alone`, one after the other."""

import re

from commands import LOGS, ROOT, run
from report import Part

PYTHON = ROOT / ".venv/bin/python"
FOLDER = "Tests/blackbox"
AT_ONCE = 3
"""Processes. Much of a test's time is waiting, so one more than the two cores of the gate's machine."""
NO_TESTS = 5
"""pytest's exit status when nothing was selected."""

KIND = "black-box tests"
ALONE = "black-box tests, alone"


def parts(files=(), text=None, more=(), companion=None):
    """Runs the tests of the files, or all; yields a part for each of the two passes that has any.

    `companion` starts another part beside the second pass, which mostly waits; it gets that pass' name, and returns a function that waits
    for its part."""
    where = [f"{FOLDER}/{file}" for file in files] or [FOLDER]
    words = ["-k", expression(text)] if text else []
    answered = LOGS / "answered.txt"
    answered.unlink(missing_ok=True)
    passes = (
        (Part("black-box tests", KIND), [*side_by_side(files), "-m", "not alone"], 1800),
        (Part(ALONE, KIND), ["-m", "alone"], 1800),
    )
    for part, how, seconds in passes:
        ended = companion(part.name) if companion and part.name == ALONE else None
        results = LOGS / "blackbox.xml"
        results.unlink(missing_ok=True)
        command = [PYTHON, "-m", "pytest", "-q", "-o", "faulthandler_timeout=600", f"--junitxml={results}", *how, *words, *where, *more]
        if run(part, command, seconds, environment={"PYTHONUTF8": "1", "PYTHONPATH": "", "DIARY_ANSWERED": str(answered)}) == NO_TESTS:
            part.status = 0
        part.read_junit(results)
        if part.tests or not part.passed:
            yield part
        if ended:
            yield ended()


def expression(text):
    """pytest's -k for a text, in which | is `or`. None when the text is neither words nor such an expression."""
    word = r"(?:not )?[\w:+./\[\]-]+"
    joined = " or ".join(part.strip() for part in text.split("|"))
    return joined if re.fullmatch(rf"{word}(?: (?:and|or) {word})*", joined) else None


def side_by_side(files):
    """Of a few files each stays with one process, which makes what the file's tests share once."""
    if len(files) == 1:
        return []
    return ["-n", min(AT_ONCE, len(files)), "--dist", "loadfile"] if files else ["-n", AT_ONCE, "--dist", "worksteal"]
