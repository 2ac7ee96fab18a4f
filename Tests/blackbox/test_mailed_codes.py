"""Codes by mail: to sign in, for a new password, another address, and to prove again who one is (B8, B15, B16)."""

import re
import secrets
import socket

import http_client
from mail import text_of
from processes import wait_for

NEXT = "another long passphrase 8"


def ask(user, purpose, count, **body):
    """Asks for a code; gives it and what its request answered."""
    request = user.ask_code(purpose, **body)
    return user.account_code(count), request


def test_b16_a_mailed_code_signs_in_once(rig):
    user = rig.user()
    code, request = ask(user, "sign_in", 1, email=user.address.upper())
    other = http_client.post(
        rig.url + "/v1/auth/codes", json={"purpose": "sign_in", "email": user.address}, headers={"Diary-App": "my-day"}, timeout=10
    ).json()["request"]
    body = {"email": user.address, "code": code, "request": request, "device": "by mail"}
    user.call("POST", "/v1/auth/email", 403, json={**body, "request": other})
    user.call("POST", "/v1/auth/email", 422, json={**body, "password": user.password})
    user.call("POST", "/v1/auth/email", 422, json={"email": user.address, "code": code})
    user.use(user.call("POST", "/v1/auth/email", 200, json=body).json())
    assert user.call("POST", "/v1/auth/email", 403, json=body).json()["code"] == "code_refused"
    assert user.call("GET", "/v1/sessions", 200).json()["items"][0]["device"] == "by mail"


def test_b15_b16_a_reset_ends_everything_and_works_once(rig):
    user = rig.user()
    old = user.http.headers["Authorization"]
    code, request = ask(user, "new_password", 1, email=user.address)
    body = {"email": user.address, "code": code, "request": request, "password": NEXT}
    asked = {"purpose": "new_password", "email": user.address}
    malformed = {"Diary-App": user.app, "Idempotency-Key": "two words"}
    refused = http_client.post(rig.url + "/v1/auth/codes", json=asked, headers=malformed, timeout=10)
    assert refused.status_code == 422 and refused.json()["errors"][0]["pointer"] == "header/idempotency-key"
    weak = user.call("POST", "/v1/auth/email/reset/confirm", 422, json={**body, "password": "passwordpassword"}).json()
    assert weak["errors"][0]["pointer"] == "/password"
    user.call("POST", "/v1/auth/email/reset/confirm", 403, json={**body, "code": "00000000" if code != "00000000" else "00000001"})
    user.use(user.call("POST", "/v1/auth/email/reset/confirm", 200, json=body).json())
    user.call("GET", "/v1/me", 401, headers={"Authorization": old})
    user.call("POST", "/v1/auth/email/reset/confirm", 403, json=body)
    user.call("POST", "/v1/auth/email", 401, json={"email": user.address, "password": user.password})
    user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": NEXT})
    assert wait_for(lambda: [m for m in rig.mails(user.address) if "password was changed" in m["Subject"]], 20, "the notice")


def test_b16_five_wrong_tries_end_a_code(rig):
    user = rig.user()
    code, request = ask(user, "new_password", 1, email=user.address)
    for number in range(1, 6):
        wrong = f"{(int(code) + number) % 10**8:08d}"
        user.call(
            "POST", "/v1/auth/email/reset/confirm", 403, json={"email": user.address, "code": wrong, "request": request, "password": NEXT}
        )
    user.call("POST", "/v1/auth/email/reset/confirm", 403, json={"email": user.address, "code": code, "request": request, "password": NEXT})
    user.call("GET", "/v1/me", 200)


def test_a_changed_address_is_proved_there_and_reported_to_the_old_one(rig):
    user = rig.user()
    old, fresh = user.address, f"{secrets.token_hex(8)}@example.org"
    rig.postgres.sql("diary", "update sessions set proved_at = now() - interval '11 minutes' where user_id = %s", user.id)
    assert user.ask_code("new_email", 403, email=fresh).json()["code"] == "reauthentication_required"
    assert user.call("POST", "/v1/me/reauthenticate", 403, json={"password": "wrong"}).json()["code"] == "password_refused"
    user.call("POST", "/v1/me/reauthenticate", 204, json={"password": user.password})
    request = user.ask_code("new_email", email=fresh)
    user.address = fresh
    code = user.account_code(1)
    wrong = {"code": "00000000" if code != "00000000" else "00000001", "request": request}
    for path in ("/v1/me/email/confirm", "/v1/me/reauthenticate"):
        assert user.call("POST", path, 403, json=wrong).json()["code"] == "code_refused"
    user.call("POST", "/v1/me/email/confirm", 204, json={"code": code, "request": request})
    user.call("POST", "/v1/me/email/confirm", 403, json={"code": code, "request": request})
    me = user.call("GET", "/v1/me", 200).json()
    assert me["email"] == fresh and me["email_verified"]
    user.call("POST", "/v1/auth/email", 401, json={"email": old, "password": user.password})
    user.call("POST", "/v1/auth/email", 200, json={"email": fresh, "password": user.password})
    assert wait_for(lambda: [m for m in rig.mails(old) if "address was changed" in m["Subject"]], 20, "the notice")
    # The old address is free for another account.
    assert rig.user(address=old).id != user.id


def test_a_session_proves_itself_by_a_mailed_code(rig):
    user = rig.user()
    rig.postgres.sql("diary", "update sessions set proved_at = now() - interval '11 minutes' where user_id = %s", user.id)
    code, request = ask(user, "proof", 1)
    user.ask_code("new_email", 403, email="x@example.org")
    user.call("POST", "/v1/me/reauthenticate", 422, json={"code": code})
    user.call("POST", "/v1/me/reauthenticate", 204, json={"code": code, "request": request})
    user.ask_code("new_email", email="x@example.org")


def test_b8_codes_for_any_address_get_the_same_answer(rig):
    user = rig.user()
    waiting = f"{secrets.token_hex(8)}@example.org"
    user.call("POST", "/v1/auth/email/register", 202, json={"email": waiting, "password": user.password})
    disabled, coded = rig.user(), rig.user()
    rig.postgres.sql("diary", "update users set disabled_at = now() where id = %s", disabled.id)
    rig.postgres.sql("diary", "update identities set password_phc = null where user_id = %s", coded.id)
    for path, body, status in (
        ("/v1/auth/codes", {"purpose": "sign_in"}, 202),
        ("/v1/auth/codes", {"purpose": "new_password"}, 202),
        ("/v1/auth/email", {"code": "00000000", "request": "A" * 22}, 403),
        ("/v1/auth/email/reset/confirm", {"code": "00000000", "request": "A" * 22, "password": NEXT}, 403),
        ("/v1/auth/email", {"password": NEXT}, 401),
    ):
        seen = set()
        for address in (user.address, f"{secrets.token_hex(8)}@example.org", waiting, disabled.address, coded.address):
            answer = http_client.post(rig.url + path, json={"email": address, **body}, headers={"Diary-App": "my-day"}, timeout=10)
            assert answer.status_code == status, (path, answer.text)
            members = {k: v for k, v in answer.json().items() if k not in ("request_id", "request")}
            seen.add(str(members) + str(sorted(k for k in answer.headers if k.lower() not in ("ratelimit",))))
        assert len(seen) == 1, (path, seen)
    wait_for(
        lambda: (
            not rig.postgres.sql(
                "diary", "select 1 from mails where status = 'waiting' and created_at > clock_timestamp() - interval '1 minute'"
            )
        ),
        20,
        "every mail",
    )
    mails = {address: len(rig.mails(address)) for address in (disabled.address, waiting)}
    assert mails == {disabled.address: 1, waiting: 1}, "an address that may not sign in got a code"


def test_b16_no_host_that_a_client_names_is_in_a_mail(rig):
    """Ten ways to name a host: nothing of it reaches the mail, and the answer is the usual one."""
    user = rig.user()
    evil = "evil.example"
    variants = [
        {"Host": evil},
        {"X-Forwarded-Host": evil},
        {"Forwarded": f"host={evil};proto=https"},
        {"X-Forwarded-Server": evil},
        {"X-Host": evil},
        {"X-Original-Host": evil},
        {"X-Original-URL": f"https://{evil}/"},
        {"Origin": f"https://{evil}"},
        {"Referer": f"https://{evil}/x"},
    ]
    before = len(rig.mails(user.address))
    for number, headers in enumerate(variants):
        body = {"purpose": "new_password" if number % 2 else "sign_in", "email": user.address}
        answer = http_client.post(rig.url + "/v1/auth/codes", json=body, headers={"Diary-App": "my-day", **headers}, timeout=10)
        assert answer.status_code == 202, (headers, answer.text)
    body = b'{"purpose":"sign_in","email":"%s"}' % user.address.encode()
    with socket.create_connection(("127.0.0.1", rig.port), timeout=10) as s:
        s.sendall(
            b"POST http://evil.example/v1/auth/codes HTTP/1.1\r\nHost: evil.example\r\nDiary-App: my-day\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body)
        )
        answer = s.recv(65536)
    assert re.match(rb"HTTP/1\.1 (202|400|404) ", answer), answer[:200]
    mails = wait_for(lambda: len(rig.mails(user.address)) >= before + 9 and rig.mails(user.address)[before:], 20, "the mails")
    for mail in mails:
        assert evil not in mail.as_string() and "http" not in text_of(mail), mail.as_string()


def test_b16_looking_uses_nothing_up(rig):
    """There is no link in these mails; a GET of the API's addresses changes nothing."""
    user = rig.user()
    code, request = ask(user, "new_password", 1, email=user.address)
    for path in (
        "/v1/auth/codes",
        "/v1/auth/email/reset/confirm",
        f"/v1/auth/email?code={code}&request={request}",
    ):
        assert http_client.get(rig.url + path, timeout=10).status_code == 405
    user.call("POST", "/v1/auth/email/reset/confirm", 200, json={"email": user.address, "code": code, "request": request, "password": NEXT})


def test_b16_a_code_is_stored_hashed_and_not_logged(rig):
    user = rig.user()
    code, request = ask(user, "sign_in", 1, email=user.address)
    rows = rig.postgres.sql("diary", "select c::text from email_codes c where user_id = %s", user.id)
    assert rows and all(code not in row[0] and code.encode().hex() not in row[0] and request not in row[0] for row in rows)
    assert code not in rig.log_text() and request not in rig.log_text() and user.address not in rig.log_text()
    lives = rig.postgres.sql(
        "diary",
        "select extract(epoch from expires_at - created_at)::int from email_codes where user_id = %s and purpose = 'login'",
        user.id,
    )
    assert [0 < seconds[0] <= 1800 for seconds in lives] == [True]
