"""How often a test repeats what it does: `DIARY_TIMES=1` takes the full counts, which want a quiet machine and take long."""

import os

LONG = os.environ.get("DIARY_TIMES") == "1"


def repetitions(full, fast):
    """The count of this run. The fast one shows what the test is about; the full one is what the requirement names."""
    return full if LONG else fast


def daily(table, each=2):
    """Rows of a table that all go one way through the service: every `each`-th of them, all with `DIARY_TIMES=1`."""
    return list(table) if LONG else list(table)[::each]
