"""The black-box tests: several pytest processes first, each with a service of its own; then those marked `alone`, one after the other."""

import re

from commands import LOGS, ROOT, run
from report import Part

PYTHON = ROOT / ".venv/bin/python"
FOLDER = "Tests/blackbox"
AT_ONCE = 4
"""Processes. Most of a test's time is waiting: together they take less than one of the two cores of the gate's machine, and the build of the
Swift tests, which runs beside them, gets the rest."""
LIMIT = 1800
"""Seconds for a pass: several times what it needs."""
NO_TESTS = 5
"""pytest's exit status when nothing was selected."""

SHORTEST = "test_guessing.py"
"""Its owner signs in within a second beside a hundred clients."""

KIND = "black-box tests"
ALONE = "black-box tests, alone"


def parts(files=(), text=None, more=()):
    """Runs the tests of the files, or all; yields a part for each of the two passes that has any."""
    yield from together(files, text, more)
    yield from alone(files, text, more)


def together(files=(), text=None, more=(), program=None):
    """The tests that do not measure time."""
    (LOGS / "answered.txt").unlink(missing_ok=True)
    yield from play(Part(KIND, KIND), [*side_by_side(files), "-m", "not alone"], files, text, more, program=program)


def alone(files=(), text=None, more=(), companions=()):
    """The tests marked `alone`. Each of `companions` starts another part beside them, as they mostly wait; it gets the name of this part, and
    returns a function that waits for its part."""
    ended = [companion(ALONE) for companion in companions]
    yield from play(Part(ALONE, KIND), ["-m", "alone"], files or files_with_alone(), text, more)
    for finish in ended:
        yield finish()


def files_with_alone():
    """Files that have a test marked `alone`, the one with the shortest times last, when the Swift tests that they run beside have ended. Reading
    them all takes pytest longer than one of these tests."""
    files = [file.name for file in sorted((ROOT / FOLDER).glob("test_*.py")) if "mark.alone" in file.read_text()]
    return sorted(files, key=lambda name: name == SHORTEST)


def with_bucket(text=None, more=(), program=None):
    """The tests that hold with every store, with buckets of one S3 service."""
    how = ["-n", AT_ONCE, "--dist", "worksteal", "-m", "any_store"]
    yield from play(Part("black-box tests, S3", KIND), how, (), text, more, [PYTHON, f"{FOLDER}/s3_server.py"], program)


def play(part, how, files, text, more, beside=(), program=None):
    """Runs the tests of the files, or all, that `how` and `text` choose; yields the part if it has any. `beside`: a command that runs another.
    `program`: instead of the debug build's."""
    where = [f"{FOLDER}/{file}" for file in files] or [FOLDER]
    words = ["-k", expression(text)] if text else []
    results = LOGS / "blackbox.xml"
    results.unlink(missing_ok=True)
    command = [
        *beside,
        PYTHON,
        "-m",
        "pytest",
        "-q",
        "-o",
        "faulthandler_timeout=600",
        f"--junitxml={results}",
        *how,
        *words,
        *where,
        *more,
    ]
    # What pytest makes of the files is kept: it takes each process six seconds to make it anew.
    kept = {"PYTHONDONTWRITEBYTECODE": ""}
    environment = {"PYTHONUTF8": "1", "PYTHONPATH": "", "DIARY_ANSWERED": str(LOGS / "answered.txt"), **kept}
    if program:
        environment["DIARY_PROGRAM"] = str(program)
    if run(part, command, LIMIT, environment=environment) == NO_TESTS:
        part.status = 0
    part.read_junit(results)
    if part.tests or not part.passed:
        yield part


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
