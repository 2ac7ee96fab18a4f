"""What is made of openapi.yaml: the files of .build/share, and the expressions of the proxies. Needs no service."""

import json
import subprocess
import sys

import pytest

from contract import CONTRACT, ROOT


@pytest.fixture(scope="module")
def maker():
    """The module that makes the files."""
    sys.path.insert(0, str(ROOT / "scripts/lib/contract"))
    try:
        import contract_files
    finally:
        sys.path.pop(0)
    return contract_files


def test_the_files_of_the_proxies_are_those_that_the_contract_gives(maker):
    for name, content in maker.proxies(CONTRACT.document).items():
        assert (ROOT / name).read_text() == content, f"{name}: run scripts/contract"


def test_the_folder_of_the_build_has_the_contract_as_it_is_now_and_git_knows_nothing_of_it(maker):
    made = maker.share(CONTRACT.document)
    assert set(made) == {"openapi.json", "reference.js"}
    for name, content in made.items():
        assert (maker.SHARE / name).read_text() == content, f"{name}: run scripts/contract"
    assert json.loads(made["openapi.json"]) == CONTRACT.document
    tracked = subprocess.run(["git", "ls-files", "*openapi.json", "*reference.js", "*.map"], cwd=ROOT, capture_output=True, text=True)
    assert set(tracked.stdout.split()) <= {"scripts/lib/contract/reference.js"}


def test_the_script_of_the_reference_has_its_licences_and_nothing_from_elsewhere(maker):
    script = maker.reference()
    assert script.startswith("/*!") and "Permission is hereby granted" in script and 'Version: "2.5.4"' in script
    assert "cdn." not in script and not script.rstrip().split("\n")[-1].startswith("//#")
    assert script.endswith((ROOT / "scripts/lib/contract/reference.js").read_text())
