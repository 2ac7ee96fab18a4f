"""What tests of keys share: the `keys` command, tokens and their key ids, and wrapping as docs/sealed-format.md has it."""

import base64
import concurrent.futures
import contextlib
import json
import subprocess

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import http_client
from processes import PROGRAM


def keys(rig, *words, fails=False, **more):
    done = subprocess.run([PROGRAM, "keys", *words], env={**rig.environment, **more}, capture_output=True, text=True, timeout=60)
    assert (done.returncode != 0) == fails, (words, done.stdout, done.stderr)
    return done.stderr if fails else json.loads(done.stdout) if "--json" in words else done.stdout


def states(rig):
    return {key["kid"]: key["state"] for key in keys(rig, "list", "--json")["signing"]}


def sign_now(rig, kid):
    """As if the time from its publication were over: processes read it within five seconds."""
    rig.postgres.sql("diary_keys", "update signing_keys set signs_from = now() where kid = %s", kid)


def published(rig):
    return [key["kid"] for key in http_client.get(rig.url + "/.well-known/jwks.json", timeout=10).json()["keys"]]


def kid(token):
    return jwt.get_unverified_header(token)["kid"]


def sign_in(user):
    return user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json()


def refreshed(user):
    """A new access token. Costs no password hash, so that a test may ask for one again and again."""
    user.use(user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": user.tokens["refresh_token"]}).json())
    return user.tokens["access_token"]


def works(user, token):
    return http_client.get(user.rig.url + "/v1/me", headers={"Authorization": f"Bearer {token}"}, timeout=10).status_code


@contextlib.contextmanager
def running(stop, *work):
    """Threads that work until the block ends; what they raised is raised."""
    with concurrent.futures.ThreadPoolExecutor(len(work)) as pool:
        threads = [pool.submit(one) for one in work]
        try:
            yield
        finally:
            stop.set()
        for thread in threads:
            thread.result(60)


def wrapping(secret):
    return HKDF(hashes.SHA256(), 32, b"", b"diary/v1/wrap").derive(base64.b64decode(secret))
