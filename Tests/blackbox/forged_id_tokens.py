"""Forged and damaged ID tokens over HTTP (B2): each differs from a good one in one thing. The list of the verifier's own tests is longer."""

import hashlib
import hmac
import json
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from oidc import b64

NAMES_UNKNOWN_KEY = {"the other provider's signature", "header kid=", "header kid=unknown", "header kid=../keys"}
"""Of these, which name the provider and the app."""


def forgeries(issuer, other, audience, nonce, sub):
    """Name and token."""
    good = issuer.claims(audience, nonce, sub)
    head = {"alg": "RS256", "kid": issuer.kid, "typ": "JWT"}
    unknown_key, now = rsa.generate_private_key(public_exponent=65537, key_size=2048), int(time.time())
    text = issuer.signed(head, good)
    first, second, third = text.split(".")
    pem = issuer.key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def keyed(algorithm, secret):
        message = b64(json.dumps({**head, "alg": algorithm}).encode()) + "." + second
        return message + "." + b64(hmac.new(secret, message.encode(), hashlib.sha256).digest())

    yield "none, unsigned", b64(json.dumps({**head, "alg": "none"}).encode()) + "." + second + "."
    yield "none with the real signature", issuer.signed({**head, "alg": "none"}, good)
    yield "the public key as HMAC secret", keyed("HS256", pem)
    yield "the key id as HMAC secret", keyed("HS256", issuer.kid.encode())
    yield "ES256 by a key of its own", jwt.encode(good, ec.generate_private_key(ec.SECP256R1()), "ES256", headers={"kid": issuer.kid})
    yield "PS256", jwt.encode(good, issuer.key, "PS256", headers={"kid": issuer.kid})
    yield "RS512", jwt.encode(good, issuer.key, "RS512", headers={"kid": issuer.kid})
    yield "an unknown key's signature", issuer.signed(head, good, unknown_key)
    yield "the other provider's signature", issuer.signed({**head, "kid": other.kid}, good, other.key)
    yield "the other provider's token", other.token(audience, nonce, sub)
    numbers = unknown_key.public_key().public_numbers()
    injected = {"kty": "RSA", "n": b64(numbers.n.to_bytes(256, "big")), "e": "AQAB"}
    yield "jwk injected", issuer.signed({**head, "jwk": injected}, good, unknown_key)
    yield "jku injected", issuer.signed({**head, "jku": other.url + "/keys"}, good)
    yield "x5u injected", issuer.signed({**head, "x5u": other.url + "/keys"}, good)
    for name, value in (
        ("kid", None),
        ("kid", ""),
        ("kid", 7),
        ("kid", "unknown"),
        ("kid", "../keys"),
        ("crit", ["exp"]),
        ("typ", "at+jwt"),
        ("typ", "logout+jwt"),
        ("cty", "JWT"),
        ("zip", "DEF"),
        ("b64", False),
    ):
        changed = {k: v for k, v in {**head, name: value}.items() if v is not None}
        yield f"header {name}={value}", issuer.signed(changed, good)
    yield "alg twice", issuer.signed(b'{"alg":"RS256","alg":"RS256","kid":"' + issuer.kid.encode() + b'"}', good)
    yield "sub twice", issuer.signed(head, json.dumps(good)[:-1].encode() + b',"sub":"x"}')
    for name, value in (
        ("iss", other.url),
        ("iss", issuer.url + "/"),
        ("iss", None),
        ("iss", "https://appleid.apple.com"),
        ("iss", "https://accounts.google.com"),
        ("aud", "com.example.other"),
        ("aud", [audience, "com.example.other"]),
        ("aud", []),
        ("aud", None),
        ("sub", None),
        ("sub", ""),
        ("sub", 7),
        ("sub", "a" * 256),
        ("nonce", None),
        ("nonce", nonce[:-1]),
        ("nonce", nonce + "x"),
        ("nonce", hashlib.sha256(nonce.encode()).hexdigest().upper()),
        ("exp", now - 120),
        ("exp", None),
        ("exp", "9999999999"),
        ("exp", now + 10 * 86_400),
        ("iat", now + 3600),
        ("iat", now - 7200),
        ("iat", None),
        ("nbf", now + 3600),
    ):
        changed = {k: v for k, v in {**good, name: value}.items() if v is not None}
        yield f"claim {name}={str(value)[:20]}", issuer.signed(head, changed)
    yield "another's claims under this signature", first + "." + b64(json.dumps({**good, "sub": "x"}).encode()) + "." + third
    yield "a signature cut short", text[:-4]
    yield "a signature bit flipped", first + "." + second + "." + third[:-2] + ("AA" if third[-2:] != "AA" else "QQ")
    for name, damaged in (
        ("two parts", first + "." + second),
        ("five parts", text + ".AAAA.AAAA"),
        ("padding", text + "="),
        ("a space before", " " + text),
        ("a newline behind", text + "\n"),
        ("not a token", "x"),
        ("dots", ".."),
        ("its JSON", json.dumps(good)),
    ):
        yield name, damaged
