"""What the machines of scripts/apart may share: Postgres, Redis and a bucket, each on a machine of its own, over TCP and with passwords."""

import contextlib
import secrets
import subprocess

import botocore.session
import psycopg2

from apart_machines import wait_for_port
from processes import wait_for
from servers import ROOT

ROLES = ("owner", "api", "auth", "worker", "admin", "backup")
BUCKET, PREFIX = "recordings", "diary"

CLUSTER = r"""
set -eu
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
"$bin/initdb" -D /srv/data -U postgres --pwfile=/srv/password -A scram-sha-256 --no-sync --wal-segsize=1 --encoding=UTF8 --locale=C.UTF-8
echo "host all all samenet scram-sha-256" >>/srv/data/pg_hba.conf
exec "$bin/postgres" -D /srv/data -c listen_addresses="$1" -c unix_socket_directories=/tmp -c fsync=off
"""


class Postgres:
    def __init__(self, network):
        self.password, self.passwords = secrets.token_hex(16), {role: secrets.token_hex(16) for role in ROLES}
        self.machine = network.machine("postgres", user="postgres")
        self.machine.files["password"] = self.password
        self.machine.start(["bash", "-c", CLUSTER, "cluster", self.machine.address])
        wait_for_port(self.machine, 5432)
        self.sql("postgres", (ROOT / "migrations/roles.sql").read_text())
        for role, password in self.passwords.items():
            self.sql("postgres", f"alter role diary_{role} password '{password}'")
        for database in ("diary", "diary_keys"):
            self.sql("postgres", f"create database {database} owner diary_owner")
            self.sql(database, "alter schema public owner to diary_owner")

    def sql(self, database, text, *values):
        connection = psycopg2.connect(
            host=self.machine.address, dbname=database, user="postgres", password=self.password, connect_timeout=20
        )
        connection.autocommit = True
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute(text, values or None)
            return cursor.fetchall() if cursor.description else []

    def url(self, database):
        return f"postgresql://{self.machine.address}/{database}"

    def passwords_of(self, *roles):
        """A password file with those roles alone."""
        return "".join(f"*:*:*:diary_{role}:{self.passwords[role]}\n" for role in roles)


class Redis:
    def __init__(self, network):
        self.password = secrets.token_hex(16)
        self.machine = network.machine("redis", user="nobody")
        self.machine.files["conf"] = f'bind {self.machine.address}\nrequirepass {self.password}\ndir /srv\nsave ""\nappendonly no\n'
        self.machine.start(["redis-server", "/srv/conf"])
        wait_for_port(self.machine, 6379)

    @property
    def url(self):
        return f"redis://default:{self.password}@{self.machine.address}"


class Bucket:
    PORT = 7480
    ACCESS, SECRET = "testaccesskey", "testsecretkey"

    def __init__(self, network):
        self.machine = network.machine("bucket")
        self.machine.bound[ROOT / "Tests/TestServers/S3"] = "/opt/s3"
        command = f"mkdir /srv/s3 && exec bash /opt/s3/radosgw.sh /srv/s3 {self.PORT} {self.machine.address}"
        self.machine.start(["bash", "-c", command], stdin=subprocess.PIPE)
        wait_for_port(self.machine, self.PORT, 90)
        config = botocore.config.Config(s3={"addressing_style": "path"}, proxies={})
        self.client = botocore.session.get_session().create_client(
            "s3",
            region_name="us-east-1",
            endpoint_url=self.url,
            aws_access_key_id=self.ACCESS,
            aws_secret_access_key=self.SECRET,
            config=config,
        )
        wait_for(self.created, 60, "the bucket")

    @property
    def url(self):
        return f"http://{self.machine.address}:{self.PORT}"

    def created(self):
        """The gateway listens before its pools are there."""
        with contextlib.suppress(botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
            self.client.create_bucket(Bucket=BUCKET)
            return True

    def keys(self, below=""):
        """Of all objects whose key begins so after the prefix."""
        found = self.client.list_objects_v2(Bucket=BUCKET, Prefix=f"{PREFIX}/{below}").get("Contents", [])
        return [item["Key"] for item in found]

    def content(self, key):
        return self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
