"""Writes the files that are derived from migrations/. The options are those of scripts/migrations."""

import difflib
import hashlib
import sys

import psycopg2

from servers import ROOT, Postgres

FOLDER = ROOT / "migrations"
LIST = ROOT / "Sources/DiaryDatabase/Migrations/BuiltMigrations.swift"
DATABASES = {"main": "diary", "keys": "diary_keys"}


def rights():
    """The content of both rights.txt, by path: those of databases to which every migration was just applied."""
    postgres = Postgres()
    try:
        for folder, database in DATABASES.items():
            postgres.sql(database, "create table schema_migrations (number int)", user="diary_owner")
            for file in sorted((FOLDER / folder).glob("*.sql")):
                try:
                    postgres.sql(database, file.read_text(), user="diary_owner")
                except psycopg2.Error as error:
                    sys.exit(f"{file.relative_to(ROOT)}: {error}")
        query = (FOLDER / "rights.sql").read_text()
        return {
            FOLDER / folder / "rights.txt": "".join(f"{line}\n" for (line,) in postgres.sql(database, query, user="diary_owner"))
            for folder, database in DATABASES.items()
        }
    finally:
        postgres.end()


def listing(written):
    """The Swift file, for these contents of the files that this script writes."""
    paths = {path for pattern in ("*.sql", "*/*.sql", "*/*.txt") for path in FOLDER.glob(pattern)} | set(written)
    sums = []
    for path in sorted(paths, key=lambda path: path.relative_to(FOLDER).as_posix()):
        content = written[path].encode() if path in written else path.read_bytes()
        sums.append(f"        {hashlib.sha256(content).hexdigest()}  {path.relative_to(FOLDER).as_posix()}\n")
    return (
        "/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.\n"
        'enum BuiltMigrations {\n    static let sha256sums = """\n' + "".join(sums) + '        """\n}\n'
    )


def main():
    wanted = rights()
    wanted[LIST] = listing(wanted)
    same = True
    for path, content in wanted.items():
        old = path.read_text() if path.exists() else ""
        if old == content:
            continue
        same = False
        name = str(path.relative_to(ROOT))
        if "--check" in sys.argv:
            lines = difflib.unified_diff(old.splitlines(), content.splitlines(), name, f"{name}, written anew", lineterm="", n=0)
            print("\n".join(lines))
        else:
            path.write_text(content)
            print(f"written: {name}")
    sys.exit(1 if "--check" in sys.argv and not same else 0)


main()
