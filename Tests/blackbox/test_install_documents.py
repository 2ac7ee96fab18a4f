"""The commands of docs/install.md that scripts/install-check runs in a booted Debian: those that can be looked at without one."""

import re
import shutil
import subprocess
import sys

import pytest

from servers import ROOT
from shipped_files import built, shipped

PAGE = (ROOT / "docs/install.md").read_text()
TEMPLATE = (ROOT / ".env.example").read_text()


@pytest.fixture(scope="module")
def docs():
    """The reader of the blocks."""
    sys.path.insert(0, str(ROOT / "Tests/system/install"))
    try:
        import install_check_docs
    finally:
        sys.path.pop(0)
    return install_check_docs


def test_the_page_has_every_step_from_the_package_to_a_look_in_their_order(docs):
    steps = ["package", "databases", "passwords", "keys", "redis", "settings", "speech", "start", "caddy", "look"]
    assert list(docs.blocks("install")) == steps and list(docs.blocks("upgrade")) == ["package"]
    # No block of the way is left out by its form.
    way = PAGE.split("## From nothing to the first app\n")[1].split("\n## ")[0]
    assert way.count("```sh\n") == len(steps)
    for name, text in docs.blocks("install").items():
        if name != "settings":
            subprocess.run(["bash", "-n", "-c", text], check=True)


def test_what_is_installed_by_hand_has_every_file_that_the_program_reads_beside_itself(tmp_path):
    (block,) = re.findall(r"<!-- by hand -->\n+```sh\n(.*?)```", PAGE, re.S)
    checkout, root, tools = tmp_path / "checkout", tmp_path / "root", tmp_path / "tools"
    for name in ("deploy", "docs", "migrations", "scripts", "speech"):
        shutil.copytree(ROOT / name, checkout / name)
    shutil.copy(ROOT / "openapi.yaml", checkout)
    shutil.copytree(ROOT / ".build/share", checkout / ".build/share")
    (checkout / ".build/release").mkdir(parents=True)
    (checkout / ".build/release/diary").touch()
    shutil.copy(ROOT / ".env.example", checkout / "diary.env")
    for folder in ("etc/systemd/system", "usr/bin", "usr/sbin", "usr/share", "var/lib"):
        (root / folder).mkdir(parents=True)
    tools.mkdir()
    for name in ("apt-get", "useradd", "systemctl"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    # There is no group diary on this machine.
    commands = re.sub(r"(?<=\s)/(etc|usr|var)/", rf"{root}/\1/", block).replace(" -g diary", "")
    subprocess.run(["bash", "-e", "-c", commands], cwd=checkout, env={"PATH": f"{tools}:/usr/bin:/bin"}, check=True)

    for name in shipped():
        assert (root / "usr/share/diary" / name).read_bytes() == (ROOT / name).read_bytes()
    for file in built():
        assert (root / "usr/share/diary" / file.name).read_bytes() == file.read_bytes()
    # The command finds the server's files from its own place.
    assert (root / "usr/bin/diary-speech").is_file()
    server = {path.name for path in (ROOT / "speech").iterdir() if path.is_file()}
    assert {path.name for path in (root / "usr/share/diary/speech").iterdir()} == server
    assert {path.name for path in (root / "etc/systemd/system").iterdir()} == {path.name for path in (ROOT / "deploy/systemd").iterdir()}
    assert {path.name for path in (root / "etc/diary").iterdir()} == {"diary.env", "keys", "pgpass"}


def test_by_hand_every_package_is_installed_that_the_debian_package_needs():
    package = (ROOT / "scripts/package").read_text()
    listed = ", ".join(re.findall(r'^(?:programs|libraries)="([^"$]*)"', package, re.M))
    needed = {name.split()[0] for name in listed.split(", ")}
    by_hand = set(re.search(r"--no-install-recommends (libpq5[^#]*?)\napt-get", PAGE, re.S)[1].replace("\\", "").split())
    # These every Debian has.
    assert needed - by_hand == {"libc6", "libstdc++6", "libgcc-s1", "systemd"} and by_hand <= needed


def test_the_operators_name_and_the_packages_file_stand_in_for_those_of_the_page(docs):
    text = docs.own(
        "apt install ./diary_VERSION_amd64.deb; curl https://diary.example.org/; a@diary.example.org", "diary_1_amd64.deb", "d.localhost"
    )
    assert text == "apt install ./diary_1_amd64.deb; curl https://d.localhost/; a@diary.example.org"


def test_the_settings_of_the_page_have_a_line_in_the_template_and_nothing_required_is_missing(docs):
    lines = docs.blocks("install")["settings"]
    made = docs.with_settings(TEMPLATE, lines)
    for line in lines.split():
        assert f"\n{line}\n" in made
    # What is left of the template's own examples names no other machine.
    left = [line for line in made.splitlines() if line and not line.startswith("#")]
    assert not [line for line in left if "example.org" in line and not line.startswith("DIARY_PUBLIC_URL=")]
    # Keys come by the units; folders for temporary files by the worker's.
    required = re.findall(r"\brequired\)\n#?(DIARY_\w+)=", made)
    by_units = {"DIARY_MASTER_KEYS_FILE", "DIARY_SERVICE_SECRET_FILE", "DIARY_TEMPORARY"}
    assert required and {name for name in required if not any(line.startswith(f"{name}=") for line in left)} == by_units
    with pytest.raises(ValueError, match="DIARY_NOTHING"):
        docs.with_settings(TEMPLATE, "DIARY_NOTHING=1")


def test_the_commands_for_passwords_give_each_units_file_the_roles_of_the_table(docs, tmp_path):
    stubs = {
        "openssl": "date +%s%N",
        "runuser": f"cat >> {tmp_path}/sql",
        "chown": f'echo "$@" > {tmp_path}/owned',
    }
    for name, text in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    files = tmp_path / "pgpass"
    files.mkdir()
    commands = docs.blocks("install")["passwords"].replace("/etc/diary/pgpass", str(files))
    # Twice: the second time replaces what the first wrote.
    for _ in range(2):
        (tmp_path / "sql").unlink(missing_ok=True)
        subprocess.run(["bash", "-e", "-c", commands], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    given = dict(re.findall(r"alter role (\w+) password '(\w+)'", (tmp_path / "sql").read_text()))
    roles = set(re.findall(r"'(diary_\w+)'", (ROOT / "migrations/roles.sql").read_text()))
    assert given.keys() == roles and len(set(given.values())) == len(roles)

    table = dict(re.findall(r"^\| `(\w+)` \| (`diary_.*?) \|", PAGE, re.M))
    assert {path.name for path in files.iterdir()} == set(table)
    for name, cell in table.items():
        lines = (files / name).read_text().splitlines()
        assert sorted(lines) == sorted(f"*:*:*:{role}:{given[role]}" for role in re.findall(r"`(\w+)`", cell))
        assert (files / name).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "owned").read_text().split() == ["diary:diary", *sorted(str(path) for path in files.iterdir())]


def test_the_table_of_password_files_names_every_unit_that_is_given_one():
    table = dict(re.findall(r"^\| `(\w+)` \| `diary_.*? \| (.+) \|$", PAGE, re.M))
    given = {name: set() for name in table}
    for path in [*(ROOT / "deploy/systemd").iterdir(), ROOT / "deploy/diary-admin"]:
        for file in re.findall(r"/etc/diary/pgpass/(\w+):", path.read_text()):
            given[file].add(path.name.removesuffix(".service"))
    assert given == {name: set(re.findall(r"`(.+?)`", units)) for name, units in table.items()}
