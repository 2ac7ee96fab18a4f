"""The service of scripts/apart: API and worker machines with settings, keys and passwords of their own, and an app."""

import base64
import itertools
import json
import re
import secrets
import subprocess

import requests
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import http_client
from apart_machines import CLIENT
from apart_servers import BUCKET, PREFIX, Bucket, Postgres, Redis
from mail_server import Mailbox, parsed
from processes import wait_for
from servers import ROOT

PROGRAM, SHARE, USER = "/opt/diary/diary", "/opt/diary/share", "nobody"
SHARED = ("openapi.yaml", "docs/export-manifest.schema.json", "migrations")
PORT, SMTP = 8080, 2525


def random_key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


def signing_key():
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(*form).decode()


def libraries(program):
    """Folders of the program's libraries that are not below /usr."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return {folder for folder in re.findall(r"=> (/\S+)/[^/\s]+ \(", linked) if not folder.startswith(("/usr/", "/lib"))}


class Service:
    """`url` names the API machines in turn, so that successive requests meet different ones."""

    def __init__(self, network, program):
        self.network, self.program = network, program
        self.postgres, self.redis, self.bucket = Postgres(network), Redis(network), Bucket(network)
        self.mailbox = Mailbox()
        self.smtp = Controller(self.mailbox, hostname=CLIENT, port=SMTP)
        self.smtp.start()
        self.keys = {"master-keys": "m1:" + random_key(), "service-secret": random_key(), "signing-key": signing_key()}
        self.apis, self.workers = [], []

    def machine(self, name, roles, keys):
        made = self.network.machine(name, user=USER, isolated=True)
        made.bound = {self.program: PROGRAM, **{ROOT / file: f"{SHARE}/{file}" for file in SHARED}}
        made.bound |= {folder: folder for folder in libraries(self.program)}
        made.files = {key: self.keys[key] for key in keys}
        made.files |= {"pgpass": self.postgres.passwords_of(*roles), "s3-secret-key": Bucket.SECRET}
        return made

    def settings(self, machine, **more):
        return {
            "DIARY_DATABASE_URL": self.postgres.url("diary"),
            "DIARY_KEYS_DATABASE_URL": self.postgres.url("diary_keys"),
            "PGPASSFILE": "/srv/pgpass",
            "DIARY_REDIS_URL": self.redis.url,
            "DIARY_OBJECTS": f"s3://{BUCKET}/{PREFIX}",
            "DIARY_S3_ENDPOINT": self.bucket.url,
            "DIARY_S3_ACCESS_KEY": Bucket.ACCESS,
            "DIARY_S3_SECRET_KEY_FILE": "/srv/s3-secret-key",
            "DIARY_PUBLIC_URL": self.public_url,
            "DIARY_SHARE": SHARE,
            "DIARY_LEASE_SECONDS": "3",
            "DIARY_HEARTBEAT_SECONDS": "1",
            "DIARY_SWEEP_SECONDS": "1",
            "DIARY_POLL_SECONDS": "1",
            "DIARY_RATE_FACTOR": "1000",
            **{f"DIARY_{name.upper().replace('-', '_')}_FILE": f"/srv/{name}" for name in self.keys if name in machine.files},
            **more,
        }

    def operate(self):
        """As an operator before the first start, from a machine that ends then. Returns what `diary objects check` found."""
        machine = self.machine("operator", ("owner", "admin"), ["master-keys", "service-secret"])
        self.public_url = f"http://{machine.address}"
        commands = [
            "migrate up",
            "tenant create my-day --name 'My Day' --mail-from diary@example.org",
            "objects check --json",
        ]
        line = " && ".join(f"{PROGRAM} {command}" for command in commands)
        more = {"DIARY_SMTP_URL": f"smtp+plain://{CLIENT}:{SMTP}"}
        status = machine.start(["sh", "-c", line], self.settings(machine, **more)).process.wait(120)
        assert status == 0, f"status {status}: {machine.text[-2000:]}"
        return {row["check"]: row["state"] for row in json.loads(machine.text[machine.text.rindex('{"checks"') :])["checks"]}

    def start(self, count):
        self.apis = [self.machine(f"api-{n}", ("api", "auth"), self.keys) for n in range(1, count + 1)]
        self.public_url = f"http://{self.apis[0].address}:{PORT}"
        for api in self.apis:
            api.start([PROGRAM, "serve"], self.settings(api, DIARY_LISTEN=f"{api.address}:{PORT}"))
        self.workers = [self.machine(f"worker-{n}", ("worker",), ["master-keys", "service-secret"]) for n in range(1, count + 1)]
        own = {"DIARY_SMTP_URL": f"smtp+plain://{CLIENT}:{SMTP}", "DIARY_TEMPORARY": "/tmp/diary", "DIARY_SANDBOX": "required"}
        for worker in self.workers:
            worker.start([PROGRAM, "work"], self.settings(worker, **own))
        self.turns = itertools.cycle(list(self.apis))
        for api in self.apis:
            wait_for(lambda api=api: self.ready(api), 60, f"readiness of {api.name}")
        for worker in self.workers:
            wait_for(lambda worker=worker: worker.alive() and "worker starts" in worker.text, 60, f"the start of {worker.name}")

    @staticmethod
    def ready(api):
        api.alive()
        try:
            answer = http_client.get(f"http://{api.address}:{PORT}/readyz", timeout=2)
        except requests.RequestException:
            return False
        return answer.status_code == 200 and answer.json()["status"] == "ready"

    def without(self, api):
        self.turns = itertools.cycle([other for other in self.apis if other is not api])

    @property
    def url(self):
        return f"http://{next(self.turns).address}:{PORT}"

    def elsewhere(self, url):
        """A link of the service, asked of the next API machine, as behind a proxy."""
        assert url.startswith(self.public_url), url
        return self.url + url.removeprefix(self.public_url)

    def mails(self, address):
        return [parsed(content) for _, to, content in list(self.mailbox.mails) if to == [address]]

    def end(self):
        self.smtp.stop()
