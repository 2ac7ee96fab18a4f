"""The proxies of deploy/: what they log, and API processes that restart one after the other behind them."""

import base64
import concurrent.futures
import re
import secrets
import socket
import subprocess
import threading
import urllib.parse

import pytest
import requests
import yaml

import http_client
from processes import PROGRAM, free_port, wait_for
from proxies import Caddy, Nginx, needs_caddy, needs_nginx, program
from repetitions import repetitions
from rig import Rig
from servers import ROOT
from user import SAMPLE

BOTH = [pytest.param(Nginx, marks=needs_nginx), pytest.param(Caddy, marks=needs_caddy)]
PARAMETER = re.compile(r"\{(\w+)\}")
OF_MANY_SEGMENTS = {"key"}
WANTED = repetitions(2_000, 200)
"""Requests that are made while processes are restarted."""


# What is logged of a path


def expressions():
    nginx = re.search(r'map \$request_uri \$words \{\n +default "";\n +"~([^"]+)" "\$1\$2\$3";', (ROOT / "deploy/nginx.conf").read_text())
    caddy = re.search(r'request>uri regexp "([^"]+)" "\$1\$2\$3"', (ROOT / "deploy/Caddyfile").read_text())
    return nginx[1], caddy[1]


def logged(target):
    return "".join(part or "" for part in re.match(expressions()[0], target).groups())


def test_both_proxies_have_one_expression_for_what_is_logged_of_a_path():
    nginx, caddy = expressions()
    assert nginx == caddy
    # Nothing that the engines of nginx (PCRE), Caddy (RE2) and Python read differently.
    assert not re.search(r"\(\?[^:s]|\\", nginx)
    for file in ("nginx.conf", "Caddyfile"):
        text = (ROOT / "deploy" / file).read_text()
        assert "$uri" not in text and "$request " not in text, file
        assert len(re.findall(r"^\s*(?:access_log .*|import) only_words", text, re.M)) == (2 if file == "Caddyfile" else 1), file


def test_of_each_path_of_the_contract_only_its_own_words_are_logged():
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
    assert any("{" in path for path in paths)
    for template in paths:
        secret = secrets.token_urlsafe(24)

        def value(name, secret=secret):
            return f"staging/{secret}/{secret}.m4a" if name[1] in OF_MANY_SEGMENTS else secret

        target = PARAMETER.sub(value, template)
        first, parameter, rest = template.partition("/{")
        # A second parameter, and what follows a key, is part of the place that stays empty.
        word = rest.partition("}")[2] if parameter and "{" not in rest else ""
        expected = first + ("/" if parameter else "") + word
        for query in ("", "?", f"?signature={secret}&expires=1", f"?a=/{secret}"):
            assert logged(target + query) == expected, template
            assert secret not in logged(target + query)


SPELLINGS = [
    "//exports/{}",
    "/exports//{}",
    "/./exports/{}",
    "/x/../exports/{}",
    "/%65xports/{}",
    "/exports%2F{}",
    "/EXPORTS/{}",
    "/exports/{}/../..",
    "/exports/{}/download/",
    "/exports/{}/other",
    "/exports;{}",
    "/exports{}",
    "/{}/exports",
    "http://diary.example/exports/{}",
    "/livez/{}",
    "/v1/{}",
    "/v1/deletions/{}/x",
    "/v1/deletions/{}#x",
    "/audio/{}",
    "{}",
]
"""A token where a client may put it; the service answers some of them."""


def test_of_a_path_in_any_other_spelling_no_token_is_logged():
    for spelling in SPELLINGS:
        token = secrets.token_urlsafe(24)
        assert token not in logged(spelling.format(token)), spelling
        assert re.fullmatch(r"[a-z0-9/._-]*", logged(spelling.format(token))), spelling


# The proxies themselves


class Fronted:
    """A service whose public address is the proxy's."""

    def __init__(self, kind, changes=None):
        port = free_port()
        self.rig = Rig(DIARY_PUBLIC_URL=f"http://127.0.0.1:{port}", DIARY_TRUSTED_PROXIES="127.0.0.1")
        try:
            self.proxy = kind(self.rig.folder, self.ports(), port, changes)
        except BaseException:
            self.end()
            raise
        self.rig.url = self.proxy.url

    proxy = None

    def ports(self):
        return [self.rig.port]

    def end(self):
        try:
            if self.proxy:
                self.proxy.end()
        finally:
            self.rig.end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class FrontedTwice(Fronted):
    """Two API processes, each on a socket that outlives it: diary-api@.socket and diary-api@.service."""

    def ports(self):
        self.rig.stop("serve")
        self.sockets = {}
        for name in ("serve-1", "serve-2"):
            listening = self.sockets[name] = socket.socket()
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", free_port()))
            listening.listen(4096)
            self.start(name)
        return [listening.getsockname()[1] for listening in self.sockets.values()]

    def start(self, name):
        number = self.sockets[name].fileno()
        line = f'exec 3<&{number}; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve'
        log = open(self.rig.folder / "logs" / f"{name}.log", "ab")
        self.rig.processes[name] = subprocess.Popen(
            ["bash", "-c", line, str(PROGRAM)], env=self.rig.environment, stdout=log, stderr=log, pass_fds=(number,)
        )
        # Waits in the queue until the process accepts it.
        port = self.sockets[name].getsockname()[1]
        assert http_client.get(f"http://127.0.0.1:{port}/readyz", timeout=30).status_code == 200

    def end(self):
        super().end()
        for listening in self.sockets.values():
            listening.close()


def use_links(fronted, found):
    """The main job and every kind of link, through the proxy. `found` gets each secret that was used, by name."""
    rig = fronted.rig
    user = rig.user(address=f"zyzzogeton{secrets.token_hex(6)}@example.org", password="zyzzogeton passphrase 7")
    found.update(address=user.address, password=user.password, access=user.tokens["access_token"], refresh=user.tokens["refresh_token"])
    signed_in = user.call(
        "POST",
        "/v1/auth/email",
        200,
        json={"email": user.address, "password": user.password},
        headers={"Referer": user.tokens["access_token"]},
    ).json()
    found.update(device=signed_in["device_token"], second_refresh=signed_in["refresh_token"])
    made = user.create_voice(title="zyzzogetontitle")
    upload = urllib.parse.urlsplit(made["upload"]["url"])
    found["title"] = "zyzzogetontitle"
    found["upload"] = dict(urllib.parse.parse_qsl(upload.query))["X-Amz-Signature"]
    found["object"] = upload.path.rsplit("/", 1)[1]
    user.put(made["upload"])
    user.put(made["upload"], expect=None)
    user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])
    recording = user.audio_url(made["entry_id"])
    parts = urllib.parse.urlsplit(recording)
    assert parts.path.startswith("/audio/")
    found["recording"] = dict(urllib.parse.parse_qsl(parts.query))["signature"]
    found["playback"] = parts.path.removeprefix("/audio/")
    assert http_client.get(recording, headers={"Range": "bytes=0-9"}).content == SAMPLE.read_bytes()[:10]
    exported = user.export()["id"]
    (link,) = user.export_links()
    own = user.call("GET", f"/v1/exports/{exported}/url", 200).json()["url"]
    found["own_token"] = own.split("/")[-2]
    found["own_zip"] = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(own).query))["signature"]
    assert http_client.get(own).content.startswith(b"PK")
    user.call("POST", f"/v1/exports/{exported}/mail", 202)
    token = found["export"] = link.rsplit("/", 1)[1]
    assert http_client.head(link).status_code == 200
    taken = http_client.post(link + "/download", allow_redirects=False)
    assert taken.status_code == 303
    file = urllib.parse.urljoin(link, taken.headers["location"])
    found["zip"] = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(file).query))["signature"]
    assert http_client.get(file).content.startswith(b"PK")
    receipt = found["receipt"] = user.call("DELETE", "/v1/me", 202, json={"password": user.password}).json()["receipt"]
    assert user.call("GET", f"/v1/deletions/{receipt}", 200).json()["status"]
    return [
        f"/exports/{token}",
        f"/exports/{token}/download",
        f"/v1/deletions/{receipt}",
        f"{parts.path}?{parts.query}",
        f"{upload.path}?{upload.query}",
    ]


def ask(port, target, *fields):
    """A request with a target that no library would send as it is."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as s:
        s.sendall("\r\n".join([f"GET {target} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *fields, "", ""]).encode())
        answer = b""
        while chunk := s.recv(65536):
            answer += chunk
    return answer


@pytest.mark.long
@pytest.mark.parametrize("kind", BOTH)
def test_g1_no_secret_of_the_main_job_or_of_a_link_is_in_a_log_of_the_proxy(kind):
    found = {}
    with Fronted(kind) as fronted:
        targets = use_links(fronted, found)
        port = fronted.proxy.port
        token = found["export"]
        for spelling in SPELLINGS:
            ask(port, spelling.format(token))
        ask(port, f"/exports/{token}", f"Referer: {fronted.proxy.url}/exports/{token}", f"User-Agent: {found['receipt']}")
        # A head that is too large, and bytes that are no request.
        ask(port, f"/exports/{token}?{'a' * 70_000}")
        ask(port, f"/exports/{token} {token}")
        if kind is Nginx:
            assert b" 308 " in ask(fronted.proxy.plain_port, f"/exports/{token}")
        # The same while no process of the API answers: what the proxies write about failures.
        fronted.rig.stop("serve")
        with concurrent.futures.ThreadPoolExecutor(len(targets)) as pool:
            answers = list(pool.map(lambda target: ask(port, target), targets))
        assert all(re.match(rb"HTTP/1.1 50[234] ", answer) for answer in answers), [answer[:60] for answer in answers]
        fronted.proxy.end()
        logs = fronted.proxy.logs()
    # The log says something: the words of each kind of link are there.
    for words in (
        "/v1/entries//audio/url",
        "/v1/exports//url",
        "/v1/exports//mail",
        "/exports/",
        "/exports//download",
        "/exports//file",
        "/v1/deletions/",
        "/audio/",
        "/objects/",
    ):
        assert re.search(rf'[" ]{words}"', logs), words
    needles = {name: secret for name, secret in found.items() if secret}
    assert len(needles) == 16
    for name, secret in list(needles.items()):
        needles[name + ", percent-encoded"] = urllib.parse.quote(secret, safe="")
        needles[name + ", base64"] = base64.b64encode(secret.encode()).decode().rstrip("=")[:-1]
    hits = [name for name, secret in needles.items() if secret in logs]
    assert hits == []


class Caller(threading.Thread):
    """Makes entries one after the other, without a key for repetition, on a connection that is kept."""

    def __init__(self, user, stop):
        super().__init__(daemon=True)
        self.user, self.stop = user, stop
        self.answered, self.failed = 0, []

    def run(self):
        session = http_client.Session()
        session.headers.update(self.user.http.headers)
        while not self.stop.is_set():
            try:
                answer = session.post(self.user.rig.url + "/v1/entries", json={"kind": "text", "text": "a"}, timeout=30)
                if answer.status_code != 201:
                    self.failed.append(answer.status_code)
            except requests.RequestException as error:
                self.failed.append(type(error).__name__)
            self.answered += 1


@pytest.mark.parametrize("kind", BOTH)
def test_a14_two_processes_of_each_role_restarted_one_after_the_other_behind_a_proxy_lose_nothing_and_repeat_nothing(kind):
    # The load comes from one address: the limit of requests of one client is not what is tested.
    changes = {"rate=100r/s": "rate=10000r/s"} if kind is Nginx else None
    with FrontedTwice(kind, changes) as fronted:
        fronted.rig.start("work", "work-2")
        stop = threading.Event()
        callers = [Caller(fronted.rig.user(), stop) for _ in range(4)]
        for caller in callers:
            caller.start()
        recorder, recordings, codes, rounds = fronted.rig.user(), [], [], 0
        try:
            while rounds < 2 or sum(caller.answered for caller in callers) < WANTED:
                rounds += 1
                for name in fronted.sockets:
                    before = sum(caller.answered for caller in callers)
                    codes.append(fronted.rig.stop(name))
                    fronted.start(name)
                    wait_for(lambda: sum(c.answered for c in callers) > before + 50, 60, "answers")  # noqa: B023
                for name in ("work", "work-2"):
                    recordings.append(recorder.record())
                    codes.append(fronted.rig.stop(name))
                    fronted.rig.start("work", name)
        finally:
            stop.set()
            for caller in callers:
                caller.join()
        answered = sum(caller.answered for caller in callers)
        print(f"A14: {answered} requests, {len(codes)} restarts behind {kind.__name__}: {sum(len(c.failed) for c in callers)} failed")
        assert [caller.failed for caller in callers] == [[]] * 4, f"of {answered}"
        assert set(codes) == {0} and answered > WANTED
        for entry in recordings:
            recorder.wait_done(entry)
        (stored,) = fronted.rig.postgres.sql("diary", "select count(*) from entries")[0]
        assert stored == answered + len(recordings)


@pytest.mark.parametrize("kind", BOTH)
def test_the_proxies_compress_and_change_goes_on(kind):
    with Fronted(kind) as fronted:
        user = fronted.rig.user()
        made = user.create_text("A walk by the lake. " * 200)["entry"]
        path = f"/v1/entries/{made['id']}"
        shown = user.call("GET", path, 200, headers={"Accept-Encoding": "gzip"})
        assert shown.headers["Content-Encoding"] == "gzip" and shown.json()["text"] == made["text"]
        changed = user.call("PATCH", path, 200, json={"title": "Later"}, headers={"If-Match": shown.headers["ETag"]})
        assert changed.json()["title"] == "Later"
        me = user.call("GET", "/v1/me", 200).headers["ETag"]
        assert user.call("GET", "/v1/me", 304, headers={"If-None-Match": me}).content == b""
        script = user.call("GET", "/docs/reference.js", 200, headers={"Accept-Encoding": "gzip"})
        assert script.headers["Content-Encoding"] == "gzip"
        # Nothing with a token is compressed.
        password = {"current_password": user.password, "new_password": "another long passphrase 8"}
        for path, body in (("/v1/auth/email", {"email": user.address, "password": user.password}), ("/v1/me/password", password)):
            answer = user.call("POST", path, 200, json=body, headers={"Accept-Encoding": "gzip"})
            assert "Content-Encoding" not in answer.headers, path


@needs_nginx
def test_nginx_answers_a_client_that_asks_too_often_as_the_service_would():
    with Fronted(Nginx, {"rate=100r/s": "rate=1r/m", "burst=400": "burst=3"}) as fronted:
        answers = [http_client.get(fronted.proxy.url + "/livez") for _ in range(10)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused and answers[-1] in refused
        problem = refused[0].json()
        assert refused[0].headers["content-type"] == "application/problem+json" and refused[0].headers["retry-after"] == "1"
        assert (
            problem["code"] == "rate_limited" and problem["status"] == 429 and problem["request_id"] == refused[0].headers["x-request-id"]
        )


@needs_caddy
def test_caddy_is_configured_through_its_own_socket_and_no_port():
    with Fronted(Caddy) as fronted:
        with pytest.raises(requests.ConnectionError):
            http_client.get("http://127.0.0.1:2019/config/", timeout=5)
        reload = [program("caddy"), "reload", "--force", "--adapter", "caddyfile", "--config", fronted.proxy.file]
        environment = {"DIARY_HOST": fronted.proxy.url, "HOME": str(fronted.proxy.folder), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(reload, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert fronted.proxy.answers()
