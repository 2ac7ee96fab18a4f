"""What the clients of product documents share: a table of what they do, to which each of their calls is held."""

import functools
import inspect
import urllib.parse
from typing import NamedTuple

from contract import CONTRACT

TRIES = 5
"""Of a request that another change came before (`concurrent_change`)."""


class Flow(NamedTuple):
    calls: str
    """Operations of the contract; one with a question mark is called in some cases only."""
    sentences: tuple
    """What the document says, as it stands there."""


def flow(calls, *sentences):
    return Flow(calls, sentences)


class Refused(Exception):
    def __init__(self, problem):
        super().__init__(problem["code"])
        self.problem = problem


class Client:
    """To be named before a `User` among the bases. Each public method is a flow of the app, of which `flows` has the row."""

    flows = {}
    running, called = None, frozenset()
    """A flow, and the operations that it has called."""

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        for name in methods(cls):
            setattr(cls, name, held(vars(cls)[name]))

    def call(self, method, path, expect=None, timeout=20, **more):
        if self.running:
            _, operation = CONTRACT.find(method, urllib.parse.urlsplit(path).path)
            self.called.add(operation["operationId"])
        for _ in range(TRIES):
            answer = super().call(method, path, None, timeout, **more)
            if answer.status_code != 409 or not answer.json()["retryable"]:
                break
        allowed = expect if isinstance(expect, tuple) else (expect,)
        assert expect is None or answer.status_code in allowed, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer


def methods(client):
    return [name for name, value in vars(client).items() if inspect.isfunction(value) and not name.startswith("_")]


def held(method):
    """The same, but it fails when it calls other operations than its row has. One that another flow calls is a part of that."""
    name = method.__name__

    @functools.wraps(method)
    def run(self, *given, **named):
        if self.running:
            return method(self, *given, **named)
        calls = self.flows[name].calls.split()
        self.running, self.called = name, set()
        try:
            made = method(self, *given, **named)
        finally:
            self.running = None
        assert {call for call in calls if not call.endswith("?")} <= self.called <= {call.rstrip("?") for call in calls}, (
            name,
            self.called,
        )
        return made

    return run


def pages(client, path, **params):
    """The items of a list. A page may be empty and not the last."""
    cursor = {}
    while True:
        page = client.call("GET", path, 200, params={**params, **cursor}).json()
        yield from page["items"]
        if not page["has_more"]:
            return
        cursor = {"cursor": page["next_cursor"]}


def faults(client, tests):
    """What the table lacks: methods without a row or a sentence, operations that are none, sentences that no docstring of the tests has."""
    told = " ".join(" ".join(test.__doc__.split()) for name, test in tests.items() if name.startswith("test_") and test.__doc__)
    operations = {operation["operationId"] for *_, operation in CONTRACT.operations}
    found = [f"{name}: no row" for name in methods(client) if name not in client.flows]
    found += [f"{name}: no method" for name in client.flows if name not in methods(client)]
    for name, row in client.flows.items():
        found += [f"{name}: no sentence"] * (not row.sentences)
        found += [f"{name}: {call} is no operation" for call in row.calls.replace("?", "").split() if call not in operations]
        found += [f"{name}: no test says: {sentence}" for sentence in row.sentences if sentence not in told]
    return found
