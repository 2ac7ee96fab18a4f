"""Which error codes of openapi.yaml no black-box test was answered. After a run of the tests: python Tests/blackbox/error_codes.py

The tests append what they were answered to the file that DIARY_ANSWERED names; scripts/test sets it."""

import pathlib
import sys

from contract import CODES, CONTRACT, ROOT

ANSWERED = ROOT / ".build/gate/answered.txt"


def note(path, checked):
    """Appends `POST /v1/entries 409 entry_id_taken`, a line for each kind of answer that has a code."""
    with pathlib.Path(path).open("a") as file:
        file.writelines(f"{method} {template} {status} {code}\n" for method, template, status, code in checked if code)


def unanswered(answered):
    """Lines of the codes that operations name and no test was answered."""
    for method, template, _, operation in CONTRACT.operations:
        for status, codes in operation[CODES].items():
            for code in codes:
                line = f"{method} {template} {status} {code}"
                if line not in answered:
                    yield line


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ANSWERED
    if not path.exists():
        sys.exit(f"{path} is missing: run scripts/test, or pytest with DIARY_ANSWERED={path}")
    lines = sorted(unanswered(set(path.read_text().splitlines())))
    print(*lines, f"{len(lines)} codes of operations that no black-box test was answered", sep="\n")
