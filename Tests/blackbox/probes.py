"""The isolation matrix (C1), generated from openapi.yaml: every operation, every place in it that can name something of somebody's, every actor.

A probe is a pair of requests by one actor: one names what another person owns, one names what does not exist. Their answers must be the same.
A new operation, or a new parameter or member of one, has no row here and fails the generator until somebody says what it can name."""

import base64
import dataclasses
import hashlib
import hmac
import json
import random
import secrets
import time
import urllib.parse
import uuid

import jwt
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from rig import CONTRACT, wait_for

# Parameters and members that name nothing: limits, formats, words, times, conditions on versions.
PLAIN = {
    "query:limit", "query:from", "query:to", "query:order", "query:format", "query:expires", "header:Range", "header:If-Range", "header:If-Match",
    "query:X-Amz-Algorithm", "query:X-Amz-Date", "query:X-Amz-Expires", "query:X-Amz-SignedHeaders", "header:x-amz-checksum-sha256",
    "body:kind", "body:recorded_at", "body:time_zone", "body:duration_s", "body:size_bytes", "body:content_type", "body:sha256", "body:language",
    "body:title", "body:text", "body:tags", "body:mood", "body:from", "body:to", "body:include_audio", "body:password", "body:name", "body:locale",
    "body:device",
}
# What differs between two answers of the same meaning.
# `connection`: an answer given before the body has been read ends the connection, one given after does not; which is a matter of arrival.
VOLATILE_HEADERS = {"x-request-id", "date", "ratelimit", "ratelimit-policy", "connection"}
VOLATILE_MEMBERS = {"request_id", "created_at", "updated_at", "expires_at"}
NAMES = {"id", "entry_id", "registration", "url", "filename"}


def positions(operation, item):
    """Everywhere in an operation that a client puts a value: `path:id`, `query:cursor`, `header:Idempotency-Key`, `body:id`, `bearer`."""
    found = set()
    for parameter in operation.get("parameters", []) + item.get("parameters", []):
        parameter = CONTRACT.resolve(parameter)
        found.add(f"{parameter['in']}:{parameter['name']}")

    def members(schema):
        schema = CONTRACT.resolve(schema)
        for name in schema.get("properties", {}):
            found.add(f"body:{name}")
        for kind in ("oneOf", "anyOf", "allOf"):
            for inner in schema.get(kind, []):
                members(inner)
    for media in CONTRACT.resolve(operation.get("requestBody", {})).get("content", {}).values():
        members(media.get("schema", {}))
    if operation.get("security", CONTRACT.document["security"]):
        found.add("bearer")
    return found


@dataclasses.dataclass
class Ask:
    """A request, and the value in it that the pair differs in."""
    method: str
    path: str
    named: str = ""
    headers: dict = dataclasses.field(default_factory=dict)
    json: object = None
    data: bytes | None = None


@dataclasses.dataclass
class Probe:
    operation: str
    position: str
    actor: "Actor"
    label: str
    foreign: Ask
    missing: Ask | None
    """None: there is nothing to compare with; the answer must hold nothing of the owner."""
    statuses: tuple = ()


@dataclasses.dataclass(frozen=True)
class Actor:
    name: str
    authorization: str | None
    app: str = "my-day"
    user: object = None
    genuine: bool = False
    """Signed by the service's key: whether its session lives is asked in the operation's one round trip, after the request's form was looked at."""

    @property
    def signed_in(self):
        return self.user is not None


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def moved(path, **parts):
    """An object's address with other parts: /objects/<kind>/<tenant>/<user>/<object>."""
    words = path.split("/")
    for name, value in parts.items():
        words[{"kind": 2, "tenant": 3, "user": 4, "object": 5}[name]] = value
    return "/".join(words)


class Scene:
    """Three people with everything the service can hold, and the tokens of everybody who has no business with it."""

    def __init__(self, rig):
        self.rig = rig
        if "toukan" not in rig.tenants:
            rig.tenant("toukan")
            rig.wait_for_app("toukan")
        self.owner, self.neighbour, self.foreigner = rig.user(), rig.user(), rig.user("toukan")
        self.tenant = rig.tenants["my-day"]
        for number, user in enumerate((self.owner, self.neighbour, self.foreigner)):
            self.furnish(user, number + 2)
        self.snapshot = self.everything()

    def furnish(self, user, day):
        user.word = "lantern" + secrets.token_hex(6)
        at = {"recorded_at": f"2026-03-{day:02d}T12:00:00Z"}
        user.voice = user.record(title=user.word, **at)
        user.wait_done(user.voice)
        user.text = user.create_text(user.word, **at)["entry_id"]
        made = user.create_voice(title=user.word, **at)
        user.waiting, user.upload = made["entry_id"], made["upload"]
        user.gone = user.create_text(user.word, **at)["entry_id"]
        user.call("DELETE", f"/v1/entries/{user.gone}", 204)
        self.rig.script("speech", fail="permanent")
        user.failed = user.record(title=user.word, **at)
        user.wait_done(user.failed, status="failed")
        self.rig.unscript()
        user.exported = user.export()["id"]
        user.link = wait_for(user.export_links, 20, "the link")[-1].rsplit("/", 1)[1]
        user.revoked = user.export()["id"]
        user.call("DELETE", f"/v1/exports/{user.revoked}", 204)
        user.play = user.call("GET", f"/v1/entries/{user.voice}/audio", 302).headers["location"].removeprefix(self.rig.url)
        user.file = requests.post(f"{self.rig.url}/exports/{user.link}/download", allow_redirects=False, timeout=10).headers["location"].removeprefix(self.rig.url)
        user.cursor = user.call("GET", "/v1/entries?order=asc&limit=1", 200).json()["next_cursor"]
        user.since = user.call("GET", "/v1/entries", 200).json()["next_since"]
        user.target = "/" + user.upload["url"].split("/", 3)[3]

    def everything(self):
        """What the owner sees; the same after all probes as before."""
        owner = self.owner
        return [owner.call("GET", path, 200).json() for path in ("/v1/me", "/v1/entries?limit=200", "/v1/entries?order=asc&limit=200", "/v1/exports")]

    def ids(self, kind):
        owner = self.owner
        entries = {"voice": owner.voice, "text": owner.text, "waiting": owner.waiting, "failed": owner.failed, "deleted": owner.gone}
        exports = {"export": owner.exported, "revoked export": owner.revoked}
        others = {"user": owner.id, "session": owner.tokens["session_id"], "tenant": self.tenant, "object": owner.target.split("?")[0].split("/")[5],
                  "played object": owner.play.split("/")[4]}
        return {"entry": {**entries, **exports, **others}, "export": {**exports, **entries, **others}}[kind]

    def actors(self):
        rig, owner, neighbour, foreigner = self.rig, self.owner, self.neighbour, self.foreigner
        token = owner.tokens["access_token"]
        header, claims = jwt.get_unverified_header(token), jwt.decode(token, options={"verify_signature": False})
        own = serialization.load_pem_private_key(rig.environment["DIARY_SIGNING_KEY"].encode(), None)
        now = int(time.time())

        def signed(key=own, typ=header["typ"], **change):
            return "Bearer " + jwt.encode({**claims, **change}, key, "ES256", headers={"kid": header["kid"], "typ": typ})
        # The forger's tools work, so a refusal below is not for a clumsy forgery.
        assert requests.get(rig.url + "/v1/me", headers={"Authorization": signed()}, timeout=10).status_code == 200

        second = owner.call("POST", "/v1/auth/email", 200, json={"email": owner.address, "password": owner.password}).json()
        ended = "Bearer " + second["access_token"]
        assert requests.post(rig.url + "/v1/auth/logout", headers={"Authorization": ended}, timeout=10).status_code == 204
        upload = dict(urllib.parse.parse_qsl(owner.target.split("?")[1]))
        head, body, _ = token.split(".")
        pem = own.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        confused = f"{b64(json.dumps({**header, 'alg': 'HS256'}).encode())}.{body}"
        return [
            Actor("another user", neighbour.http.headers["Authorization"], "my-day", neighbour),
            Actor("user of another tenant", foreigner.http.headers["Authorization"], "toukan", foreigner),
            Actor("user of another tenant naming this app", foreigner.http.headers["Authorization"], "my-day", foreigner),
            Actor("anonymous", None),
            Actor("expired token", signed(iat=now - 4500, exp=now - 3600)),
            Actor("logged-out session", ended, genuine=True),
            Actor("refresh token", "Bearer " + owner.tokens["refresh_token"]),
            Actor("upload signature", "Bearer " + upload["X-Amz-Signature"]),
            Actor("playback signature", "Bearer " + owner.play.split("signature=")[1]),
            Actor("export link", "Bearer " + owner.link),
            Actor("signed by another key", signed(ec.generate_private_key(ec.SECP256R1()))),
            Actor("typ JWT", signed(typ="JWT")),
            Actor("typ refresh", signed(typ="rt+jwt")),
            Actor("alg none", f"Bearer {b64(json.dumps({**header, 'alg': 'none'}).encode())}.{body}."),
            Actor("public key as HMAC secret", f"Bearer {confused}." + b64(hmac.new(pem, confused.encode(), hashlib.sha256).digest())),
            Actor("other audience", signed(aud="somebody-else")),
            Actor("another's session", signed(sid=neighbour.tokens["session_id"]), genuine=True),
            Actor("another tenant's claim", signed(tid=rig.tenants["toukan"]), genuine=True),
            Actor("basic", "Basic " + base64.b64encode(f"{owner.address}:{owner.password}".encode()).decode()),
        ]

    def secrets_of_owner(self):
        owner = self.owner
        return [owner.word, owner.address, owner.id, owner.voice, owner.text, owner.waiting, owner.failed, owner.exported, owner.link,
                owner.tokens["session_id"], owner.tokens["refresh_token"], owner.play.split("signature=")[1]]


class Generator:
    """Makes the probes of one pass. `long` takes every spelling and variant, quick a few of each."""

    def __init__(self, scene, seed, long):
        self.scene, self.long, self.random = scene, long, random.Random(seed)
        self.actors = scene.actors()
        self.rows = {
            "getLiveness": {}, "getReadiness": {}, "getContract": {}, "getKeys": {}, "getConfig": {},
            "registerByEmail": {"body:email": self.registered_address, "header:Diary-App": self.registered_address},
            "verifyEmail": {"body:email": self.verified_address, "body:code": self.verified_address, "body:registration": self.verified_address, "header:Diary-App": self.verified_address},
            "resendCode": {"body:email": self.resent_address, "body:registration": self.resent_address, "header:Diary-App": self.resent_address},
            "signInByPassword": {"body:email": self.known_address, "header:Diary-App": self.known_address},
            "refreshSession": {"body:refresh_token": self.refresh},
            "signOut": {"bearer": self.bearer}, "getProfile": {"bearer": self.bearer},
            "createEntry": {"bearer": self.bearer, "body:id": self.entry_id_in_body, "header:Idempotency-Key": self.idempotency},
            "listEntries": {"bearer": self.bearer, "query:since": self.since, "query:cursor": self.cursor},
            **{name: {"bearer": self.bearer, "path:id": self.entry_in_path}
               for name in ("getEntry", "changeEntry", "deleteEntry", "renewUploadUrl", "completeUpload", "retryEntry", "playEntry", "getTranscript")},
            "putObject": {"path:key": self.upload_key, "query:X-Amz-Credential": self.upload_key, "query:X-Amz-Signature": self.upload_key},
            "getRecording": {"path:tenant": self.recording, "path:user": self.recording, "path:object": self.recording, "path:filename": self.recording, "query:signature": self.recording},
            "createExport": {"bearer": self.bearer, "header:Idempotency-Key": self.idempotency, "body:email": self.export_address},
            "listExports": {"bearer": self.bearer},
            "getExport": {"bearer": self.bearer, "path:id": self.export_in_path}, "revokeExport": {"bearer": self.bearer, "path:id": self.export_in_path},
            "openExportLink": {"path:token": self.link}, "takeExportDownload": {"path:token": self.link},
            "getExportFile": {"path:token": self.link, "query:signature": self.link},
        }

    def probes(self):
        """All of a pass; fails when openapi.yaml has an operation, parameter or member that the table does not know."""
        operations = []
        for template, item in CONTRACT.document["paths"].items():
            for method, operation in item.items():
                if method not in ("get", "post", "put", "patch", "delete"):
                    continue
                name = operation["operationId"]
                operations.append((name, method.upper(), template))
                assert name in self.rows, f"{name} ({method.upper()} {template}) has no row in the probe matrix"
                row, wanted = set(self.rows[name]), positions(operation, item) - PLAIN
                assert row == wanted, f"the row of {name} names {sorted(row)}, openapi.yaml has {sorted(wanted)}"
        unknown = set(self.rows) - {name for name, _, _ in operations}
        assert not unknown, f"rows without an operation: {unknown}"
        # Creating comes last: whoever has made an entry under the owner's id has one of that id from then on.
        for name, method, template in sorted(operations, key=lambda o: o[0] == "createEntry"):
            for position, maker in self.rows[name].items():
                for actor in self.actors:
                    yield from (Probe(name, position, actor, *made) for made in maker(name, method, template, position, actor))

    def some(self, items, count):
        items = list(items)
        return items if self.long else items[:count]

    # Members' operations. Each maker yields (label, foreign, missing, statuses).

    def bearer(self, name, method, template, position, actor):
        """No id but the token itself: a refused one is answered like one that never was; another member's shows nothing of the owner."""
        bodies = {"createEntry": {"kind": "text", "text": "x"}, "createExport": {"from": "2026-01-01", "to": "2026-01-02"}}
        path = template.replace("{id}", self.scene.owner.exported if "/exports/" in template else self.scene.owner.voice)
        headers = {"If-Match": "*"} if name == "changeEntry" else {}
        ask = Ask(method, path, headers=headers, json=bodies.get(name) if name != "changeEntry" else {"title": "mine"})
        if not actor.signed_in:
            for label, never in self.some({"a token that never was": "Bearer " + secrets.token_urlsafe(48), "no scheme": secrets.token_urlsafe(20)}.items(), 1):
                yield label, ask, dataclasses.replace(ask, headers={**headers, "Authorization": never}), (401,)
        elif name in ("getProfile", "listEntries", "listExports"):
            yield "one's own", ask, None, (200,)

    def variants(self, name):
        """Requests on an id that a fault or a condition could make answer before, or instead of, who may see it."""
        as_json = {"Content-Type": "application/json"}
        return {
            "getEntry": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "?x=1", {}, None, ()), ("GET", "", {"If-None-Match": '"1"'}, None, (404,))],
            "changeEntry": [("PATCH", "", {"If-Match": "*", **as_json}, b'{"title":"mine"}', (404,)), ("PATCH", "", {"If-Match": '"1"', **as_json}, b'{"title":"mine"}', (404,)),
                            ("PATCH", "", {"If-Match": '"0", "1", "2"', **as_json}, b'{"text":null}', (404,)), ("PATCH", "", {"If-Match": '"99"', **as_json}, b"{}", (404,)),
                            ("PATCH", "", as_json, b'{"title":"mine"}', (428,)), ("PATCH", "", {"If-Match": "*", **as_json}, b'{"title":1}', (404, 422)),
                            ("PATCH", "", {"If-Match": "*", **as_json}, b"{", (400, 404)), ("PATCH", "", {"If-Match": "*", "Content-Type": "text/plain"}, b"x", (404, 415))],
            "deleteEntry": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": '"1"'}, None, (404,)), ("DELETE", "", {"If-Match": '"99"'}, None, (404,)),
                            ("DELETE", "", {"If-Match": '"0", "1"'}, None, (404,)), ("DELETE", "", {"If-Match": "x"}, None, (404, 412, 422))],
            "getTranscript": [("GET", "", {}, None, (404,)), ("GET", "?format=txt", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "?format=x", {}, None, (404, 422))],
            "playEntry": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "", {"Range": "bytes=0-1"}, None, (404,))],
            "renewUploadUrl": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "completeUpload": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "retryEntry": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "getExport": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "revokeExport": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
        }[name]

    def in_path(self, kind, name, template, actor):
        spellings = {"as is": str, "upper case": str.upper}
        targets = self.scene.ids(kind).items()
        # Refused tokens never reach an id: fewer of them say the same.
        count = 8 if actor.signed_in else 3
        for label, target in self.some(targets, count):
            for number, (method, query, headers, data, statuses) in enumerate(self.some(self.variants(name), 2)):
                form = set(statuses) - {404}
                for spelling, spell in spellings.items() if self.long and number == 0 else [("as is", str)]:
                    def ask(identifier):
                        return Ask(method, template.replace("{id}", identifier) + query, identifier, headers, data=data)
                    yield (f"{label}, {spelling}, variant {number}", ask(spell(target)), ask(spell(str(uuid.uuid4()))), statuses if actor.signed_in else (401, *form) if actor.genuine else (401,))

    def entry_in_path(self, name, method, template, position, actor):
        yield from self.in_path("entry", name, template, actor)

    def export_in_path(self, name, method, template, position, actor):
        yield from self.in_path("export", name, template, actor)

    def entry_id_in_body(self, name, method, template, position, actor):
        for label, target in self.some(self.scene.ids("entry").items(), 4):
            # Ids are each member's own: the same one may be used by two, and neither hears of the other.
            def ask(identifier):
                return Ask(method, template, identifier, json={"kind": "text", "text": "x", "id": identifier, "recorded_at": "2026-03-09T12:00:00Z"})
            if actor.name == "user of another tenant naming this app":
                return
            yield label, ask(target), ask(str(uuid.uuid4())), (201,) if actor.signed_in else (401,)

    def idempotency(self, name, method, template, position, actor):
        owner = self.scene.owner
        body = {"kind": "text", "text": "x", "recorded_at": "2026-03-09T12:00:00Z"} if name == "createEntry" else {"from": "2026-01-01", "to": "2026-01-02"}
        if name == "createExport" and actor.signed_in and not (self.long or actor.user is self.scene.neighbour):
            return
        for same in (True, False):
            key = secrets.token_hex(12)
            if actor.signed_in and name == "createEntry":
                made = owner.create_text("x", key=key, recorded_at=body["recorded_at"])["entry_id"]
                owner.call("DELETE", f"/v1/entries/{made}", 204)
            elif actor.signed_in:
                owner.call("POST", template, 202, json=body, headers={"Idempotency-Key": key})

            def ask(value):
                sent = {**body, **({} if same else {"text": "y"} if name == "createEntry" else {"to": "2026-01-03"})}
                return Ask(method, template, value, {"Idempotency-Key": value}, json=sent)
            yield f"{'same' if same else 'other'} body", ask(key), ask(secrets.token_hex(12)), (201, 202) if actor.signed_in else (401,)

    def export_address(self, name, method, template, position, actor):
        for label, address in (("owner's", self.scene.owner.address), ("owner's in capitals", self.scene.owner.address.upper())):
            def ask(value):
                return Ask(method, template, value, json={"from": "2026-01-01", "to": "2026-01-02", "email": value})
            yield label, ask(address), ask(f"{secrets.token_hex(8)}@example.org"), (403, 422) if actor.signed_in else (401,)

    def since(self, name, method, template, position, actor):
        yield "owner's place in the feed", Ask("GET", f"{template}?since={self.scene.owner.since}"), None, (200, 410) if actor.signed_in else (401,)
        yield "owner's place, one entry", Ask("GET", f"{template}?since={self.scene.owner.since}&limit=1"), None, (200, 410) if actor.signed_in else (401,)

    def cursor(self, name, method, template, position, actor):
        bytes_ = unb64(self.scene.owner.cursor)
        for label, target in self.some(self.scene.ids("entry").items(), 5):
            for order in ("asc", "desc"):
                def ask(identifier):
                    text = b64(bytes_[:9] + uuid.UUID(identifier).bytes)
                    return Ask("GET", f"{template}?order={order}&limit=200&cursor={text}", text)
                yield f"{label} {order}", ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    # Operations without a session: what is named is a secret, a signature or an address. Every actor's token goes along and must not matter.

    def few(self, actor):
        """For operations that hash a password or send a mail."""
        return actor.name in ("another user", "user of another tenant", "anonymous") or self.long

    def known_address(self, name, method, template, position, actor):
        if self.few(actor):
            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "password": "not the right passphrase"})
            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (401,)

    def registered_address(self, name, method, template, position, actor):
        if self.few(actor):
            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "password": "a long enough passphrase 7"})
            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (202,)

    def verified_address(self, name, method, template, position, actor):
        if self.few(actor):
            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "code": "000000", "registration": b64(bytes(16))})
            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (401,)

    def resent_address(self, name, method, template, position, actor):
        if self.few(actor):
            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "registration": b64(bytes(16))})
            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (202,)

    def refresh(self, name, method, template, position, actor):
        mine, theirs = unb64(self.scene.owner.tokens["refresh_token"]), unb64(self.scene.neighbour.tokens["refresh_token"])

        def ask(value):
            text = b64(value)
            return Ask(method, template, text, json={"refresh_token": text})
        for label, end in (("another's secret", theirs[52:]), ("a random secret", secrets.token_bytes(32)), ("no secret", bytes(32))):
            yield label, ask(mine[:52] + end), ask(mine[:32] + uuid.uuid4().bytes + mine[48:52] + end), (401,)
            yield f"{label}, random user", ask(mine[:52] + end), ask(mine[:16] + uuid.uuid4().bytes + uuid.uuid4().bytes + mine[48:52] + end), (401,)
        for label, text in (("an access token", self.scene.owner.tokens["access_token"]), ("a link", self.scene.owner.link)):
            yield label, Ask(method, template, text, json={"refresh_token": text}), Ask(method, template, "x", json={"refresh_token": secrets.token_hex(len(text))[:len(text)]}), (401, 422)

    def upload_key(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        path, query = asker.target.split("?")
        headers = {k: v for k, v in asker.upload["headers"].items() if k.lower() != "content-length"}
        size = int(asker.upload["headers"].get("Content-Length", 0))
        owner_path, owner_query = self.scene.owner.target.split("?")
        parts = owner_path.split("/")
        played = self.scene.owner.play.split("?")[0].split("/")
        targets = {"staged": owner_path, "kept": moved(owner_path, kind="audio", object=played[4]), "export": moved(owner_path, kind="export", object=self.scene.owner.exported),
                   "asker's user, owner's object": moved(path, object=parts[5]), "owner's user, asker's object": moved(owner_path, object=path.split("/")[5])}
        if position == "query:X-Amz-Credential":
            # The owner's own query, its credential or its signature being the asker's.
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Credential": theirs["X-Amz-Credential"] + "x"})
        elif position == "query:X-Amz-Signature":
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Signature": theirs["X-Amz-Signature"]})
        for label, target in self.some(targets.items(), 3):
            def ask(where):
                return Ask("PUT", f"{where}?{query}", where, headers, data=b"a" * min(size, 64))
            yield label, ask(target), ask(moved(target, object=str(uuid.uuid4()))), (400, 403)
        yield "no signature", Ask("PUT", owner_path, owner_path, headers, data=b"a"), Ask("PUT", moved(owner_path, object=str(uuid.uuid4())), "", headers, data=b"a"), (400, 403)

    def recording(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        owner_path, owner_query = self.scene.owner.play.split("?")
        path, query = asker.play.split("?")
        part = {"path:tenant": 2, "path:user": 3, "path:object": 4, "path:filename": 5}.get(position)

        def ask(words, text, headers=None):
            return Ask("GET", "/".join(words) + "?" + text, "/".join(words), headers or {})
        own, theirs = owner_path.split("/"), path.split("/")
        if part is None:
            mixed = urllib.parse.urlencode({**dict(urllib.parse.parse_qsl(owner_query)), "signature": dict(urllib.parse.parse_qsl(query))["signature"]})
            yield "asker's signature", ask(own, mixed), ask(own[:4] + [str(uuid.uuid4())] + own[5:], mixed), (403,)
            yield "none", Ask("GET", owner_path, owner_path), Ask("GET", "/".join(own[:4] + [str(uuid.uuid4())] + own[5:]), ""), (400, 403, 422)
            return
        never = str(uuid.uuid4()) if part < 5 else "2026-03-01_12-00-00_" + secrets.token_hex(4) + ".m4a"
        # With the asker's own address, this part being the owner's; and with the owner's, all but this part being right.
        if own[part] != theirs[part]:
            yield "owner's part in asker's address", ask(theirs[:part] + [own[part]] + theirs[part + 1:], query), ask(theirs[:part] + [never] + theirs[part + 1:], query), (403,)
            yield "asker's part in owner's address", ask(own[:part] + [theirs[part]] + own[part + 1:], owner_query), ask(own[:part] + [never] + own[part + 1:], owner_query), (403,)
        yield "owner's address, asker's query", ask(own, query), ask(own[:4] + [str(uuid.uuid4())] + own[5:], query), (403,)
        if self.long:
            yield "with a range", ask(own, query, {"Range": "bytes=0-1"}), ask(own[:4] + [str(uuid.uuid4())] + own[5:], query, {"Range": "bytes=0-1"}), (403,)

    def link(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        named, expires, signature = self.scene.owner.link.split(".")
        _, their_expires, their_signature = asker.link.split(".")
        bytes_ = unb64(named)
        never = b64(bytes_[:32] + uuid.uuid4().bytes)
        query = "?" + asker.file.split("?")[1] if name == "getExportFile" else ""
        revoked = b64(bytes_[:32] + uuid.UUID(self.scene.owner.revoked).bytes)
        pairs = {"asker's signature": (named, never, f"{their_expires}.{their_signature}"), "revoked": (revoked, never, f"{expires}.{signature}"),
                 "no signature": (named, never, f"{expires}."), "later": (named, never, f"{int(expires) + 86400}.{signature}"),
                 "download's signature": (named, never, f"{expires}.{self.scene.owner.file.split('signature=')[1]}")}
        for label, (foreign, missing, end) in self.some(pairs.items(), 3):
            for accept in ("*/*", "text/html") if self.long else ("*/*",):
                def ask(text):
                    return Ask(method, template.replace("{token}", f"{text}.{end}") + query, text, {"Accept": accept})
                yield f"{label} {accept}", ask(foreign), ask(missing), (403,)
        if position == "query:signature":
            # The owner's link as it is, but an address of the file that was never taken from it.
            for label, text in (("asker's", query), ("none", "?expires=1&signature="), ("link's own", f"?expires={expires}&signature={signature}")):
                never_link = f"{never}.{expires}.{signature}"
                yield f"{label} file query", Ask("GET", f"/exports/{self.scene.owner.link}/file{text}", self.scene.owner.link), Ask("GET", f"/exports/{never_link}/file{text}", never_link), (403, 410, 422)


def seen(answer, named):
    """An answer without what may differ: ids of the request and its time, limits, and the value that was named."""
    headers = {k.lower(): v for k, v in answer.headers.items() if k.lower() not in VOLATILE_HEADERS}

    def plain(value):
        if isinstance(value, dict):
            return {k: "<name>" if k in NAMES and v is not None else plain(v) for k, v in value.items() if k not in VOLATILE_MEMBERS}
        return [plain(v) for v in value] if isinstance(value, list) else value
    # Pages show the request's id.
    body = answer.content.replace(answer.headers["x-request-id"].encode(), b"<id>")
    if "json" in answer.headers.get("content-type", "") and body:
        body = plain(json.loads(body))
    if answer.status_code in (201, 202):
        headers.pop("location", None)
        headers.pop("content-length", None)
    return answer.status_code, headers, body
