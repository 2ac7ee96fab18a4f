"""Issuers of our own that play Apple and Google: keys, ID tokens, Apple's token and revocation endpoints, and notifications. They count who asks."""

import base64
import collections
import hashlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from user import User


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    """One provider on a free port. `down` makes every answer a 503."""

    def __init__(self, provider, apple=None):
        self.provider, self.apple = provider, apple
        self.key, self.kid = rsa.generate_private_key(public_exponent=65537, key_size=2048), secrets.token_hex(4)
        self.hits, self.down, self.lock = collections.Counter(), set(), threading.Lock()
        self.codes, self.refresh_tokens, self.revoked, self.refusals = {}, {}, [], []
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                issuer.answer(self, {})

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                issuer.answer(self, dict(urllib.parse.parse_qsl(body)))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request, form):
        path = request.path
        with self.lock:
            self.hits[path] += 1
            status, body = (503, {}) if path in self.down else self.serve(path, form)
        data = json.dumps(body).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def serve(self, path, form):
        if path == "/keys":
            return 200, {"keys": [self.jwk()]}
        if self.provider != "apple" or path not in ("/token", "/revoke"):
            return 404, {}
        try:
            secret = jwt.decode(
                form["client_secret"],
                self.apple.key.public_key(),
                ["ES256"],
                audience=self.url,
                options={"require": ["exp", "iat", "iss", "sub"]},
            )
            assert secret["iss"] == self.apple.team and secret["sub"] == form["client_id"]
            assert jwt.get_unverified_header(form["client_secret"])["kid"] == self.apple.key_id
        except (jwt.PyJWTError, AssertionError, KeyError) as fault:
            self.refusals.append(repr(fault))
            return 400, {"error": "invalid_client"}
        if path == "/revoke":
            self.revoked.append(form["token"])
            return 200, {}
        sub, audience = self.codes.pop(form["code"], (None, None))
        if audience != form["client_id"] or form["grant_type"] != "authorization_code":
            return 400, {"error": "invalid_grant"}
        token = "r" + secrets.token_hex(16)
        self.refresh_tokens[token] = sub
        return 200, {
            "access_token": "a",
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": token,
            "id_token": self.token(audience, None, sub),
        }

    def jwk(self):
        numbers = self.key.public_key().public_numbers()
        return {
            "kty": "RSA",
            "kid": self.kid,
            "use": "sig",
            "alg": "RS256",
            "n": b64(numbers.n.to_bytes(256, "big")),
            "e": b64(numbers.e.to_bytes(3, "big")),
        }

    def claims(self, audience, nonce, sub, **more):
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": audience,
            "sub": sub,
            "iat": now,
            "exp": now + 3600,
            **({"nonce": nonce} if nonce else {}),
            **more,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def signed(self, header, payload, key=None):
        """Two parts as they are given, dict or bytes, and this issuer's signature, or another's."""
        parts = [b64(p if isinstance(p, bytes) else json.dumps(p).encode()) for p in (header, payload)]
        message = ".".join(parts)
        return message + "." + b64((key or self.key).sign(message.encode(), padding.PKCS1v15(), hashes.SHA256()))

    def token(self, audience, nonce, sub, **more):
        return self.signed({"alg": "RS256", "kid": self.kid, "typ": "JWT"}, self.claims(audience, nonce, sub, **more))

    def code(self, sub, audience):
        code = "c" + secrets.token_hex(16)
        self.codes[code] = (sub, audience)
        return code

    def notification(self, kind, sub, audience, at=None, **more):
        now = int(time.time())
        event = {"type": kind, "sub": sub, "event_time": int((at or time.time()) * 1000)}
        claims = {
            "iss": self.url,
            "aud": audience,
            "iat": now,
            "exp": now + 3600,
            "jti": secrets.token_hex(8),
            "events": json.dumps(event),
            **more,
        }
        return self.signed({"alg": "RS256", "kid": self.kid}, {k: v for k, v in claims.items() if v is not None})


class AppleTeam:
    def __init__(self):
        self.team, self.key_id, self.key = "TEAM123456", "KEY1234567", ec.generate_private_key(ec.SECP256R1())

    def pem(self):
        return self.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


class Providers:
    """Both, and the settings that make a service believe them."""

    apple_id, google_id = "com.example.diary", "diary.apps.example"

    def __init__(self):
        self.team = AppleTeam()
        self.apple, self.google = Issuer("apple", self.team), Issuer("google")

    def __getitem__(self, provider):
        return {"apple": self.apple, "google": self.google}[provider]

    def audience(self, provider):
        return {"apple": self.apple_id, "google": self.google_id}[provider]

    def settings(self):
        return {
            "DIARY_APPLE_ISSUER": self.apple.url,
            "DIARY_GOOGLE_ISSUER": self.google.url,
            "DIARY_APPLE_TEAM_ID": self.team.team,
            "DIARY_APPLE_KEY_ID": self.team.key_id,
            "DIARY_APPLE_KEY": self.team.pem(),
        }

    def end(self):
        self.apple.end()
        self.google.end()


class Visitor(User):
    """A person who signs in by a provider and has not signed up."""

    def __init__(self, rig, providers, app="my-day", **more):
        self.providers = providers
        super().__init__(rig, app, **{"address": f"{secrets.token_hex(8)}@example.org", "password": "a long enough passphrase 7", **more})

    def sign_up(self):
        pass

    def nonce(self):
        return self.call("POST", "/v1/auth/challenge", 201).json()["nonce"]

    def answer(self, provider, sub, nonce=None, hashed=False, code=False, **claims):
        """The body of a sign-in: a token that answers a fresh challenge, raw or by its hash."""
        nonce = nonce or self.nonce()
        issuer, audience = self.providers[provider], self.providers.audience(provider)
        body = {
            "id_token": issuer.token(audience, hashlib.sha256(nonce.encode()).hexdigest() if hashed else nonce, sub, **claims),
            "nonce": nonce,
        }
        return {**body, "authorization_code": issuer.code(sub, audience)} if code else body

    def enter(self, provider, sub, expect=200, body=None, **claims):
        """Signs in; the session is this visitor's from then on."""
        answer = self.call("POST", f"/v1/auth/{provider}", expect, json=body or self.answer(provider, sub, **claims))
        if answer.status_code == 200:
            self.use(answer.json())
        return answer.json()

    def link(self, provider, sub, expect=201, **claims):
        return self.call("POST", "/v1/me/identities", expect, json={"provider": provider, **self.answer(provider, sub, **claims)}).json()

    def identities(self):
        return {i["provider"]: i for i in self.call("GET", "/v1/me/identities", 200).json()["items"]}
