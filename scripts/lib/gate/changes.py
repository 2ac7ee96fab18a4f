"""What a change can reach: Swift test targets by the target graph, black-box tests by areas (Tests/blackbox/areas.toml)."""

import collections
import pathlib
import re
import subprocess
import tomllib

from commands import ROOT

BLACKBOX = ROOT / "Tests/blackbox"
NEEDS_NO_SERVICE = {
    "test_client_generators.py",
    "test_containers.py",
    "test_contract_changes.py",
    "test_contract_files.py",
    "test_contract_shapes.py",
    "test_contract_words.py",
    "test_documents.py",
    "test_gate.py",
    "test_package.py",
    "test_security_notes.py",
}
EVERYTHING = {"Package.swift"}
USED_BY_CHAOS = {"contract.py", "http_client.py", "mail.py", "processes.py", "rig.py", "servers.py", "user.py"} | {
    "s3_proxy.py",
    "s3_server.py",
    "stores.py",
    "fake_openai.py",
    "openai_answers.py",
    "openai_replies.py",
    "openai_request.py",
}
SCRIPTS_OF_CHAOS = {"scripts/chaos", "scripts/lib/machine.sh"}
SCRIPTS_OF_FUZZ = {"scripts/fuzz", "Tests/system/fuzz/targets.py", "scripts/lib/machine.sh"}
"""What scripts/test runs outside Tests/chaos and Tests/fuzz."""
CONTRACT = {"openapi.yaml", "docs/export-manifest.schema.json", "migrations"}
"""What the whole service reads."""
RELEASED = "Tests/contract/"


class Plan:
    """Names of what is to run, each with its reasons."""

    def __init__(self):
        self.swift, self.blackbox = collections.defaultdict(list), collections.defaultdict(list)
        self.chaos, self.fuzz, self.left_out = [], [], []

    def count(self):
        return sum(len(reasons) for reasons in [*self.swift.values(), *self.blackbox.values(), self.chaos, self.fuzz])

    def lines(self):
        for what, found in (("Swift", self.swift), ("black-box", self.blackbox), ("", {"chaos": self.chaos, "fuzz": self.fuzz})):
            for name, reasons in sorted(found.items()):
                if reasons:
                    more = f" and {len(set(reasons)) - 3} more" if len(set(reasons)) > 3 else ""
                    yield f"{what} {name}: ".lstrip() + "; ".join(list(dict.fromkeys(reasons))[:3]) + more
        for path in self.left_out:
            yield f"nothing for {path}"


def changed(base=None):
    """Files that differ from the commit, or since the change left `base`; untracked files too."""
    since = git("merge-base", base, "HEAD")[0] if base else "HEAD"
    return sorted({*git("diff", "--name-only", "--no-renames", since), *git("ls-files", "--others", "--exclude-standard")})


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return done.stdout.splitlines()


def plan(files, package):
    made = Plan()
    areas = Areas()
    for path in files:
        before = made.count()
        place(path, made, package, areas)
        if made.count() == before:
            made.left_out.append(path)
    return made


def place(path, made, package, areas):
    top, name = path.split("/")[0], pathlib.PurePath(path).name
    if path in EVERYTHING:
        for target in package.tests():
            made.swift[target].append(path)
        for file in areas.files:
            made.blackbox[file].append(path)
    elif path.startswith("Tests/blackbox/"):
        for file in importers(path.removeprefix("Tests/blackbox/")) if name.endswith(".py") else areas.files:
            made.blackbox[file].append(path)
        if name in USED_BY_CHAOS:
            made.chaos.append(path)
    elif path.startswith("Tests/chaos/"):
        made.chaos.append(path)
    elif target := package.owner(path):
        if target in package.reaches("diary-fuzz") and path.startswith("Tests/fuzz/"):
            made.fuzz.append(path)
            return
        for test in package.dependents(target):
            made.swift[test].append(path if test == target else f"{path} through {target}")
        if target in package.reaches("diary"):
            for file, why in areas.of(path):
                made.blackbox[file].append(f"{path}: {why}")
    elif path.startswith("Tests/fuzz/"):
        made.fuzz.append(path)
    elif top in CONTRACT:
        for test in readers(package, top):
            made.swift[test].append(path)
        for file in areas.files:
            made.blackbox[file].append(path)
    elif path.startswith(RELEASED):
        for file in importers("released.py"):
            made.blackbox[file].append(path)
    elif path.startswith("Tests/clients/"):
        # Only scripts/clients reads it.
        return
    elif path.startswith("Tests/system/"):
        # Programs of scripts, of which some modules have tests.
        for file in sorted(NEEDS_NO_SERVICE):
            made.blackbox[file].append(path)
        add_black_box_readers(path, made)
        if path in SCRIPTS_OF_FUZZ:
            made.fuzz.append(path)
    elif path.startswith("Tests/"):
        for test in readers(package, path.split("/")[1]):
            made.swift[test].append(f"{path}, which its tests name")
        add_black_box_readers(path, made)
    else:
        for test in readers(package, f'"{path}"', f'"{top}"', among="#filePath"):
            made.swift[test].append(f"{path}, which its tests read")
        if top in {"docs", "scripts", "deploy"} or path.endswith(".md"):
            for file in sorted(NEEDS_NO_SERVICE):
                made.blackbox[file].append(path)
        add_black_box_readers(path, made)
        if path in SCRIPTS_OF_CHAOS:
            made.chaos.append(path)
        if path in SCRIPTS_OF_FUZZ:
            made.fuzz.append(path)


def readers(package, *words, among=""):
    """Test targets with a source that has one of the words, names of a file or folder, and the text of `among`."""
    found = []
    for test in package.tests():
        texts = (source.read_text(errors="replace") for source in (ROOT / package.folder(test)).rglob("*.swift"))
        if any(among in text and any(word in text for word in words) for text in texts):
            found.append(test)
    return found


def add_black_box_readers(path, made):
    """Adds the black-box tests of which a module names the file, and chaos when it uses that module."""
    for source in sorted(BLACKBOX.glob("*.py")):
        if f'"{path}"' in source.read_text():
            for file in importers(source.name):
                made.blackbox[file].append(f"{path}, which {source.name} reads")
            if source.name in USED_BY_CHAOS:
                made.chaos.append(path)


def importers(name):
    """Black-box test files that are this file, by its path in their folder, or import it, directly or not. All of them for conftest.py."""
    imports = {}
    for file in [*BLACKBOX.glob("*.py"), *BLACKBOX.glob("apps/*.py")]:
        words = re.findall(r"^\s*(?:from|import) +((?:apps\.)?[\w, ]+)", file.read_text(), re.MULTILINE)
        used = {word.split()[0].replace(".", "/") for group in words for word in group.split(",") if word.split()}
        imports[file.relative_to(BLACKBOX).as_posix()] = {f"{word}.py" for word in used}
    conftest = {file for file in imports if file.startswith("test_")}
    found, new = set(), {name}
    while new:
        found |= new
        new = {file for file, used in imports.items() if used & found} - found
        if "conftest.py" in found | new:
            new |= conftest - found
    return sorted(found & conftest)


class Areas:
    def __init__(self):
        self.table = tomllib.loads((BLACKBOX / "areas.toml").read_text())
        self.always = self.table.pop("always")
        self.files = sorted(file.name for file in BLACKBOX.glob("test_*.py"))

    def faults(self):
        """Files that are in no area, and names of files that are not there: the table must follow the tests."""
        named = {*self.always, *(test for area in self.table.values() for test in area["tests"])}
        return [f"areas.toml does not name {file}" for file in self.files if file not in named] + [
            f"areas.toml names {file}, which is not there" for file in sorted(named) if file not in self.files
        ]

    def of(self, path):
        """(test file, why) for a source file."""
        words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", path.split("/", 1)[1].removesuffix(".swift"))]
        areas = [name for name, area in self.table.items() if any(word.startswith(tuple(area["words"])) for word in words)]
        if not areas:
            return [(file, "of no area, so all") for file in self.files]
        found = [(test, f"area {name}") for name in areas for test in self.table[name]["tests"]]
        return [*found, *((file, "always") for file in self.always)]
