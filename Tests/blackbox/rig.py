"""The whole service on this machine: API and worker processes over private Postgres and Redis."""

import base64
import json
import os
import pathlib
import secrets
import subprocess
import tempfile

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import cluster_templates
import http_client
from mail import Outbox
from processes import Processes, free_port, wait_for
from s3_server import GIVEN
from servers import Postgres, Redis, newest_version
from stores import BucketStore, FolderStore
from user import User

AS_SHIPPED = {
    "DIARY_LEASE_SECONDS": "60",
    "DIARY_HEARTBEAT_SECONDS": "15",
    "DIARY_SWEEP_SECONDS": "10",
    "DIARY_POLL_SECONDS": "2",
    "DIARY_RETRY_BASE_SECONDS": "5",
    "DIARY_PROBE": "ffmpeg",
    "DIARY_SPEECH": "local",
    "DIARY_CLEANUP": "rules",
}
"""What the README names as defaults, for measurements and for release builds, which have no scripted providers; the tests' workers are in more of a
hurry, and look after thousands of unfinished uploads every second."""
SHIPPED = "DIARY_TEST_SHIPPED"
"""Set: rigs have these settings (scripts/package, whose program is a release build)."""


class Rig(Processes):
    def __init__(self, store=None, **settings):
        """`store`: where objects are kept, instead of a bucket of the server that runs already (scripts/test --store s3), or of a folder."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-rig-", dir="/tmp"))
        self.store = store or self.store_of(folder, settings)
        with cluster_templates.turn("furnished", newest_version()):
            self.make_databases(folder, settings)
        try:
            self.start("serve")
            self.start("work")
        except BaseException:
            self.end()
            raise

    def make_databases(self, folder, settings):
        """And all that its commands need."""
        self.postgres = Postgres(may_be_furnished=True)
        try:
            self.redis = Redis()
        except BaseException:
            self.postgres.end()
            raise
        self.port, self.tenants = free_port(), {}
        url = f"http://127.0.0.1:{self.port}"
        for name in ("objects", "tmp", "mail", "logs", "scripts"):
            (folder / name).mkdir()
        self.scripts, self.outbox = folder / "scripts", Outbox(folder / "mail")
        super().__init__(folder, url, {**self.defaults(folder, url), **settings})
        try:
            self.furnish()
        except BaseException:
            self.end()
            raise

    def defaults(self, folder, url):
        """Settings of a service that does everything quickly; speech is scripted."""
        key = ec.generate_private_key(ec.SECP256R1())
        return {
            **{k: v for k, v in os.environ.items() if not k.startswith("DIARY_")},
            "DIARY_LISTEN": f"127.0.0.1:{self.port}",
            "DIARY_PUBLIC_URL": url,
            "DIARY_DATABASE_URL": self.postgres.conninfo(),
            "DIARY_KEYS_DATABASE_URL": self.postgres.conninfo("diary_keys"),
            "DIARY_REDIS_URL": self.redis.url,
            **self.store.settings,
            "DIARY_TEMPORARY": str(folder / "tmp"),
            "DIARY_MAIL_OUTBOX": str(folder / "mail"),
            "DIARY_MASTER_KEYS": "m1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
            "DIARY_SERVICE_SECRET": base64.b64encode(secrets.token_bytes(32)).decode(),
            "DIARY_SIGNING_KEY": key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            ).decode(),
            "DIARY_PROBE": "scripted",
            "DIARY_SPEECH": "scripted",
            # Tests of real speech name a server (speech_server.py).
            "DIARY_SPEECH_SOCKET": str(folder / "no-speech-server"),
            "DIARY_CLEANUP": "scripted",
            "DIARY_SCRIPTS": str(self.scripts),
            "DIARY_LEASE_SECONDS": "2",
            "DIARY_HEARTBEAT_SECONDS": "0.5",
            # A worker that has nothing to do has some fifty transactions in a round: twice a second it would be a tenth of a processor.
            "DIARY_SWEEP_SECONDS": "1",
            "DIARY_POLL_SECONDS": "1",
            "DIARY_RETRY_BASE_SECONDS": "0.2",
            "DIARY_RATE_FACTOR": "100000",
            # Debug builds alone know it; tests about hashing ask for the full cost.
            "DIARY_PASSWORD_COST": "least",
            **(AS_SHIPPED if SHIPPED in os.environ else {}),
        }

    @staticmethod
    def store_of(folder, settings):
        if "DIARY_OBJECTS" in settings or GIVEN not in os.environ:
            return FolderStore(settings.get("DIARY_OBJECTS", folder / "objects"))
        return BucketStore(os.environ[GIVEN])

    def furnish(self):
        """Migrations and one app, from a template when one is there: two commands cost as much as the starts of API and worker."""
        if self.postgres.is_furnished:
            self.tenants.update(self.postgres.sql("diary", "select slug, id::text from tenants"))
            return
        self.diary("migrate", "up")
        self.tenant("my-day")
        self.postgres.save("furnished")

    def tenant(self, slug):
        made = json.loads(self.diary("tenant", "create", slug, "--name", slug, "--mail-from", "diary@example.org", "--json"))
        self.tenants[slug] = made[0]["id"]

    def wait_for_app(self, slug):
        """The API reads its list of tenants anew every few seconds."""

        def known():
            probe = http_client.post(
                self.url + "/v1/auth/email", json={"email": "a@example.org", "password": "x" * 12}, headers={"Diary-App": slug}
            )
            return probe.json()["code"] != "app_unknown"

        wait_for(known, 15, f"app {slug}")

    def end(self):
        self.kill_all()
        try:
            self.redis.end()
        finally:
            self.postgres.end()
        subprocess.run(["rm", "-rf", str(self.folder)])

    def script(self, name, **behaviour):
        """What a scripted provider does from now on (probe, speech, clean)."""
        (self.scripts / f"{name}.json").write_text(json.dumps(behaviour))

    def unscript(self):
        for file in self.scripts.glob("*.json"):
            file.unlink()

    def half_written(self):
        """What uploads and results have left on their way into the store."""
        return self.store.half_written()

    def mails(self, address):
        return self.outbox.to(address)

    def user(self, app="my-day", address=None, password="a long enough passphrase 7"):
        return User(self, app, address or f"{secrets.token_hex(8)}@example.org", password)
