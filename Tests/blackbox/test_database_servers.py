"""What docs/reference.md and docs/backup.md have set on servers of Postgres, set as it stands there: recovery to a moment, standbys, slow statements, the roles of a pooler."""

import os
import re
import subprocess
import time

import pytest

from processes import wait_for
from rig import Rig
from runbook import Runbook
from servers import ROOT, Postgres, as_server_user, run
from test_restore import check, expired, position, sign_in

PAGE = "".join((ROOT / "docs" / page).read_text() for page in ("backup.md", "reference.md"))


def block(name):
    """Of commands or of lines for postgresql.conf, which may stand in a list."""
    (text,) = re.findall(rf"<!-- {name} -->\n+ *```(?:sh|conf)\n(.*?)```", PAGE, re.S)
    return re.sub(r"^ +(?=\w+ = )", "", text, flags=re.M)


@pytest.fixture
def rig():
    rig = Rig()
    yield rig
    rig.end()


class Cluster:
    """The rig's Postgres, whose files are the server user's."""

    def __init__(self, rig):
        self.postgres, self.folder = rig.postgres, rig.postgres.folder

    def run(self, *line):
        run(as_server_user() + [str(word) for word in line])

    def write(self, path, text, mode="a"):
        self.run("sh", "-c", f'cat {">>" if mode == "a" else ">"} "$1" <<"E"\n{text}\nE\n', "sh", path)

    def base_backup(self, name):
        self.run(
            f"{self.postgres.binaries}/pg_basebackup", "-h", self.folder, "-U", "postgres", "-D", f"{self.folder}/{name}", "-c", "fast"
        )
        return f"{self.folder}/{name}"

    def ask(self, text):
        return self.postgres.sql("postgres", text)[0][0]

    def archived(self):
        """All that was written until now is in the archive."""
        segment = self.ask("select pg_walfile_name(pg_switch_wal())")
        wait_for(lambda: (self.ask("select last_archived_wal from pg_stat_archiver") or "") >= segment, 20, "the archive")


@pytest.mark.long
def test_a_recovery_to_a_moment_by_the_runbook_has_what_was_written_before_it_and_ends_later_positions(rig):
    cluster, book, user = Cluster(rig), Runbook(rig), rig.user()
    wal = f"{cluster.folder}/wal"
    cluster.run("mkdir", "-p", wal, f"{cluster.postgres.data}/conf.d")
    cluster.write(f"{cluster.postgres.data}/postgresql.conf", block("archive").replace("/srv/wal", wal) + "include_dir = 'conf.d'")
    book.stop()
    cluster.postgres.stop()
    cluster.postgres.start()
    book.start()
    base = cluster.base_backup("base")
    kept = user.create_text("before the moment")["entry_id"]
    before = position(user)
    moment = cluster.ask("select clock_timestamp()::text")
    lost = user.create_text("after the moment")["entry_id"]
    since = position(user)
    cluster.archived()

    book.stop()
    cluster.postgres.stop()
    cluster.run("mv", cluster.postgres.data, f"{cluster.folder}/old")
    cluster.run("mv", base, cluster.postgres.data)
    cluster.run("touch", f"{cluster.postgres.data}/recovery.signal")
    settings, replaced = re.subn(r"(?<=recovery_target_time = ')[^']+", moment, block("recovery").replace("/srv/wal", wal))
    assert replaced == 1 and re.search(r"= '[-0-9]+ [0-9:]+\+00'", block("recovery"))
    cluster.write(f"{cluster.postgres.data}/conf.d/recovery.conf", settings)
    cluster.postgres.start()
    wait_for(lambda: not cluster.ask("select pg_is_in_recovery()"), 20, "the end of the recovery")
    cluster.run("rm", f"{cluster.postgres.data}/conf.d/recovery.conf")
    assert check(rig)[0]["old_epoch"] == [None]
    book.run("restore finish")
    book.run("restore check")
    book.start()

    sign_in(user)
    assert user.entry(kept)["text"] == "before the moment"
    user.call("GET", f"/v1/entries/{lost}", 404)
    assert expired(user, since) and expired(user, before)


@pytest.mark.long
def test_either_of_two_standbys_is_enough_for_writes_and_one_that_is_named_alone_and_away_stops_them(rig):
    cluster, user = Cluster(rig), rig.user()
    standby = cluster.base_backup("two")
    cluster.run("touch", f"{standby}/standby.signal")
    cluster.write(f"{standby}/postgresql.auto.conf", f"primary_conninfo = 'host={cluster.folder} user=postgres application_name=two'")
    options = f"-c listen_addresses='' -c unix_socket_directories={standby}"
    server = f"{cluster.postgres.binaries}/pg_ctl"
    cluster.run(server, "start", "-D", standby, "-w", "-s", "-l", f"{cluster.folder}/two.log", "-o", options)
    try:
        names = re.search(r"synchronous_standby_names = ('.*')", block("standbys"))[1]
        cluster.postgres.sql("postgres", f"alter system set synchronous_standby_names = {names}")
        cluster.postgres.sql("postgres", "select pg_reload_conf()")
        wait_for(lambda: cluster.ask("select count(*) from pg_stat_replication where sync_state = 'quorum'") == 1, 20, "the standby")
        for number in range(5):
            user.create_text(f"three is away {number}")
    finally:
        cluster.run(server, "stop", "-D", standby, "-w", "-s", "-m", "immediate")

    # None is left: what happens with a single name, too.
    began = time.monotonic()
    words = {"kind": "text", "text": "none is there"}
    answer = user.call("POST", "/v1/entries", 503, json=words, headers={"Idempotency-Key": "again"}, timeout=40)
    assert answer.json()["code"] == "dependency_unavailable" and 4 < time.monotonic() - began < 15
    assert user.call("GET", "/v1/entries", 200)
    cluster.postgres.sql("postgres", "alter system reset synchronous_standby_names")
    cluster.postgres.sql("postgres", "select pg_reload_conf()")

    def taken():
        return user.call("POST", "/v1/entries", (201, 503), json=words, headers={"Idempotency-Key": "again"}, timeout=40).status_code == 201

    wait_for(taken, 20, "writes")
    assert [entry["text"] for entry in user.call("GET", "/v1/entries", 200).json()["entries"]].count("none is there") == 1


def test_slow_statements_are_logged_without_a_value(rig):
    # As a server is by itself; that of the tests prints less.
    rig.postgres.stop()
    rig.postgres.start(log_error_verbosity="default", log_min_error_statement="error", log_parameter_max_length_on_error="-1")
    psql = {**os.environ, "PGHOST": rig.postgres.folder, "PGUSER": "postgres"}
    commands = block("slow statements").replace("250ms", "0")
    subprocess.run(["bash", "-e", "-c", commands], env=psql, check=True, timeout=60)
    user = rig.user()
    entry = user.create_text("hunter2 in the diary", title="hunter2 in a title", tags=["hunter2"])["entry_id"]
    user.call("PATCH", f"/v1/entries/{entry}", 200, json={"text": "hunter2 again"}, headers={"If-Match": "*"})
    user.wait_done(user.record())
    rig.diary("user", "show", user.app, user.id)
    rig.diary("restore-check")

    with open(rig.postgres.log, errors="replace") as file:
        log = file.read()
    assert log.count("duration:") > 100 and "insert into entries" in log and "$1" in log
    # Parameters of the backup's role alone are printed: ids, no words.
    assert "DETAIL:  parameters" in log
    assert "hunter2" not in log and user.address not in log and entry not in log


def test_the_roles_of_a_pooler_have_what_the_program_asks_of_each_session(tmp_path):
    source = (ROOT / "Sources/PostgresClient/Connection/ConnectionSettings.swift").read_text()
    timeouts = dict(re.findall(r"(\w+Timeout): Duration = \.seconds\((\d+)\)", source))
    asked = dict(re.findall(r'^ +\("(\w+)", (.+)\),$', source, re.M))
    asked = {
        name: value.strip('"') if value.startswith('"') else timeouts[re.findall(r"String\((\w+)\.", value)[0]] + "000"
        for name, value in asked.items()
    }
    assert len(asked) == 5
    postgres = Postgres()
    try:
        environment = {**os.environ, "PGHOST": postgres.folder, "PGUSER": "postgres"}
        subprocess.run(["bash", "-e", "-c", block("pooler")], env=environment, check=True, timeout=60)
        rows = postgres.sql(
            "postgres",
            "select rolname::text, datname::text, setconfig from pg_db_role_setting s join pg_roles r on r.oid = setrole "
            "join pg_database d on d.oid = setdatabase",
        )
        verified = {(role, database) for role, database, _ in rows}
    finally:
        postgres.end()
    assert verified == {(f"diary_{role}", database) for role in ("api", "auth", "worker") for database in ("diary", "diary_keys")}
    for _, _, settings in rows:
        assert dict(setting.split("=", 1) for setting in settings) == asked
