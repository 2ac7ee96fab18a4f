"""What scripts/test chooses to run, for a change and for its arguments. Needs no service."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Targets:
    """The test targets as folders, without the compiler that reads Package.swift."""

    def tests(self):
        return sorted(path.name for path in (ROOT / "Tests").glob("*Tests"))

    def folder(self, name):
        return f"Tests/{name}"

    def owner(self, path):
        return None


@pytest.fixture(scope="module")
def gate():
    """The modules of scripts/lib/gate that choose."""
    sys.path.insert(0, str(ROOT / "scripts/lib/gate"))
    try:
        import blackbox
        import changes
    finally:
        sys.path.pop(0)
    return changes, blackbox


def chosen(gate, path):
    return gate[0].plan([path], Targets())


@pytest.mark.parametrize(
    ("path", "swift", "blackbox"),
    [
        ("docs/configuration.md", {"DiaryAppTests"}, {"test_documents.py", "test_security_notes.py"}),
        (".env.example", {"DiaryAppTests"}, set()),
        ("docs/reference.md", {"DiaryAppTests"}, {"test_documents.py", "test_document_commands.py", "test_security_notes.py"}),
        ("deploy/Caddyfile", {"DiaryAppTests"}, {"test_proxies.py"}),
        ("deploy/nginx.conf", {"DiaryAppTests"}, {"test_proxies.py", "test_smuggling.py"}),
        ("Tests/system/slow/slow.py", set(), {"test_slow_clients.py"}),
        ("Tests/blackbox/apps/voice_notes.py", set(), {"test_app_notes.py"}),
        ("Tests/blackbox/apps/my_day.py", set(), {"test_app_my_day.py"}),
        ("Tests/blackbox/my_day.py", set(), {"test_surface.py"}),
        (
            "Tests/blackbox/apps/client.py",
            set(),
            {"test_app_meetings.py", "test_app_my_day.py", "test_app_notes.py", "test_app_toukan.py"},
        ),
        ("scripts/fuzz", set(), {"test_security_notes.py"}),
        ("Tests/Samples/walk.txt", {"DiaryMediaTests"}, {"test_spoken_forms.py"}),
        ("Tests/contract/released/0.1.0/openapi.yaml", set(), {"test_contract_changes.py", "test_generated_clients.py"}),
    ],
)
def test_a_file_outside_the_targets_selects_the_tests_that_read_it(gate, path, swift, blackbox):
    plan = chosen(gate, path)
    assert swift <= set(plan.swift)
    assert blackbox <= set(plan.blackbox)
    assert not plan.left_out


@pytest.mark.parametrize("path", ["README.md", "docs/threat-model.md", "scripts/lib/demo.py"])
def test_a_file_outside_the_targets_selects_no_test_that_reads_another(gate, path):
    plan = chosen(gate, path)
    assert set(plan.swift) <= {"DiaryAppTests"}
    # The commands of a page are tried by the program, as it is built for the Swift tests that read the page.
    assert set(plan.blackbox) <= gate[0].NEEDS_NO_SERVICE | {"test_document_commands.py"}
    assert not plan.chaos and not plan.fuzz


def test_the_helpers_of_chaos_and_fuzz_select_them(gate):
    both = chosen(gate, "scripts/lib/machine.sh")
    assert both.chaos and both.fuzz
    assert chosen(gate, "scripts/chaos").chaos
    assert chosen(gate, "Tests/system/fuzz/targets.py").fuzz


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("exports", "exports"),
        ("exports|test_c6", "exports or test_c6"),
        ("exports and not links", "exports and not links"),
        ("exports.*links", None),
        ("an export of links", None),
        ("exports|", None),
    ],
)
def test_a_filter_is_words_joined_by_bars_for_pytest(gate, text, expression):
    assert gate[1].expression(text) == expression


def test_the_files_that_are_read_for_tests_that_run_alone_are_those_that_name_the_mark(gate):
    files = gate[1].files_with_alone()
    assert {"test_rate_limits.py", "test_guessing.py"} <= set(files) and "test_entries.py" not in files
    marked = [file.name for file in (ROOT / "Tests/blackbox").glob("test_*.py") if re.search(r"\bmark\b.*\balone\b", file.read_text())]
    assert set(marked) == set(files)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--plan"],
        ["--swift", "--plan"],
        ["--swift", "--blackbox"],
        ["--base", "HEAD", "--swift"],
        ["--only", "test_gate", "--changed"],
        ["--store", "s3", "--only", "test_main_job"],
        ["--store", "nfs"],
        ["--filter"],
    ],
)
def test_arguments_that_contradict_each_other_are_refused(arguments):
    done = subprocess.run([ROOT / "scripts/test", *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("scripts/test ")


@pytest.mark.parametrize("text", ["exports.*links", "("])
def test_a_filter_that_cannot_be_read_is_refused_before_anything_is_built(text):
    done = subprocess.run([sys.executable, ROOT / "scripts/lib/gate", "--filter", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert text in done.stderr
