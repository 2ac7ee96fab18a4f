"""E3, F5: mailed links, download addresses and playback links under tampering; ranges."""

import io
import re
import uuid
import zipfile

import pytest

import http_client
from attack import Alive, harmless
from mail import text_of
from processes import wait_for
from user import SAMPLE

AUDIO = SAMPLE.read_bytes()


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    people = []
    for _ in range(2):
        user = shared_rig.user()
        user.voice = user.record(recorded_at="2026-03-01T12:00:00Z")
        user.wait_done(user.voice)
        user.exported = user.export()
        user.link = wait_for(user.export_links, 20, "the link")[-1]
        user.play = user.audio_url(user.voice)
        people.append(user)
    yield (shared_rig, *people)
    alive.check()


def turned(text, index):
    """The same text with one character changed to another of its alphabet."""
    return text[:index] + ("A" if text[index] != "A" else "B") + text[index + 1 :]


def get(url):
    return harmless(http_client.get(url, timeout=10, allow_redirects=False))


def test_e3_no_tampered_export_link_shows_or_takes_anything(scene):
    rig, user, other = scene
    base, token = user.link.rsplit("/", 1)
    named, expires, signature = token.split(".")
    _, other_expires, other_signature = other.link.rsplit("/", 1)[1].split(".")
    other_named = other.link.rsplit("/", 1)[1].split(".")[0]
    forged = [f"{turned(named, i)}.{expires}.{signature}" for i in range(0, len(named), 5)]
    forged += [f"{named}.{expires}.{turned(signature, i)}" for i in range(0, len(signature), 5)]
    forged += [
        f"{named}.{e}.{signature}"
        for e in (
            int(expires) + 1,
            int(expires) - 1,
            10**18,
            10**30,
            -1,
            0,
            "0" + expires,
            "+" + expires,
            expires + ".0",
            "",
            "%20" + expires,
            "1e9",
            "٣",
        )
    ]
    forged += [
        f"{other_named}.{expires}.{signature}",
        f"{named}.{other_expires}.{other_signature}",
        f"{named}.{expires}.",
        f"{named}.{expires}",
        f"{named}..{signature}",
        named,
        "..",
        "...",
        f"{token}.",
        f"{token}x",
        f"{token}%00",
        f"{token}=",
        f"{token}%20",
        f".{token}",
        f"{token}.{signature}",
        token.upper(),
        token.replace(".", "%2e%2e"),
        token.replace(".", "/"),
        "%2e%2e%2f",
        "%ff",
        "A" * 4000,
        f"{named}.{expires}.{signature[:-1]}",
        f"{named}.{expires}.{signature}A",
        f"{named}=.{expires}.{signature}",
        f"{named}.{expires}.{chr(ord(signature[-1]) + 1).join((signature[:-1], ''))}",
    ]
    before = user.call("GET", f"/v1/exports/{user.exported['id']}", 200).json()["downloads"]
    accepted = []
    for text in forged:
        for url, method in (
            (f"{base}/{text}", "GET"),
            (f"{base}/{text}/download", "POST"),
            (f"{base}/{text}/file?expires={expires}&signature={signature}", "GET"),
        ):
            answer = harmless(http_client.request(method, url, timeout=10, allow_redirects=False))
            if answer.status_code not in (400, 403, 404, 405, 410):
                accepted.append((method, text, answer.status_code))
    assert not accepted and len(forged) >= 50
    assert user.call("GET", f"/v1/exports/{user.exported['id']}", 200).json()["downloads"] == before
    for _ in range(10):  # scanners
        assert get(user.link).status_code == 200 and http_client.head(user.link).status_code == 200
        assert get(user.link + "/download").status_code == 405
    assert user.call("GET", f"/v1/exports/{user.exported['id']}", 200).json()["downloads"] == before


def test_e3_no_tampered_download_address_gives_the_zip(scene):
    rig, user, other = scene
    location = http_client.post(user.link + "/download", allow_redirects=False).headers["location"]
    path, query = location.split("?")
    expires, signature = re.match(r"expires=(\d+)&signature=(.+)", query).groups()
    good = rig.url + location
    assert zipfile.ZipFile(io.BytesIO(http_client.get(good).content)).testzip() is None
    other_path = http_client.post(other.link + "/download", allow_redirects=False).headers["location"].split("?")[0]
    queries = [
        f"expires={e}&signature={signature}"
        for e in (
            int(expires) + 1,
            int(expires) - 1,
            int(expires) + 86400,
            "0" + expires,
            "+" + expires,
            "-1",
            "0",
            "",
            "9" * 30,
            expires + "%00",
            "%20" + expires,
        )
    ]
    queries += [f"expires={expires}&signature={turned(signature, i)}" for i in range(0, len(signature), 4)]
    queries += [
        f"expires={expires}",
        f"signature={signature}",
        "",
        f"{query}&expires={expires}",
        f"{query}&signature=x",
        f"expires[]={expires}&signature={signature}",
        f"expires={expires}&signature={signature}%3d",
        f"expires={expires}&signature=" + "A" * 5000,
        f"expires={expires};signature={signature}",
        f"expires={expires}&signature={user.link.rsplit('.', 1)[1]}",
    ]
    taken = [text for text in queries if get(f"{rig.url}{path}?{text}").status_code not in (400, 403, 414, 422)]
    assert get(f"{rig.url}{other_path}?{query}").status_code == 403
    assert get(f"{rig.url}{path.replace('/file', '')}/FILE?{query}").status_code == 404
    assert not taken, "altered addresses that give the zip"


def test_e3_no_tampered_playback_link_gives_a_recording(scene):
    rig, user, other = scene
    assert get(user.play).content == AUDIO
    path, query = user.play.removeprefix(rig.url).split("?")
    expires, signature = re.match(r"expires=(\d+)&signature=(.+)", query).groups()
    tenant, owner, item, name = path.split("/")[2:]
    theirs = other.play.removeprefix(rig.url).split("?")[0].split("/")[2:]
    paths = [
        path.replace(tenant, str(uuid.uuid4())),
        path.replace(owner, theirs[1]),
        path.replace(item, theirs[2]),
        path.replace(item, str(uuid.uuid4())),
        f"/audio/{'/'.join(theirs)}",
        path.replace(name, "x.mp3"),
        path.replace(".m4a", ".html"),
        path.replace(name, "x%2f" + name),
        path.replace(name, name + "%00"),
        path.replace("/audio/", "/audio//"),
        path + "/",
        path.replace(name, name + "%0d%0aX-Evil:%201"),
        path.replace("/audio/", "/objects/audio/"),
        path.replace(name, "A" * 3000),
    ]
    queries = [f"expires={int(expires) + d}&signature={signature}" for d in (1, -1, 900, 10**10)] + [
        f"expires={expires}&signature={turned(signature, i)}" for i in range(0, len(signature), 4)
    ]
    queries += [
        "",
        f"expires={expires}",
        f"signature={signature}",
        f"{query}&expires={expires}",
        f"{query}&{query}",
        f"expires={expires}&signature=",
    ]
    urls = [f"{rig.url}{p}?{query}" for p in paths] + [f"{rig.url}{path}?{q}" for q in queries]
    taken = [url for url in urls if get(url).status_code not in (400, 403, 404, 405, 422)]
    assert not taken, "altered links that give a recording"
    assert len(paths) + len(queries) >= 30
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert harmless(http_client.request(method, user.play)).status_code == 405
    user.call("POST", "/v1/auth/logout", 204)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())


def test_f1_hostile_ranges_are_whole_part_or_416(scene):
    rig, user, _ = scene
    n = len(AUDIO)
    for value in (
        "bytes=0-0",
        f"bytes={n - 1}-",
        "bytes=-1",
        f"bytes=-{n + 5}",
        f"bytes=0-{n * 9}",
        "bytes=0-999999999999999999",
        "bytes=65535-65536",
        "bytes=1-",
        f"bytes={n // 2}-{n // 2 + 70000}",
    ):
        answer = get_range(user.play, value)
        first, last, total = map(int, re.match(r"bytes (\d+)-(\d+)/(\d+)", answer.headers["content-range"]).groups())
        assert answer.status_code == 206 and total == n and answer.content == AUDIO[first : last + 1], value
    for value in (f"bytes={n}-", "bytes=-0", "bytes=999999999999999999-", f"bytes={n}-{n}"):
        assert get_range(user.play, value).status_code == 416, value
    for value in (
        "bytes=5-2",
        "bytes=",
        "bytes=-",
        "bytes=--1",
        "bytes=a-b",
        "bytes=0-0,2-3",
        "items=0-1",
        "bytes 0-1",
        "bytes=0x0-1",
        "bytes=9999999999999999999999-",
        "bytes=-9999999999999999999999",
        "bytes=18446744073709551615-18446744073709551616",
        "bytes=+1-2",
        "bytes=1-2;x",
        "bytes=1-2-3",
        "bytes=9223372036854775807-9223372036854775807",
        ",".join(["bytes=0-1"] * 200),
        "bytes=\xb2-\xb3",
    ):
        answer = get_range(user.play, value)
        assert answer.status_code in (200, 416), value
        assert answer.status_code == 416 or answer.content == AUDIO
    for tag in ('"x"', "W/" + get(user.play).headers["etag"], "Mon, 01 Jan 2035 00:00:00 GMT", "*"):
        assert http_client.get(user.play, headers={"Range": "bytes=0-0", "If-Range": tag}).status_code == 200, tag
    assert http_client.head(user.play, headers={"Range": "bytes=0-0"}).headers["content-length"] == str(n)


def get_range(url, value):
    return harmless(http_client.get(url, headers={"Range": value.encode("latin-1")}, timeout=10))


def test_e3_a_link_ends_when_its_export_is_revoked_or_its_time_is_over(scene):
    rig, _, other = scene
    location = http_client.post(other.link + "/download", allow_redirects=False).headers["location"]
    assert http_client.get(rig.url + location, headers={"Range": "bytes=0-3"}).content == b"PK\x03\x04"
    other.call("DELETE", f"/v1/exports/{other.exported['id']}", 204)
    for url in (other.link, rig.url + location):
        assert get(url).status_code == 410
    assert harmless(http_client.post(other.link + "/download", allow_redirects=False)).status_code == 410


def test_e3_deleting_the_export_ends_the_link_as_the_mail_says(scene):
    """The mail: "sign in and delete it there: its link stops working at once", also for an export that another session asked for."""
    rig, user, _ = scene
    mail = next(text_of(m) for m in reversed(rig.mails(user.address)) if user.link in text_of(m))
    assert "sign in and delete it there: its link stops working at once" in " ".join(mail.split())
    assert get(user.link).status_code == 200
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())
    user.call("DELETE", f"/v1/exports/{user.exported['id']}", 204)
    assert get(user.link).status_code == 410, "the export is deleted, and the link still works"
