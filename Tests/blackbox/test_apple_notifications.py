"""B14: what Apple tells of its accounts, and what is not Apple's word."""

import time

import pytest

from oidc import Visitor
from processes import wait_for
from provider_scene import notify, relay, sub, without_id


def test_b14_mail_of_the_relay_stops_and_comes_back(service, visitor, providers):
    who, address, began = sub(), relay(), time.time()
    visitor.enter("apple", who, email=address, email_verified="true")
    assert visitor.call("GET", "/v1/me", 200).json()["email_verified"]
    notify(service, providers.apple.notification("email-disabled", who, providers.apple_id, at=began + 10))
    assert not visitor.call("GET", "/v1/me", 200).json()["email_verified"] and visitor.identities()["apple"]["mail_stopped"]
    # An older one that arrives later changes nothing.
    notify(service, providers.apple.notification("email-enabled", who, providers.apple_id, at=began + 5))
    assert visitor.identities()["apple"]["mail_stopped"]
    notify(service, providers.apple.notification("email-enabled", who, providers.apple_id, at=began + 20))
    assert visitor.call("GET", "/v1/me", 200).json()["email_verified"]


def test_b14_a_withdrawn_consent_ends_sessions_once(service, visitor, providers):
    who = sub()
    visitor.enter("apple", who, code=True)
    user = visitor.id
    wait_for(lambda: who in providers.apple.refresh_tokens.values(), 20, "the exchange")
    token = providers.apple.notification("consent-revoked", who, providers.apple_id)
    assert notify(service, token)["status"] == "handled"
    visitor.call("GET", "/v1/me", 401)
    visitor.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": visitor.tokens["refresh_token"]})
    assert service.postgres.sql("diary", "select count(*) from apple_grants where user_id = %s", user)[0][0] == 0
    # They come back to the same diary, and the same notice again does nothing to that.
    assert visitor.enter("apple", who)["user"]["id"] == user
    service.postgres.sql("diary", "update sessions set created_at = created_at - interval '1 hour' where user_id = %s", user)
    assert notify(service, token)["status"] == "known"
    visitor.call("GET", "/v1/me", 200)


@pytest.mark.parametrize("kind", ["account-deleted", "account-delete"])
def test_b14_a_deleted_apple_account_takes_no_diary_with_it(service, visitor, providers, kind):
    alone, both = sub(), sub()
    visitor.enter("apple", both)
    google = sub()
    visitor.link("google", google)
    entry, user = visitor.create_text("still here")["entry_id"], visitor.id
    single = Visitor(service, providers)
    single.enter("apple", alone)
    for who in (alone, both):
        notify(service, providers.apple.notification(kind, who, providers.apple_id))
    visitor.call("GET", "/v1/me", 401)
    assert visitor.enter("google", google)["user"]["id"] == user and list(visitor.identities()) == ["google"]
    assert visitor.entry(entry)["text"] == "still here"
    # The other account's only sign-in method stays, and so does what was written.
    assert service.postgres.sql("diary", "select count(*) from identities where user_id = %s", single.id)[0][0] == 1


def test_b14_forged_expired_and_foreign_notifications_are_refused(service, visitor, providers):
    who, now = sub(), int(time.time())
    visitor.enter("apple", who)
    apple, google = providers.apple, providers.google
    good = apple.notification("consent-revoked", who, providers.apple_id)
    first, second, third = good.split(".")
    bad = [
        google.notification("consent-revoked", who, providers.apple_id),
        apple.notification("consent-revoked", who, "com.example.other"),
        apple.notification("consent-revoked", who, providers.google_id),
        apple.notification("consent-revoked", who, providers.apple_id, exp=now - 120),
        apple.notification("consent-revoked", who, providers.apple_id, iat=now + 3600),
        apple.notification("consent-revoked", who, providers.apple_id, jti=None),
        apple.notification("consent-revoked", who, providers.apple_id, events=None),
        apple.notification("consent-revoked", who, providers.apple_id, iss=google.url),
        first + "." + second + ".",
        first + "." + second + "." + third[:-4] + "AAAA",
        apple.token(providers.apple_id, visitor.nonce(), who),
        "x",
    ]
    bodies = {str(sorted(without_id(notify(service, token, 403)).items())) for token in bad}
    assert len(bodies) == 1
    # Apple may have published the key since the last fetch: it tries again.
    unknown = google.notification("consent-revoked", who, providers.apple_id, iss=apple.url)
    assert notify(service, unknown, (403, 503))["code"] in ("token_refused", "dependency_unavailable")
    visitor.call("GET", "/v1/me", 200)
