"""API tokens of devices and scripts: what each may do, how they end, and what guesses of them cost."""

import base64
import hashlib
import json
import secrets
import subprocess
import time
import uuid

import pytest

import http_client
from contract import CONTRACT
from erasure_remains import erase, nothing_left, wait_erased
from probe_scene import needed_scopes
from processes import PROGRAM, wait_for
from repetitions import repetitions

SCOPES = ("entries:read", "entries:write", "exports", "all")
PREFIX = "diary_token_"


@pytest.fixture(scope="module")
def owner(shared_rig):
    return shared_rig.user()


def make(user, *scopes, expect=201, **more):
    answer = user.call("POST", "/v1/me/tokens", expect, json={"name": "iPhone", "scopes": list(scopes), **more})
    return answer.json()


def bearer(made):
    return {"Authorization": "Bearer " + made["token"]}


def unpacked(token):
    return bytearray(base64.urlsafe_b64decode(token.removeprefix(PREFIX)))


def packed(bytes_):
    """With a checksum that fits."""
    signed = bytes(bytes_[:-4])
    return PREFIX + base64.urlsafe_b64encode(signed + hashlib.sha256(signed).digest()[:4]).decode()


def code(answer):
    return answer.json()["code"] if answer.content and "problem" in answer.headers.get("content-type", "") else None


def test_a_token_is_shown_once_and_works_until_it_is_revoked(rig):
    user, other = rig.user(), rig.user()
    made = make(user, "entries:write", "entries:read", expires_in_days=30)
    assert made["token"].startswith(PREFIX) and len(made["token"]) == 136 and packed(unpacked(made["token"])) == made["token"]
    assert made["scopes"] == ["entries:read", "entries:write"] and made["last_used_at"] is None
    assert abs(time.mktime(time.strptime(made["expires_at"][:19], "%Y-%m-%dT%H:%M:%S")) - time.time() - 30 * 86_400) < 86_400

    entry = user.call("POST", "/v1/entries", 201, json={"kind": "text", "text": "by the watch"}, headers=bearer(made)).json()["entry"]
    assert user.call("GET", f"/v1/entries/{entry['id']}", 200, headers=bearer(made)).json()["text"] == "by the watch"
    wait_for(lambda: user.call("GET", "/v1/me/tokens", 200).json()["items"][0]["last_used_at"], 10, "the time of its use")
    (listed,) = user.call("GET", "/v1/me/tokens", 200).json()["items"]
    assert {**listed, "last_used_at": None} == {name: value for name, value in made.items() if name != "token"}

    other.call("DELETE", f"/v1/me/tokens/{made['id']}", 404)
    user.call("DELETE", f"/v1/me/tokens/{made['id']}", 204)
    user.call("DELETE", f"/v1/me/tokens/{made['id']}", 404)
    user.call("GET", "/v1/entries", 401, headers=bearer(made))
    assert user.call("GET", "/v1/me/tokens", 200).json()["items"] == []
    events = user.call("GET", "/v1/me/events", 200).json()["items"][:2]
    assert [(event["kind"], event["session_id"]) for event in events] == [("token_revoked", made["id"]), ("token_created", made["id"])]


def test_a_token_is_made_with_fields_that_fit_and_after_a_fresh_proof(rig):
    user = rig.user()
    for body, pointer in (
        ({"name": "x"}, "/scopes"),
        ({"name": "x", "scopes": []}, "/scopes"),
        ({"name": "x", "scopes": ["entries"]}, "/scopes/0"),
        ({"name": " ", "scopes": ["all"]}, "/name"),
        ({"name": "x" * 61, "scopes": ["all"]}, "/name"),
        ({"name": "x", "scopes": ["all"], "expires_in_days": 0}, "/expires_in_days"),
        ({"name": "x", "scopes": ["all"], "expires_in_days": 3_651}, "/expires_in_days"),
        ({"name": "x", "scopes": ["all"], "expires": 1}, "/expires"),
    ):
        assert user.call("POST", "/v1/me/tokens", 422, json=body).json()["errors"][0]["pointer"] == pointer, body
    rig.postgres.sql("diary", "update sessions set proved_at = now() - interval '11 minutes' where user_id = %s", user.id)
    assert make(user, "all", expect=403)["code"] == "reauthentication_required"
    user.call("POST", "/v1/me/reauthenticate", 204, json={"password": user.password})
    make(user, "all")
    insert = """
        insert into api_tokens (tenant_id, user_id, id, name_sealed, token_hash, scopes, expires_at)
        select tenant_id, user_id, gen_random_uuid(), name_sealed, token_hash, scopes, expires_at from api_tokens, generate_series(1, 49)
        where user_id = %s
        """
    rig.postgres.sql("diary", insert, user.id)
    assert make(user, "all", expect=409)["code"] == "too_many_tokens"
    assert len(user.call("GET", "/v1/me/tokens", 200).json()["items"]) == 50


def test_every_operation_takes_the_tokens_that_the_contract_says_and_no_other(rig, owner):
    """Bodies are empty and ids made up, so that what is allowed does nothing."""
    tokens = {scope: bearer(make(owner, scope)) for scope in SCOPES}
    both = bearer(make(owner, "entries:read", "entries:write"))
    faults, allowed = [], 0
    for method, template, _, operation in CONTRACT.operations:
        if not any("bearer" in way for way in operation.get("security", CONTRACT.document["security"])):
            continue
        path, needed = template, needed_scopes(operation)
        for name in ("id", "segment", "name", "note"):
            path = path.replace(f"{{{name}}}", str(uuid.uuid4()))
        body = {"json": {"purpose": "proof"} if template == "/v1/auth/codes" else {}} if "requestBody" in operation else {}
        for held, headers in [*(({scope}, header) for scope, header in tokens.items()), ({"entries:read", "entries:write"}, both)]:
            answer = owner.call(method, path, headers=headers, **body)
            may = needed is not None and ("all" in held or needed <= held)
            allowed += may
            if may == (code(answer) == "insufficient_scope") or answer.status_code == 401:
                faults.append(f"{method} {template} with {sorted(held)}: {answer.status_code} {code(answer)}")
            if not may and needed is not None:
                lacking = ", ".join(sorted(needed - held))
                assert answer.json()["detail"] == f"The API token lacks: {lacking}.", answer.text
    assert faults == [] and allowed > 100


def test_a_token_that_may_only_add_is_shown_no_words_of_what_was_there(rig):
    user = rig.user()
    add, both = bearer(make(user, "entries:write")), bearer(make(user, "entries:write", "entries:read"))
    note = {"kind": "text", "id": str(uuid.uuid4()), "title": "Lake", "text": "we swam", "tags": ["summer"], "metadata": {"cue": "7"}}
    phone = {"kind": "voice", "audio": "device", "title": "Lake", "transcript": {"text": "we swam"}}
    said = user.call("POST", "/v1/entries", 201, json=phone, headers=add).json()["entry"]
    assert said["text"] == "we swam", "what it has just sent"
    made = user.call("POST", "/v1/entries", 201, json=note, headers=add).json()["entry"]

    for headers, shown in ((add, False), (both, True)):
        again = user.call("POST", "/v1/entries", 201, json=note, headers=headers).json()["entry"]
        ended = user.call("POST", f"/v1/uploads/{said['id']}/complete", 202, headers=headers).json()["entry"]
        assert (again["id"], ended["id"]) == (made["id"], said["id"])
        # Its words may have been cleaned meanwhile.
        assert again["text"] == ("we swam" if shown else None)
        assert ended["text"] in (("we swam", "we swam.") if shown else (None,))
        if not shown:
            assert (again["title"], again["tags"], again["metadata"], ended["transcript_raw"]) == (None, [], {}, None)


def test_tokens_end_with_time_with_the_account_and_where_asked_with_the_password(rig):
    user = rig.user()
    old, kept = make(user, "all"), make(user, "all")
    rig.postgres.sql("diary", "update api_tokens set expires_at = now() where id = %s", old["id"])
    user.call("GET", "/v1/me", 401, headers=bearer(old))

    def change(current, new, **more):
        user.use(user.call("POST", "/v1/me/password", 200, json={"current_password": current, "new_password": new, **more}).json())

    change(user.password, "another long passphrase 8")
    user.call("GET", "/v1/me", 200, headers=bearer(kept))
    change("another long passphrase 8", user.password, end_tokens=True)
    user.call("GET", "/v1/me", 401, headers=bearer(kept))

    reset, left = make(user, "all"), make(user, "entries:read")
    request = user.ask_code("new_password", email=user.address)
    body = {"email": user.address, "code": user.account_code(1), "request": request, "password": "a third long passphrase 9"}
    user.use(user.call("POST", "/v1/auth/email/reset/confirm", 200, json={**body, "end_tokens": True}).json())
    user.call("GET", "/v1/me", 401, headers=bearer(reset))
    assert user.call("GET", "/v1/me/tokens", 200).json()["items"] == []

    last = make(user, "all")
    user.password = "a third long passphrase 9"
    receipt = erase(user)["receipt"]
    for made in (last, left):
        user.call("GET", "/v1/entries", 401, headers=bearer(made))
    wait_erased(rig, receipt)
    nothing_left(rig, user)


def test_guesses_are_refused_before_anything_is_charged(rig, owner):
    made = make(owner, "entries:read")
    real = unpacked(made["token"])

    def guesses():
        yield "one bit off", bytes([*real[:60], real[60] ^ 1, *real[61:]])
        yield "all scopes", bytes([*real[:48], 15, *real[49:]])
        while True:
            yield "another secret", bytes(real[:49]) + secrets.token_bytes(44)
            yield "another id", bytes(real[:32]) + secrets.token_bytes(61)
            yield "nobody's", secrets.token_bytes(93)

    with http_client.Session() as http:
        for _, (how, guess) in zip(range(repetitions(10_000, 500)), guesses(), strict=False):
            answer = http.get(rig.url + "/v1/entries", headers={"Authorization": "Bearer " + packed(guess)}, timeout=10)
            assert answer.status_code == 401 and "RateLimit" not in answer.headers, how
    owner.call("GET", "/v1/entries", 200, headers=bearer(made))


def test_an_operator_lists_and_revokes_tokens_and_makes_accounts(rig):
    user = rig.user()
    made, other = make(user, "exports"), make(user, "all")

    listed = json.loads(rig.diary("user", "tokens", "list", user.app, user.id, "--json"))
    assert [(one["id"], one["scopes"]) for one in listed] == [(other["id"], ["all"]), (made["id"], ["exports"])]
    shown = rig.diary("user", "tokens", "list", user.app, user.id)
    assert made["id"] in shown and "iPhone" not in shown and made["token"] not in shown
    assert "1 ended" in rig.diary("user", "tokens", "revoke", user.app, user.address, "--token", made["id"])
    user.call("GET", "/v1/exports", 401, headers=bearer(made))
    user.call("GET", "/v1/exports", 200, headers=bearer(other))
    rig.diary("user", "tokens", "revoke", user.app, user.id)
    user.call("GET", "/v1/exports", 401, headers=bearer(other))

    address, password = f"{secrets.token_hex(8)}@example.org", "nine quiet lighthouses ü"

    def create(words, given=password):
        return subprocess.run(
            [PROGRAM, "user", "create", *words], env=rig.environment, input=given, capture_output=True, text=True, timeout=60
        )

    done = create([user.app, address, "--name", "Anna", "--time-zone", "Europe/Berlin", "--json"])
    assert done.returncode == 0 and address not in done.stdout + done.stderr, done
    signed_in = user.call("POST", "/v1/auth/email", 200, json={"email": address, "password": password}).json()
    assert signed_in["user"]["id"] == json.loads(done.stdout)["id"] and signed_in["profile"]["name"] == "Anna"
    for words, given, why in (
        ([user.app, address], password, "has this address"),
        ([user.app, f"2{address}"], "short", "the password"),
        ([user.app, f"2{address}", "--time-zone", "Mars/One"], password, "time zone"),
        (["nowhere", f"2{address}"], password, "no tenant"),
    ):
        refused = create(words, given)
        assert refused.returncode == 1 and why in refused.stderr and password not in refused.stderr, refused
    assert "user_created" in rig.diary("tenant", "acts", user.app, "--limit", "20")
