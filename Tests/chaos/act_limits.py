"""A4: the limits of sign-in while Redis is away, full, read-only or silent: counted by each process itself, never unlimited."""

import signal
import time

import requests

import http_client
from processes import free_port, wait_for
from supervisor import spawn

# Route, a body that is refused, calls at once, calls per second afterwards.
ROUTES = {
    "verify": ("/v1/auth/email/verify", {"email": "unknown@example.org", "code": "00000000", "request": "x"}, 30, 0.5),
    "login": ("/v1/auth/email", {"email": "unknown@example.org", "password": "not the passphrase 1"}, 30, 0.5),
    "refresh": ("/v1/auth/refresh", {"refresh_token": "x"}, 60, 1.0),
}


def play(run):
    routes = run.pick(["verify"], list(ROUTES))
    with run.rig() as rig:
        ports = [free_port(), free_port()]
        for number, port in enumerate(ports):
            start(rig, port, f"serve-limited-{number}")
        states = {"there": lambda: None, "killed": rig.redis.stop, "full": lambda: full(rig), "read-only": lambda: read_only(rig)}
        if run.long:
            states["silent"] = lambda: rig.redis.process.send_signal(signal.SIGSTOP)
        passed, refused, fresh = {}, 0, 0
        for state, begin in states.items():
            begin()
            try:
                for route in routes:
                    fresh += 1
                    for port in ports:
                        done, walls = hammer(port, f"198.51.100.{fresh}", route)
                        passed[f"{state} {route} {ports.index(port)}"] = done
                        refused += walls
            finally:
                end(rig, state)
        # Redis is back and well: both processes count together again. (One that waited 0.2 s in vain, on a busy machine, counts by itself.)
        for port in ports:
            wait_for(
                lambda: http_client.get(f"http://127.0.0.1:{port}/readyz", timeout=5).json()["checks"]["redis"] == "ok", 15, "Redis again"
            )
        for attempt in range(3):
            together = [hammer(port, f"203.0.113.{attempt}", "verify")[0] for port in ports]
            if together[1] <= 5:
                break
        assert together[1] <= 5, f"two processes let {together} calls through together"
        return {"passed": passed, "refused": refused}, (
            f"Redis {', '.join(states)}: each of 2 processes let a burst and no more through on {', '.join(routes)} and refused {refused} calls with 429 and Retry-After; "
            f"with Redis there the two count together ({together[0]} + {together[1]})"
        )


def hammer(port, address, route):
    """Calls until well past the limit; returns how many were let through, and how many were refused."""
    path, body, burst, rate = ROUTES[route]
    began, passed, refused = time.monotonic(), 0, 0
    with http_client.Session() as http:
        for _ in range(burst + 12):
            answer = http.post(
                f"http://127.0.0.1:{port}{path}", json=body, headers={"Diary-App": "my-day", "X-Forwarded-For": address}, timeout=10
            )
            if answer.status_code == 429:
                assert int(answer.headers["retry-after"]) >= 1
                refused += 1
            else:
                assert 400 <= answer.status_code < 429, f"{route}: {answer.status_code} {answer.text[:200]}"
                passed += 1
    most = burst + rate * (time.monotonic() - began) + 1
    assert passed <= most, f"{route}: {passed} of {burst + 12} calls let through, at most {most:.0f} are allowed"
    assert refused > 0
    return passed, refused


def start(rig, port, name):
    spawn(rig, name, "serve", DIARY_LISTEN=f"127.0.0.1:{port}", DIARY_RATE_FACTOR="1", DIARY_TRUSTED_PROXIES="127.0.0.1")

    def alive():
        try:
            return http_client.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
        except requests.ConnectionError:
            return False

    wait_for(alive, 20, "readiness")


def full(rig):
    rig.redis.cli("config", "set", "maxmemory-policy", "noeviction")
    rig.redis.cli("config", "set", "maxmemory", "1mb")
    assert any("OOM" in rig.redis.cli("set", f"ballast-{i}", "x" * 50_000) for i in range(40)), "Redis is not full"


def read_only(rig):
    rig.redis.cli("replicaof", "127.0.0.1", "1")
    assert "READONLY" in rig.redis.cli("set", "probe", "x"), "Redis is not read-only"


def end(rig, state):
    if state == "killed":
        rig.redis.start()
    elif state == "full":
        rig.redis.cli("flushall")
        rig.redis.cli("config", "set", "maxmemory", "0")
    elif state == "read-only":
        rig.redis.cli("replicaof", "no", "one")
    elif state == "silent":
        rig.redis.process.send_signal(signal.SIGCONT)
    time.sleep(0.5)
