"""Databases that are reached over TLS: `sslmode=verify-full` in the connection strings, with a certificate authority of one's own."""

import os
import pwd
import re
import subprocess
import time

import pytest

from processes import PROGRAM, free_port
from rig import Rig
from servers import ROOT
from tls_records import LargeRecords

LONG_TEXT = "Answers of this length fill several buffers of libpq and records of TLS. " * 1200


def authority(folder, name):
    """A certificate authority, and a server's certificate for localhost by it."""
    made = folder / name
    made.mkdir()

    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=made, timeout=60)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", f"/CN={name}", "-days", "2")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (made / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl(
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-out", "server.crt", "-days", "2"),
        *("-extfile", "names"),
    )
    return made


@pytest.fixture
def rig(tmp_path):
    """Its Postgres listens on localhost too, takes nothing but TLS there, and has a certificate of the authority `right`."""
    rig = Rig()
    try:
        made = authority(tmp_path, "right")
        postgres, port = rig.postgres, free_port()
        for name in ("serve", "work"):
            rig.stop(name)
        for name in ("server.crt", "server.key"):
            path = f"{postgres.data}/{name}"
            with open(path, "wb") as file:
                file.write((made / name).read_bytes())
            os.chmod(path, 0o600)
            if os.geteuid() == 0:
                os.chown(path, pwd.getpwnam("postgres").pw_uid, -1)
        with open(f"{postgres.data}/pg_hba.conf", "w") as file:
            file.write("local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n")
        postgres.stop()
        postgres.start(ssl="on", listen_addresses="localhost", port=port)
        rig.tls_port = port
        yield rig
    finally:
        rig.end()


def with_authority(rig, folder, **changes):
    """The lines of .env.example, for this server and these certificates."""
    lines = re.findall(r"^(DIARY_(?:KEYS_)?DATABASE_URL)=(\S+)$", (ROOT / ".env.example").read_text(), re.M)
    changes = {r"\w+\.example\.org": f"localhost:{rig.tls_port}", "/etc/diary/databases-ca.pem": f"{folder}/ca.crt", **changes}
    made = {}
    for name, url in lines:
        for theirs, ours in changes.items():
            url, count = re.subn(theirs, ours, url)
            assert count == 1, (url, theirs)
        made[name] = url
    assert len(made) == 2
    return made


@pytest.mark.long
def test_databases_are_reached_by_verify_full_and_not_with_a_certificate_of_another_authority_or_name(rig, tmp_path):
    rig.environment |= with_authority(rig, tmp_path / "right")
    rig.start("serve")
    rig.start("work")
    user = rig.user()
    entry = user.create_text(LONG_TEXT)["entry_id"]
    for _ in range(20):
        assert user.entry(entry)["text"] == LONG_TEXT
    user.wait_done(user.record())

    wrong = with_authority(rig, authority(tmp_path, "wrong"))
    name = "localhost.localdomain"
    other = with_authority(rig, tmp_path / "right", **{"localhost:": f"{name}:", "verify-full": "verify-full&hostaddr=127.0.0.1"})
    for settings, reason in ((wrong, "certificate verify failed"), (other, f'does not match host name "{name}"')):
        environment = {**rig.environment, **settings}
        done = subprocess.run([PROGRAM, "tenant", "list"], env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and reason in done.stderr and "database unavailable" in done.stderr, done


def test_answers_in_large_records_of_tls_are_read_to_their_end(own_rig, tmp_path):
    """What is left of a record in the TLS layer has left the socket: a client that only waits for that waits until its deadline."""
    rig, folder = own_rig, authority(tmp_path, "right")
    with LargeRecords(rig.postgres, folder) as proxy:
        rig.tls_port = proxy.port
        rig.environment |= with_authority(rig, folder, **{"verify-full": "verify-full&hostaddr=127.0.0.1"})
        for name in ("serve", "work"):
            rig.stop(name)
            rig.start(name)
        user = rig.user()
        for number in range(60):
            user.create_text("x" * (300 + number * 997 % 3700))
        for number in range(100):
            began = time.monotonic()
            path = "/v1/changes" if number % 2 else "/v1/entries"
            user.call("GET", path, 200, params={"limit": 2 + number * 7 % 59}, timeout=40)
            assert time.monotonic() - began < 5
        assert proxy.longest > 65_536 and "database timeout" not in rig.log_text()
