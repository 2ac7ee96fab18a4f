import collections
import itertools
import os

import pytest

import error_codes
from contract import CONTRACT
from provider_scene import providers, service, visitor  # noqa: F401 (fixtures for every file)
from rig import Rig
from s3_server import GIVEN, S3Server


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
    """Tests marked `long` first, spread over the processes, which get equal slices of the list: all would wait for one that begins last."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.get_closest_marker("long")]
    rest = iter([item for item in items if not item.get_closest_marker("long")])
    share = -(-len(items) // count)
    ordered = []
    for process in range(count):
        first = long[process::count]
        ordered += first + list(itertools.islice(rest, max(0, share - len(first))))
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
