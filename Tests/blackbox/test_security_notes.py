"""docs/promises.md names tests and scripts, docs/threat-model.md and docs/asvs.md name promises and requirements: each of them is there. So are the
tests and scripts that README.md and the decisions name. Needs no service."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["SECURITY.md", "docs/promises.md", "docs/threat-model.md", "docs/asvs.md"]
NAMING = [*PAGES, "README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/decisions").glob("*.md"))]
STATES = {"met", "partly", "no", "n/a"}
PROMISES = re.compile(r"\bpromises? (\d+(?:, \d+)*)")

# Levels of the requirements of ASVS 5.0.0 in their order: "1.3": "112…" says that 1.3.1 and 1.3.2 are of level 1, 1.3.3 of level 2.
LEVELS = {
    "1.1": "22",
    "1.2": "1111122223",
    "1.3": "112222222223",
    "1.4": "222",
    "1.5": "123",
    "2.1": "122",
    "2.2": "112",
    "2.3": "12223",
    "2.4": "23",
    "3.1": "3",
    "3.2": "113",
    "3.3": "12223",
    "3.4": "11222233",
    "3.5": "11122333",
    "3.6": "3",
    "3.7": "22333",
    "4.1": "12233",
    "4.2": "23333",
    "4.3": "22",
    "4.4": "1222",
    "5.1": "2",
    "5.2": "112333",
    "5.3": "113",
    "5.4": "222",
    "6.1": "122",
    "6.2": "111111112222",
    "6.3": "11223333",
    "6.4": "112233",
    "6.5": "22222333",
    "6.6": "2223",
    "6.7": "33",
    "6.8": "2222",
    "7.1": "222",
    "7.2": "1111",
    "7.3": "22",
    "7.4": "11222",
    "7.5": "223",
    "7.6": "22",
    "8.1": "1233",
    "8.2": "1123",
    "8.3": "133",
    "8.4": "23",
    "9.1": "111",
    "9.2": "1222",
    "10.1": "22",
    "10.2": "223",
    "10.3": "22223",
    "10.4": "1111122222233333",
    "10.5": "22222",
    "10.6": "22",
    "10.7": "222",
    "11.1": "2233",
    "11.2": "22233",
    "11.3": "11233",
    "11.4": "1222",
    "11.5": "23",
    "11.6": "23",
    "11.7": "33",
    "12.1": "12233",
    "12.2": "11",
    "12.3": "22223",
    "13.1": "2333",
    "13.2": "222223",
    "13.3": "2233",
    "13.4": "1222233",
    "14.1": "22",
    "14.2": "12223333",
    "14.3": "122",
    "15.1": "12233",
    "15.2": "12233",
    "15.3": "1222222",
    "15.4": "3333",
    "16.1": "2",
    "16.2": "22222",
    "16.3": "2222",
    "16.4": "222",
    "16.5": "2223",
}


def level(number):
    chapter, section, requirement = number.split(".")
    levels = LEVELS[f"{chapter}.{section}"]
    return int(levels[int(requirement) - 1])


class Tree:
    """What there is to be named."""

    TITLE = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')

    def __init__(self, root=ROOT):
        tests = root / "Tests"
        self.titles = {}
        for path in tests.rglob("*.swift"):
            text = path.read_text(encoding="utf-8")
            # A suite that is split over `Suite+Topic.swift` is named without the topic.
            self.titles.setdefault(path.stem.partition("+")[0], []).extend(t.replace('\\"', '"') for t in self.TITLE.findall(text))
        self.python = {path.name for path in tests.rglob("*.py")}
        self.functions = set()
        for path in tests.rglob("test_*.py"):
            self.functions.update(re.findall(r"^\s*def (test_\w+)\(", path.read_text(encoding="utf-8"), re.M))
        self.acts = {path.stem.removeprefix("act_").replace("_", "-") for path in (tests / "chaos").glob("act_*.py")}
        self.scripts = {path.name: path.read_text(encoding="utf-8") for path in (root / "scripts").iterdir() if path.is_file()}

    def fault(self, name):
        """What is wrong with a name between backticks; None when it is there, or is no name of a test or a script. `…` leaves out the rest."""
        if " · " in name:
            file, beginning = name.split(" · ", 1)
            if file not in self.titles:
                return "no such file of Swift tests"
            found = [t for t in self.titles[file] if t.startswith(beginning)]
            return None if len(found) == 1 else f"{len(found)} titles begin so"
        if re.fullmatch(r"test_\w+\.py", name):
            return None if name in self.python else "no such file"
        if name.startswith("test_"):
            return None if any(is_named(function, name) for function in self.functions) else "no such function"
        if re.match(r"[A-G]\d+: ", name):
            return None if any(is_named(title, name) for titles in self.titles.values() for title in titles) else "no such title"
        if re.fullmatch(r"\w+Tests", name):
            return None if name in self.titles else "no such file of Swift tests"
        if name.startswith("scripts/"):
            script, *words = name.removeprefix("scripts/").split()
            if script not in self.scripts:
                return "no such script"
            if script == "chaos" and words[:1] == ["--only"]:
                return None if words[1] in self.acts else "no such act"
            return None if all(w in self.scripts[script] for w in words if w.startswith("--")) else "no such option"
        return None

    def shows(self, name):
        """Whether a name is one of a test or a script at all."""
        return " · " in name or name.startswith(("test_", "scripts/")) or re.fullmatch(r"\w+Tests", name) is not None


def is_named(whole, name):
    return whole.startswith(name.removesuffix("…")) if name.endswith("…") else whole == name


def names(text):
    return re.findall(r"`([^`\n]+)`", text)


def links(text):
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


def anchors(path):
    """Those that headings get: lower case, words joined by hyphens, no other signs."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def rows():
    """(numbers, level, state, evidence) of each row of asvs.md."""
    for line in (ROOT / "docs/asvs.md").read_text(encoding="utf-8").splitlines():
        if re.match(r"\| \d", line):
            number, grade, _, state, evidence = (cell.strip() for cell in line.strip("|").split(" | "))
            yield [n.strip() for n in number.split(",")], int(grade), state, evidence.removesuffix("|").strip()


def promises():
    """{number: what shows it} of each row of promises.md."""
    text = (ROOT / "docs/promises.md").read_text(encoding="utf-8")
    return {int(number): shown for number, shown in re.findall(r"^\| (\d+) \| .+ \| (.+) \|$", text, re.M)}


def cited(text):
    """Promises that a text names, also in the last cell of a row of the threat model."""
    numbers = [number for group in PROMISES.findall(text) for number in group.split(", ")]
    return {int(number) for number in numbers + re.findall(r"\d+", " ".join(re.findall(r"\| ((?:\d+(?:, )?)+) \|$", text, re.M)))}


@pytest.fixture(scope="module")
def tree():
    return Tree()


@pytest.mark.parametrize("page", NAMING)
def test_what_the_pages_name_is_there(tree, page):
    text = (ROOT / page).read_text(encoding="utf-8")
    faults = [f"{name}: {fault}" for name in names(text) if (fault := tree.fault(name))]
    assert faults == []


def test_every_promise_is_told_once_and_names_what_shows_it(tree):
    told = promises()
    assert list(told) == list(range(1, len(told) + 1))
    shown = [name for text in told.values() for name in names(text)]
    assert [name for name in shown if not tree.shows(name)] == []
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("page", ["docs/threat-model.md", "docs/asvs.md"])
def test_every_promise_that_is_cited_is_told(page):
    numbers = cited((ROOT / page).read_text(encoding="utf-8"))
    assert len(numbers) > 50 and numbers <= set(promises())


@pytest.mark.parametrize("page", PAGES)
def test_links_of_the_security_pages_lead_somewhere(page):
    here, broken = ROOT / page, []
    for link in links(here.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        target = (here.parent / file).resolve() if file else here
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_shared_resource_names_what_shows_its_bound():
    section = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8").partition("## Shared resources")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(cells) >= 20
    assert [row[0] for row in cells if len(row) != 4 or not row[-1]] == []


def test_asvs_has_every_requirement_of_levels_1_and_2_once_and_in_order():
    numbers = [n for group, _, _, _ in rows() for n in group]
    wanted = {f"{s}.{i}" for s, levels in LEVELS.items() for i, grade in enumerate(levels, 1) if grade in "12"}
    assert len(numbers) == len(set(numbers))
    assert wanted - set(numbers) == set()
    wrong = [(n, grade) for group, grade, _, _ in rows() for n in group if level(n) != grade]
    assert wrong == []
    chapters = [int(group[0].split(".")[0]) for group, _, _, _ in rows()]
    assert chapters == sorted(chapters)


def test_asvs_says_met_only_with_something_that_shows_it(tree):
    for group, _, state, evidence in rows():
        assert state in STATES, group
        if state == "met":
            assert links(evidence) or PROMISES.search(evidence) or any(map(tree.shows, names(evidence))), (
                f"{group} is met, and nothing shows it"
            )
        elif state == "partly":
            assert evidence, f"{group} does not say what is missing"


@pytest.mark.parametrize(
    "name",
    [
        "ForgedAccessTokenTests · B1: is accepted",
        "NoSuchTests · B1",
        "NoSuchTests",
        "test_no_such_function",
        "test_no_such_…",
        "B1: no such title",
        "test_no_such_file.py",
        "scripts/nothing",
        "scripts/chaos --only nothing",
        "scripts/fuzz --nothing",
        "ForgedAccessTokenTests · B1",
    ],
)
def test_a_name_that_is_not_there_is_found(tree, name):
    assert tree.fault(name)
