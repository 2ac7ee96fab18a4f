"""The files that ship beside the program, as its source names them: those of the checkout, and what scripts/contract makes."""

import re

from servers import ROOT

FILES = (ROOT / "Sources/DiaryApp/Settings/InstalledFiles.swift").read_text()


def shipped():
    """Paths below the folder that DIARY_SHARE names, which are those of the checkout."""
    published = re.findall(r'try text\("([^"]+)"\)', FILES)
    assert len(published) == 2, "InstalledFiles.swift reads them in another way"
    migrations = [path for path in (ROOT / "migrations").rglob("*") if path.suffix in (".sql", ".txt")]
    return sorted([*published, *(str(path.relative_to(ROOT)) for path in migrations)])


def built():
    """Paths in .build/share, which ship beside the others."""
    names = re.findall(r'made\("([^"]+)"\)', FILES)
    assert names, "InstalledFiles.swift reads them in another way"
    return [ROOT / ".build/share" / name for name in names]
