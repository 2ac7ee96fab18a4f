"""The Debian package: what is in it, and what its scripts do. No service runs, and nothing is installed."""

import gzip
import os
import re
import shutil
import subprocess
import urllib.parse

import pytest

from servers import ROOT
from shipped_files import built, shipped
from test_documents import broken

SOURCE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Package.swift",
    "Sources/",
    "Tests/",
    "deploy/systemd/",
    "migrations/",
    "openapi.yaml",
    "scripts/",
)
"""What documents lead to and the package has elsewhere or not at all."""
VERSION = "0.1.0+20251123.001200.gabcdef0"
MIGRATE = "systemctl --job-mode=ignore-requirements restart diary-migrate.service"
SPEECH = "systemctl try-restart diary-speech.service"


def sums():
    """What a program knows of its migrations."""
    found = subprocess.run(
        "sha256sum -- *.sql */*.sql */*.txt", shell=True, cwd=ROOT / "migrations", capture_output=True, text=True, check=True
    )
    return found.stdout


def package(program, folder, *more):
    return subprocess.run(
        [ROOT / "scripts/package", "--program", program, "--output", folder, *more],
        # How well it is packed is no matter of these tests, and takes most of their time.
        env={**os.environ, "DPKG_DEB_COMPRESSOR_TYPE": "none"},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A package of a small ELF file that names the migrations as the service's program does; unpacked, with its control files."""
    folder = tmp_path_factory.mktemp("package")
    program = folder / "diary"
    shutil.copy("/bin/true", program)
    with program.open("ab") as file:
        file.write(sums().encode())
    done = package(program, folder, "--version", VERSION)
    assert done.returncode == 0, done.stderr
    deb = done.stdout.strip()
    subprocess.run(["dpkg-deb", "-x", deb, folder / "tree"], check=True)
    subprocess.run(["dpkg-deb", "-e", deb, folder / "control"], check=True)
    return folder, deb


def field(deb, name):
    return subprocess.run(["dpkg-deb", "-f", deb, name], capture_output=True, text=True, check=True).stdout.strip()


def test_the_package_holds_program_migrations_contract_units_and_documents_with_their_modes(made):
    folder, deb = made
    listed = subprocess.run(["dpkg-deb", "-c", deb], capture_output=True, text=True, check=True).stdout
    files = {line.split()[5].removeprefix("."): line.split()[0:2] for line in listed.splitlines()}

    assert files["/usr/bin/diary"] == ["-rwxr-xr-x", "root/root"]
    assert files["/usr/bin/diary-speech"] == ["-rwxr-xr-x", "root/root"]
    server = {path.name for path in (ROOT / "speech").iterdir() if path.is_file()}
    assert {path.name for path in (folder / "tree/usr/share/diary/speech").iterdir()} == server
    for name in shipped():
        assert (folder / "tree/usr/share/diary" / name).read_bytes() == (ROOT / name).read_bytes()
    for file in built():
        assert (folder / "tree/usr/share/diary" / file.name).read_bytes() == file.read_bytes()
    assert (folder / "tree/usr/share/diary/build").read_text() == VERSION + "\n"
    for unit in (ROOT / "deploy/systemd").iterdir():
        assert files[f"/lib/systemd/system/{unit.name}"] == ["-rw-r--r--", "root/root"]
    for name in ("README.md", "copyright", "changelog.gz", "docs/install.md", "deploy/Caddyfile", "deploy/nginx.conf"):
        assert f"/usr/share/doc/diary/{name}" in files
    assert gzip.decompress((folder / "tree/usr/share/doc/diary/changelog.gz").read_bytes()).startswith(b"# Changelog")
    assert all(mode[0] in "dl" or mode in ("-rw-r--r--", "-rwxr-xr-x") for mode, _ in files.values())
    assert {owner for _, owner in files.values()} == {"root/root"}
    # Nothing lies where only an operator writes, so that an upgrade asks about no file.
    assert not [path for path in files if path.startswith(("/etc", "/var"))]
    for name in ("postinst", "prerm", "postrm"):
        script = folder / "control" / name
        assert script.stat().st_mode & 0o777 == 0o755 and "@S" not in script.read_text()
        subprocess.run(["sh", "-n", script], check=True)


def test_links_of_the_packages_documents_lead_to_its_files_or_into_the_checkout(made):
    root = made[0] / "tree/usr/share/doc/diary"
    operators = {root / name for name in ("SECURITY.md", "deploy/README.md", "deploy/containers.md")}
    operators |= {root / "docs" / f"{name}.md" for name in ("install", "questions", "backup", "apps", "engines", "mail", "reference")}
    pages = set(root.rglob("*.md"))
    assert operators < pages and not [page for page in pages if page.is_symlink()]
    for page in pages:
        for fault in broken(page, page.read_text()):
            link, what = fault.split(": ")
            # The others also explain the source, which is not in the package.
            inside = (ROOT / page.relative_to(root).parent / urllib.parse.unquote(link.split("#")[0])).resolve().relative_to(ROOT)
            assert page not in operators and what == "no such file" and str(inside).startswith(SOURCE), (page, fault)
    for unit in (ROOT / "deploy/systemd").iterdir():
        (place,) = re.findall(r"^Documentation=file:///usr/share/doc/diary/(.+)$", unit.read_text(), re.M)
        assert (root / place).is_file()


def test_the_package_names_its_version_and_what_it_needs(made):
    _, deb = made
    depends = field(deb, "Depends")

    assert field(deb, "Version") == VERSION
    assert deb.endswith(f"/diary_{VERSION}_{field(deb, 'Architecture')}.deb")
    for name in ("libc6", "ffmpeg", "bubblewrap", "python3", "python3-venv", "ca-certificates", "tzdata"):
        assert re.search(rf"(^|, ){name}( |,|$)", depends), depends
    if shutil.which("lintian"):
        done = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", deb], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_a_program_of_other_migrations_or_a_debug_build_is_not_packaged(tmp_path):
    program = tmp_path / "diary"
    program.write_text("#!/bin/sh\necho 0.1.0\n")
    program.chmod(0o755)
    done = package(program, tmp_path)
    assert done.returncode == 1 and "was built from other migrations" in done.stderr

    program.write_text("#!/bin/sh\necho 0.1.0\nexit\n" + sums())
    done = package(program, tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"/diary_0\.1\.0(\+[0-9.]+\.g[0-9a-f]+(\.changed)?)?_\w+\.deb$", done.stdout.strip())
    # What the linker would have said of a program; a script names none.
    for name in ("libpq5", "libargon2-1", "libjwt0", "libhiredis0.14", "libzip4", "libcurl4", "libssl3"):
        assert name in field(done.stdout.strip(), "Depends")

    for word in (b"DIARY_FAIL_ONCE", b"DIARY_PASSWORD_COST"):
        shutil.copy("/bin/true", program)
        with program.open("ab") as file:
            file.write(sums().encode() + word)
        done = package(program, tmp_path)
        assert done.returncode == 1 and "failpoints" in done.stderr
    for words in (["--unknown"], ["--program"]):
        assert subprocess.run([ROOT / "scripts/package", *words], capture_output=True).returncode == 2
    assert package(program, tmp_path, "--version", "a b").returncode in (1, 2)


class Machine:
    """A root folder and programs that only note how they were called."""

    def __init__(self, folder, control):
        self.root, self.control, self.calls = folder / "root", control, folder / "calls"
        self.bin, self.pids, self.active = folder / "bin", folder / "pids", folder / "active"
        for path in (
            self.root / "run/systemd/system",
            self.root / "etc/diary/keys",
            self.root / "var/lib/diary/objects",
            self.root / "var/lib/diary-speech/venv",
            self.root / "usr/share/diary/speech",
            self.bin,
            self.pids,
        ):
            path.mkdir(parents=True)
        self.program("systemd-sysusers")
        self.program("systemd-tmpfiles")
        self.program(
            "systemctl",
            f'case $1 in --job-mode*) shift;; esac; case $1 in list-units) shift; for w; do case $w in diary*) grep -xF -- "$w" {self.active};; esac; done;; '
            f'show) cat {self.pids}/"$4";; is-active) grep -qxF -- "$3" {self.active} || exit 3;; restart) [ ! -e {folder}/fails-"$2" ] || exit 1; sh {folder}/restarted "$2";; esac; exit 0',
        )
        (folder / "restarted").write_text(f'[ ! -e {self.pids}/"$1" ] || echo 2 > {self.pids}/"$1"\n')
        self.active.write_text("")
        for name in ("usr/share/diary/speech/requirements.txt", "var/lib/diary-speech/venv/made"):
            (self.root / name).write_text("av==1\n")

    def program(self, name, body=""):
        (self.bin / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {self.calls}\n{body}\n')
        (self.bin / name).chmod(0o755)

    def runs(self, *units):
        self.active.write_text("".join(f"{unit}\n" for unit in units))
        for unit in units:
            (self.pids / unit).write_text("1\n")

    def run(self, script, *words):
        self.calls.write_text("")
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "DPKG_ROOT": str(self.root)}
        done = subprocess.run(["sh", self.control / script, *words], env=environment, capture_output=True, text=True, timeout=60)
        calls = self.calls.read_text().splitlines()
        return done, [call for call in calls if not call.startswith(("systemctl show", "systemctl list-units", "systemctl is-active"))]


@pytest.fixture
def machine(made, tmp_path):
    return Machine(tmp_path, made[0] / "control")


def test_the_first_installation_makes_user_and_folders_and_starts_nothing(machine):
    done, calls = machine.run("postinst", "configure", "")
    assert done.returncode == 0, done.stderr
    assert calls == ["systemd-sysusers diary.conf", "systemd-tmpfiles --create diary.conf", "systemctl daemon-reload"]


def test_an_upgrade_migrates_and_then_restarts_what_runs_workers_first(machine):
    machine.runs("diary-api.service", "diary-worker.service")
    done, calls = machine.run("postinst", "configure", "0.0.9")
    assert done.returncode == 0, done.stderr
    assert calls[2:] == [
        "systemctl daemon-reload",
        SPEECH,
        MIGRATE,
        "systemctl restart diary-worker.service",
        "systemctl restart diary-api.service",
    ]

    # Where nothing runs, nothing is started.
    machine.runs()
    assert machine.run("postinst", "configure", "0.0.9")[1][2:] == ["systemctl daemon-reload", SPEECH]


def test_an_upgrade_while_nothing_runs_lets_the_next_start_migrate(machine):
    # The databases were migrated by the older version, and the unit is active since then.
    machine.runs("diary-migrate.service")
    done, calls = machine.run("postinst", "configure", "0.0.9")
    assert done.returncode == 0, done.stderr
    assert calls[2:] == ["systemctl daemon-reload", SPEECH, "systemctl stop diary-migrate.service"]


def test_an_upgrade_says_when_the_speech_server_needs_other_packages_and_fetches_none(machine, tmp_path):
    done, _ = machine.run("postinst", "configure", "0.0.9")
    assert done.returncode == 0 and done.stderr == ""

    (machine.root / "usr/share/diary/speech/requirements.txt").write_text("av==2\n")
    machine.program("diary-speech")
    machine.program("systemctl", "[ $1 != try-restart ]")
    done, calls = machine.run("postinst", "configure", "0.0.9")
    assert (
        done.returncode == 0
        and "diary-speech --folder /var/lib/diary-speech" in done.stderr
        and "journalctl -u diary-speech" in done.stderr
    )
    assert not [call for call in calls if call.startswith("diary-speech")]


def test_an_upgrade_whose_migration_fails_leaves_the_old_processes(machine, tmp_path):
    machine.runs("diary-api.service", "diary-worker.service")
    (tmp_path / "fails-diary-migrate.service").touch()
    done, calls = machine.run("postinst", "configure", "0.0.9")
    assert done.returncode == 1 and "journalctl -u diary-migrate" in done.stderr and "dpkg --configure diary" in done.stderr
    assert calls[-1] == MIGRATE

    # A unit that was restarted meanwhile is not restarted again.
    (tmp_path / "fails-diary-migrate.service").unlink()
    (tmp_path / "restarted").write_text(f"for unit in {machine.pids}/*; do echo 2 > $unit; done\n")
    done, calls = machine.run("postinst", "configure", "0.0.9")
    assert done.returncode == 0 and calls[-1] == MIGRATE


def test_removal_stops_the_units_and_a_purge_keeps_keys_and_recordings(machine):
    etc, recording = machine.root / "etc/diary", machine.root / "var/lib/diary/objects/recording"
    for path in (etc / "diary.env", etc / "migrate.env", etc / "keys/master-keys", recording):
        path.write_text("x")

    done, calls = machine.run("prerm", "upgrade", VERSION)
    assert done.returncode == 0 and calls == []
    done, calls = machine.run("prerm", "remove")
    assert done.returncode == 0
    for unit in (ROOT / "deploy/systemd").iterdir():
        assert f"systemctl stop {unit.name.replace('@.', '@*.')}" in calls and f"systemctl --quiet disable {unit.name}" in calls
    assert machine.run("postrm", "remove")[0].returncode == 0
    done, _ = machine.run("postrm", "purge")
    assert done.returncode == 0 and "is kept, because it holds keys" in done.stdout
    assert {path.name for path in etc.iterdir()} == {"diary.env", "migrate.env", "keys"} and recording.exists()
    assert not (machine.root / "var/lib/diary-speech").exists()

    # Without keys the settings go, and with them a folder that is then empty.
    (etc / "keys/master-keys").unlink()
    (etc / "api.pgpass").write_text("the operator's")
    done, _ = machine.run("postrm", "purge")
    assert done.returncode == 0 and {path.name for path in etc.iterdir()} == {"api.pgpass"} and recording.exists()
    (etc / "api.pgpass").unlink()
    assert machine.run("postrm", "purge")[0].returncode == 0 and not etc.exists() and recording.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="users and owners are root's to make")
def test_user_folders_and_settings_are_made_once_and_kept_as_the_operator_wrote_them(made, tmp_path):
    tree = tmp_path / "root"
    shutil.copytree(made[0] / "tree", tree, symlinks=True)
    (tree / "etc").mkdir()

    def make():
        for words in (["systemd-sysusers", f"--root={tree}"], ["systemd-tmpfiles", f"--root={tree}", "--create", "diary.conf"]):
            done = subprocess.run(words, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr

    make()
    diary = next(line for line in (tree / "etc/passwd").read_text().splitlines() if line.startswith("diary:")).split(":")
    assert diary[5:] == ["/var/lib/diary", "/usr/sbin/nologin"]

    def shown(path):
        state = (tree / path).stat()
        return oct(state.st_mode & 0o7777), state.st_uid == 0, state.st_gid == int(diary[3])

    assert shown("etc/diary") == ("0o750", True, True)
    assert shown("etc/diary/keys") == ("0o700", True, False)
    assert shown("etc/diary/pgpass") == ("0o700", True, False)
    assert shown("etc/diary/diary.env") == ("0o640", True, True)
    assert shown("etc/diary/migrate.env") == ("0o600", True, False)
    assert shown("var/lib/diary") == ("0o700", False, True)
    assert shown("var/lib/diary-speech") == ("0o755", True, False) and "\ndiary-speech:" in (tree / "etc/passwd").read_text()
    assert (tree / "etc/diary/diary.env").read_text() == (ROOT / ".env.example").read_text()

    (tree / "etc/diary/diary.env").write_text("DIARY_PUBLIC_URL=https://mine.example.org\n")
    make()
    assert (tree / "etc/diary/diary.env").read_text() == "DIARY_PUBLIC_URL=https://mine.example.org\n"
