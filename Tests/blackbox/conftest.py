import collections
import itertools
import os

import pytest

import error_codes
from contract import CONTRACT
from provider_scene import providers, service, visitor  # noqa: F401 (fixtures for every file)
from rig import Rig
from s3_server import GIVEN, S3Server


def pytest_configure(config):
    """The programs that tests start write no bytecode into the checkout; pytest's own processes may."""
    if not getattr(config.option, "numprocesses", None):
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


@pytest.fixture(scope="session")
def shared_rig():
    """It runs as long as its process of the tests, mostly idle: it looks and sweeps less often than one that is there for its looks."""
    rig = Rig(DIARY_POLL_SECONDS="1", DIARY_SWEEP_SECONDS="1.5")
    yield rig
    rig.end()


@pytest.fixture
def rig(shared_rig):
    """One service for all tests of a process; each makes its own users. Scripts do not outlive a test."""
    yield shared_rig
    shared_rig.unscript()


@pytest.fixture
def own_rig():
    """For tests that stop, wipe or kill servers."""
    rig = Rig()
    yield rig
    rig.end()


@pytest.fixture(scope="module")
def s3_url():
    """An S3 service: the one that this process was given, or one of its own, which idle costs more in a minute than its start."""
    if GIVEN in os.environ:
        yield os.environ[GIVEN]
        return
    with S3Server() as server:
        yield server.url


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Files with a test marked `long` first, spread over the processes, which get equal slices of the list: all would wait for one that begins
    last. A file's tests stay with one process, which then makes what they share once; of several with an equal share, the one that comes first
    gets the next file."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    files = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    weights = {path: sum(1 for item in tests if item.get_closest_marker("long")) for path, tests in files.items()}
    first = [[] for _ in range(count)]
    loads = [0] * count
    for path in sorted((path for path in files if weights[path]), key=lambda path: -weights[path]):
        process = loads.index(min(loads))
        loads[process] += weights[path]
        # The long ones before the others of the file.
        first[process] += sorted(files[path], key=lambda item: not item.get_closest_marker("long"))
    rest = iter([item for path, tests in files.items() if not weights[path] for item in tests])
    share = -(-len(items) // count)
    ordered = []
    for own in first:
        ordered += own + list(itertools.islice(rest, max(0, share - len(own))))
    items[:] = [*ordered, *rest]


CHECKED = collections.Counter(CONTRACT.checked)
"""Answers held against the contract, those of other pytest processes included."""


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["checked"] = [[list(kind), count] for kind, count in CONTRACT.checked.items()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for kind, count in getattr(node, "workeroutput", {}).get("checked", []):
        CHECKED[tuple(kind)] += count


def pytest_terminal_summary(terminalreporter):
    all_checked = CHECKED + collections.Counter(CONTRACT.checked)
    terminalreporter.write_line(f"{all_checked.total()} answers of {len(all_checked)} kinds held against openapi.yaml")
    if "DIARY_ANSWERED" in os.environ:
        error_codes.note(os.environ["DIARY_ANSWERED"], all_checked)
