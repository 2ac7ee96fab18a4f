"""What the probes are made of: the places in an operation that can name something, who owns what, who asks, and what two answers must share."""

import base64
import dataclasses
import hashlib
import hmac
import json
import secrets
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import http_client
from contract import CONTRACT
from processes import wait_for

# Parameters and members that name nothing: limits, formats, words, times, conditions on versions.
PLAIN = {
    "path:code",
    "path:segment",
    "path:name",
    "query:limit",
    "query:from",
    "query:to",
    "query:sort",
    "query:order",
    "query:layer",
    "query:format",
    "query:expires",
    "query:part",
    "header:Range",
    "header:If-Range",
    "header:If-Match",
    "header:If-None-Match",
    "query:X-Amz-Algorithm",
    "query:X-Amz-Date",
    "query:X-Amz-Expires",
    "query:X-Amz-SignedHeaders",
    "query:partNumber",
    "header:x-amz-checksum-sha256",
    "body:kind",
    "body:recorded_at",
    "query:recorded_at",
    "query:filename",
    "body:file",
    "body:time_zone",
    "body:duration_s",
    "body:size_bytes",
    "body:content_type",
    "body:sha256",
    "body:allow_duplicate",
    "body:parts",
    "body:language",
    "body:transcript",
    "body:recognise",
    "body:audio",
    "body:source",
    "body:title",
    "body:text",
    "body:speaker",
    "body:segments",
    "body:at_s",
    "body:created_at",
    "body:accept",
    "body:decline",
    "body:tags",
    "body:mood",
    "body:metadata",
    "query:metadata",
    "body:from",
    "body:to",
    "body:include_audio",
    "body:formats",
    "body:layer",
    "body:mail",
    "body:every",
    "body:weekday",
    "body:day",
    "body:month",
    "body:at",
    "body:changes_only",
    "body:keep_last",
    "body:paused",
    "body:password",
    "body:name",
    "body:color",
    "body:locale",
    "body:device",
    "body:scopes",
    "body:expires_in_days",
    "body:end_tokens",
    "body:provider",
    "body:purpose",
    "body:current_password",
    "body:new_password",
    "body:day_ends_at",
    "body:languages",
    "body:hosted_processing_consent",
    "body:speech_engine",
    "body:text_engine",
    "body:vocabulary",
    "body:reminder",
    "query:keep",
    "query:original",
    "query:tag",
    "query:mood",
    "query:kind",
    "query:status",
    "query:favorite",
    "query:view",
    "query:permanent",
    "body:keep_audio",
    "body:recordings_retention_days",
    "query:month",
    "query:year",
    "query:date",
    "body:favorite",
    "body:stage",
    "body:engine",
}
# What differs between two answers of the same meaning.
# `connection`: an answer given before the body has been read ends the connection, one given after does not; which of them depends on timing.
VOLATILE_HEADERS = {"x-request-id", "date", "ratelimit", "ratelimit-policy", "connection"}
VOLATILE_MEMBERS = {"request_id", "created_at", "updated_at", "expires_at", "upload_expires_at"}
NAMES = {"id", "entry_id", "request", "url", "filename", "nonce"}


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

    for media in CONTRACT.resolve(operation.get("requestBody", {})).get("content", {}).values():
        members(media.get("schema", {}))
    if any("bearer" in way for way in operation.get("security", CONTRACT.document["security"])):
        found.add("bearer")
    return found


def needed_scopes(operation):
    """What an API token needs for an operation that takes a session; None where it takes no token."""
    return next((set(way["apiToken"]) for way in operation.get("security", []) if "apiToken" in way), None)


def example(method, template):
    """The operation's example of a JSON body; None when it has none."""
    operation = CONTRACT.document["paths"][template][method.lower()]
    return CONTRACT.resolve(operation.get("requestBody", {})).get("content", {}).get("application/json", {}).get("example")


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
    scopes: frozenset | None = None
    """Of an API token."""

    @property
    def signed_in(self):
        return self.user is not None

    def may(self, needed):
        """Whether an API token has what an operation asks; None is a session."""
        return needed is not None and ("all" in self.scopes or needed <= self.scopes)


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
    """Three people with everything the service can hold, and the tokens of callers who have no right to it."""

    def __init__(self, rig):
        self.rig = rig
        if "toukan" not in rig.tenants:
            rig.tenant("toukan")
            rig.wait_for_app("toukan")
        self.owner, self.neighbour, self.foreigner = rig.user(), rig.user(), rig.user("toukan")
        self.tenant = rig.tenants["my-day"]
        for number, user in enumerate((self.owner, self.neighbour, self.foreigner)):
            self.furnish(user, number + 2)
        ghost = rig.user()
        self.receipt = ghost.call("DELETE", "/v1/me", 202, json={"password": ghost.password}).json()["receipt"]
        self.ended = self.ended_tokens()
        self.snapshot = self.everything()

    def furnish(self, user, day):
        user.word = "lantern" + secrets.token_hex(6)
        at = {"recorded_at": f"2026-03-{day:02d}T12:00:00Z"}
        user.voice = user.record(title=user.word, **at)
        user.wait_done(user.voice)
        user.text = user.create_text(user.word, **at)["entry_id"]
        user.note = user.call("POST", f"/v1/entries/{user.text}/notes", 200, json={"text": user.word}).json()["notes"][0]["id"]
        made = user.create_voice(title=user.word, **at)
        user.waiting, user.upload = made["entry_id"], made["upload"]
        user.part = user.call("POST", f"/v1/uploads/{user.waiting}/parts", 200).json()["parts"][0]
        user.part_target = "/" + user.part["url"].split("/", 3)[3]
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
        announced = {"size_bytes": 5}
        user.importing = user.call("POST", "/v1/imports", 201, json=announced).json()["import"]["id"]
        scheduled = user.call("POST", "/v1/export-schedules", 201, json={"every": "week", "tags": [user.word], "paused": True})
        user.schedule = scheduled.json()["id"]
        user.api_tokens = [
            user.call("POST", "/v1/me/tokens", 201, json={"name": user.word, "scopes": scopes}).json()
            for scopes in (["entries:read"], ["entries:write"], ["exports"], ["all"])
        ]
        user.speaker = user.call("POST", "/v1/speakers", 201, json={"name": user.word}).json()["id"]
        user.play = user.audio_url(user.voice).removeprefix(self.rig.url)
        user.file = (
            http_client.post(f"{self.rig.url}/exports/{user.link}/download", allow_redirects=False, timeout=10)
            .headers["location"]
            .removeprefix(self.rig.url)
        )
        user.cursor = user.call("GET", "/v1/entries?order=asc&limit=1", 200).json()["next_cursor"]
        user.since = user.call("GET", "/v1/changes", 200).json()["next_since"]
        user.identity = user.call("GET", "/v1/me/identities", 200).json()["items"][0]["id"]
        user.target = "/" + user.upload["url"].split("/", 3)[3]
        user.request = user.ask_code("proof")
        user.proof = user.account_code(1)
        user.event = user.call("GET", "/v1/me/events", 200).json()["items"][0]["id"]

    def everything(self):
        """What the owner sees; the same after all probes as before."""
        owner = self.owner
        return [
            owner.call("GET", path, 200).json()
            for path in (
                "/v1/me",
                "/v1/me/identities",
                "/v1/changes?limit=200",
                "/v1/entries?order=asc&limit=200",
                "/v1/exports",
                "/v1/imports",
                "/v1/export-schedules",
                "/v1/speakers",
                "/v1/me/tokens",
            )
        ]

    def own_id(self, template):
        """The owner's id for a path, empty for one without; `KeyError` for a kind of path that is not listed here."""
        owner = self.owner
        kinds = {
            "entries": owner.voice,
            "exports": owner.exported,
            "export-schedules": owner.schedule,
            "identities": owner.identity,
            "imports": owner.importing,
            "sessions": owner.tokens["session_id"],
            "speakers": owner.speaker,
            "tokens": owner.api_tokens[0]["id"],
            "uploads": owner.waiting,
        }
        return kinds[template.split("/{id}")[0].rsplit("/", 1)[-1]] if "{id}" in template else ""

    def ids(self, kind):
        owner = self.owner
        entries = {"voice": owner.voice, "text": owner.text, "waiting": owner.waiting, "failed": owner.failed, "deleted": owner.gone}
        exports = {"export": owner.exported, "revoked export": owner.revoked}
        others = {
            "user": owner.id,
            "session": owner.tokens["session_id"],
            "tenant": self.tenant,
            "object": owner.target.split("?")[0].split("/")[5],
            "played object": owner.play.split("/")[4],
        }
        identities = {"identity": owner.identity}
        sessions = {"session": others["session"], "voice": owner.voice, "user": owner.id, "event": owner.event}
        return {
            "entry": {**entries, **exports, **others},
            "export": {**exports, **entries, **others},
            "import": {"import": owner.importing, **exports, **entries, **others},
            "upload": {"import": owner.importing, **entries, **exports, **others},
            "schedule": {"schedule": owner.schedule, **exports, **entries, **others},
            "session": sessions,
            "speaker": {"speaker": owner.speaker, **entries, **others},
            "token": {"token": owner.api_tokens[0]["id"], **sessions},
            "identity": {**identities, **entries, **others},
        }[kind]

    def actors(self):
        rig, owner, neighbour, foreigner = self.rig, self.owner, self.neighbour, self.foreigner
        token = owner.tokens["access_token"]
        header, claims = jwt.get_unverified_header(token), jwt.decode(token, options={"verify_signature": False})
        own = serialization.load_pem_private_key(rig.environment["DIARY_SIGNING_KEY"].encode(), None)
        now = int(time.time())

        def signed(key=own, typ=header["typ"], **change):
            return "Bearer " + jwt.encode({**claims, **change}, key, "ES256", headers={"kid": header["kid"], "typ": typ})

        # The forger's tools work, so a refusal below is not for a clumsy forgery.
        assert http_client.get(rig.url + "/v1/me", headers={"Authorization": signed()}, timeout=10).status_code == 200

        second = owner.call("POST", "/v1/auth/email", 200, json={"email": owner.address, "password": owner.password}).json()
        ended = "Bearer " + second["access_token"]
        assert http_client.post(rig.url + "/v1/auth/logout", headers={"Authorization": ended}, timeout=10).status_code == 204
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
            Actor("other audience", signed(aud="another-service")),
            Actor("another's session", signed(sid=neighbour.tokens["session_id"]), genuine=True),
            Actor("another tenant's claim", signed(tid=rig.tenants["toukan"]), genuine=True),
            Actor("basic", "Basic " + base64.b64encode(f"{owner.address}:{owner.password}".encode()).decode()),
        ]

    def token_actors(self, user):
        """One for each scope."""
        return [
            Actor(f"token of {made['scopes'][0]}", "Bearer " + made["token"], user.app, user, scopes=frozenset(made["scopes"]))
            for made in user.api_tokens
        ]

    def ended_tokens(self):
        """The owner's, with every scope: revoked, out of date, of another's hash, and with a bit more than it was given."""
        owner = self.owner

        def made():
            return owner.call("POST", "/v1/me/tokens", 201, json={"name": owner.word, "scopes": ["all"]}).json()

        revoked, late, narrow = made(), made(), owner.api_tokens[0]["token"]
        owner.call("DELETE", f"/v1/me/tokens/{revoked['id']}", 204)
        self.rig.postgres.sql("diary", "update api_tokens set expires_at = now() where id = %s", late["id"])
        prefix, bytes_ = "diary_token_", bytearray(unb64(narrow.removeprefix("diary_token_")))
        bytes_[48] |= 8
        bytes_[-4:] = hashlib.sha256(bytes_[:-4]).digest()[:4]
        tokens = {"revoked": revoked["token"], "expired": late["token"], "widened": prefix + b64(bytes_)}
        return [Actor(f"{how} API token", "Bearer " + token, scopes=frozenset({"all"})) for how, token in tokens.items()]

    def secrets_of_owner(self):
        owner = self.owner
        return [
            owner.word,
            owner.address,
            owner.id,
            owner.voice,
            owner.text,
            owner.note,
            owner.waiting,
            owner.failed,
            owner.exported,
            owner.importing,
            owner.speaker,
            owner.link,
            owner.tokens["session_id"],
            owner.tokens["refresh_token"],
            owner.tokens["device_token"],
            owner.event,
            owner.request,
            owner.play.split("signature=")[1],
            *(made[part] for made in owner.api_tokens for part in ("id", "token")),
        ]


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
