"""The target graph, as Package.swift says it."""

import hashlib
import json
import subprocess

from commands import LOGS, ROOT


class Package:
    def __init__(self):
        self.targets = {target["name"]: target for target in described()["targets"]}

    def tests(self):
        return sorted(name for name, target in self.targets.items() if target["type"] == "test")

    def folder(self, name):
        target = self.targets[name]
        return target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}"

    def owner(self, path):
        """The target that a file belongs to: the deepest folder that holds it. None when there is none."""
        found = [name for name in self.targets if path.startswith(self.folder(name) + "/")]
        return max(found, key=lambda name: len(self.folder(name)), default=None)

    def direct(self, name):
        found = set()
        for dependency in self.targets[name]["dependencies"]:
            other = (dependency.get("byName") or dependency.get("target") or [None])[0]
            if other in self.targets:
                found.add(other)
        return found

    def reaches(self, name):
        """The target and all that it depends on, directly or not."""
        found, new = set(), {name}
        while new:
            found |= new
            new = set().union(*(self.direct(one) for one in new)) - found
        return found

    def dependents(self, name):
        """Test targets that a change of the target can reach."""
        return [test for test in self.tests() if name in self.reaches(test)]


def described():
    """SwiftPM's own reading of the manifest, which takes a second or two: kept until Package.swift changes."""
    manifest = (ROOT / "Package.swift").read_bytes()
    kept = LOGS / f"package-{hashlib.sha256(manifest).hexdigest()[:16]}.json"
    if not kept.exists():
        done = subprocess.run(
            ["bash", "-c", ". scripts/lib/machine.sh; swiftpm package dump-package"], cwd=ROOT, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"swift package dump-package failed:\n{done.stderr}")
        LOGS.mkdir(parents=True, exist_ok=True)
        for old in LOGS.glob("package-*.json"):
            old.unlink()
        kept.write_text(done.stdout)
    return json.loads(kept.read_text())
