"""Sign-in by Apple and Google, against issuers of our own: sign-in methods, linking, replays, forged tokens, revocation."""

import concurrent.futures
import json
import secrets
import subprocess
import time

import pytest
import requests

import http_client
from app_pages import block, run
from forged_id_tokens import NAMES_UNKNOWN_KEY, forgeries
from oidc import Providers, Visitor, b64
from processes import PROGRAM, free_port, wait_for
from provider_scene import enable_providers, notify, relay, sign_in_methods, sub, without_id
from repetitions import repetitions
from rig import Rig


def test_apple_and_google_sign_up_and_in_again(service, visitor, providers):
    for provider, address, hashed in (("apple", relay(), True), ("google", f"{secrets.token_hex(6)}@gmail.com", False)):
        who = sub()
        body = {
            **visitor.answer(provider, who, hashed=hashed, email=address, email_verified="true" if provider == "apple" else True),
            "name": "Anna",
            "device": "phone",
        }
        first = visitor.enter(provider, who, body=body)
        profile = visitor.call("GET", "/v1/me", 200).json()
        assert profile["email"] == address and profile["email_verified"] and profile["name"] == "Anna"
        again = visitor.enter(provider, who)
        assert again["user"] == first["user"] and again["session_id"] != first["session_id"]
        # The session is one like every other.
        visitor.use(visitor.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": again["refresh_token"]}).json())
        visitor.create_text("written after a provider's word")
        assert list(visitor.identities()) == [provider]
    assert sign_in_methods(service, "my-day") == ["email", "apple", "google"] and sign_in_methods(service, "quiet") == ["email"]


def test_the_page_of_my_day_signs_in_with_apple(service, visitor, tmp_path):
    asked = visitor.answer("apple", sub())
    given = f"app='Diary-App: my-day' nonce={asked['nonce']} id_token={asked['id_token']}\n"
    assert run(service, tmp_path, given + block("my-day", "by Apple")) == "Bearer\n"


def test_an_account_without_an_address_exports_without_a_mail(service, visitor):
    visitor.enter("apple", sub())
    profile = visitor.call("GET", "/v1/me", 200).json()
    assert profile["email"] is None and not profile["email_verified"]
    visitor.create_text("never mailed", recorded_at="2026-01-01T12:00:00Z")
    days = {"from": "2026-01-01", "to": "2026-01-02"}
    refused = visitor.call("POST", "/v1/exports", 403, json={**days, "mail": True}).json()
    assert refused["code"] == "address_not_verified"

    made = visitor.call("POST", "/v1/exports", 202, json=days).json()

    path = f"/v1/exports/{made['id']}"
    ready = wait_for(lambda: (x := visitor.call("GET", path, 200).json())["status"] == "ready" and x, 30, "the zip")
    assert made["mail_status"] == ready["mail_status"] == "none" and ready["entry_count"] == 1
    file = visitor.call("GET", f"{path}/url", 200).json()
    assert len(http_client.get(file["url"]).content) == file["size_bytes"] == ready["size_bytes"]
    assert visitor.call("POST", f"{path}/mail", 403).json()["code"] == "address_not_verified"
    assert service.postgres.sql("diary", "select count(*) from mails where user_id = %s", visitor.id) == [(0,)]


def test_17_an_account_without_an_address_is_told_so(service, visitor):
    visitor.enter("google", sub(), email=visitor.address, email_verified=True)
    assert not visitor.call("GET", "/v1/me", 200).json()["email_verified"]

    refused = visitor.ask_code("proof", 403).json()
    assert refused["code"] == "address_not_verified" and refused["title"] == "The account has no verified address of its own"

    request = visitor.ask_code("new_email", email=visitor.address)
    code = wait_for(visitor.code, 20, "the code's mail")
    visitor.call("POST", "/v1/me/email/confirm", 204, json={"code": code, "request": request})
    visitor.ask_code("proof")


def test_exports_go_to_an_address_that_a_provider_proves(service, visitor):
    """decision D11: the provider runs the mailbox."""
    address = f"{secrets.token_hex(6)}@gmail.com"
    visitor.address = address
    visitor.enter("google", sub(), email=address, email_verified=True)
    visitor.create_text("to be mailed", recorded_at="2026-02-01T12:00:00Z")
    visitor.export()
    assert visitor.export_links()


def test_signs_in_both_ways_links_refreshes_and_unlinks_and_apple_is_notified(service, visitor, providers):
    apple, google = sub(), sub()
    visitor.enter("apple", apple, code=True, email=relay(), email_verified="true")
    user = visitor.id
    linked = visitor.link("google", google, email="a@gmail.com", email_verified=True)
    assert linked["provider"] == "google" and set(visitor.identities()) == {"apple", "google"}
    other = Visitor(service, providers)
    assert other.enter("google", google)["user"]["id"] == user
    token = wait_for(lambda: [t for t, who in providers.apple.refresh_tokens.items() if who == apple], 20, "the exchange of the code")[0]

    visitor.call("DELETE", f"/v1/me/identities/{visitor.identities()['apple']['id']}", 204)

    wait_for(lambda: token in providers.apple.revoked, 20, "the revocation")
    wait_for(
        lambda: service.postgres.sql("diary", "select count(*) from apple_grants where user_id = %s", user)[0][0] == 0,
        20,
        "the grant's end",
    )
    assert set(other.identities()) == {"google"}
    # Apple's word opens a new account from now on; the old one keeps its other sign-in method.
    third = Visitor(service, providers)
    assert third.enter("apple", apple)["user"]["id"] != user
    assert not providers.apple.refusals


def test_g5_the_whole_way_from_apple_to_the_end_of_the_account_and_apple_is_notified(service, visitor, providers):
    """Signs in both sign_in_methods, links, refreshes, lists devices, deletes."""
    apple, google = sub(), sub()
    body = {**visitor.answer("apple", apple, code=True, email=relay(), email_verified="true"), "device": "Anna's phone"}
    visitor.enter("apple", apple, body=body)
    user = visitor.id
    visitor.link("google", google)
    tablet = Visitor(service, providers)
    tablet.enter("google", google, body={**tablet.answer("google", google), "device": "tablet"})
    visitor.use(visitor.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": visitor.tokens["refresh_token"]}).json())
    devices = {s["device"]: s for s in visitor.call("GET", "/v1/sessions", 200).json()["items"]}
    assert set(devices) == {"Anna's phone", "tablet"} and devices["Anna's phone"]["current"] and devices["tablet"]["place"]
    token = wait_for(lambda: [t for t, who in providers.apple.refresh_tokens.items() if who == apple], 20, "the exchange of the code")[0]
    visitor.create_text("words that are never read")
    providers.apple.down.add("/revoke")

    receipt = visitor.call("DELETE", "/v1/me", 202).json()["receipt"]

    tablet.call("GET", "/v1/me", 401)
    wait_for(lambda: visitor.call("GET", f"/v1/deletions/{receipt}", 200).json()["status"] == "erased", 60, "the erasure")
    # Apple is told also when it was away then: what it gave is sealed under the service's key, not the person's.
    assert token not in providers.apple.revoked
    providers.apple.down.clear()
    wait_for(lambda: token in providers.apple.revoked, 30, "the revocation")
    wait_for(
        lambda: service.postgres.sql("diary", "select count(*) from apple_grants where user_id = %s", user)[0][0] == 0,
        20,
        "the grant's end",
    )
    again = Visitor(service, providers)
    assert again.enter("apple", apple)["user"]["id"] != user


def test_adding_or_removing_a_sign_in_method_asks_for_a_fresh_proof(service, visitor, providers):
    """A stolen access token must not leave a sign-in method behind."""
    visitor.enter("apple", sub())
    visitor.link("google", sub())
    service.postgres.sql("diary", "update sessions set proved_at = proved_at - interval '11 minutes' where user_id = %s", visitor.id)
    before = visitor.identities()

    taken = visitor.call("DELETE", f"/v1/me/identities/{before['google']['id']}", 403).json()
    added = visitor.call("POST", "/v1/me/identities", 403, json={"provider": "google", **visitor.answer("google", sub())}).json()

    assert taken["code"] == added["code"] == "reauthentication_required"
    assert visitor.identities() == before


def test_a_sign_in_method_added_or_removed_is_reported_to_the_proved_address(service, visitor, providers):
    visitor.address = f"{secrets.token_hex(6)}@gmail.com"
    visitor.enter("google", sub(), email=visitor.address, email_verified=True)
    linked = visitor.link("apple", sub())
    wait_for(lambda: len(service.mails(visitor.address)) == 1, 20, "the news of it")

    visitor.call("DELETE", f"/v1/me/identities/{linked['id']}", 204)

    wait_for(lambda: len(service.mails(visitor.address)) == 2, 20, "the news of its end")
    assert ["added" in m["Subject"] for m in service.mails(visitor.address)] == [True, False]
    # What was not there goes without a word.
    visitor.call("DELETE", f"/v1/me/identities/{linked['id']}", 404)
    assert len(service.mails(visitor.address)) == 2


def test_a_revocation_is_tried_until_apple_takes_it(service, visitor, providers):
    apple = sub()
    visitor.enter("apple", apple, code=True)
    visitor.link("google", sub())
    token = wait_for(lambda: [t for t, who in providers.apple.refresh_tokens.items() if who == apple], 20, "the exchange")[0]
    providers.apple.down.add("/revoke")
    asked = providers.apple.hits["/revoke"]

    visitor.call("DELETE", f"/v1/me/identities/{visitor.identities()['apple']['id']}", 204)

    wait_for(lambda: providers.apple.hits["/revoke"] >= asked + 2, 20, "two tries")
    assert token not in providers.apple.revoked
    providers.apple.down.clear()
    wait_for(lambda: token in providers.apple.revoked, 20, "the revocation")


def test_another_persons_code_is_not_kept(service, visitor, providers):
    who = sub()
    body = {**visitor.answer("apple", who), "authorization_code": providers.apple.code("another.person", providers.apple_id)}
    visitor.enter("apple", who, body=body)
    count = "select count(*) from apple_grants where user_id = %s"
    wait_for(lambda: service.postgres.sql("diary", count, visitor.id)[0][0] == 0, 20, "the grant's end")


def test_the_last_sign_in_method_stays(service, visitor, providers):
    visitor.enter("google", sub())
    (only,) = visitor.identities().values()
    assert visitor.call("DELETE", f"/v1/me/identities/{only['id']}", 409).json()["code"] == "last_identity"
    visitor.link("apple", sub())
    ids = [i["id"] for i in visitor.identities().values()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = sorted(
            pool.map(
                lambda i: (
                    http_client.delete(f"{service.url}/v1/me/identities/{i}", headers=dict(visitor.http.headers), timeout=20).status_code
                ),
                ids,
            )
        )
    assert answers == [204, 409] and len(visitor.identities()) == 1
    visitor.call("DELETE", f"/v1/me/identities/{secrets.token_hex(4)}", 404)


def test_b13_linking_orders(service, visitor, providers):
    """Over HTTP what the table test shows in the store: an address alone opens no diary."""
    owner = service.user(address=f"{secrets.token_hex(6)}@gmail.com")
    # Google runs this mailbox and the account has proved it: one person.
    assert visitor.enter("google", sub(), email=owner.address, email_verified=True)["user"]["id"] == owner.id
    # No provider vouches for these.
    assert visitor.enter("google", sub(), 409, email=service.user().address, email_verified=True)["code"] == "account_exists"
    assert visitor.enter("google", sub(), 409, email=owner.address, email_verified=False)["code"] == "account_exists"
    assert visitor.enter("apple", sub(), 409, email=owner.address, email_verified="true")["code"] == "account_exists"
    # A sign-up that waits for its code is no account.
    waiting = f"{secrets.token_hex(6)}@gmail.com"
    visitor.call("POST", "/v1/auth/email/register", 202, json={"email": waiting, "password": "a long enough passphrase 7"})
    visitor.enter("google", sub(), email=waiting, email_verified=True)
    visitor.http.headers.pop("Authorization")
    visitor.call("POST", "/v1/auth/email", 401, json={"email": waiting, "password": "a long enough passphrase 7"})
    # The same subject at two issuers is two people, and an identity is one account's.
    same = sub()
    one = visitor.enter("apple", same)["user"]["id"]
    other = Visitor(service, providers)
    assert other.enter("google", same)["user"]["id"] != one
    assert other.link("apple", same, 409)["code"] == "identity_taken"
    # One that is linked already stays so.
    assert visitor.enter("apple", same)["user"]["id"] == one and visitor.link("apple", same, 200)["provider"] == "apple"


def test_account_exists_leaves_the_token_good_for_linking(service, providers):
    owner = service.user()
    visitor = Visitor(service, providers)
    body = visitor.answer("apple", sub(), email=owner.address, email_verified="true")
    visitor.enter("apple", "", 409, body=body)
    linked = owner.call("POST", "/v1/me/identities", 201, json={"provider": "apple", **body}).json()
    assert linked["email"] == owner.address and not linked["proves_email"]


@pytest.mark.parametrize("provider", ["apple", "google"])
def test_b2_forged_tokens_get_one_403_body(visitor, providers, provider):
    issuer, other = providers[provider], providers["google" if provider == "apple" else "apple"]
    nonce = visitor.nonce()
    bodies, count = set(), 0
    for name, token in forgeries(issuer, other, providers.audience(provider), nonce, sub()):
        refused = visitor.call("POST", f"/v1/auth/{provider}", json={"id_token": token, "nonce": nonce})
        count += 1
        # A key that the provider may have published since the last fetch: not before the next.
        if name in NAMES_UNKNOWN_KEY and refused.status_code == 503:
            assert 1 <= int(refused.headers["Retry-After"]) <= 61, (name, refused.text)
            continue
        assert refused.status_code == 403, (name, refused.text)
        bodies.add(str(sorted(without_id(refused.json()).items())))
    # The forger's tools work, and the nonce is still alive.
    visitor.enter(provider, "", body={"id_token": issuer.token(providers.audience(provider), nonce, sub()), "nonce": nonce})
    refused = visitor.call(
        "POST", f"/v1/auth/{provider}", 403, json={"id_token": issuer.token(providers.audience(provider), nonce, sub()), "nonce": nonce}
    )
    bodies.add(str(sorted(without_id(refused.json()).items())))
    print(f"B2: {count} forged ID tokens of {provider} over HTTP, 0 accepted, {len(bodies)} body")
    assert count >= 40 and len(bodies) == 1


def answers(url):
    try:
        return http_client.get(url, timeout=2).status_code == 200
    except requests.ConnectionError:
        return False


def test_b4_a_hundred_parallel_replays_over_two_processes_have_one_winner(service, visitor, providers):
    port = free_port()
    service.start("serve", "second", DIARY_LISTEN=f"127.0.0.1:{port}")
    wait_for(lambda: answers(f"http://127.0.0.1:{port}/readyz"), 20, "the second process")
    wins = []
    for turn in range(repetitions(3, 1)):
        body = visitor.answer("google", sub())

        def send(number):
            url = service.url if number % 2 else f"http://127.0.0.1:{port}"
            return http_client.post(url + "/v1/auth/google", json=body, headers={"Diary-App": "my-day"}, timeout=30).status_code

        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            statuses = list(pool.map(send, range(100)))
        wins.append((statuses.count(200), statuses.count(403)))
    service.stop("second")
    assert wins == [(1, 99)] * len(wins), wins


def test_b4_a_nonce_works_once_for_its_app_and_ten_minutes(service, visitor, providers):
    who = sub()
    body = visitor.answer("apple", who)
    visitor.enter("apple", who, body=body)
    assert visitor.enter("apple", who, 403, body=body)["code"] == "token_refused"
    old = visitor.answer("apple", who)
    service.postgres.sql("diary", "update sign_in_challenges set expires_at = clock_timestamp()")
    visitor.enter("apple", who, 403, body=old)
    # Another app's nonce.
    foreign = http_client.post(service.url + "/v1/auth/challenge", headers={"Diary-App": "quiet"}, timeout=5).json()["nonce"]
    visitor.enter("apple", who, 403, nonce=foreign)
    # One that the service never gave.
    visitor.enter("apple", who, 403, nonce=secrets.token_urlsafe(32))


def test_an_app_without_client_ids_says_so(service, visitor):
    visitor.http.headers["Diary-App"] = "quiet"
    for provider in ("apple", "google"):
        assert visitor.enter(provider, sub(), 409)["code"] == "provider_not_configured"


def test_providers_are_enabled_and_disabled_by_command(service, visitor, providers):
    app = "quiet"
    for words in (
        ("no-such-app", "--no-apple"),
        (app, "--no-apple", "--apple-client-id", "x"),
        (app, "--google-client-id", "a b"),
        (app, "--google-client-id", ""),
    ):
        done = subprocess.run([PROGRAM, "tenant", "sign-in", *words], env=service.environment, capture_output=True, text=True)
        assert done.returncode != 0 and done.stderr, words
    shown = json.loads(service.diary("tenant", "sign-in", app, "--apple-client-id", "b", "--apple-client-id", "a", "--json"))
    assert shown == {"slug": app, "apple": ["a", "b"], "google": []}
    assert json.loads(service.diary("tenant", "sign-in", app, "--google-client-id", "c", "--json"))["apple"] == ["a", "b"]
    wait_for(lambda: sign_in_methods(service, app) == ["email", "apple", "google"], 15, "both providers")
    service.diary("tenant", "sign-in", app, "--no-apple", "--no-google")
    wait_for(lambda: sign_in_methods(service, app) == ["email"], 15, "neither provider")


@pytest.mark.parametrize(
    "name,value",
    [
        ("DIARY_APPLE_ISSUER", "http://login.example.org"),
        ("DIARY_GOOGLE_ISSUER", "https://login.example.org/path"),
        ("DIARY_GOOGLE_ISSUER", "login.example.org"),
        ("DIARY_APPLE_KEY", "not a key"),
        ("DIARY_APPLE_KEY_ID", "short"),
        ("DIARY_APPLE_TEAM_ID", "TEAM 12345"),
        ("DIARY_APPLE_KEY", ""),
    ],
)
def test_a_bad_setting_is_named_and_not_printed(service, name, value):
    done = subprocess.run([PROGRAM, "serve"], env={**service.environment, name: value}, capture_output=True, text=True, timeout=20)
    said = done.stderr + done.stdout
    assert done.returncode != 0 and name in said and (not value or value not in said)


def test_b3_random_key_ids_fetch_keys_once_a_minute(service, visitor, providers):
    """Must show 8. The fast run sends fewer."""
    issuer, nonce, count = providers.google, visitor.nonce(), repetitions(10_000, 150)
    visitor.enter("google", sub())
    began, before = time.monotonic(), issuer.hits["/keys"]
    head, good = {"alg": "RS256", "typ": "JWT"}, issuer.claims(providers.google_id, nonce, sub())
    one = issuer.signed({**head, "kid": "x"}, good).split(".")

    def send(number):
        token = b64(json.dumps({**head, "kid": secrets.token_hex(8)}).encode()) + "." + one[1] + "." + one[2]
        with http_client.Session() as session:
            return session.post(
                service.url + "/v1/auth/google", json={"id_token": token, "nonce": nonce}, headers={"Diary-App": "my-day"}, timeout=30
            ).status_code

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(send, range(count)))
    minutes, fetched = int((time.monotonic() - began) // 60) + 1, issuer.hits["/keys"] - before
    print(f"B3: {count} tokens with random kid in {time.monotonic() - began:.0f} s, {fetched} fetches")
    # 403 after a fetch that did not bring the key, 503 until the next one is allowed.
    assert set(answers) <= {403, 503} and answers.count(403) <= 16 * (fetched + 1) and fetched <= minutes


def test_b3_known_keys_work_while_the_endpoint_is_down(visitor, providers):
    visitor.enter("google", sub())
    providers.google.down.add("/keys")
    visitor.enter("google", sub())
    providers.google.down.clear()


def test_without_keys_a_token_is_neither_good_nor_bad(providers):
    fresh = Providers()
    fresh.google.down.add("/keys")
    rig = Rig(**fresh.settings())
    try:
        enable_providers(rig, fresh)
        answer = Visitor(rig, fresh).call("POST", "/v1/auth/google", 503, json=Visitor(rig, fresh).answer("google", sub()))
        assert int(answer.headers["Retry-After"]) >= 1 and answer.json()["code"] == "dependency_unavailable"
    finally:
        rig.end()
        fresh.end()


def test_no_subject_token_or_nonce_lies_in_any_file(service, visitor, providers):
    """G1, G2 for what the providers give."""
    who, address = "canary." + secrets.token_hex(12), f"canary{secrets.token_hex(6)}@gmail.com"
    body = visitor.answer("apple", who, code=True, email=address, email_verified="true")
    visitor.enter("apple", who, body=body)
    token = wait_for(lambda: [t for t, s in providers.apple.refresh_tokens.items() if s == who], 20, "the exchange")[0]
    visitor.call("POST", "/v1/auth/apple", 403, json=body)
    notice = providers.apple.notification("email-enabled", who, providers.apple_id)
    notify(service, notice)
    service.postgres.sql("diary", "checkpoint")
    for needle in (who, address, body["nonce"], body["authorization_code"], body["id_token"][-40:], token, notice[-40:]):
        for folder in (service.postgres.folder, service.redis.folder, str(service.folder)):
            found = subprocess.run(["grep", "-rlaF", needle, folder], capture_output=True, text=True).stdout
            assert not found, (needle[:12], found)
