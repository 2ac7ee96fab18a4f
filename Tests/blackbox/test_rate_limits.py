"""F6: one limit over several API processes, and what is left of it without Redis."""

import concurrent.futures
import threading
import time

import pytest
import requests

import http_client
from contract import CONTRACT
from processes import free_port, wait_for
from rig import Rig

pytestmark = pytest.mark.alone

PROCESSES, LIMIT, SECONDS = 4, 120, 5


@pytest.fixture(scope="module")
def crowd():
    """Four API processes over one Redis; an app whose people read 120 times a minute."""
    rig = Rig(DIARY_RATE_FACTOR="1")
    rig.diary("tenant", "set", "my-day", f"limits.reads_per_minute={LIMIT}")
    urls = [rig.url]
    for number in range(1, PROCESSES):
        port = free_port()
        rig.start("serve", f"serve-{number}", DIARY_LISTEN=f"127.0.0.1:{port}")
        urls.append(f"http://127.0.0.1:{port}")
    for url in urls:

        def limited():
            try:
                policies = http_client.get(url + "/v1/config", timeout=5).json()["rate_policies"]
            except requests.ConnectionError:
                return False
            return any(p["name"] == "reads" and p["limit"] == LIMIT for p in policies)

        wait_for(limited, 20, "the limit in every process")
    yield rig, urls
    rig.end()


def hammer(urls, authorization, seconds):
    """Calls all processes at once for some seconds. Returns how many passed, the refusals, and how long it took."""
    answers, lock = [], threading.Lock()
    began = time.monotonic()

    def one(url):
        with http_client.Session() as http:
            http.headers["Authorization"] = authorization
            while time.monotonic() - began < seconds:
                answer = http.get(url + "/v1/me", timeout=10)
                with lock:
                    answers.append(answer)

    with concurrent.futures.ThreadPoolExecutor(len(urls)) as pool:
        list(pool.map(one, urls))
    took = time.monotonic() - began
    for answer in answers:
        CONTRACT.check(answer)
        assert f'"reads";q={LIMIT};w=60' in answer.headers["ratelimit-policy"]
        if answer.status_code != 200:
            assert answer.status_code == 429, answer.text
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert '"reads";r=0;t=' in answer.headers["ratelimit"]
    refusals = [answer for answer in answers if answer.status_code != 200]
    return len(answers) - len(refusals), refusals, took


def test_f6_four_processes_count_together_within_a_tenth(crowd):
    rig, urls = crowd
    user = rig.user()

    passed, refusals, took = hammer(urls, user.http.headers["Authorization"], SECONDS)

    allowed = LIMIT + LIMIT / 60 * took
    print(f"\n{passed} passed, {len(refusals)} refused; {allowed:.0f} are allowed in {took:.1f} s")
    assert allowed * 0.9 - 2 <= passed <= allowed * 1.1
    assert len(refusals) > 50


def test_f6_without_redis_each_process_limits_by_itself(crowd):
    rig, urls = crowd
    user = rig.user()
    rig.redis.stop()
    try:
        passed, refusals, took = hammer(urls, user.http.headers["Authorization"], SECONDS)
    finally:
        rig.redis.start()

    allowed = PROCESSES * (LIMIT + LIMIT / 60 * took)
    print(f"\n{passed} passed, {len(refusals)} refused; at most {allowed:.0f} are allowed in {took:.1f} s")
    assert passed <= allowed * 1.1
    assert len(refusals) > 50
