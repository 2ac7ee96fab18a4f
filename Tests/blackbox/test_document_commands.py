"""The program takes every command of the documents as it stands there. Without settings it goes no further: no service is needed."""

import json
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


NAMES = (
    "README.md",
    "docs/apps.md",
    "docs/backup.md",
    "docs/commands.md",
    "docs/engines.md",
    "docs/install.md",
    "docs/mail.md",
    "docs/questions.md",
    "docs/reference.md",
    "docs/walkthrough.md",
)
PAGES = {page: list(commands((ROOT / page).read_text())) for page in NAMES}
ALL = sorted({shlex.join(words) for found in PAGES.values() for words in found})


def test_the_pages_have_commands():
    assert len(ALL) > 50 and any("engine set" in line for line in ALL) and any("cleanup.extras" in line for line in ALL)


@pytest.mark.parametrize("line", ALL)
def test_a_command_of_the_documents_is_taken(line, tmp_path):
    words = [str(uuid.uuid4()) if word in ("ID", "JOB") else word for word in shlex.split(line)]
    (tmp_path / "export.txt").write_text(WORDS)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [PROGRAM, *words], env=environment, input="anna@example.org", capture_output=True, text=True, cwd=tmp_path, timeout=30
    )
    assert done.returncode == MISSING_SETTINGS, (done.returncode, done.stderr)


def subcommands():
    """The commands that the program has, by what it says of itself for shells."""
    done = subprocess.run([PROGRAM, "--experimental-dump-help"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr

    def below(command, *path):
        shown = [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]
        return {found for one in shown for found in below(one, *path, one["commandName"])} if shown else {" ".join(path)}

    return below(json.loads(done.stdout)["command"])


def in_table(page):
    """Commands of the page's table: a word that stands alone takes the place of the last one before it."""
    for cell in re.findall(r"^\| (`.+?) \| ", page, re.M):
        parent = []
        for span in re.findall(r"`([^`]+)`", cell):
            words = re.match(r"(?:[a-z][\w-]*(?: |$))*", span)[0].split()
            if words[:1] == ["diary"]:
                parent, words = words[1:-1], words[-1:]
            if words:
                yield " ".join([*parent, *words])


def test_the_table_of_commands_has_every_command_of_the_program_and_no_other():
    table, commands_there = set(in_table((ROOT / "docs/commands.md").read_text())), subcommands()
    assert len(commands_there) > 50

    def covers(named, command):
        """By a row for all of a family, too: `diary tenant mail-template`, but not for all of `diary tenant`."""
        return command == named or (" " in named and command.startswith(named + " "))

    assert [command for command in sorted(commands_there) if not any(covers(named, command) for named in table)] == []
    known = commands_there | {command.rpartition(" ")[0] for command in commands_there}
    assert table - known == set()
