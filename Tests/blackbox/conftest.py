import pytest

from contract import CONTRACT
from rig import Rig


@pytest.fixture(scope="session")
def shared_rig():
    rig = Rig()
    yield rig
    rig.end()


@pytest.fixture
def rig(shared_rig):
    """One service for all tests; each makes its own users. Scripts do not outlive a test."""
    yield shared_rig
    shared_rig.unscript()


@pytest.fixture
def own_rig():
    """For tests that stop, wipe or kill servers."""
    rig = Rig()
    yield rig
    rig.end()


def pytest_terminal_summary(terminalreporter):
    answers = sum(CONTRACT.checked.values())
    terminalreporter.write_line(f"{answers} answers of {len(CONTRACT.checked)} kinds held against openapi.yaml")
