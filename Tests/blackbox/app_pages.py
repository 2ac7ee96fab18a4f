"""The pages of docs/apps as scripts: their blocks behind the start that docs/apps.md has for all of them."""

import os
import re
import secrets
import subprocess

from processes import PROGRAM
from servers import ROOT

PAGES = {path.stem: path.read_text() for path in sorted((ROOT / "docs/apps").glob("*.md"))}
_START = re.search(r"<!-- start of a page -->\n+```sh\n(.*?)```", (ROOT / "docs/apps.md").read_text(), re.S)[1]
STRICT = """set -euo pipefail
# An answer of 4xx or 5xx ends the script, with its body; -f and --fail-with-body exclude each other.
curl() { case "$1" in -sSf) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }
"""


def prose(page):
    return re.sub(r"```sh\n.*?```", "", PAGES[page], flags=re.S)


def block(page, mark):
    """The one block behind a comment."""
    return re.search(rf"<!-- {mark} -->\n+```sh\n(.*?)```", PAGES[page], re.S)[1]


def blocks(page):
    """All that have no such comment, of an app of this run's own."""
    text = re.sub(r"<!-- .*? -->\n+```sh\n.*?```", "", PAGES[page], flags=re.S)
    script = "".join(re.findall(r"```sh\n(.*?)```", text, re.S))
    slug = re.search(r"tenant create (\S+)", script)[1]
    return re.sub(rf"(Diary-App: |tenant (?:create|set) ){slug}\b", rf"\1{slug}-{secrets.token_hex(3)}", script)


def run(rig, folder, script):
    """The output, in a folder that looks like the clone of a running `diary dev`."""
    (folder / ".diary").mkdir()
    (folder / ".diary/mail").symlink_to(rig.folder / "mail")
    (folder / "Tests").symlink_to(ROOT / "Tests")
    (folder / "diary").symlink_to(PROGRAM)
    settings, start = _START.split("\n", 1)
    assert "diary dev env" in settings
    start = start.replace("http://127.0.0.1:8080", rig.url)
    environment = {**rig.environment, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", STRICT + start + script], env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


def in_order(output, patterns):
    """Each is found behind the one before it."""
    position = 0
    for pattern in patterns:
        found = re.compile(pattern, re.M).search(output, position)
        assert found, (pattern, output[position:])
        position = found.end()
