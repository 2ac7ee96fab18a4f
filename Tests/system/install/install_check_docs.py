"""The blocks of docs/install.md that install and upgrade, in their order, with the operator's own names in them."""

import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/install.md"
BLOCK = re.compile(r"<!-- (install|upgrade) (\w+) -->\n+```sh\n(.*?)```", re.DOTALL)


def blocks(kind):
    """Name -> commands."""
    return {name: text for found, name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if found == kind}


def own(text, package, host):
    """What stands for something in the page, replaced: the package's file, and the public name (not in addresses of mail)."""
    return re.sub(r"(?<!@)\bdiary\.example\.org", host, text).replace("diary_VERSION_amd64.deb", package)


def with_settings(text, lines):
    """A file of settings after an editor changed these lines in it."""
    for line in filter(None, (line.strip() for line in lines.splitlines())):
        name = line.split("=", 1)[0]
        text, count = re.subn(rf"^#?{re.escape(name)}=.*$", lambda _, line=line: line, text, count=1, flags=re.MULTILINE)
        if not count:
            raise ValueError(f"the template has no line for {name}")
    return text
