"""The list of hostile recordings (hostile_media.py)."""

from collections.abc import Callable
from typing import NamedTuple


class Kind(NamedTuple):
    content_type: str
    # Whether it has no sound that could be heard: it must be refused.
    is_refused: bool
    make: Callable[[], bytes]


KINDS: dict[str, Kind] = {}

# The file outside the job's folder that recordings refer to.
CANARY = ["/etc/passwd"]


def kind(content_type, refused=False):
    def register(make):
        KINDS[make.__name__] = Kind(content_type, refused, make)
        return make

    return register


def each(content_type, name, values, refused=False):
    """A kind for each of the values: a label, and what the maker is called with, or a function that makes that when it is needed."""

    def register(make):
        for label, value in values.items():
            KINDS[f"{name}_{label}"] = Kind(content_type, refused, lambda value=value: make(value() if callable(value) else value))
        return make

    return register


def references():
    """What a recording could name outside its folder."""
    path = CANARY[0]
    return [
        path,
        f"../../../../../..{path}",
        f"file://{path}",
        "http://127.0.0.1:9/canary",
        f"concat:{path}|{path}",
        f"subfile,,start,0,end,99,,:{path}",
    ]
