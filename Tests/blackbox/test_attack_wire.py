"""F1, F3: requests that two servers could read differently, odd methods, and many hands on one key."""

import secrets
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from attack import Alive, harmless, raw, statuses
from processes import wait_for


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig, shared_rig.user()
    shared_rig.unscript()
    alive.check()


def together(count, work):
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_f3_ambiguous_framing_is_refused_and_the_second_request_never_runs(scene):
    rig, user = scene
    bearer = user.http.headers["Authorization"]
    inner_body = b'{"kind":"text","text":"smuggled"}'
    inner = (
        b"POST /v1/entries HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        % (bearer.encode(), len(inner_body))
    ) + inner_body
    start = b"POST /v1/auth/refresh HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    n = b"%d" % len(inner)
    cases = [
        b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: " + n + b"\r\n\r\n0\r\n\r\n",
        b"Content-Length: 0\r\nContent-Length: " + n + b"\r\n\r\n",
        b"Content-Length: 0, " + n + b"\r\n\r\n",
        b"Content-Length : 0\r\n\r\n",
        b"Content-Length:\t0x0\r\n\r\n",
        b"Content-Length: -0\r\n\r\n",
        b"Content-Length: +0\r\n\r\n",
        b"Content-Length: 0 0\r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"Content-Length: 00000000000000000000\r\n\r\n",
        b"Content-Length: 9223372036854775808\r\n\r\n",
        b"Content-Length: 18446744073709551616\r\n\r\n",
        b"Transfer-Encoding: xchunked\r\n\r\n",
        b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: identity\r\n\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        b"Transfer_Encoding: chunked\r\nX\r\n\r\n",
        b" Transfer-Encoding: chunked\r\n\r\n",
        b"X: a\r\n Transfer-Encoding: chunked\r\n\r\n",
        b"X: a\nTransfer-Encoding: chunked\r\n\r\n",
        b"X: a\rTransfer-Encoding: chunked\r\n\r\n",
        b"Transfer-Encoding\x00: chunked\r\n\r\n",
        b"X: \x00\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1\r\naXX0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n;\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1\na\n0\n\n",
        b"Host: y\r\n\r\n",
        b"\r\nX",
        b": x\r\n\r\n",
        b"X: " + b"a" * 20_000 + b"\r\n\r\n",
        b"".join(b"X%d: a\r\n" % i for i in range(120)) + b"\r\n",
    ]
    for case in cases:
        answer = raw(rig, start + case + inner, 0.6)
        codes = statuses(answer)
        assert 201 not in codes and codes and codes[0] in (400, 411, 413, 415, 422, 431), (case[:80], answer[:300])
        assert b"application/problem+json" in answer
    for line in (
        b"GET  /livez HTTP/1.1",
        b"GET /livez HTTP/1.1 ",
        b"GET /livez HTTP/2.0",
        b"GET /livez HTTP/0.9",
        b"GET /livez",
        b"get /livez HTTP/1.1",
        b"G\x00T /livez HTTP/1.1",
        b"GET /li\x00vez HTTP/1.1",
        b"GET /\xff HTTP/1.1",
        b"GET /livez#x HTTP/1.1",
        b"GET /livez HTTP/1.1\nX: y",
        b"\x16\x03\x01\x02\x00",
        b"PRI * HTTP/2.0",
        b"GET ://x HTTP/1.1",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1",
        b"A" * 70_000,
    ):
        answer = raw(rig, line + b"\r\nHost: x\r\n\r\n", 0.6)
        assert not answer or statuses(answer)[0] in (400, 404, 405, 414, 431, 505), (line[:60], answer[:200])
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []


def test_f1_methods_that_no_operation_has_are_405_with_allow(scene):
    rig, user = scene
    for path in ("/v1/entries", "/v1/me", "/v1/auth/refresh", "/livez", f"/v1/entries/{uuid.uuid4()}", "/exports/x/download", "/objects/x"):
        for method in ("TRACE", "PUT", "PATCH", "PROPFIND", "CONNECT"):
            codes = statuses(raw(rig, f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode(), 1))
            assert codes and codes[0] in (400, 401, 403, 405, 428), (method, path, codes)


def test_a7_one_key_with_twenty_different_bodies_makes_one_entry(scene):
    rig, user = scene
    key = secrets.token_hex(8)
    headers = {"Authorization": user.http.headers["Authorization"], "Idempotency-Key": key}
    answers = together(
        20, lambda i: harmless(http_client.post(rig.url + "/v1/entries", json={"kind": "text", "text": str(i)}, headers=headers), 201, 422)
    )
    assert [a.status_code for a in answers].count(201) == 1
    mine = str(uuid.uuid4())
    answers = together(
        20,
        lambda i: harmless(
            http_client.post(
                rig.url + "/v1/entries",
                json={"id": mine, "kind": "text", "text": "same"},
                headers={**headers, "Idempotency-Key": f"{key}-{i}"},
            ),
            201,
        ),
    )
    assert {a.json()["entry_id"] for a in answers} == {mine}
    answers = together(
        20,
        lambda i: harmless(
            http_client.post(rig.url + "/v1/exports", json={"from": "2026-01-01", "to": f"2026-01-{i % 2 + 1:02d}"}, headers=headers),
            202,
            422,
        ),
    )
    assert len({a.json()["id"] for a in answers if a.status_code == 202}) == 1 and any(a.status_code == 422 for a in answers)
    deleted = user.create_text("x", key=key + "-gone")["entry_id"]
    user.call("DELETE", f"/v1/entries/{deleted}", 204)
    harmless(
        http_client.post(
            rig.url + "/v1/entries", json={"kind": "text", "text": "x"}, headers={**headers, "Idempotency-Key": key + "-gone"}
        ),
        404,
        409,
        410,
        422,
    )


def test_a1_twenty_completes_and_twenty_retries_do_the_work_once_each(scene):
    rig, user = scene
    log = rig.folder / f"speech-{secrets.token_hex(4)}"
    rig.script("speech", fail="permanent", calls_log=str(log))
    made = user.create_voice()
    user.put(made["upload"])
    bearer = {"Authorization": user.http.headers["Authorization"]}
    path = rig.url + f"/v1/entries/{made['entry_id']}"
    together(20, lambda _: harmless(http_client.post(f"{rig.url}/v1/uploads/{made['entry_id']}/complete", headers=bearer), 202))
    user.wait_done(made["entry_id"], status="failed")
    assert len(log.read_text().splitlines()) == 1
    rig.script("speech", calls_log=str(log))
    answers = together(20, lambda _: harmless(http_client.post(path + "/reprocess", json={}, headers=bearer), 202, 409).status_code)
    assert answers.count(202) == 1
    user.wait_done(made["entry_id"])
    assert len(log.read_text().splitlines()) == 2


def test_f1_a_page_of_long_entries_stays_small(scene):
    """A page is bounded in bytes too: a few readers of 200 long entries would hold all memory and both cores."""
    rig, user = scene[0], scene[0].user()
    bearer = {"Authorization": user.http.headers["Authorization"]}
    together(
        4,
        lambda i: [
            harmless(http_client.post(rig.url + "/v1/entries", json={"kind": "text", "text": "a" * 200_000}, headers=bearer), 201)
            for _ in range(15)
        ],
    )
    for path in ("changes?limit=200", "entries?limit=200&order=asc"):
        assert len(user.call("GET", f"/v1/{path}", 200, timeout=60).content) < 8_000_000, "one answer has every entry whole"


def test_d7_abandoned_uploads_do_not_hide_another_upload_from_the_sweeper(scene):
    rig, user = scene
    tenant = rig.postgres.sql("diary", "select tenant_id from users where id = %s", user.id)[0][0]
    waiting = user.create_voice()["entry_id"]
    columns = [
        r[0]
        for r in rig.postgres.sql(
            "diary", "select column_name from information_schema.columns where table_name = 'entries' and is_generated = 'NEVER'"
        )
    ]
    copied = ", ".join(
        {
            "id": "gen_random_uuid()",
            "object_id": "gen_random_uuid()",
            "created_at": "created_at - interval '1 hour'",
            "change_number": "change_number + 1000000 + g",
        }.get(c, c)
        for c in columns
    )
    rig.postgres.sql(
        "diary",
        f"insert into entries ({', '.join(columns)}) select {copied} from entries, generate_series(1, 1000) g where tenant_id = %s and user_id = %s and id = %s",
        tenant,
        user.id,
        waiting,
    )
    try:
        other = rig.user()
        made = other.create_voice()
        other.put(made["upload"])
        other.wait_done(made["entry_id"], 5)
    finally:
        rig.postgres.sql(
            "diary", "delete from entries where tenant_id = %s and user_id = %s and status = 'awaiting_upload'", tenant, user.id
        )


def test_decision_d15_a_second_worker_leaves_the_folders_of_the_first(own_rig):
    """Workers on one machine share the settings; the start of one must not empty the folders another works in."""
    rig = own_rig
    user = rig.user()
    rig.script("probe", delay_seconds=60)
    user.record()
    folder = wait_for(lambda: [p for p in (rig.folder / "tmp").iterdir() if p.is_dir() and list(p.iterdir())], 10, "the job's folder")[0]
    theirs = next(folder.iterdir())
    rig.start("work", "second")
    # Its own folder comes after it has emptied those of the dead.
    wait_for(lambda: [p for p in (rig.folder / "tmp").iterdir() if p.is_dir() and p != folder], 20, "the second worker's folder")
    assert theirs.exists(), "the recording that a running job works on is gone"
