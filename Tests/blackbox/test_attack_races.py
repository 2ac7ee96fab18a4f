"""A7, C1, E3, E5, G5: twenty hands on one entry, one export, one link."""

import io
import json
import random
import uuid
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from attack import Alive, harmless
from processes import wait_for
from user import SAMPLE

AUDIO = SAMPLE.read_bytes()


@pytest.fixture(scope="module")
def rigged(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig
    shared_rig.unscript()
    alive.check()


def together(count, work):
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def call(user, method, path, *expected, **more):
    headers = {"Authorization": user.http.headers["Authorization"], **more.pop("headers", {})}
    return harmless(http_client.request(method, user.rig.url + path, headers=headers, timeout=30, allow_redirects=False, **more), *expected)


def test_a7_create_complete_patch_and_delete_by_twenty_threads(rigged):
    user, dice = rigged.user(), random.Random(7)
    for round in range(6):
        mine = str(uuid.uuid4())
        body = {"id": mine, "kind": "voice", "content_type": "audio/mp4", "size_bytes": len(AUDIO), "recorded_at": "2026-03-01T12:00:00Z"}
        first = call(user, "POST", "/v1/entries", 201, json=body).json()
        acts = [dice.randrange(7) for _ in range(20)]

        def act(i):
            kind, path = acts[i], f"/v1/entries/{mine}"
            if kind == 0:
                return call(user, "POST", "/v1/entries", 201, 410, json=body)
            if kind == 1:
                return harmless(
                    http_client.put(first["upload"]["url"], data=AUDIO, headers=first["upload"]["headers"]), 200, 403, 404, 410, 412
                )
            if kind == 2:
                return call(user, "POST", f"/v1/uploads/{mine}/complete", 202, 404, 409)
            if kind == 3:
                return call(user, "PATCH", path, 200, 404, 409, json={"title": str(i)}, headers={"If-Match": "*"})
            if kind == 4 and i > 12:
                return call(user, "DELETE", path, 204, 404)
            if kind == 5:
                return call(user, "POST", f"/v1/uploads/{mine}/url", 200, 404, 409)
            return call(user, "GET", path, 200, 404)

        together(20, act)
        call(user, "DELETE", f"/v1/entries/{mine}", 204, 404)
        call(user, "GET", f"/v1/entries/{mine}", 404)
        assert call(user, "POST", "/v1/entries", 410, json=body).json()["code"] == "entry_deleted"
    wait_for(
        lambda: (
            rigged.postgres.sql(
                "diary", "select count(*) from jobs where user_id = %s and kind <> 'mail' and state not in ('done', 'dead')", user.id
            )
            == [(0,)]
        ),
        30,
        "the end of work",
    )
    assert rigged.postgres.sql(
        "diary", "select count(*) from entries where user_id = %s and (personal is not null or machine is not null)", user.id
    ) == [(0,)]
    assert rigged.postgres.sql("diary", "select count(*) from entry_segments where user_id = %s", user.id) == [(0,)]
    feed = user.call("GET", "/v1/changes", 200).json()
    assert len(feed["deleted"]) == 6 and not feed["items"]


def test_g5_deleting_at_any_moment_of_the_work_brings_nothing_back(rigged):
    user, dice = rigged.user(), random.Random(11)
    rigged.script("probe", delay_seconds=0.15)
    rigged.script("speech", delay_seconds=0.15)
    rigged.script("clean", delay_seconds=0.15)
    entries = [user.record() for _ in range(12)]

    def drop(i):
        __import__("time").sleep(dice.random() * 0.9)  # the moment is the dice's
        return call(user, "DELETE", f"/v1/entries/{entries[i]}", 204)

    together(12, drop)
    rigged.unscript()
    wait_for(
        lambda: (
            rigged.postgres.sql(
                "diary", "select count(*) from jobs where user_id = %s and kind <> 'mail' and state not in ('done', 'dead')", user.id
            )
            == [(0,)]
        ),
        30,
        "the end of work",
    )
    assert rigged.postgres.sql("diary", "select count(*) from entries where user_id = %s and machine is not null", user.id) == [(0,)]
    assert rigged.postgres.sql("diary", "select count(*) from entry_segments where user_id = %s", user.id) == [(0,)]
    assert not rigged.store.files_of(user.id), "a deleted recording lies in the store"


def test_a_patch_races_lose_no_change(rigged):
    user = rigged.user()
    made = user.create_text("start")
    path = f"/v1/entries/{made['entry_id']}"

    def change(i):
        for _ in range(40):
            now = call(user, "GET", path, 200)
            tags = now.json()["tags"] + [f"t{i}"]
            if call(user, "PATCH", path, 200, 412, 409, json={"tags": tags}, headers={"If-Match": now.headers["etag"]}).status_code == 200:
                return True
        return False

    assert all(together(12, change))
    assert sorted(user.entry(made["entry_id"])["tags"]) == sorted(f"t{i}" for i in range(12))


def test_e3_twenty_takes_at_once_are_at_most_the_limit(rigged):
    user = rigged.user()
    user.create_text("words", recorded_at="2026-03-01T12:00:00Z")
    export = user.export()
    link = wait_for(user.export_links, 20, "the link")[0]
    answers = together(20, lambda _: harmless(http_client.post(link + "/download", allow_redirects=False), 303, 410).status_code)
    assert answers.count(303) == export["link_downloads_max"]
    assert user.call("GET", f"/v1/exports/{export['id']}", 200).json()["downloads"] == export["link_downloads_max"]
    call(user, "DELETE", f"/v1/exports/{export['id']}", 204)
    assert http_client.get(link).status_code == 410


def test_e3_a_revoked_export_is_never_mailed_nor_kept(rigged):
    user = rigged.user()
    user.create_text("words", recorded_at="2026-03-01T12:00:00Z")
    made = [call(user, "POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"] for _ in range(5)]
    together(5, lambda i: call(user, "DELETE", f"/v1/exports/{made[i]}", 204))
    wait_for(
        lambda: (
            rigged.postgres.sql("diary", "select count(*) from jobs where user_id = %s and state not in ('done', 'dead')", user.id)
            == [(0,)]
        ),
        30,
        "the end of work",
    )
    wait_for(lambda: not [name for name in rigged.store.names(user.id) if name[0] == "export"], 20, "the zips' end")
    for link in user.export_links():
        assert http_client.get(link).status_code == 410


def test_e5_entries_deleted_and_edited_while_zipping_leave_a_whole_zip(rigged):
    user = rigged.user()
    ids = [user.create_text(f"words {i}", recorded_at=f"2026-03-01T12:00:{i:02d}Z")["entry_id"] for i in range(30)]
    voice = [user.record(recorded_at=f"2026-03-02T12:00:{i:02d}Z") for i in range(4)]
    for entry in voice:
        user.wait_done(entry)

    def act(i):
        if i == 0:
            return [call(user, "POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"] for _ in range(2)]
        if i < 3:
            return call(user, "DELETE", f"/v1/entries/{voice[i]}", 204)
        return call(
            user,
            "PATCH" if i % 2 else "DELETE",
            f"/v1/entries/{ids[i]}",
            200,
            204,
            json={"text": "changed"} if i % 2 else None,
            headers={"If-Match": "*"},
        )

    exports = together(16, act)[0]

    def settled(export):
        # A deletion after it was ready ends its link.
        shown = call(user, "GET", f"/v1/exports/{export}", 200).json()
        assert shown["status"] != "failed", shown
        return shown["status"] == "revoked" or (shown["status"] == "ready" and shown["mail_status"] == "sent")

    for export in exports:
        wait_for(lambda export=export: settled(export), 40, "the export")
    # Nothing is deleted any more.
    links = len(user.export_links())
    user.export()
    wait_for(lambda: len(user.export_links()) > links, 20, "the link")
    downloads = [http_client.post(link + "/download") for link in user.export_links()]
    assert downloads[-1].status_code == 200 and {d.status_code for d in downloads} <= {200, 410}
    for download in downloads:
        if download.status_code == 410:
            continue
        archive = zipfile.ZipFile(io.BytesIO(download.content))
        assert archive.testzip() is None
        manifest = json.loads(archive.read("manifest.json"))
        named = {f["path"] for e in manifest["entries"] for f in e["files"]} | {"index.html", "manifest.json"}
        assert named == set(archive.namelist()) and len(archive.namelist()) == len(set(archive.namelist()))
