"""Exports in several parts: each a zip of its own, downloaded and counted by itself, resumed after a kill, and gone with the export (A1, E2, E3)."""

import io
import json
import secrets
import zipfile

import pytest

import http_client
from processes import wait_for
from repetitions import repetitions
from rig import Rig
from user import sha256

pytestmark = pytest.mark.any_store

PART_BYTES = 16_384
RECORDING = 9_000
POINTS = ["X01", "X02", "X03", "X04", "X05", "P31", "P32", "P34"]


@pytest.fixture(scope="module")
def parts_rig():
    rig = Rig(DIARY_EXPORT_PART_BYTES=str(PART_BYTES))
    yield rig
    rig.end()


def recorded(rig, count):
    """A person with so many recordings, one a day; two do not fit in a part."""
    user = rig.user()
    user.audio = [b"\0\0\0\x18ftypM4A " + secrets.token_bytes(RECORDING) for _ in range(count)]
    entries = [user.record(audio, recorded_at=f"2026-03-{day:02}T12:00:00Z") for day, audio in enumerate(user.audio, 1)]
    for entry in entries:
        user.wait_done(entry)
    return user


def checked(zips, user):
    """The zips hold all recordings, in order of time, each once and as its manifest says."""
    held, names = [], set()
    for number, content in enumerate(zips, 1):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
            manifest = json.loads(archive.read("manifest.json"))
            assert manifest["part"] == {"number": number, "count": len(zips)}
            assert f"part {number} of {len(zips)}" in archive.read("index.html").decode()
            assert manifest["entry_count"] == len(manifest["entries"]) > 0
            files = [file for entry in manifest["entries"] for file in entry["files"]]
            own = {file["path"] for file in files}
            assert set(archive.namelist()) == own | {"index.html", "manifest.json"} and not own & names
            names |= own
            for file in files:
                assert sha256(archive.read(file["path"])) == file["sha256"]
            held += [sha256(archive.read(path)) for path in archive.namelist() if path.startswith("audio/")]
    assert held == [sha256(audio) for audio in user.audio]


def file_url(user, export, part=None, expect=200):
    return user.call("GET", f"/v1/exports/{export}/url" + (f"?part={part}" if part else ""), expect).json()


def stored_zips(rig, user):
    return [name for name in rig.store.names(user.id) if name[0] == "export"]


def test_each_part_is_a_zip_that_owner_and_link_download_and_count_by_itself(parts_rig):
    rig = parts_rig
    user = recorded(rig, 3)
    export = user.export()
    parts, days = export["parts"], f"{export['from']}_{export['to']}"
    assert [(p["number"], p["entry_count"], p["filename"]) for p in parts] == [(n, 1, f"diary_{days}_part{n}of3.zip") for n in (1, 2, 3)]
    assert sum(p["size_bytes"] for p in parts) == export["size_bytes"] and export["entry_count"] == 3 and "progress" not in export

    own = [http_client.get(file_url(user, export["id"], n)["url"]) for n in (1, 2, 3)]
    checked([response.content for response in own], user)
    assert [f'filename="{p["filename"]}"' in r.headers["content-disposition"] for p, r in zip(parts, own, strict=True)] == [True] * 3
    assert len({response.headers["etag"] for response in own}) == 3
    (link,) = user.export_links()
    checked([user.download(link, n) for n in (1, 2, 3)], user)

    for part in (None, 4, 1001, 0, "x"):
        query = "" if part is None else f"?part={part}"
        refused = user.call("GET", f"/v1/exports/{export['id']}/url{query}", 422).json()
        assert [e["pointer"] for e in refused["errors"]] == ["query/part"]
        answer = http_client.post(link + "/download" + query, allow_redirects=False)
        assert answer.status_code == 422 and answer.json()["code"] == "invalid_fields"
    # What is left is of each part.
    for _ in range(export["link_downloads_max"] - 1):
        http_client.post(link + "/download?part=2", allow_redirects=False)
    page = http_client.get(link).text
    assert page.count("<form") == 2 and "?part=1" in page and "?part=2" not in page and "Part 2 of 3" in page
    assert http_client.post(link + "/download?part=2", allow_redirects=False).status_code == 410
    checked([user.download(link, 1)] + [http_client.get(file_url(user, export["id"], n)["url"]).content for n in (2, 3)], user)


def test_d1_the_number_of_a_part_cannot_be_changed_in_its_url(parts_rig):
    user = recorded(parts_rig, 2)
    export = user.export()["id"]
    url = file_url(user, export, 1)["url"]
    assert "part=1&" in url
    for altered in (url.replace("part=1", "part=2"), url.replace("part=1&", ""), url.replace("part=1&", "part=1&part=1&"), url + "&part=1"):
        assert http_client.get(altered).status_code == 403
    part = http_client.get(url, headers={"Range": "bytes=10-"})
    assert part.status_code == 206 and part.content == http_client.get(url).content[10:]


def test_an_export_in_one_piece_has_one_part(rig):
    user = rig.user()
    user.create_text("lantern", recorded_at="2026-03-01T12:00:00Z")
    export = user.export()
    assert export["parts"] == [
        {
            "number": 1,
            "size_bytes": export["size_bytes"],
            "entry_count": 1,
            "filename": f"diary_{export['from']}_{export['to']}.zip",
            "downloads": 0,
        }
    ]
    urls = [file_url(user, export["id"], part)["url"] for part in (None, 1)]
    assert len({http_client.get(url).content for url in urls}) == 1 and not any("part=" in url for url in urls)
    assert [e["pointer"] for e in file_url(user, export["id"], 2, 422)["errors"]] == ["query/part"]
    (link,) = user.export_links()
    assert user.download(link, 1) == user.download(link)


def end_by_revoking(user, export):
    user.call("DELETE", f"/v1/exports/{export}", 204)


def end_by_age(user, export):
    user.rig.postgres.sql("diary", "update exports set expires_at = clock_timestamp() where id = %s", export)


def end_by_erasure(user, export):
    user.call("DELETE", "/v1/me", 202, json={"password": user.password})


@pytest.mark.parametrize("end", [end_by_revoking, end_by_age, end_by_erasure])
def test_g5_all_parts_go_with_their_export(parts_rig, end):
    rig = parts_rig
    user = recorded(rig, 2)
    export = user.export()["id"]
    (link,) = user.export_links()
    url = file_url(user, export, 2)["url"]
    # What the building kept is gone soon.
    wait_for(lambda: len(stored_zips(rig, user)) == 2, 20, "two zips alone")
    found = rig.diary("objects", "verify", "--json")
    assert user.id not in found, found

    end(user, export)

    assert {http_client.get(address).status_code for address in (url, link)} <= {403, 410}
    wait_for(lambda: not stored_zips(rig, user), 30, "no zip")
    named = "select count(*) from export_parts where user_id = %s and object_id is not null"
    wait_for(lambda: rig.postgres.sql("diary", named, user.id) == [(0,)], 20, "rows that name none")


@pytest.mark.parametrize("point", repetitions(POINTS, ["X01", "X03", "X04"]))
def test_a1_a_kill_while_parts_are_built_loses_and_repeats_nothing(parts_rig, point):
    rig = parts_rig
    user = recorded(rig, 3)
    once = rig.folder / f"once-{point}"
    rig.stop("work")
    rig.start("work", DIARY_FAIL=f"{point}:{2 if point in ('X03', 'X04', 'P31') else 1}:kill", DIARY_FAIL_ONCE=str(once))
    export = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31"}).json()["id"]
    wait_for(lambda: rig.processes["work"].poll() is not None, 30, f"{point}: the death")
    built = "select number, object_id::text from export_parts where export_id = %s and object_id is not null"
    before = rig.postgres.sql("diary", built, export)
    assert len(before) == {"X01": 0, "X02": 0, "X03": 1, "X04": 2, "P31": 0, "P32": 0, "P34": 3, "X05": 3}[point]
    snapshot = rig.postgres.sql("diary", "select work_object_id from exports where id = %s", export)
    # Of no part: what is written after the snapshot.
    if point != "X01":
        user.create_text("late", recorded_at="2026-03-01T13:00:00Z")

    rig.supervise("work")

    def ready():
        rig.supervise("work")
        seen = user.call("GET", f"/v1/exports/{export}", 200).json()
        assert seen["status"] != "failed", seen
        return seen if seen["status"] == "ready" and seen["mail_status"] == "sent" else None

    shown = wait_for(ready, 40, f"{point}: the export")
    wait_for(once.exists, 20, f"{point} to be reached")
    assert [part["entry_count"] for part in shown["parts"]] == [1, 1, 1]
    assert set(before) <= set(rig.postgres.sql("diary", built, export)), "a finished part was built again"
    if snapshot[0][0] and point != "X05":
        assert rig.postgres.sql("diary", "select work_object_id from exports where id = %s", export) in (snapshot, [(None,)])
    (link,) = user.export_links()
    checked([user.download(link, n) for n in (1, 2, 3)], user)
    assert not rig.half_written()
    # The lock of the living worker alone.
    assert not [path for path in (rig.folder / "tmp").rglob("*") if path.is_file() and path.suffix != ".lock"]
    # The object of a part that was stored and not named is an orphan, which sweepers collect after a day.
    wait_for(lambda: len(stored_zips(rig, user)) == 3 + (point in ("X01", "X03")), 20, "what was kept is deleted")
