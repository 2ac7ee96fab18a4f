"""What the parts of a run have to say at its end: a table, the slowest tests, and once more whatever failed."""

import dataclasses
import pathlib
import xml.etree.ElementTree as XML

SLOWEST = 10
LONGEST_MESSAGE = 400
MOST_SHOWN = 40
"""Failures of a part that are shown again at the end."""


@dataclasses.dataclass
class Test:
    name: str
    seconds: float


@dataclasses.dataclass
class Part:
    """One part of a run. `kind` is what it counts: Swift tests, black-box tests, chaos acts, fuzz targets; empty for what is no test."""

    name: str
    kind: str = ""
    seconds: float = 0
    status: int = 0
    tests: list[Test] = dataclasses.field(default_factory=list)
    failures: list[str] = dataclasses.field(default_factory=list)
    log: pathlib.Path | None = None

    @property
    def passed(self):
        return self.status == 0 and not self.failures

    def read_junit(self, path):
        """Tests and failures of a JUnit file, as pytest writes it."""
        if not path.exists():
            return
        for case in XML.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
            self.tests.append(Test(name, float(case.get("time") or 0)))
            for failure in [*case.findall("failure"), *case.findall("error")]:
                message = " ".join((failure.get("message") or failure.text or "").split())
                self.failures.append(f"{name}: {message[:LONGEST_MESSAGE]}")


def table(parts):
    rows = [("part", "tests", "seconds", "")]
    for part in parts:
        rows.append((part.name, str(len(part.tests)) if part.kind else "", f"{part.seconds:.0f}", "" if part.passed else "FAILED"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [f"{a:{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows]


def slowest(parts):
    tests = sorted((test for part in parts for test in part.tests), key=lambda test: -test.seconds)[:SLOWEST]
    return [f"{test.seconds:7.1f} s  {test.name}" for test in tests]


def counts(parts):
    totals = {}
    for part in parts:
        if part.kind:
            totals[part.kind] = totals.get(part.kind, 0) + len(part.tests)
    return ", ".join(f"{count} {kind}" for kind, count in totals.items())


def failures(parts):
    lines = []
    for part in parts:
        if part.passed:
            continue
        lines.append(f"{part.name} failed" + (f" (exit {part.status}); its output is in {part.log}" if part.log else ""))
        # A test with parameters fails once for each.
        distinct = list(dict.fromkeys(part.failures))
        lines += [f"    {failure}" for failure in distinct[:MOST_SHOWN]]
        if len(distinct) > MOST_SHOWN:
            lines.append(f"    and {len(distinct) - MOST_SHOWN} more")
        if not part.failures and part.log and part.log.exists():
            lines += [f"    {line}" for line in part.log.read_text(errors="replace").splitlines()[-30:]]
    return lines


def show(parts, seconds):
    """Prints the end of a run and returns its exit status."""
    print()
    print("\n".join(table(parts)))
    if tests := slowest(parts):
        print("\nslowest tests:\n" + "\n".join(tests))
    if total := counts(parts):
        print(f"\n{total}")
    if lines := failures(parts):
        print("\n" + "\n".join(lines))
        print(f"{sum(not part.passed for part in parts)} of {len(parts)} parts failed after {seconds:.0f} s", flush=True)
        return max(part.status for part in parts if not part.passed) if any(part.status >= 124 for part in parts) else 1
    print(f"all tests passed in {seconds:.0f} s", flush=True)
    return 0
