"""The main job, end to end: sign-up, verified address, upload, transcript, export, mail, download."""

import datetime
import io
import json
import subprocess
import zipfile
import zoneinfo

import pytest

import http_client
from contract import CONTRACT
from user import SAMPLE, sha256

pytestmark = pytest.mark.any_store

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def expect_transcripts(user, entry, tmp_path):
    """Every form of the configuration, the subtitles as ffmpeg reads them."""
    path, forms = f"/v1/entries/{entry['id']}/transcript", user.call("GET", "/v1/config", 200).json()["transcript_formats"]
    assert forms == ["txt", "md", "srt", "vtt", "meeting"]
    answers = {form: user.call("GET", f"{path}/file", 200, params={"format": form}) for form in forms}
    answers["json"] = user.call("GET", path, 200)
    for form, answer in answers.items():
        ending, stem = "json" if form == "meeting" else form, entry["filename"].removesuffix(".m4a")
        assert answer.headers["content-disposition"] == f'attachment; filename="{stem}.{ending}"'
        assert answer.headers["etag"] == f'"{entry["version"]}"' and answer.headers["cache-control"] == "no-store"
    assert answers["txt"].content.decode() == entry["text"]
    assert user.call("GET", f"{path}/file?format=txt&layer=raw", 200).content.decode() == entry["transcript_raw"]
    date = "1 March 2026, 13:00 (Berlin time)"
    assert answers["md"].content.decode() == f"# A walk\n\n{date}\n\nTags: river\n\n{entry['text']}\n"

    def read(form, demuxer):
        """As SubRip with simple line ends: ffmpeg's own spelling of what it has read."""
        (tmp_path / form).write_bytes(answers[form].content)
        command = ["ffmpeg", "-v", "error", "-f", demuxer, "-i", tmp_path / form, "-f", "srt", "-"]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode().replace("\r\n", "\n")

    segments = answers["json"].json()["segments"]
    assert read("srt", "srt") == read("vtt", "webvtt") == answers["srt"].content.decode().replace("\r\n", "\n")
    shown = [line for line in read("srt", "srt").splitlines() if line and not line.isdigit() and "-->" not in line]
    assert " ".join(shown).split() == entry["transcript_raw"].split()
    (heard,) = answers["meeting"].json()["segments"]
    assert (heard["text"], heard["timestamp"], heard["isEdited"]) == (segments[0]["text"], segments[0]["start"], False)


def test_a_recording_goes_all_the_way(rig, tmp_path):
    user = rig.user()
    entry = user.wait_done(user.record(title="A walk", tags=["river"]))
    assert entry["transcript_raw"].startswith("um scripted words")
    assert "um" not in entry["transcript_clean"].lower().split()
    assert entry["text"] == entry["transcript_clean"]
    assert entry["cleanup"]["state"] == "accepted" and 0 < entry["cleanup"]["score"] <= 1 and entry["cleanup"]["reason"] is None
    assert entry["filename"] == f"2026-03-01_13-00-00_{entry['id'][-8:]}.m4a"
    assert entry["sha256"] == sha256(SAMPLE.read_bytes())

    expect_transcripts(user, entry, tmp_path)

    written = user.create_text("Written by hand", recorded_at="2026-03-02T08:00:00Z", time_zone="Europe/Berlin")
    refused = user.call("GET", f"/v1/entries/{written['entry_id']}/transcript/file?format=srt", 409)
    assert refused.json()["code"] == "not_a_voice_entry"
    export = user.export()
    assert export["entry_count"] == 2
    (link,) = user.export_links()
    archive = tmp_path / "diary.zip"
    archive.write_bytes(user.download(link))
    subprocess.run(["unzip", "-tq", archive], check=True)
    subprocess.run(["bsdtar", "-tf", archive], check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(archive) as z:
        assert z.testzip() is None
        assert set(z.namelist()) == {
            f"audio/{entry['filename']}",
            "text/2026-03-01_13-00-00.txt",
            "text/2026-03-02_09-00-00.txt",
            "index.html",
            "manifest.json",
        }
        assert z.read(f"audio/{entry['filename']}") == SAMPLE.read_bytes()
        assert entry["transcript_clean"] in z.read("text/2026-03-01_13-00-00.txt").decode()
        manifest = json.loads(z.read("manifest.json"))
        for item in [*manifest["entries"], manifest]:
            for file in item["files"]:
                assert sha256(z.read(file["path"])) == file["sha256"]
                assert len(z.read(file["path"])) == file["size"]


def test_playback_serves_ranges_of_the_recording(rig):
    user = rig.user()
    entry_id = user.record()
    user.wait_done(entry_id)
    link = user.audio_url(entry_id)
    audio = SAMPLE.read_bytes()
    whole = http_client.get(link)
    assert whole.status_code == 200 and whole.content == audio and whole.headers["content-type"] == "audio/mp4"
    for first, last in ((0, 0), (0, 65535), (65536, 65536), (100, 70000), (len(audio) - 1, len(audio) + 50)):
        part = http_client.get(link, headers={"Range": f"bytes={first}-{last}"})
        assert part.status_code == 206, part.text
        assert part.content == audio[first : last + 1]
        assert part.headers["content-range"] == f"bytes {first}-{min(last, len(audio) - 1)}/{len(audio)}"
    assert http_client.get(link, headers={"Range": "bytes=-10"}).content == audio[-10:]
    assert http_client.get(link, headers={"Range": f"bytes={len(audio)}-"}).status_code == 416
    head = http_client.head(link)
    assert head.status_code == 200 and head.headers["content-length"] == str(len(audio)) and not head.content
    assert http_client.get(link.replace("signature=", "signature=A")).status_code == 403


def test_a_download_link_counts_and_scanners_do_not_use_it_up(rig):
    user = rig.user()
    user.create_text("one", recorded_at="2026-03-01T12:00:00Z")
    export = user.export(**{"from": "2026-03-01", "to": "2026-03-01"})
    (link,) = user.export_links()
    for _ in range(10):
        assert http_client.get(link).status_code == 200
        assert http_client.head(link).status_code == 200
    contents = [user.download(link) for _ in range(export["link_downloads_max"])]
    assert all(zipfile.ZipFile(io.BytesIO(c)).testzip() is None for c in contents)
    assert http_client.post(link + "/download", allow_redirects=False).status_code == 410
    again = user.export(**{"from": "2026-03-01", "to": "2026-03-01"})
    user.call("DELETE", f"/v1/exports/{again['id']}", 204)
    assert http_client.get(user.export_links()[-1]).status_code == 410


def test_the_page_and_the_mail_of_an_export_are_in_the_words_of_its_reader(rig):
    user = rig.user()
    user.create_text("one", recorded_at="2026-03-01T12:00:00Z")
    export = user.export(**{"from": "2026-03-01", "to": "2026-03-01"})
    (link,) = user.export_links()
    end = datetime.datetime.fromisoformat(export["expires_at"]).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    until = f"{end.day} {end:%B %Y, %H:%M} (Berlin time)"

    page = http_client.get(link, headers=BROWSER).text
    mail = user.rig.mails(user.address)[-1]
    html, plain = (mail.get_body((kind,)).get_content() for kind in ("html", "plain"))

    assert "<dd>1 March 2026</dd>" in page and f"<dd>{until}</dd>" in page and f"<h1>Your {user.app} export</h1>" in page
    assert f"your {user.app} entries of 1 March 2026" in plain and until in plain and until in html
    assert 'name="viewport"' in html and ">Open the download page</a>" in html and html.count("/exports/") == 1

    user.call("PATCH", "/v1/me", 200, json={"locale": "en-US"}, headers={"Content-Type": "application/merge-patch+json"})
    page = http_client.get(link, headers=BROWSER).text
    assert "<dd>March 1, 2026</dd>" in page and f"{end:%B} {end.day}, {end:%Y}, {end.hour % 12 or 12}:{end:%M %p} (Berlin time)" in page


def test_a_browser_that_goes_astray_gets_a_page(rig):
    user = rig.user()
    user.create_text("one", recorded_at="2026-03-01T12:00:00Z")
    export = user.export(**{"from": "2026-03-01", "to": "2026-03-01"})
    (link,) = user.export_links()

    def astray(url, status):
        page = http_client.get(url, headers=BROWSER)
        assert page.status_code == status and page.headers["content-type"].startswith("text/html"), (url, page.status_code, page.text)
        program = http_client.get(url, headers={"Accept": "application/json"})
        assert program.status_code == status and program.json()["status"] == status

    astray(link + "/download", 405)
    astray(rig.url + "/", 404)
    user.call("DELETE", f"/v1/exports/{export['id']}", 204)
    astray(link, 410)


def test_same_second_recordings_get_two_files(rig):
    user = rig.user()
    first = user.create_text("first", recorded_at="2026-03-01T12:00:00.100Z")["entry"]
    second = user.create_text("second", recorded_at="2026-03-01T12:00:00.900Z")["entry"]
    user.export()
    with zipfile.ZipFile(io.BytesIO(user.download(user.export_links()[-1]))) as z:
        assert "first" in z.read("text/2026-03-01_13-00-00.txt").decode()
        assert "second" in z.read(f"text/2026-03-01_13-00-00_{second['id'][-8:]}.txt").decode()
    assert first["id"] != second["id"]


def test_an_export_goes_only_to_the_own_verified_address(rig):
    user = rig.user()
    refused = user.call("POST", "/v1/exports", 422, json={"from": "2026-01-01", "to": "2026-01-02", "email": "another@example.net"}).json()
    assert refused["errors"][0]["pointer"] == "/email"
    user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-01-02", "email": user.address.upper()})


def sent(name):
    """The request's examples of an operation."""
    operation = next(operation for *_, operation in CONTRACT.operations if operation["operationId"] == name)
    body = operation["requestBody"]["content"]["application/json"]
    return [body["example"]] if "example" in body else [CONTRACT.resolve(example)["value"] for example in body["examples"].values()]


def test_requests_of_the_contract_work_as_they_are_written(rig):
    assert CONTRACT.document["components"]["parameters"]["DiaryApp"]["example"] == "my-day"
    sign_up = sent("registerByEmail")[0]
    anna = rig.user(address=sign_up["email"], password=sign_up["password"])
    password = {name: next(body for body in sent(name) if "password" in body) for name in ("signInByEmail", "reauthenticate")}

    for name, method, path, status in (
        ("requestCode", "POST", "/v1/auth/codes", 202),
        ("createEntry", "POST", "/v1/entries", 201),
        ("changeProfile", "PATCH", "/v1/me", 200),
        ("createExport", "POST", "/v1/exports", 202),
    ):
        for body in sent(name):
            anna.call(method, path, status, json=body)
    anna.call("POST", "/v1/auth/email", 200, json=password["signInByEmail"])
    anna.call("POST", "/v1/me/reauthenticate", 204, json=password["reauthenticate"])
    typed = next(entry for entry in anna.call("GET", "/v1/entries", 200).json()["items"] if entry["kind"] == "text")
    anna.call("PATCH", f"/v1/entries/{typed['id']}", 200, json=sent("changeEntry")[0], headers={"If-Match": '"1"'})
    anna.call("DELETE", "/v1/me", 202, json=sent("deleteAccount")[0])
