"""Sign-up, sign-in, sessions."""

import time

import jwt

import http_client
from mail import text_of
from processes import wait_for


def turned(token):
    """With another character in its middle."""
    place = len(token) // 2
    return token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]


def test_tokens_are_es256_and_the_key_set_verifies_them(rig):
    user = rig.user()
    keys = jwt.PyJWKClient(rig.url + "/.well-known/jwks.json")
    token = user.tokens["access_token"]
    claims = jwt.decode(token, keys.get_signing_key_from_jwt(token), algorithms=["ES256"], options={"verify_aud": False})
    assert claims["sub"] == user.id and claims["exp"] - claims["iat"] == 900
    assert jwt.get_unverified_header(token)["typ"] == "at+jwt"


def test_logout_ends_the_session_at_once(rig):
    """B15: no access or refresh token of the session works on the next request."""
    user = rig.user()
    user.call("GET", "/v1/me", 200)
    user.call("POST", "/v1/auth/logout", 204)
    assert user.call("GET", "/v1/me", 401).headers["www-authenticate"].startswith("Bearer")
    user.call("GET", "/v1/entries", 401)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": user.tokens["refresh_token"]})
    user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password})


def test_refresh_rotates_and_a_lost_answer_is_given_again(rig):
    user = rig.user()
    old = user.tokens["refresh_token"]
    first = user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": old}).json()
    again = user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": old}).json()
    assert first["refresh_token"] == again["refresh_token"] != old
    next_one = user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": first["refresh_token"]}).json()
    user.use(next_one)
    for garbage in ("", "x", "A" * 112, next_one["refresh_token"][:-1], turned(next_one["refresh_token"])):
        user.call("POST", "/v1/auth/refresh", (401, 422), json={"refresh_token": garbage})
    user.call("GET", "/v1/me", 200)


def test_b5_an_older_token_ends_the_session_and_the_owner_is_notified(rig):
    user = rig.user()
    old = user.tokens["refresh_token"]
    for _ in range(3):
        user.use(user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": user.tokens["refresh_token"]}).json())
    user.call("GET", "/v1/me", 200)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": old})
    user.call("GET", "/v1/me", 401)
    user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": user.tokens["refresh_token"]})
    mail = wait_for(lambda: rig.mails(user.address)[1:], 20, "the mail")[-1]
    assert "signed out" in mail["Subject"]
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())
    events = user.call("GET", "/v1/me/events", 200).json()["items"]
    assert [(e["kind"], e["actor"]) for e in events] == [("signed_in", "member"), ("refresh_reused", "anonymous"), ("registered", "member")]


def test_sign_in_says_the_same_for_every_reason(rig):
    user = rig.user()
    waiting = http_client.Session()
    waiting.post(
        rig.url + "/v1/auth/email/register",
        json={"email": "waiting@example.org", "password": user.password},
        headers={"Diary-App": "my-day"},
    )
    bodies = []
    for address, password in (
        (user.address, "wrong wrong wrong"),
        ("unknown@example.org", user.password),
        ("waiting@example.org", user.password),
    ):
        body = user.call("POST", "/v1/auth/email", 401, json={"email": address, "password": password}).json()
        body.pop("request_id")
        bodies.append(body)
    assert bodies[0] == bodies[1] == bodies[2]


def test_a_taken_address_is_informed_by_mail_only(rig):
    user = rig.user()
    answer = user.call("POST", "/v1/auth/email/register", 202, json={"email": user.address.upper(), "password": "another long passphrase"})
    fresh = user.call(
        "POST", "/v1/auth/email/register", 202, json={"email": "fresh-" + user.address, "password": "another long passphrase"}
    )
    assert {**answer.json(), "request": ""} == {**fresh.json(), "request": ""}
    mail = wait_for(lambda: (rig.mails(user.address)[1:] or [None])[-1], 20, "the mail")
    assert "already" in mail["Subject"]
    user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password})


def test_a_code_works_once_and_five_wrong_ones_end_it(rig):
    address = f"codes-{time.time_ns()}@example.org"
    user = rig.user()
    mine = user.call("POST", "/v1/auth/email/register", 202, json={"email": address, "password": "a long enough passphrase 7"}).json()[
        "request"
    ]
    mail = wait_for(lambda: rig.mails(address), 20, "the code")[-1]
    code = next(word for word in text_of(mail).split() if word.isdigit() and len(word) == 8)
    wrong = "00000000" if code != "00000000" else "11111111"
    for _ in range(5):
        user.call("POST", "/v1/auth/email/verify", 403, json={"email": address, "code": wrong, "request": mine})
    user.call("POST", "/v1/auth/email/verify", 403, json={"email": address, "code": code, "request": mine})
    assert user.ask_code("sign_up", email=address, request=mine) == mine
    mail = wait_for(lambda: rig.mails(address)[1:], 20, "the second code")[-1]
    code = next(word for word in text_of(mail).split() if word.isdigit() and len(word) == 8)
    user.call("POST", "/v1/auth/email/verify", 200, json={"email": address, "code": code, "request": mine})
    user.call("POST", "/v1/auth/email/verify", 403, json={"email": address, "code": code, "request": mine})


def test_weak_passwords_and_bad_addresses_are_named(rig):
    user = rig.user()
    keys = rig.postgres.sql("diary_keys", "select count(*) from user_keys")
    for body, pointer in (
        ({"email": "a@example.org", "password": "short"}, "/password"),
        ({"email": "a@example.org", "password": "passwordpassword"}, "/password"),
        ({"email": "no address", "password": user.password}, "/email"),
        ({"email": "a@example.org\r\nBcc: b@example.org", "password": user.password}, "/email"),
        ({"password": user.password}, "/email"),
        ({"email": "a@example.org", "password": user.password, "name": 7}, "/name"),
        # Nor is it said later for an address that has an account (B8).
        ({"email": user.address, "password": user.password, "name": 7}, "/name"),
    ):
        refused = user.call("POST", "/v1/auth/email/register", 422, json=body).json()
        assert pointer in [e["pointer"] for e in refused["errors"]], (body, refused)
    assert rig.postgres.sql("diary_keys", "select count(*) from user_keys") == keys, "a refused sign-up left a key"


def test_a_request_that_names_no_app_is_for_the_first_of_two(rig):
    if "toukan" not in rig.tenants:
        rig.tenant("toukan")
    rig.wait_for_app("toukan")
    body = {"email": "a@example.org", "password": "a long enough passphrase 7"}
    unnamed = http_client.post(rig.url + "/v1/auth/email", json=body)
    assert unnamed.status_code == 401 and unnamed.json()["code"] == "invalid_credentials"
    assert http_client.post(rig.url + "/v1/auth/email", json=body, headers={"Diary-App": "nothing-here"}).json()["code"] == "app_unknown"
