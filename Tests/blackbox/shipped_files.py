"""The files that ship beside the program, as its source names them."""

import re

from servers import ROOT

FILES = (ROOT / "Sources/DiaryApp/Settings/InstalledFiles.swift").read_text()


def shipped():
    """Paths below the folder that DIARY_SHARE names, which are those of the checkout."""
    published = re.findall(r'try text\("([^"]+)"\)', FILES)
    assert len(published) > 3, "InstalledFiles.swift reads them in another way"
    migrations = [path for path in (ROOT / "migrations").rglob("*") if path.suffix in (".sql", ".txt")]
    return sorted([*published, *(str(path.relative_to(ROOT)) for path in migrations)])
