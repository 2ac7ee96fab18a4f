"""A private Postgres and a private Redis on Unix sockets, ended with the test run."""

import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

import cluster_templates

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = 2 << 30
"""Bytes that must be free in memory for a cluster to be there."""


def as_server_user():
    """Postgres refuses root: run it as an ordinary user."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


def run(line, **more):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/", timeout=120, **more)
    if done.returncode:
        raise RuntimeError(f"{line[0]} failed: {done.stdout.decode(errors='replace')[-2000:]}")
    return done.stdout.decode()


def folder_of_cluster():
    """A new folder, in memory where there is enough of it: a cluster's 1,700 files are made and removed for a few tests."""
    memory = "/dev/shm"
    with contextlib.suppress(OSError):
        if shutil.disk_usage(memory).free > NEEDED:
            return tempfile.mkdtemp(prefix="diary-pg-", dir=memory)
    return tempfile.mkdtemp(prefix="diary-pg-", dir="/tmp")


def newest_version():
    return max(int(p.name) for p in pathlib.Path("/usr/lib/postgresql").iterdir() if p.name.isdigit())


class Postgres:
    """A cluster with the service's roles and its two databases, which are empty, or `is_furnished`: what a rig puts into them is there, where a
    template of that is."""

    def __init__(self, may_be_furnished=False):
        self.folder = folder_of_cluster()
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self.version = newest_version()
        self.binaries = f"/usr/lib/postgresql/{self.version}/bin"
        self.data = f"{self.folder}/data"
        self.log = f"{self.folder}/log"
        try:
            self.is_furnished = may_be_furnished and self.copies("furnished")
            if self.is_furnished or self.copies("empty"):
                self.start()
            else:
                self.make()
                self.save("empty")
        except BaseException:
            self.end()
            raise

    def make(self):
        run(
            as_server_user()
            + [
                f"{self.binaries}/initdb",
                "-D",
                self.data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "--no-sync",
                "--wal-segsize=1",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
            ]
        )
        self.start()
        self.sql("postgres", (ROOT / "migrations/roles.sql").read_text())
        for database in ("diary", "diary_keys"):
            self.sql("postgres", f"create database {database} owner diary_owner")
            self.sql(database, "alter schema public owner to diary_owner")

    def copies(self, state):
        return cluster_templates.copy_to(self.data, state, self.version)

    def save(self, state):
        """Keeps the cluster as it is now for the next ones of this state."""
        if not cluster_templates.path(state, self.version).exists():
            self.stop()
            cluster_templates.save(self.data, state, self.version)
            self.start()

    def start(self, **settings):
        """`settings`: more of postgresql.conf, for this start. With a port, the socket in the folder has its number."""
        options = (
            f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_connections=100 -c log_error_verbosity=terse "
            "-c log_min_error_statement=panic -c log_parameter_max_length_on_error=0"
        )
        options += "".join(f" -c {name}={value}" for name, value in settings.items())
        run(as_server_user() + [f"{self.binaries}/pg_ctl", "start", "-D", self.data, "-w", "-s", "-l", self.log, "-o", options])

    def stop(self, mode="fast"):
        subprocess.run(
            as_server_user() + [f"{self.binaries}/pg_ctl", "stop", "-D", self.data, "-w", "-s", "-m", mode], cwd="/", timeout=120
        )

    def conninfo(self, database="diary"):
        return f"host={self.folder} dbname={database}"

    def connect(self, database="diary", user="postgres"):
        import psycopg2

        connection = psycopg2.connect(host=self.folder, dbname=database, user=user, connect_timeout=20)
        connection.autocommit = True
        return connection

    def sql(self, database, text, *values, user="postgres"):
        connection = self.connect(database, user)
        try:
            with connection.cursor() as cursor:
                cursor.execute(text, values or None)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def end(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="diary-rd-", dir="/tmp")
        self.socket = f"{self.folder}/redis.sock"
        self.process = None
        self.start()

    @property
    def url(self):
        return f"redis+unix://{self.socket}"

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if subprocess.run(["redis-cli", "-s", self.socket, "ping"], capture_output=True, timeout=20).stdout.startswith(b"PONG"):
                    return
            time.sleep(0.02)
        self.stop()
        raise RuntimeError("redis does not answer")

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], capture_output=True, text=True, timeout=60).stdout

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
