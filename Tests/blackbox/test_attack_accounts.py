"""B5, B6, B8, B13, B15: sign-up and sessions under races, and another person's password on my address."""

import base64
import re
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from attack import Alive, harmless
from mail import text_of
from processes import wait_for

MINE, THEIRS = "my own long passphrase 42", "the attacker's passphrase 99"


@pytest.fixture(scope="module")
def rigged(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig
    shared_rig.unscript()
    alive.check()


def post(rig, path, body):
    return harmless(http_client.post(rig.url + path, json=body, headers={"Diary-App": "my-day"}, timeout=30))


def codes(rig, address):
    return [re.search(r"\b(\d{8})\b", text_of(m))[1] for m in rig.mails(address) if re.search(r"\b(\d{8})\b", text_of(m))]


def verify(rig, address, code, registration):
    return post(rig, "/v1/auth/email/verify", {"email": address, "code": code, "request": registration})


def together(count, work):
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_b13_a_password_from_another_persons_sign_up_never_opens_the_account(rigged):
    """An attacker registers my address first; I register with my own password and ask for the code again."""
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    assert post(rig, "/v1/auth/email/register", {"email": address, "password": THEIRS}).status_code == 202
    wait_for(lambda: len(codes(rig, address)) >= 1, 20, "the first code")
    mine = post(rig, "/v1/auth/email/register", {"email": address, "password": MINE}).json()["request"]
    wait_for(lambda: len(codes(rig, address)) >= 2, 20, "the second code")
    assert post(rig, "/v1/auth/codes", {"purpose": "sign_up", "email": address, "request": mine}).status_code == 202
    wait_for(lambda: len(codes(rig, address)) >= 3, 20, "the third code")
    assert verify(rig, address, codes(rig, address)[-1], mine).status_code == 200
    assert post(rig, "/v1/auth/email", {"email": address, "password": MINE}).status_code == 200
    assert post(rig, "/v1/auth/email", {"email": address, "password": THEIRS}).status_code == 401, (
        "the attacker's password opens my account"
    )


def test_b13_a_later_registration_by_another_person_does_not_set_the_password(rigged):
    """An attacker registers again after me; the newest mail in my box has the code of their try, which is of no use in my app."""
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    mine = post(rig, "/v1/auth/email/register", {"email": address, "password": MINE}).json()["request"]
    wait_for(lambda: len(codes(rig, address)) >= 1, 20, "the first code")
    post(rig, "/v1/auth/email/register", {"email": address, "password": THEIRS})
    wait_for(lambda: len(codes(rig, address)) >= 2, 20, "the second code")
    assert verify(rig, address, codes(rig, address)[-1], mine).status_code == 403
    assert verify(rig, address, codes(rig, address)[0], mine).status_code == 200
    assert post(rig, "/v1/auth/email", {"email": address, "password": MINE}).status_code == 200
    assert post(rig, "/v1/auth/email", {"email": address, "password": THEIRS}).status_code == 401, (
        "the attacker's password opens my account"
    )


def test_b13_another_persons_sign_up_cannot_be_continued(rigged):
    """The only sign-up with my address is an attacker's; without its registration neither its code nor a new one is of use."""
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    post(rig, "/v1/auth/email/register", {"email": address, "password": THEIRS})
    wait_for(lambda: len(codes(rig, address)) >= 1, 20, "the first code")
    other = base64.urlsafe_b64encode(secrets.token_bytes(16)).rstrip(b"=").decode()
    assert post(rig, "/v1/auth/codes", {"purpose": "sign_up", "email": address, "request": other}).status_code == 202
    assert verify(rig, address, codes(rig, address)[-1], other).status_code == 403
    mine = post(rig, "/v1/auth/email/register", {"email": address, "password": MINE}).json()["request"]
    wait_for(lambda: len(codes(rig, address)) >= 2, 20, "my code")
    assert len(codes(rig, address)) == 2, "a code was mailed for a sign-up that was never made"
    assert verify(rig, address, codes(rig, address)[-1], mine).status_code == 200
    assert post(rig, "/v1/auth/email", {"email": address, "password": THEIRS}).status_code == 401, (
        "the attacker's password opens my account"
    )


def test_b8_racing_registrations_of_one_address_make_one_account(rigged):
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    users = rig.postgres.sql("diary", "select count(*) from users")[0][0]
    keys = rig.postgres.sql("diary_keys", "select count(*) from user_keys")[0][0]
    answers = together(
        12, lambda i: post(rig, "/v1/auth/email/register", {"email": address if i % 2 else address.upper(), "password": MINE})
    )
    assert {a.status_code for a in answers} <= {202, 503} and 202 in {a.status_code for a in answers}
    assert rig.postgres.sql("diary", "select count(*) from users")[0][0] == users + 1
    assert rig.postgres.sql("diary_keys", "select count(*) from user_keys")[0][0] == keys + 1, "keys without an account stay"


def test_b8_parallel_guesses_of_a_code_count_each(rigged):
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    mine = post(rig, "/v1/auth/email/register", {"email": address, "password": MINE}).json()["request"]
    code = wait_for(lambda: codes(rig, address), 20, "the code")[-1]
    wrong = [f"{(int(code) + i) % 100_000_000:08d}" for i in range(1, 25)]
    answers = together(20, lambda i: verify(rig, address, wrong[i], mine))
    assert {a.status_code for a in answers} == {403}
    assert verify(rig, address, code, mine).status_code == 403
    assert (
        rig.postgres.sql(
            "diary",
            "select count(*) from sessions s join email_codes c using (tenant_id, user_id) where c.tries >= 5 and s.created_at > now() - interval '5 s' and s.user_id = c.user_id and c.used_at is null",
        )[0][0]
        == 0
    )


def test_b8_one_code_in_twenty_hands_opens_one_session(rigged):
    rig, address = rigged, f"{secrets.token_hex(8)}@example.org"
    mine = post(rig, "/v1/auth/email/register", {"email": address, "password": MINE}).json()["request"]
    code = wait_for(lambda: codes(rig, address), 20, "the code")[-1]
    answers = together(20, lambda i: verify(rig, address, code, mine))
    assert sorted(a.status_code for a in answers) == [200] + [403] * 19


def test_b5_twenty_refreshes_at_once_give_one_successor(rigged):
    user = rigged.user()
    answers = together(20, lambda i: post(rigged, "/v1/auth/refresh", {"refresh_token": user.tokens["refresh_token"]}))
    assert {a.status_code for a in answers} == {200} and len({a.json()["refresh_token"] for a in answers}) == 1


def test_b15_logout_in_the_middle_of_everything_ends_everything(rigged):
    user = rigged.user()
    entry = user.create_text("here")["entry_id"]
    bearer = {"Authorization": user.http.headers["Authorization"]}

    def act(i):
        if i == 10:
            return harmless(http_client.post(rigged.url + "/v1/auth/logout", headers=bearer, timeout=20), 204).status_code
        kind = i % 4
        if kind == 0:
            return harmless(
                http_client.patch(
                    rigged.url + f"/v1/entries/{entry}", json={"title": str(i)}, headers={**bearer, "If-Match": "*"}, timeout=20
                ),
                200,
                401,
                409,
            ).status_code
        if kind == 1:
            return post(rigged, "/v1/auth/refresh", {"refresh_token": user.tokens["refresh_token"]}).status_code
        return harmless(http_client.get(rigged.url + "/v1/entries", headers=bearer, timeout=20), 200, 401).status_code

    together(20, act)
    harmless(http_client.get(rigged.url + "/v1/me", headers=bearer), 401)
    assert post(rigged, "/v1/auth/refresh", {"refresh_token": user.tokens["refresh_token"]}).status_code == 401


def test_e6_no_text_that_reaches_a_mail_can_add_to_its_header(rigged):
    local = secrets.token_hex(6)
    for evil in (
        f"{local}@example.org\r\nBcc: x@example.org",
        f"{local}@example.org\nBcc: x",
        f"{local}@example.org%0d%0aBcc: x",
        f"{local}@example.org, x@example.org",
        f"{local}@example.org;x@example.org",
        f'"{local}"@example.org',
        f"<{local}@example.org>",
        f"{local}@[127.0.0.1]",
        f"{local}@example.org\0",
        f"{local}(x)@example.org",
        f"{local}@exa\u2028mple.org",
        f"{local}@example.org\u0085Bcc: x",
        f"a{local}@example.org>\r\nDATA",
        "@example.org",
        f"{local}@",
        f"{local}@localhost",
        f"{local}@127.0.0.1",
        f"{local}@-x.org",
        f"{local}@example..org",
        f".{local}@example.org",
        f"{local}@ex\u00e4mple.org\r\nBcc: x",
        f"{local}\u202e@example.org",
        "x" * 65 + "@example.org",
        f"{local}@" + "a." * 130 + "org",
    ):
        answer = post(rigged, "/v1/auth/email/register", {"email": evil, "password": MINE, "name": "x\r\nBcc: x@example.org"})
        assert answer.status_code in (400, 422), (evil, answer.text)
    odd = f"!#$%&'*+-/=?^_`{{|}}~{local}@example.org"
    body = {"email": odd, "password": MINE, "name": "x\r\nBcc: evil@example.org\r\n\r\nbody", "locale": "en"}
    assert post(rigged, "/v1/auth/email/register", body).status_code == 202
    mail = wait_for(lambda: rigged.mails(odd), 20, "the mail")[-1]
    assert mail["Bcc"] is None and mail["To"].count("@") == 1 and "evil" not in mail.as_string()


def test_b8_mails_to_a_verified_address_are_bounded(rigged):
    """My address can be typed by others into the sign-up form; my mailbox must not fill."""
    user = rigged.user()
    for _ in range(15):
        post(rigged, "/v1/auth/email/register", {"email": user.address, "password": MINE})
    wait_for(
        lambda: rigged.postgres.sql("diary", "select count(*) from mails where user_id = %s and status = 'waiting'", user.id) == [(0,)],
        20,
        "the mails",
    )
    assert len(rigged.mails(user.address)) <= 8, "every try sends one more mail"
