"""B1, C1: forged access tokens, for every trick of the trade; and forged refresh tokens."""

import base64
import hashlib
import hmac
import json
import time
import uuid

import jwt
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils

import http_client
from attack import Alive, harmless


def b64(data):
    return (
        base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode())
        .rstrip(b"=")
        .decode()
    )


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig, shared_rig.user(), shared_rig.user()
    alive.check()


def own_key(rig):
    return serialization.load_pem_private_key(rig.environment["DIARY_SIGNING_KEY"].encode(), None)


def sign(key, header, payload):
    body = f"{b64(header)}.{b64(payload)}"
    r, s = utils.decode_dss_signature(key.sign(body.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{body}.{b64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def ask(rig, token, **headers):
    return harmless(http_client.get(rig.url + "/v1/me", headers={"Authorization": f"Bearer {token}", **headers}, timeout=10))


def test_b1_forged_access_tokens_are_all_401(scene):
    rig, user, other = scene
    token = user.tokens["access_token"]
    head, body, signature = token.split(".")
    header, claims = json.loads(unb64(head)), json.loads(unb64(body))
    key, unknown_key = own_key(rig), ec.generate_private_key(ec.SECP256R1())
    assert ask(rig, sign(key, header, claims)).status_code == 200, "the forger's own tools must work"
    jwk = http_client.get(rig.url + "/.well-known/jwks.json").json()["keys"][0]
    pem = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    der = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    now = int(time.time())
    forged = {}
    for alg in ("none", "None", "NONE", "nOnE", ""):
        forged[f"alg {alg}"] = f"{b64({**header, 'alg': alg})}.{body}."
        forged[f"alg {alg} kept signature"] = f"{b64({**header, 'alg': alg})}.{body}.{signature}"
    for name, secret in {
        "pem": pem,
        "pem stripped": pem.strip(),
        "der": der,
        "jwk": json.dumps(jwk).encode(),
        "x": unb64(jwk["x"]),
        "empty": b"",
    }.items():
        for alg, digest in (("HS256", hashlib.sha256), ("HS512", hashlib.sha512)):
            signed = f"{b64({**header, 'alg': alg})}.{body}"
            forged[f"{alg} with {name}"] = f"{signed}.{b64(hmac.new(secret, signed.encode(), digest).digest())}"
    forged["another key"] = sign(unknown_key, header, claims)
    injected = {
        "kty": "EC",
        "crv": "P-256",
        "x": b64(unknown_key.public_key().public_numbers().x.to_bytes(32, "big")),
        "y": b64(unknown_key.public_key().public_numbers().y.to_bytes(32, "big")),
    }
    forged["jwk injected"] = sign(unknown_key, {**header, "jwk": injected}, claims)
    forged["jku"] = sign(unknown_key, {**header, "jku": "http://127.0.0.1/jwks"}, claims)
    forged["x5u"] = sign(unknown_key, {**header, "x5u": "http://127.0.0.1/x"}, claims)
    forged["RS256"] = jwt.encode(claims, rsa.generate_private_key(65537, 2048), "RS256", headers={"kid": header["kid"], "typ": "at+jwt"})
    for kid in ("", "../../dev/null", "' or 1=1--", "x" * 200, None, 1, [header["kid"]]):
        forged[f"kid {kid}"] = sign(key, {**header, "kid": kid}, claims)
    forged["no kid"] = sign(key, {k: v for k, v in header.items() if k != "kid"}, claims)
    for typ in ("JWT", "jwt", "at+JWT2", "", None, "refresh"):
        forged[f"typ {typ}"] = sign(key, {**header, "typ": typ}, claims)
    forged["no typ"] = sign(key, {k: v for k, v in header.items() if k != "typ"}, claims)
    forged["crit"] = sign(key, {**header, "crit": ["exp"]}, claims)
    forged["b64"] = sign(key, {**header, "b64": False, "crit": ["b64"]}, claims)
    forged["zip"] = sign(key, {**header, "zip": "DEF"}, claims)
    changes = {
        "expired": {"exp": now - 3600, "iat": now - 4500},
        "not yet": {"iat": now + 3600, "exp": now + 4500},
        "endless": {"exp": now + 10**9},
        "exp a string": {"exp": str(now + 600)},
        "exp huge": {"exp": 10**30},
        "exp negative": {"exp": -1},
        "exp null": {"exp": None},
        "exp NaN": {"exp": float("nan")},
        "other audience": {"aud": "another-service"},
        "no audience": {"aud": []},
        "other issuer": {"iss": "https://evil.example"},
        "issuer list": {"iss": [claims["iss"]]},
        "unknown subject": {"sub": str(uuid.uuid4())},
        "another tenant": {"tid": str(uuid.uuid4())},
        "another's session": {"sid": other.tokens["session_id"]},
        "another's id": {"sub": other.id},
        "upper case": {"sub": user.id.upper()},
        "sub injected": {"sub": user.id + "' or '1'='1"},
        "sub a number": {"sub": 1},
        "no session": {"sid": None},
        "admin": {"role": "admin"},
        "nbf": {"nbf": now + 600},
    }
    for name, change in changes.items():
        forged[name] = sign(key, header, {**claims, **change})
    for missing in claims:
        forged[f"no {missing}"] = sign(key, header, {k: v for k, v in claims.items() if k != missing})
    low = unb64(signature)
    forged.update(
        {
            "zero signature": f"{head}.{body}.{b64(bytes(64))}",
            "signature of zeros and order": f"{head}.{body}.{b64(bytes(32) + bytes.fromhex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'))}",
            "short signature": f"{head}.{body}.{b64(low[:63])}",
            "long signature": f"{head}.{body}.{b64(low + b'0')}",
            "padded": f"{head}.{body}.{signature}==",
            "trailing bits": token[:-1] + chr(ord(token[-1]) + 1),
            "DER signature": f"{head}.{body}.{b64(key.sign(f'{head}.{body}'.encode(), ec.ECDSA(hashes.SHA256())))}",
            "four parts": token + ".x",
            "two parts": f"{head}.{body}",
            "JSON form": b64({"payload": body}),
            "duplicate alg": f"{b64(b'{%salg%s:%snone%s,' % ((b'%c' % 34,) * 4) + json.dumps(header).encode()[1:])}.{body}.{signature}",
            "swapped payload": f"{head}.{b64({**claims, 'sub': other.id})}.{signature}",
            "empty": "",
            "dots": "..",
            "long": "A" * 5000,
            "two": f"{token} {token}",
            "comma": f"{token},{token}",
            "refresh token": user.tokens["refresh_token"],
            "flipped": f"{head}.{body}.{b64(bytes([low[0] ^ 1]) + low[1:])}",
        }
    )
    answers = {}
    for name, text in forged.items():
        answer = ask(rig, text)
        assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer"), (
            f"{name}: {answer.status_code} {answer.text}"
        )
        answers[name] = {k: v for k, v in answer.json().items() if k != "request_id"}
    assert len({json.dumps(a, sort_keys=True) for a in answers.values()}) == 1 and len(forged) >= 80
    user.call("GET", "/v1/me", 200)


def test_b1_the_authorization_field_comes_once_and_is_bearer(scene):
    rig, user, _ = scene
    token = user.tokens["access_token"]
    for value in (
        token,
        f"Basic {token}",
        f"Bearer{token}",
        f"Bearer  {token} x",
        f"Token {token}",
        f"Bearer {token}, Bearer {token}",
        "Bearer",
        "Bearer ",
        f"Bearer \t{token}",
    ):
        assert harmless(http_client.get(rig.url + "/v1/me", headers={"Authorization": value})).status_code == 401, value
    for path in (f"/v1/me?access_token={token}", f"/v1/entries?access_token={token}"):
        harmless(http_client.get(rig.url + path), 401)
    harmless(http_client.get(rig.url + "/v1/me", cookies={"access_token": token, "Authorization": f"Bearer {token}"}), 401)


def test_b5_refresh_tokens_of_mixed_parts_are_refused(scene):
    rig, user, other = scene
    mine, theirs = (unb64(u.tokens["refresh_token"]) for u in (user, other))
    parts = [slice(0, 16), slice(16, 32), slice(32, 48), slice(48, 52), slice(52, 84)]
    forged = []
    for part in parts[1:]:
        mixed = bytearray(mine)
        mixed[part] = theirs[part] if part != parts[3] else b"\x00\x00\x00\x02"
        forged.append(bytes(mixed))
    for number in (b"\x00\x00\x00\x00", b"\x7f\xff\xff\xff", b"\x7f\xff\xff\xfe", b"\xff\xff\xff\xff", b"\x80\x00\x00\x00"):
        forged.append(mine[:48] + number + mine[52:])
    forged += [mine[:52] + bytes(32), uuid.uuid4().bytes + mine[16:], mine + b"x", mine[:83], bytes(84), b"\xff" * 84]
    for token in forged:
        harmless(http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": b64(token)}), 401)
    for token in (
        user.tokens["refresh_token"] + "=",
        user.tokens["refresh_token"] + "\n",
        " " + user.tokens["refresh_token"],
        user.tokens["access_token"][:512],
    ):
        harmless(http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": token}), 401)
    user.use(user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": user.tokens["refresh_token"]}).json())
