"""Links of all Markdown files lead to files and headings, and every code that is cited is defined. Needs no service."""

import pathlib
import re
import subprocess
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE_SUFFIXES = {".md", ".py", ".sh", ".sql", ".swift", ".yaml"}
OWN = pathlib.Path(__file__).resolve()
ROWS = ROOT / "docs/reliability.md"
DECISIONS = ROOT / "docs/decisions"

ROW = r"[A-G]\d{1,2}"
LIST = rf"{ROW}(?:(?:, | and ){ROW})*"
# Where a code is a citation: in brackets, at the beginning of a title or docstring, after "row", or in the name of a test.
CITED = [
    re.compile(rf"\(({LIST})(?:[,;:)])"),
    re.compile(rf"@(?:Test|Suite)\(\s*\"({LIST}):"),
    re.compile(rf"^\s*(?:\"\"\"|/// )({LIST}):", re.MULTILINE),
    re.compile(rf"\brows? ({LIST})\b"),
]
NAMED = re.compile(r"def test_((?:[a-g]\d{1,2}_)+)")
DECISION = re.compile(r"\bdecision D(\d+)")
DECISION_FILE = re.compile(r"\bdecision (\d{4})\b")
POINT = re.compile(r"= \"([IKPSX]\d{2})\"")


def files(*suffixes):
    """Those that git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).suffix in suffixes and path.is_file() and not path.is_symlink()]


def links(text):
    """Relative targets; what stands in code is no link."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", target)]


def anchors(text):
    """Those that headings get: lower case, words joined by hyphens, no other signs."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken(page, text):
    found = []
    for link in links(text):
        name, _, anchor = urllib.parse.unquote(link).partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            found.append(f"{link}: no such file")
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text(encoding="utf-8"))):
            found.append(f"{link}: no such heading")
    return found


def defined_rows():
    return set(re.findall(rf"^\| ({ROW}) \|", ROWS.read_text(encoding="utf-8"), re.MULTILINE))


def cited_rows(text):
    cited = {code for pattern in CITED for group in pattern.findall(text) for code in re.findall(ROW, group)}
    return cited | {code for name in NAMED.findall(text) for code in name.upper().strip("_").split("_")}


def test_every_relative_link_leads_to_a_file_or_heading():
    faults = {str(page.relative_to(ROOT)): broken(page, page.read_text(encoding="utf-8")) for page in files(".md")}
    assert {page: found for page, found in faults.items() if found} == {}


def test_every_row_that_is_cited_is_defined():
    rows = defined_rows()
    faults = {}
    for path in files(*CODE_SUFFIXES):
        if path == OWN or "Vectors" in path.parts:
            continue
        if unknown := cited_rows(path.read_text(encoding="utf-8", errors="replace")) - rows:
            faults[str(path.relative_to(ROOT))] = sorted(unknown)
    assert faults == {}, "a design decision is cited as `decision D8`, see docs/reliability.md"


def test_every_decision_that_is_cited_is_defined():
    text = (DECISIONS / "README.md").read_text(encoding="utf-8")
    decisions = set(re.findall(r"^\| D(\d+) \|", text, re.MULTILINE))
    numbers = {path.name[:4] for path in DECISIONS.glob("0*.md")}
    assert {path.name for path in DECISIONS.glob("0*.md")} == set(re.findall(r"\]\((0\d{3}-[\w-]+\.md)\)", text)), "the list of decisions"
    for path in files(*CODE_SUFFIXES):
        cited = path.read_text(encoding="utf-8", errors="replace")
        assert set(DECISION.findall(cited)) <= decisions, path
        assert set(DECISION_FILE.findall(cited)) <= numbers, path


def test_every_kill_point_is_defined():
    points = set(POINT.findall((ROOT / "Sources/DiaryCore/Failpoints/Failpoint.swift").read_text(encoding="utf-8")))
    assert points and points <= set(re.findall(r"\b([IKPSX]\d{2})\b", ROWS.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("link", "fault"),
    [
        ("README.md", None),
        ("README.md#build-it", None),
        ("README.md#no-such-heading", "no such heading"),
        ("docs/nothing.md", "no such file"),
        ("Sources/DiaryCore/Sealing/Vault%2BEntries.swift", None),
    ],
)
def test_a_link_that_leads_nowhere_is_found(link, fault):
    assert broken(ROOT / "CHANGELOG.md", f"[here]({link})") == ([f"{link}: {fault}"] if fault else [])


@pytest.mark.parametrize("text", ["/// Sealed (A99).", '@Test("D12: nothing")', '"""G1, D9: a word."""', "def test_d15_a_worker():"])
def test_a_row_that_is_not_defined_is_found(text):
    assert cited_rows(text) - defined_rows()
