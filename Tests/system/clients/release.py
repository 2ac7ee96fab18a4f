"""Keeps a contract that apps are built with from now on, and Python clients of it, for tests of all later versions."""

import shutil
import zipfile

from contract import CONTRACT
from contract_changes import breaks
from faults import FOLDER, Fault, raise_for
from generators import PYTHON, SPECIFICATION, generate
from released import FOLDER as RELEASED
from released import Release, releases

# The earliest time that a zip can hold: an archive of the same files is the same file.
EPOCH = (1980, 1, 1, 0, 0, 0)


def release():
    made = Release(RELEASED / CONTRACT.document["info"]["version"])
    if made.folder.exists():
        raise Fault(f"  {made.version} is released. A contract that apps use is not changed: give info.version another number")
    for last in releases()[-1:]:
        raise_for(breaks(last.contract, CONTRACT.document))
    made.folder.mkdir(parents=True)
    shutil.copyfile(SPECIFICATION, made.folder / "openapi.yaml")
    for name, generator in PYTHON.items():
        folder, package = FOLDER / "release" / name, made.package(generator)
        generate(name, folder, package)
        pack(folder, package, made.archive(generator))


def pack(folder, package, archive):
    files = [path for path in sorted((folder / package).rglob("*")) if path.suffix == ".py" or path.name == "py.typed"]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for path in files:
            about = zipfile.ZipInfo(str(path.relative_to(folder)), EPOCH)
            about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            made.writestr(about, path.read_bytes())
