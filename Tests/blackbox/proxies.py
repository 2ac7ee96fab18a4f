"""nginx and Caddy with the files of deploy/, on free ports and without TLS, in front of one or two API processes."""

import os
import re
import shutil
import subprocess

import pytest
import requests

import http_client
from processes import free_port, wait_for
from servers import ROOT

FETCHED = ROOT / ".build/proxies"
"""Where scripts/test unpacks them when they are not installed."""


def program(name):
    places = [os.environ.get("PATH", ""), "/usr/sbin", f"{FETCHED}/usr/sbin", f"{FETCHED}/usr/bin"]
    return shutil.which(name, path=os.pathsep.join(places))


needs_nginx = pytest.mark.skipif(not program("nginx"), reason="nginx is not installed")
needs_caddy = pytest.mark.skipif(not program("caddy"), reason="Caddy is not installed")


def replaced(text, changes):
    """The text with each of these in another's place; each has to be there."""
    for old, new in changes.items():
        assert old in text, f"there is no {old!r} any more"
        text = text.replace(old, new)
    return text


class Proxy:
    """`folder` gets a folder of the proxy's own, with its configuration and its logs."""

    def __init__(self, folder, ports, port=None, changes=None):
        self.folder, self.port = folder / self.name, port or free_port()
        self.folder.mkdir()
        self.url = f"http://127.0.0.1:{self.port}"
        self.file = self.folder / (ROOT / self.source).name
        text = (ROOT / self.source).read_text()
        self.file.write_text(self.adapted(replaced(text, changes or {}), ports))
        self.start_log = open(self.folder / "start.log", "w+b")
        self.process = subprocess.Popen(
            [program(self.name), *self.arguments()],
            stdout=open(self.folder / "stdout.log", "wb"),
            stderr=self.start_log,
            env={**os.environ, "DIARY_HOST": self.url, "HOME": str(self.folder)},
        )
        self.last = None
        try:
            wait_for(self.answers, 60, self.name)
        except AssertionError as error:
            self.process.kill()
            logs = [path.read_text(errors="replace")[-2000:] for path in sorted(self.folder.glob("*.log"))]
            raise AssertionError(f"{error}; last answer: {self.last}; logs: {logs}") from None

    def answers(self):
        assert self.process.poll() is None, "it has ended"
        try:
            self.last = http_client.get(self.url + "/livez", timeout=2).status_code
        except (requests.ConnectionError, requests.Timeout) as error:
            self.last = error
            return False
        return self.last < 500

    def logs(self):
        """Everything that it has written, but its configuration."""
        return "".join(p.read_text(errors="replace") for p in sorted(self.folder.rglob("*")) if p.is_file() and p != self.file)

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.start_log.close()


class Nginx(Proxy):
    name, source = "nginx", "deploy/nginx.conf"

    def adapted(self, text, ports):
        self.plain_port = free_port()
        text = re.sub(r"^ *(ssl_\w+|listen \[::\]).*\n", "", text, flags=re.M)
        folders = "".join(f"    {kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return replaced(
            text,
            {
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
                "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port};",
                "        server 127.0.0.1:8080 max_fails=0;\n": "".join(
                    f"        server 127.0.0.1:{port} max_fails=0;\n" for port in ports
                ),
                "worker_processes auto;": "worker_processes 1; daemon off;",
                "/run/nginx.pid": str(self.folder / "pid"),
                "/var/log/nginx": str(self.folder),
                "http {\n": "http {\n" + folders,
            },
        )

    def arguments(self):
        return ["-e", self.folder / "error.log", "-p", self.folder, "-c", self.file]


class Caddy(Proxy):
    name, source = "caddy", "deploy/Caddyfile"

    def adapted(self, text, ports):
        return replaced(
            text,
            {
                "\t\tto 127.0.0.1:8080\n": "".join(f"\t\tto 127.0.0.1:{port}\n" for port in ports),
                "/var/lib/caddy/admin.sock": str(self.folder / "admin.sock"),
            },
        )

    def arguments(self):
        return ["run", "--adapter", "caddyfile", "--config", self.file]
