"""The program takes every command of README.md and operations.md as it stands there. Without settings it goes no further: no service is needed."""

import re
import shlex
import subprocess
import uuid

import pytest

from processes import PROGRAM
from servers import ROOT

MISSING_SETTINGS = 78
WORDS = "Subject: Your export\n\n{link|Open it}\n"
"""Of a file that a command reads."""


def commands(text):
    """The words of each line of a block for a shell, and of code in sentences that names an app and leaves nothing out."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.M | re.S)
    spans = [span for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text) if "my-day" in span and not re.search(r"[\[…]", span)]
    for line in [line for block in blocks for line in block.splitlines()] + spans:
        if "diary " not in line:
            continue
        # A # within a word begins no comment, and what is written into a file is no word of the command.
        lexer = shlex.shlex(re.sub(r" > \S+|(?:^| )#.*", "", line), posix=True, punctuation_chars=";|&")
        lexer.whitespace_split = True
        lexer.commenters = ""
        words = []
        for word in [*lexer, ";"]:
            if set(word) <= set(";|&"):
                if words and words[0].split("/")[-1] == "diary" and words[1] not in ("dev", "serve", "work"):
                    yield words[1:]
                words = []
            else:
                words.append(word)


PAGES = {page: list(commands((ROOT / page).read_text())) for page in ("README.md", "docs/operations.md")}
ALL = sorted({shlex.join(words) for found in PAGES.values() for words in found})


def test_the_pages_have_commands():
    assert (
        len(PAGES["docs/operations.md"]) > 20
        and any("engine set" in line for line in ALL)
        and any("cleanup.extras" in line for line in ALL)
    )


@pytest.mark.parametrize("line", ALL)
def test_a_command_of_the_documents_is_taken(line, tmp_path):
    words = [str(uuid.uuid4()) if word in ("ID", "JOB") else word for word in shlex.split(line)]
    (tmp_path / "export.txt").write_text(WORDS)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [PROGRAM, *words], env=environment, input="anna@example.org", capture_output=True, text=True, cwd=tmp_path, timeout=30
    )
    assert done.returncode == MISSING_SETTINGS, (done.returncode, done.stderr)
