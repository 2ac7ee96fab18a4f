"""A4, A5: Redis and Postgres away."""

import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from processes import wait_for
from repetitions import repetitions
from user import SAMPLE


@pytest.mark.long
def test_a4_redis_wiped_and_stopped_with_entries_in_flight(own_rig):
    rig = own_rig
    users = [rig.user() for _ in range(5)]
    rig.script("speech", delay_seconds=0.1)
    before, wiped, entries, texts = repetitions((25, 35, 50, 20), (10, 15, 20, 10))

    def start(i):
        user = users[i % len(users)]
        audio = SAMPLE.read_bytes()[:40_000] + secrets.token_bytes(32)
        return user, user.record(audio)

    with ThreadPoolExecutor(8) as pool:
        flying = list(pool.map(start, range(before)))
        rig.redis.cli("flushall")
        flying += list(pool.map(start, range(before, wiped)))
        rig.redis.stop()
        stopped = time.monotonic()
        # API writes keep answering 2xx while it is down.
        flying += list(pool.map(start, range(wiped, entries)))
        for i in range(texts):
            users[i % 5].create_text(f"written while Redis is down {i}")
        time.sleep(max(0, repetitions(10, 4) - (time.monotonic() - stopped)))
        assert http_client.get(rig.url + "/readyz").status_code == 200
        rig.redis.start()
    for user, entry_id in flying:
        user.wait_done(entry_id, 60)
    assert len({entry_id for _, entry_id in flying}) == entries
    assert sum(len(u.call("GET", "/v1/entries", 200, params={"limit": 200}).json()["items"]) for u in users) == entries + texts


def test_a5_postgres_down_gives_only_503_with_retry_after_and_comes_back(own_rig):
    rig = own_rig
    user = rig.user()
    user.create_text("before")
    rig.postgres.stop("immediate")
    for _ in range(5):
        for method, path, body in (
            ("GET", "/v1/entries", None),
            ("POST", "/v1/entries", {"kind": "text", "text": "x"}),
            ("GET", "/v1/me", None),
        ):
            answer = user.call(method, path, 503, json=body)
            assert 1 <= int(answer.headers["retry-after"]) <= 30 and answer.json()["retryable"] is True
    assert http_client.get(rig.url + "/livez").status_code == 200
    assert http_client.get(rig.url + "/readyz").status_code == 503
    rig.postgres.start()

    def back():
        return user.call("GET", "/v1/entries").status_code == 200

    wait_for(back, 10, "recovery")
    user.wait_done(user.record())


def test_a14_a_graceful_stop_counts_no_try(own_rig):
    rig = own_rig
    user = rig.user()
    rig.script("speech", delay_seconds=1.0)
    entries = [user.record(SAMPLE.read_bytes() + bytes([i])) for i in range(4)]
    wait_for(lambda: rig.postgres.sql("diary", "select 1 from jobs where kind = 'transcribe' and state = 'leased'"), 20, "work")
    assert rig.stop("work") == 0
    assert rig.postgres.sql("diary", "select coalesce(sum(errors + crashes), 0)::int from jobs") == [(0,)]
    assert rig.postgres.sql("diary", "select count(*) from jobs where state = 'leased'") == [(0,)]
    rig.start("work")
    for entry_id in entries:
        user.wait_done(entry_id, 40)


def test_a13_a_poison_recording_is_quarantined_and_others_go_on(own_rig):
    rig = own_rig
    user = rig.user()
    rig.stop("work")
    # A worker that dies each time it reaches the recogniser; a supervisor that starts it again.
    rig.start("work", DIARY_FAIL="P14:1:kill")
    poison = user.record()

    def failed():
        rig.supervise("work", DIARY_FAIL="P14:1:kill")
        entry = user.entry(poison)
        return entry if entry["status"] == "failed" else None

    entry = wait_for(failed, 60, "quarantine")
    assert entry["processing"]["code"] == "processing_crashed"
    rig.stop("work")
    rig.start("work")
    user.wait_done(user.record(SAMPLE.read_bytes() + b"x"))
    user.retry(poison)
    user.wait_done(poison)
