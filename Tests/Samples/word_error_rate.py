#!/usr/bin/env python3
"""Prints the word error rate of a transcript: word_error_rate.py REFERENCE HYPOTHESIS (two text files).

Words are compared in lower case, without punctuation; the apostrophe inside a word counts.
The rate is (substitutions + deletions + insertions) / words of the reference.
"""

import re
import sys
from pathlib import Path


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower().replace("\u2019", "'"))


def distance(reference: list[str], hypothesis: list[str]) -> int:
    row = list(range(len(hypothesis) + 1))
    for i, expected in enumerate(reference, start=1):
        diagonal, row[0] = row[0], i
        for j, heard in enumerate(hypothesis, start=1):
            change = diagonal + (expected != heard)
            diagonal = row[j]
            row[j] = min(change, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def word_error_rate(reference: str, hypothesis: str) -> float:
    expected = words(reference)
    if not expected:
        raise ValueError("the reference has no words")
    return distance(expected, words(hypothesis)) / len(expected)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
    print(f"{word_error_rate(texts[0], texts[1]):.4f}")
