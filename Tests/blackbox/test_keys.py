"""G8: rotating the keys of access tokens while the service runs."""

import secrets
import subprocess
import threading
import time
import urllib.parse

import jwt
import pytest
from cryptography.hazmat.primitives import serialization

import http_client
from key_commands import keys, kid, published, refreshed, running, sign_in, sign_now, states, works
from processes import PROGRAM, wait_for
from repetitions import repetitions
from rig import Rig


@pytest.fixture
def keyed():
    """For tests that change keys."""
    rig = Rig(DIARY_KEY_PUBLISH_SECONDS="12", DIARY_ACCESS_TOKEN_SECONDS="900")
    yield rig
    rig.end()


@pytest.mark.long
def test_a_token_key_is_rotated_while_clients_run_and_no_client_is_signed_out(keyed):
    rig = keyed
    users = [rig.user() for _ in range(3)]
    first = published(rig)[0]
    assert states(rig) == {first: "signing"}
    stop, answers, signed = threading.Event(), [], set()

    def use(user):
        """Reads all the time and refreshes now and then; every answer must be 200."""
        token, refresh, calls = user.tokens["access_token"], user.tokens["refresh_token"], 0
        while not stop.is_set():
            calls += 1
            if calls % 5 == 0:
                new = http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": refresh}, timeout=10)
                answers.append(new.status_code)
                token, refresh = new.json()["access_token"], new.json()["refresh_token"]
                signed.add(kid(token))
                # The published keys verify every token from its first moment on.
                key = next(
                    k for k in http_client.get(rig.url + "/.well-known/jwks.json", timeout=10).json()["keys"] if k["kid"] == kid(token)
                )
                jwt.decode(token, jwt.PyJWK(key).key, ["ES256"], audience=rig.url)
            answers.append(works(user, token))
            stop.wait(0.25)

    with running(stop, *[lambda user=user: use(user) for user in users]):
        made = keys(rig, "rotate", "--json")
        wait_for(lambda: made["kid"] in published(rig), 10, "the new key's publication")
        assert kid(sign_in(users[0])["access_token"]) == first, "published before it signs"
        assert states(rig) == {first: "signing", made["kid"]: "next"}
        assert "another key waits" in keys(rig, "rotate", fails=True)
        assert "signs now" in keys(rig, "retire", first, fails=True)
        wait_for(lambda: made["kid"] in signed, 30, "a refresh with the new key")
        assert kid(sign_in(users[0])["access_token"]) == made["kid"]
        assert published(rig)[0] == made["kid"] and first in published(rig)

    assert set(answers) == {200} and len(answers) > 50
    assert signed == {first, made["kid"]}
    assert states(rig) == {first: "old", made["kid"]: "signing"}
    print(f"G8: {len(answers)} calls of 3 clients during a rotation, 0 refused")


@pytest.mark.long
def test_a_key_retires_when_its_tokens_have_ended_or_at_once_when_it_must(keyed):
    rig = keyed
    user, other = rig.user(), rig.user()
    first = published(rig)[0]
    token = user.tokens["access_token"]
    second = keys(rig, "rotate", "--now", "--json")["kid"]
    sign_now(rig, second)
    wait_for(lambda: kid(refreshed(other)) == second, 30, "the new key's first token")

    assert works(user, token) == 200, "the old key's token lives"
    assert "live until" in keys(rig, "retire", first, fails=True)
    keys(rig, "retire", first, "--now", "--json")

    # Also where the token was verified before and is remembered.
    wait_for(lambda: works(user, token) == 401, 15, "the end of the old key's token")
    assert published(rig) == [second] and states(rig) == {first: "retired", second: "signing"}
    assert works(user, refreshed(user)) == 200
    assert "no such key" in keys(rig, "retire", "no-such-key", fails=True)
    # A process that starts now, or one that has only the old setting, takes the key of the database.
    rig.stop("serve")
    rig.start("serve")
    assert published(rig) == [second] and works(user, user.tokens["access_token"]) == 200 and works(user, token) == 401


@pytest.mark.alone
def test_a_key_ends_by_itself_and_one_that_waits_can_be_withdrawn(keyed):
    rig = keyed
    user = rig.user()
    first = published(rig)[0]
    waiting = keys(rig, "rotate", "--json")["kid"]
    keys(rig, "retire", waiting)
    wait_for(lambda: published(rig) == [first], 15, "the withdrawal")
    assert states(rig) == {first: "signing", waiting: "retired"}

    second = keys(rig, "rotate", "--now", "--json")["kid"]
    # Long ago, as to the rotation's tokens.
    rig.postgres.sql("diary_keys", "update signing_keys set signs_from = now() - interval '1 hour' where kid = %s", second)
    wait_for(lambda: published(rig) == [second], 15, "the end of the old key")
    assert states(rig)[first] == "ended"
    assert works(user, user.tokens["access_token"]) == 401


@pytest.mark.long
def test_without_a_setting_the_first_key_is_made_by_the_command(keyed):
    rig = keyed
    user = rig.user()
    rig.stop("serve")
    setting = rig.environment.pop("DIARY_SIGNING_KEY")
    failed = subprocess.run([PROGRAM, "serve"], env=rig.environment, capture_output=True, text=True, timeout=30)
    assert failed.returncode != 0 and "DIARY_SIGNING_KEY" in failed.stderr and "diary keys rotate" in failed.stderr
    made = keys(rig, "rotate", "--now", "--json")["kid"]
    sign_now(rig, made)
    assert states(rig)[made] == "signing"
    rig.start("serve")
    assert published(rig) == [made]
    assert works(user, sign_in(user)["access_token"]) == 200
    assert works(user, user.tokens["access_token"]) == 401 and setting


def test_unknown_key_ids_ask_the_database_at_most_once_a_second(rig):
    user = rig.user()
    claims = jwt.decode(user.tokens["access_token"], options={"verify_signature": False})
    asked = "select coalesce(sum(idx_scan + seq_scan), 0)::int from pg_stat_user_tables where relname = 'signing_keys'"
    before, began = rig.postgres.sql("diary_keys", asked)[0][0], time.monotonic()
    own = serialization.load_pem_private_key(rig.environment["DIARY_SIGNING_KEY"].encode(), None)
    for _ in range(repetitions(500, 100)):
        forged = jwt.encode(claims, own, "ES256", headers={"kid": secrets.token_urlsafe(32), "typ": "at+jwt"})
        assert works(user, forged) == 401
    took = time.monotonic() - began
    wait_for(lambda: rig.postgres.sql("diary_keys", asked)[0][0] >= before, 5, "statistics")
    questions = rig.postgres.sql("diary_keys", asked)[0][0] - before
    assert questions <= took + 3, f"{questions} questions in {took:.1f} s"
    assert works(user, user.tokens["access_token"]) == 200


def test_b1_a_token_of_one_purpose_is_refused_by_every_other(rig):
    user = rig.user()
    entry = user.record()
    user.wait_done(entry)
    user.export()
    upload = dict(urllib.parse.parse_qsl(user.create_voice()["upload"]["url"].split("?")[1]))
    playback = user.audio_url(entry)
    link = user.export_links()[0]
    file = http_client.post(f"{link}/download", allow_redirects=False, timeout=10).headers["location"]
    made = user.create_voice()["upload"]
    receipt = rig.user().call("DELETE", "/v1/me", 202).json()["receipt"]
    tokens = {
        "access": user.tokens["access_token"],
        "refresh": user.tokens["refresh_token"],
        "upload": upload["X-Amz-Signature"],
        "playback": playback.split("signature=")[1],
        "export": link.rsplit("/", 1)[1],
        "download": file.split("signature=")[1],
        "receipt": receipt,
    }

    def swapped(url, text):
        return url.split("signature=")[0] + "signature=" + urllib.parse.quote(text)

    places = {
        "access": lambda t: http_client.get(rig.url + "/v1/me", headers={"Authorization": f"Bearer {t}"}, timeout=10),
        "refresh": lambda t: http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": t}, timeout=10),
        "upload": lambda t: http_client.put(
            made["url"].replace(dict(urllib.parse.parse_qsl(made["url"].split("?")[1]))["X-Amz-Signature"], urllib.parse.quote(t)),
            data=b"x",
            headers={**made["headers"]},
            timeout=10,
        ),
        "playback": lambda t: http_client.get(swapped(playback, t), timeout=10),
        "export": lambda t: http_client.get(f"{rig.url}/exports/{t}", timeout=10),
        "download": lambda t: http_client.get(rig.url + swapped(file, t), timeout=10),
        "receipt": lambda t: http_client.get(f"{rig.url}/v1/deletions/{t}", timeout=10),
    }
    refused = 0
    for place, use in places.items():
        for purpose, token in tokens.items():
            status = use(token).status_code
            if place == purpose:
                assert place == "upload" or status in (200,), (place, status)
            else:
                assert status in (400, 401, 403, 404, 422), (place, purpose, status)
                refused += 1
    assert refused == 42
    print(f"B1: {refused} tokens of another purpose, 0 taken")
