"""F3: the request hidden in another one never runs, straight to the service and behind nginx as it is deployed."""

import json
import types

import pytest

import http_client
from attack import Alive, raw, statuses
from proxies import Nginx, needs_nginx
from smuggling import cases, inner, request


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    user = shared_rig.user()
    yield shared_rig, user, inner(user.http.headers["Authorization"].encode())
    alive.check()


def test_f3_every_case_ends_in_a_refusal_and_the_hidden_request_never_runs(scene):
    rig, user, hidden = scene
    table = cases(hidden)
    assert len(table) >= 40
    for name, rest in table.items():
        answer = raw(rig, request(name, rest, hidden), 0.5)
        codes = statuses(answer)
        assert codes and codes[0] in (400, 401, 411, 413, 415, 422, 431) and 201 not in codes, (name, answer[:300])
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []


@needs_nginx
def test_f3_behind_nginx_nothing_runs_that_nginx_did_not_see_and_no_client_gets_anothers_answer(scene):
    rig, user, hidden = scene
    nginx = Nginx(rig.folder, [rig.port])
    try:
        front, session = types.SimpleNamespace(port=nginx.port), http_client.Session()
        for name, rest in cases(hidden).items():
            answer = raw(front, request(name, rest, hidden), 0.5)
            assert all(code < 500 or code == 501 for code in statuses(answer)), (name, answer[:300])
            # The connections between nginx and the service are shared: a leftover would answer the next one.
            for path, member in (("/livez", "status"), ("/v1/config", "limits"), ("/v1/me", "code")):
                other = session.get(f"http://127.0.0.1:{nginx.port}{path}", timeout=10)
                assert member in json.loads(other.content), (name, path, other.text[:300])
        made = len(user.call("GET", "/v1/entries?limit=200", 200).json()["items"])
        # Some of them nginx reads as two requests of one client, and then they are two. What it does not read must not run. 499: the client
        # had gone before the answer, so that the entry may have been made or not.
        answered, abandoned = (nginx.logs().count(f'"POST /v1/entries" {status}') for status in (201, 499))
        assert answered <= made <= answered + abandoned
    finally:
        nginx.end()
