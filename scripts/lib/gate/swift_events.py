"""Swift Testing's event stream: which tests there are, how long each ran, and what failed."""

import collections
import dataclasses
import json

from report import LONGEST_MESSAGE, Test


@dataclasses.dataclass
class Function:
    """A test function: its id (target.suite/function(parameters:)), its title, and the id that events carry."""

    name: str
    title: str
    event_id: str
    has_parameters: bool


def records(path):
    """Lines of the stream. The last may be cut off when the tests ended badly."""
    if path.exists():
        for line in path.read_text(errors="replace").split("\n"):
            try:
                yield json.loads(line)
            except ValueError:
                return


def functions(path):
    found = {}
    for record in records(path):
        test = record["payload"]
        if record["kind"] == "test" and test["kind"] == "function":
            # The id ends in the place in the source: /File.swift:line:column.
            name = test["id"].rsplit("/", 1)[0]
            found[test["id"]] = Function(name, test.get("displayName", ""), test["id"], test.get("isParameterized", False))
    return found


def read(part, path, width):
    """Adds the stream's tests and failures to the part. `width` is how many tests ran at once."""
    known = functions(path)
    clock = Clock(known, width)
    for record in records(path):
        if record["kind"] != "event":
            continue
        event = record["payload"]
        test, kind = event.get("testID"), event["kind"]
        clock.see(kind, test, event["instant"]["absolute"])
        if kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            text = " ".join(message["text"] for message in event.get("messages", []))
            name = known[test].name if test in known else test or "outside of a test"
            part.failures.append(f"{name}: {text[:LONGEST_MESSAGE]}")
    part.tests += [Test(known[test].name, seconds) for test, seconds in clock.seconds.items()]


class Clock:
    """How long each test ran. The stream says of a test without parameters when it was due, not when one of the `width` places became free
    for it: places are given in the order in which tests are due, which is played again here."""

    def __init__(self, known, width):
        self.known, self.width = known, width
        self.seconds, self.started, self.waiting = {}, {}, collections.deque()
        self.cases, self.since = collections.Counter(), {}

    def see(self, kind, test, now):
        if test not in self.known:
            return
        if self.known[test].has_parameters:
            self.parameterized(kind, test, now)
        elif kind == "testStarted":
            self.waiting.append(test)
        elif kind == "testEnded":
            if test in self.waiting:
                # Its place was given to another here: they change places.
                self.waiting.remove(test)
                if self.started:
                    other, began = self.started.popitem()
                    self.waiting.appendleft(other)
                    self.started[test] = began
            self.seconds[test] = now - self.started.pop(test, now)
        while self.waiting and len(self.started) + self.cases.total() < self.width:
            self.started[self.waiting.popleft()] = now

    def parameterized(self, kind, test, now):
        """The time in which any of its cases ran."""
        if kind == "testStarted":
            self.seconds[test] = 0.0
        elif kind == "testCaseStarted":
            if not self.cases[test]:
                self.since[test] = now
            self.cases[test] += 1
            if self.started and len(self.started) + self.cases.total() > self.width:
                other, _ = self.started.popitem()
                self.waiting.appendleft(other)
        elif kind == "testCaseEnded" and self.cases[test]:
            self.cases[test] -= 1
            if not self.cases[test]:
                self.seconds[test] += now - self.since[test]
