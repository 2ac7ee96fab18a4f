"""What counts as work against an account's limits: retries do, answers that are repeated do not (A7, F6)."""

import json
import secrets
import uuid

import pytest

import http_client
from processes import wait_for
from rig import Rig

RANGE = {"from": "2026-01-01", "to": "2026-12-31"}
DAILY = 3


@pytest.fixture(scope="module")
def counted():
    """Limits as they are, and an app with few entries a day."""
    rig = Rig(DIARY_RATE_FACTOR="1")
    rig.diary("tenant", "set", "my-day", f"limits.entries_per_day={DAILY}")

    def limited():
        policies = http_client.get(rig.url + "/v1/config", headers={"Diary-App": "my-day"}, timeout=10).json()["rate_policies"]
        return any(p["name"] == "entries-day" and p["limit"] == DAILY for p in policies)

    wait_for(limited, 10, "the limit")
    yield rig
    rig.end()


def left(answer, policy):
    """The calls that remain of a limit, from the answer's `RateLimit`."""
    states = dict(state.strip().split(";", 1) for state in answer.headers["ratelimit"].split(","))
    return int(states[f'"{policy}"'].split(";")[0].removeprefix("r="))


def test_a7_a_repeated_export_request_costs_none_of_the_days_exports_and_is_answered_when_they_are_used_up(counted):
    user = counted.user()
    keys = [secrets.token_hex(8) for _ in range(5)]

    def ask(key, expect=202, **body):
        return user.call("POST", "/v1/exports", expect, json={**RANGE, **body}, headers={"Idempotency-Key": key})

    first = ask(keys[0])
    again = [ask(keys[0]) for _ in range(10)]
    made = [first, *(ask(key) for key in keys[1:])]
    assert [left(a, "exports-day") for a in (first, *again)] == [4] * 11
    assert min(left(a, "writes") for a in again) >= left(first, "writes") - 1
    assert {a.json()["id"] for a in again} == {first.json()["id"]} and {a.headers["Idempotency-Replayed"] for a in again} == {"true"}
    assert [left(a, "exports-day") for a in made] == [4, 3, 2, 1, 0]

    for key, earlier in zip(keys, made, strict=True):
        late = ask(key)
        assert late.json()["id"] == earlier.json()["id"] and late.headers["Idempotency-Replayed"] == "true"
        assert left(late, "exports-day") == 0
    refused = ask(secrets.token_hex(8), 429).json()
    assert refused["code"] == "rate_limited"
    assert ask(keys[0], 422, to="2026-11-30").json()["code"] == "idempotency_mismatch"
    user.call("POST", "/v1/exports", 429, json=RANGE)
    assert len(user.call("GET", "/v1/exports", 200).json()["items"]) == 5


def test_a7_a_repeated_entry_costs_nothing_and_is_answered_over_the_limit(counted):
    user, other = counted.user(), counted.user()
    keys = [secrets.token_hex(8) for _ in range(DAILY)]
    body = {"kind": "text", "text": "words", "recorded_at": "2026-03-01T12:00:00Z"}

    def create(person, key, expect=201):
        return person.call("POST", "/v1/entries", expect, json=body, headers={"Idempotency-Key": key})

    made = [create(user, key) for key in keys]
    again = [create(user, key) for key in keys for _ in range(2)]
    assert [a.json()["entry_id"] for a in again] == [m.json()["entry_id"] for m in made for _ in range(2)]
    assert [left(a, "entries-day") for a in again] == [0] * 6
    create(user, secrets.token_hex(8), 429)
    assert create(other, keys[0]).json()["entry_id"] not in [m.json()["entry_id"] for m in made], "another person's key"
    assert len(user.call("GET", "/v1/entries", 200).json()["items"]) == DAILY


def test_a_retry_counts_like_a_new_entry_and_one_that_makes_no_work_does_not(counted):
    user = counted.user()
    counted.script("speech", fail="permanent")
    failed = user.record()
    user.wait_done(failed, status="failed")
    counts = []
    for _ in range(DAILY - 1):
        answer = user.retry(failed)
        counts.append(left(answer, "entries-day"))
        user.wait_done(failed, status="failed")
    assert counts == [1, 0]
    refused = user.retry(failed, 429)
    assert refused.json()["code"] == "rate_limited" and left(refused, "entries-day") == 0
    counted.unscript()


def test_a_failure_of_the_recording_itself_is_not_tried_again(counted):
    user = counted.user()
    log = counted.folder / "probes"
    counted.script("probe", fail="permanent", calls_log=str(log))
    entry = user.record()
    shown = user.wait_done(entry, status="failed")
    assert shown["processing"]["code"] == "media_unreadable" and shown["processing"]["action"] == "upload_again"
    for _ in range(3):
        answer = user.retry(entry, 409)
        assert answer.json()["code"] == "reprocess_not_possible" and left(answer, "entries-day") == DAILY - 1
    assert user.entry(entry)["status"] == "failed" and len(log.read_text().splitlines()) == 1
    counted.unscript()
    lines = wait_for(
        lambda: [json.loads(line) for line in counted.log_text().splitlines() if '"media_unreadable"' in line], 10, "the line of the job"
    )
    assert [line["level"] for line in lines] == ["notice"], "no operator is called for a recording"


def test_a7_a_repeated_retry_starts_no_second_one_and_costs_nothing(counted):
    user, key = counted.user(), {"Idempotency-Key": secrets.token_hex(8)}
    counted.script("speech", fail="permanent")
    failed = user.record()
    user.wait_done(failed, status="failed")
    first = user.retry(failed, headers=key)
    shown = user.wait_done(failed, status="failed")
    again = user.retry(failed, headers=key)
    assert again.headers["Idempotency-Replayed"] == "true" and again.json() == shown
    assert left(again, "entries-day") == left(first, "entries-day")
    counted.unscript()
    refused = user.retry(uuid.uuid4(), 422, headers=key).json()
    assert refused["code"] == "idempotency_mismatch"


def test_a7_a_repeated_proof_is_answered_alike_and_a_repeated_request_for_a_code_mails_another(counted):
    user = counted.user()
    first = user.ask_code("proof")
    body = {"code": user.account_code(1), "request": first}
    for replayed in (None, "true"):
        proved = user.call("POST", "/v1/me/reauthenticate", 204, json=body, headers={"Idempotency-Key": "proof"})
        assert proved.headers.get("Idempotency-Replayed") == replayed
    assert user.call("POST", "/v1/me/reauthenticate", 403, json=body).json()["code"] == "code_refused"
    assert user.ask_code("proof") != first
    user.account_code(2)


def test_a7_a_code_that_is_asked_for_again_with_its_key_is_mailed_once(counted):
    user, key = counted.user(), {"Idempotency-Key": secrets.token_hex(8)}

    def ask(expect=202, **body):
        return user.call("POST", "/v1/auth/codes", expect, json=body, headers=key)

    first, again = ask(purpose="proof"), ask(purpose="proof")
    assert (first.json(), first.headers.get("Idempotency-Replayed")) == (again.json(), None)
    assert again.headers["Idempotency-Replayed"] == "true"
    body = {"code": user.account_code(1), "request": again.json()["request"]}
    user.call("POST", "/v1/me/reauthenticate", 204, json=body)
    assert ask(422, purpose="new_email", email=f"next-{user.address}").json()["code"] == "idempotency_mismatch"
    codes = f"select purpose from email_codes where user_id = '{user.id}' and purpose <> 'verify'"
    assert counted.postgres.sql("diary", codes) == [("reauthenticate",)]
