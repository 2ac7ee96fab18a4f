"""G1, G2: a unique word put everywhere a person can put words is found in no file of ours."""

import pathlib
import subprocess

import http_client
from processes import wait_for
from user import SAMPLE
from zips import day_one, day_one_entry, imported, report


def holds(path, needles):
    try:
        data = path.read_bytes()
    except (OSError, PermissionError):
        return []
    return [n for n in needles if n in data]


def test_g1_g2_no_word_address_or_token_lies_in_any_file(own_rig):
    rig = own_rig
    word = "zyzzogeton"
    user = rig.user(address=f"{word}address@example.org")
    title, text, tag, mood, spoken, kept = (f"{word}{part}" for part in ("title", "textbody", "tagged", "moody", "spoken", "kept"))
    entry_id = user.record(SAMPLE.read_bytes() + f"{spoken}".encode(), title=title, tags=[tag], mood=mood, metadata={f"{word}key": kept})
    entry = user.wait_done(entry_id)
    sent = {"file": (f"{word}file.m4a", SAMPLE.read_bytes() + f"{spoken}again".encode())}
    user.wait_done(user.call("POST", "/upload", 201, files=sent).json()["memory_id"])
    written = user.create_text(f"dear diary {text}", title=title, tags=[tag])["entry"]
    user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"text": f"edited {text}"}, headers={"If-Match": "*"})
    note = user.call("POST", f"/v1/entries/{entry_id}/notes", 200, json={"text": f"{word}note", "at_s": 1}).json()["notes"][0]["id"]
    user.call("PATCH", f"/v1/entries/{entry_id}/notes/{note}", 200, json={"text": f"{word}changed note"})
    user.call("POST", f"/v1/entries/{entry_id}/notes", 422, json={"text": f"{word}note", "at_s": f"{word}"})
    said = {"text": f"{word}said", "source": f"{word}ear", "segments": [{"start": 0, "end": 1, "text": f"{word}said"}]}
    device = {"kind": "voice", "audio": "device", "title": title, "transcript": said}
    heard = user.call("POST", "/v1/entries", 201, json=device).json()["entry_id"]
    user.call("PUT", f"/v1/entries/{heard}/transcript", 200, json={**said, "source": f"{word}other ear", "recognise": "never"})
    user.call("PUT", f"/v1/entries/{heard}/transcript", 422, json={**said, "text": f"{word}unsaid"})
    user.call("GET", f"/v1/entries?since={title}", (400, 422))
    assert user.call("GET", "/v1/entries", 200, params={"tag": tag, "mood": mood, f"metadata.{word}key": kept}).json()["items"]
    assert user.call("GET", "/v1/search", 200, params={"q": f'{text} "{title}"', "tag": tag}).json()["items"]
    user.call("GET", "/v1/search", 422, params={"q": text * 20})
    assert word in user.call("GET", "/v1/entries?view=summary&sort=updated_at", 200).text
    user.wait_done(user.call("POST", f"/v1/entries/{entry_id}/copy", 201).json()["id"])
    user.call("GET", f"/v1/entries/{entry_id}/bundle.zip", 200)
    user.call("PATCH", f"/v1/tags/{tag}", 200, json={"color": "#123456", "name": f"{tag}again"})
    user.call("DELETE", f"/v1/tags/{word}other", 204)
    assert user.call("GET", "/v1/tags", 200).json()["items"] and user.call("GET", "/v1/moods", 200).json()["items"]
    tag = f"{tag}again"
    user.call("POST", "/v1/entries", 422, json={"kind": "text", "text": f"{word}", "recorded_at": f"{word}when"})
    user.call("POST", "/v1/auth/email", 401, json={"email": f"{word}address@example.org", "password": f"{word}password{word}"})
    user.call("POST", "/v1/auth/email/register", 202, json={"email": f"{word}address@example.org", "password": f"{word}password{word}"})
    signed_in = user.call(
        "POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password, "device": f"{word}phone"}
    ).json()
    request = user.ask_code("new_password", email=user.address)
    code = user.account_code(1)
    user.call("PATCH", "/v1/me", 200, json={"name": f"{word}name", "vocabulary": [f"{word}place"]})
    user.call("PATCH", "/v1/me", 200, json={"reminder": {"time": "21:37", "days": ["sunday"], "enabled": True}})
    user.ask_code("new_email", email=f"{word}next@example.org")
    export = user.export()
    (link,) = user.export_links()
    user.download(link)
    link_token = link.rsplit("/", 1)[1]
    played = user.call("GET", f"/v1/entries/{entry_id}/audio/url", 200).json()["url"]
    zipped = user.call("GET", f"/v1/exports/{export['id']}/url", 200).json()["url"]
    assert [http_client.get(url).status_code for url in (played, zipped)] == [200, 200]
    user.call("POST", f"/v1/exports/{export['id']}/mail", 202)
    schedule = user.call("POST", "/v1/export-schedules", 201, json={"every": "month", "tags": [tag]}).json()
    user.call("POST", f"/v1/export-schedules/{schedule['id']}/run", 202)
    token = user.call("POST", "/v1/me/tokens", 201, json={"name": f"{word}watch", "scopes": ["all"]}).json()["token"]
    user.call("GET", "/v1/me", 200, headers={"Authorization": f"Bearer {token}"})
    user.call("GET", "/v1/me", 401, headers={"Authorization": f"Bearer {token}x"})
    speaker = user.call("POST", "/v1/speakers", 201, json={"name": f"{word}speaker"}).json()
    user.call("PATCH", f"/v1/speakers/{speaker['id']}", 200, json={"name": f"{word}renamed"})
    user.call("PATCH", f"/v1/speakers/{speaker['id']}", 422, json={"name": word * 10})
    gone = {"md5": f"{word}file", "format": "aac"}
    names = {f"audios/{word}odd.xyz": b"?", f"{word}unknown.txt": word.encode()}
    odd = day_one_entry(text=f"{text} imported", tags=[f"{word}tag"], audios=[gone, {"md5": f"{word}odd"}])
    brought = imported(user, day_one([odd], names, f"{word} journal.json"))
    assert {item["name"] for item in report(user, brought["id"])} == {f"{word}file", f"audios/{word}odd.xyz", None}

    needles = [
        n.encode()
        for n in (
            word,
            word.upper(),
            entry["transcript_raw"],
            entry["transcript_clean"],
            "dear diary",
            '"minute":1297',
            user.tokens["access_token"],
            user.tokens["refresh_token"],
            link_token,
            played.split("signature=")[1],
            zipped.split("signature=")[1],
            zipped.split("/")[-2],
            signed_in["device_token"],
            token,
            code,
            request,
            "127.0.0.0/16",
        )
    ]
    needles += [word.encode("utf-16-le"), word.encode().hex().encode()]
    rig.postgres.sql("diary", "checkpoint")
    rig.redis.cli("save")
    rig.redis.cli("bgrewriteaof")
    wait_for(lambda: "rdb_bgsave_in_progress:0" in rig.redis.cli("info", "persistence"), 10, "redis dump")
    folders = [
        pathlib.Path(rig.postgres.folder),
        pathlib.Path(rig.redis.folder),
        rig.folder / "objects",
        rig.folder / "tmp",
        rig.folder / "logs",
    ]
    files, hits = 0, []
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                files += 1
                hits += [(str(path.relative_to(folder)), n[:12]) for n in holds(path, needles)]
    assert files > 500
    assert hits == []
    # The words are where they belong: behind the API.
    assert user.entry(written["id"])["title"] == title and export["entry_count"] >= 1
    print(f"G1, G2: {files} files searched, 0 hits")


def test_g1_the_search_finds_what_it_should(own_rig):
    """The scan above would see a word in a plain column."""
    rig = own_rig
    rig.postgres.sql("diary", "create table plain (words text); insert into plain values ('zyzzogetonplain'); checkpoint")
    found = subprocess.run(["grep", "-rlaq", "zyzzogetonplain", rig.postgres.folder]).returncode
    assert found == 0
