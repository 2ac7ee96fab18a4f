"""Good ID tokens: of a key that is newer than the service's last look, with claims that are there and say nothing, and of people whose
mailbox is at one of the provider's own domains. They sign in, now or as soon as the key is known; what is forged stays refused."""

import concurrent.futures
import secrets
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from oidc import Visitor, b64
from provider_scene import sub

PHONE = "ios.apps.example"
"""A second client id of the app, at Google: its phones' beside its pages'."""


def token_of(providers, provider, nonce, who, header=None, audience=None, **claims):
    """As `Issuer.token`, with claims that are null."""
    issuer = providers[provider]
    payload = {**issuer.claims(audience or providers.audience(provider), nonce, who), **claims}
    return issuer.signed({"alg": "RS256", "kid": issuer.kid, "typ": "JWT", **(header or {})}, payload)


def address_at(domain):
    return f"{secrets.token_hex(6)}@{domain}"


# -- Keys

NEW_KEYS = {
    "Google: a new key": ("google", "rotated", {}),
    "Google: a new key, of a phone": ("google", "rotated", {"audience": PHONE}),
    "Google: a new key, with an address": ("google", "rotated", {"email": "anna@gmail.com", "email_verified": True}),
    "Apple: a new key": ("apple", "rotated", {}),
    "Apple: a new key, with a relay": ("apple", "rotated", {"email": "a1b2c3@privaterelay.appleid.com", "email_verified": "true"}),
    "Google: a key id that nobody has": ("google", secrets.token_hex(20), {}),
    "Google: a key id as a UUID": ("google", str(uuid.uuid4()), {}),
    "Apple: a key id of ten letters": ("apple", "Bh6H7rHVmb", {}),
    "Apple: a key id with other signs": ("apple", "pyaRQpAbnY-_/+=", {}),
}
"""Provider, key id (`rotated`: the provider's own key since a moment), and what else the token has."""
FORGED = {
    "another issuer": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, iss="https://login.example.org"),
    "the other provider as issuer": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, iss=p.apple.url),
    "no issuer": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, iss=None),
    "another app's audience": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, audience="com.example.other"),
    "the other provider's audience": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, audience=p.apple_id),
    "no audience": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}, aud=None),
    "no algorithm": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown", "alg": "none"}),
    "a secret's algorithm": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown", "alg": "HS256"}),
    "no key id": lambda p, n: token_of(p, "google", n, sub(), {"kid": None}),
    "a payload that is no JSON": lambda p, n: ".".join(map(b64, (b'{"alg":"RS256","kid":"unknown"}', b"words", bytes(256)))),
    "two parts": lambda p, n: token_of(p, "google", n, sub(), {"kid": "unknown"}).rpartition(".")[0],
}


@pytest.fixture(scope="module")
def asked(service, providers):
    """All within a minute of a look at the keys: what they were answered, and what once the service looks for the first time again."""

    def restart():
        service.stop("serve")
        service.start("serve")

    def ask(visitor, provider, body):
        return visitor.call("POST", f"/v1/auth/{provider}", json=body)

    service.diary("tenant", "sign-in", "my-day", "--google-client-id", providers.google_id, "--google-client-id", PHONE)
    visitor, found = Visitor(service, providers), {}
    restart()
    for provider in ("apple", "google"):
        visitor.enter(provider, sub())
    linked = {"provider": "google", "nonce": visitor.nonce()}
    looks = [providers[provider].hits["/keys"] for provider in ("apple", "google")]
    for provider in ("apple", "google"):
        providers[provider].key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        providers[provider].kid = secrets.token_hex(20)
    bodies = {}
    for name, (provider, kid, more) in NEW_KEYS.items():
        nonce = visitor.nonce()
        header = {} if kid == "rotated" else {"kid": kid}
        bodies[name] = {"id_token": token_of(providers, provider, nonce, sub(), header, **more), "nonce": nonce}
        found[name] = ask(visitor, provider, bodies[name])
    found["once more"] = ask(visitor, "google", bodies["Google: a new key"])
    linked["id_token"] = token_of(providers, "google", linked["nonce"], sub())
    found["linking"] = visitor.call("POST", "/v1/me/identities", json=linked)
    for name, forge in FORGED.items():
        nonce = visitor.nonce()
        found[name] = ask(visitor, "google", {"id_token": forge(providers, nonce), "nonce": nonce})
    found["looks"] = [providers[provider].hits["/keys"] - before for provider, before in zip(("apple", "google"), looks)]

    restart()
    before = providers.google.hits["/keys"]
    found["first"] = ask(visitor, "google", bodies["Google: a key id that nobody has"])
    found["its looks"] = providers.google.hits["/keys"] - before
    found["known since"] = {
        name: ask(Visitor(service, providers), provider, bodies[name]) for name, (provider, kid, _) in NEW_KEYS.items() if kid == "rotated"
    }
    return found


def is_for_later(answer):
    assert answer.status_code == 503, answer.text
    assert answer.json()["retryable"] and 1 <= int(answer.headers["Retry-After"]) <= 60, (answer.headers, answer.text)


@pytest.mark.parametrize("name", [*NEW_KEYS, "once more", "linking"])
def test_a_token_of_an_unknown_key_is_for_later_while_the_service_may_not_look(asked, name):
    is_for_later(asked[name])


@pytest.mark.parametrize("name", FORGED)
def test_another_token_of_an_unknown_key_stays_refused(asked, name):
    assert (asked[name].status_code, asked[name].json()["code"]) == (403, "token_refused"), asked[name].text


def test_no_look_more_is_taken(asked):
    assert asked["looks"] == [0, 0]


def test_a_key_that_a_look_did_not_bring_is_refused(asked):
    assert (asked["its looks"], asked["first"].status_code) == (1, 403), asked["first"].text


@pytest.mark.parametrize("name", [name for name, (_, kid, _) in NEW_KEYS.items() if kid == "rotated"])
def test_the_same_token_and_nonce_sign_in_once_the_key_is_known(asked, name):
    assert asked["known since"][name].status_code == 200, asked["known since"][name].text


# -- Claims

SAYS_NOTHING = {
    "email null": ("google", {"email": None}),
    "email null, verified": ("apple", {"email": None, "email_verified": "true"}),
    "email empty": ("google", {"email": ""}),
    "email empty, as Apple's later tokens": ("apple", {"email": "", "email_verified": ""}),
    "email blank": ("apple", {"email": "  "}),
    "email at a domain beyond ASCII": ("google", {"email": "anna@bücher.example", "email_verified": True}),
    "email_verified null": ("google", {"email": "new", "email_verified": None}),
    "email_verified as text": ("google", {"email": "new", "email_verified": "true"}),
    "email_verified as text, false": ("google", {"email": "new", "email_verified": "false"}),
    "email_verified as a number": ("google", {"email": "new", "email_verified": 1}),
    "email_verified as a number, 0": ("apple", {"email": "new", "email_verified": 0}),
    "email_verified without an address": ("apple", {"email_verified": "true"}),
    "name null": ("google", {"name": None, "given_name": None, "family_name": None}),
    "name empty": ("google", {"name": "", "given_name": "", "family_name": ""}),
    "name as an object": ("apple", {"name": {"firstName": "Anna", "lastName": ""}}),
    "picture as an object": ("google", {"picture": {"url": "https://example.org/a.png"}}),
    "picture null": ("google", {"picture": None}),
    "locale null": ("google", {"locale": None}),
    "locale as an object": ("google", {"locale": {"language": "de", "country": "DE"}}),
    "hd null": ("google", {"email": "new", "email_verified": True, "hd": None}),
    "hd empty": ("google", {"email": "new", "email_verified": True, "hd": ""}),
    "is_private_email as text": ("apple", {"email": "relay", "email_verified": "true", "is_private_email": "true"}),
    "is_private_email null": ("apple", {"email": "relay", "email_verified": True, "is_private_email": None}),
    "is_private_email as a number": ("apple", {"email": "relay", "email_verified": "true", "is_private_email": 1}),
    "nonce_supported as text": ("apple", {"nonce_supported": "true"}),
    "nonce_supported null": ("apple", {"nonce_supported": None}),
    "real_user_status as text": ("apple", {"real_user_status": "2"}),
    "real_user_status null": ("apple", {"real_user_status": None}),
    "transfer_sub null": ("apple", {"transfer_sub": None}),
    "auth_time as text": ("apple", {"auth_time": "1780000000"}),
    "at_hash null": ("google", {"at_hash": None, "c_hash": None}),
    "jti as a number": ("google", {"jti": 7}),
    "claims that nobody knows": ("google", {"org_id": None, "roles": [], "ext": {"a": [{"b": None}]}, "https://example.org/x": 1.5}),
}
"""What stands in the token beside what a sign-in needs; `new` and `relay` stand for an address that nobody has here."""


@pytest.mark.parametrize("name", SAYS_NOTHING)
def test_a_claim_that_says_nothing_ends_no_sign_in(service, visitor, providers, name):
    provider, claims = SAYS_NOTHING[name]
    addresses = {"new": address_at("example.org"), "relay": address_at("privaterelay.appleid.com")}
    if claims.get("email") in addresses:
        claims = {**claims, "email": addresses[claims["email"]]}
    nonce, who = visitor.nonce(), sub()
    first = visitor.enter(provider, who, body={"id_token": token_of(providers, provider, nonce, who, **claims), "nonce": nonce})
    if not (claims.get("email") or "").strip():
        assert (first["profile"]["email"], first["profile"]["email_verified"]) == (None, False), first["profile"]
    nonce = visitor.nonce()
    again = visitor.enter(provider, who, body={"id_token": token_of(providers, provider, nonce, who, **claims), "nonce": nonce})
    assert again["user"] == first["user"]


# -- Mailboxes

JOINED = {
    "gmail.com": ("google", "gmail.com", {"email_verified": True}),
    "googlemail.com": ("google", "googlemail.com", {"email_verified": True}),
    "googlemail.com in capitals": ("google", "GoogleMail.com", {"email_verified": True}),
    "googlemail.com, verified as text": ("google", "googlemail.com", {"email_verified": "true"}),
    "googlemail.com with an empty hd": ("google", "googlemail.com", {"email_verified": True, "hd": ""}),
    "icloud.com": ("apple", "icloud.com", {"email_verified": "true"}),
    "icloud.com in capitals": ("apple", "iCloud.com", {"email_verified": True}),
    "me.com": ("apple", "me.com", {"email_verified": True}),
    "mac.com": ("apple", "mac.com", {"email_verified": "true"}),
    "privaterelay.appleid.com": ("apple", "privaterelay.appleid.com", {"email_verified": "true", "is_private_email": "true"}),
}
"""Provider, domain, and what the token says beside the address."""
APART = {
    "gmail.com by Apple": ("apple", "gmail.com", {"email_verified": "true"}),
    "googlemail.com by Apple": ("apple", "googlemail.com", {"email_verified": "true"}),
    "icloud.com by Google": ("google", "icloud.com", {"email_verified": True}),
    "googlemail.com, not verified": ("google", "googlemail.com", {"email_verified": False}),
    "icloud.com, not verified": ("apple", "icloud.com", {"email_verified": "false"}),
    "me.com without a word": ("apple", "me.com", {}),
    "a domain that ends alike": ("google", "notgooglemail.com", {"email_verified": True}),
    "a domain that begins alike": ("apple", "icloud.com.example.org", {"email_verified": "true"}),
    "a domain below": ("apple", "mail.mac.com", {"email_verified": "true"}),
    "another's domain with an empty hd": ("google", "example.org", {"email_verified": True, "hd": ""}),
    "another's domain with hd null": ("google", "example.org", {"email_verified": True, "hd": None}),
}


@pytest.fixture(scope="module")
def owners(service):
    """People who signed up by mail, at once: an address by the name of its input."""

    def owner(item):
        name, (_, domain, _) = item
        return name, service.user(address=address_at(domain.lower()))

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        return dict(pool.map(owner, {**JOINED, **APART}.items()))


def comes(service, providers, owner, provider, domain, claims):
    visitor = Visitor(service, providers)
    nonce, address = visitor.nonce(), owner.address.partition("@")[0] + "@" + domain
    token = token_of(providers, provider, nonce, sub(), email=address, **claims)
    return visitor.call("POST", f"/v1/auth/{provider}", json={"id_token": token, "nonce": nonce})


@pytest.mark.parametrize("name", JOINED)
def test_an_address_that_the_provider_hosts_leads_to_its_account(service, providers, owners, name):
    answer = comes(service, providers, owners[name], *JOINED[name])
    assert answer.status_code == 200, answer.text
    assert answer.json()["user"]["id"] == owners[name].id and not answer.json()["is_new"]


@pytest.mark.parametrize("name", APART)
def test_an_address_that_the_provider_does_not_host_or_prove_opens_nothing(service, providers, owners, name):
    answer = comes(service, providers, owners[name], *APART[name])
    assert (answer.status_code, answer.json()["code"]) == (409, "account_exists"), answer.text
