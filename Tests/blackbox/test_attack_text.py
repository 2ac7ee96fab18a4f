"""E1, E4, E8, F1, F8: words, times and zones at the edges, through the API and the zip; hostile ids, paths, queries and versions."""

import datetime
import io
import json
import random
import re
import uuid
import zipfile
import zoneinfo

import pytest

from attack import Alive, harmless, raw, statuses
from processes import wait_for
from repetitions import repetitions

ODD = [
    "\U0001f600" * 50_000,
    "a" * 200_000,
    "\u202e\u2066right to left\u2069 \u05e9\u05dc\u05d5\u05dd",
    "".join(map(chr, range(1, 32))) + "\x7f\x80\x9f",
    "\r\n\r\n.\r\nMAIL FROM:<x>\r\n",
    "\ufeff\ufffe\uffff\U0010ffff",
    "e\u0301 \u00e9",
    "\u200d\u200b\u2028\u2029",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>&amp;",
    "</text>\x1b[31m",
    "z\u0351" * 5_000,
    "\t \n",
    "\\u0000 %00 \\",
    '{"a":1}',
    "PK\x03\x04",
]


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig, shared_rig.user()
    alive.check()


def create(user, *expected, **fields):
    return harmless(user.http.post(user.rig.url + "/v1/entries", json={"kind": "text", "text": "x", **fields}), *expected)


def zipped(user, **body):
    before = len(user.export_links())
    user.export(**body)
    link = wait_for(lambda: user.export_links()[before:], 20, "the link")[-1]
    return zipfile.ZipFile(io.BytesIO(user.download(link)))


def test_e1_e8_odd_words_come_back_from_the_api_and_the_zip(scene):
    rig, user = scene[0], scene[0].user()
    made = {}
    for i, words in enumerate(ODD):
        data = json.dumps(
            {
                "kind": "text",
                "text": words,
                "title": words[:200],
                "tags": [f"<{words[:48]}>"],
                "mood": words[:50],
                "recorded_at": f"2026-05-01T10:00:{i % 3:02d}Z",
            },
            ensure_ascii=False,
        ).encode()
        answer = harmless(user.http.post(rig.url + "/v1/entries", data=data, headers={"Content-Type": "application/json"}), 201)
        made[answer.json()["entry_id"]] = words
    for entry_id, words in made.items():
        entry = user.entry(entry_id)
        assert (entry["text"], entry["title"], entry["tags"], entry["mood"]) == (words, words[:200], [f"<{words[:48]}>"], words[:50])
        assert user.call("GET", f"/v1/entries/{entry_id}/transcript/file?format=txt", 200).content.decode() == words
        assert words in user.call("GET", f"/v1/entries/{entry_id}/transcript/file?format=md&layer=edited", 200).content.decode()
    archive = zipped(user)
    assert archive.testzip() is None and len(archive.namelist()) == len(made) + 2 == len(set(archive.namelist()))
    for name in archive.namelist():
        assert re.fullmatch(r"manifest\.json|index\.html|text/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(_[0-9a-f]{8})?\.txt", name), name
    for entry in json.loads(archive.read("manifest.json"))["entries"]:
        words = made[entry["id"]]
        assert (
            archive.read(entry["files"][0]["path"]).decode().rstrip("\n") == f"{words[:200]}\n\n{words}".rstrip("\n")
            and entry["title"] == words[:200]
        )
    harmless(user.http.post(rig.url + "/v1/entries", json={"kind": "text", "text": "a" * 200_001}), 422)


@pytest.mark.parametrize(
    "value, good",
    [
        ("1900-01-01T00:00:00Z", True),
        ("1899-12-31T23:59:59.999Z", False),
        ("2199-12-31T23:59:59.999999Z", True),
        ("2200-01-01T00:00:00Z", False),
        ("0001-01-01T00:00:00Z", False),
        ("9999-12-31T23:59:59Z", False),
        ("2016-12-31T23:59:60Z", True),
        ("2016-12-31T23:59:61Z", False),
        ("2016-12-31T12:00:60Z", False),
        ("2026-03-29T02:30:00+01:00", True),
        ("2024-02-29T00:00:00Z", True),
        ("2023-02-29T00:00:00Z", False),
        ("2026-01-01T24:00:00Z", False),
        ("2026-01-01T00:00:00+24:00", False),
        ("2026-01-01T00:00:00-23:59", True),
        ("2026-01-01t00:00:00z", True),
        ("2026-01-01 00:00:00Z", False),
        ("2026-01-01T00:00:00.Z", False),
        ("2026-01-01T00:00:00.1234567891234Z", True),
        ("2026-1-1T0:0:0Z", False),
        ("+2026-01-01T00:00:00Z", False),
        ("٢٠٢٦-01-01T00:00:00Z", False),
        ("1e9", False),
    ],
)
def test_e4_recorded_at_at_the_edges_of_the_calendar(scene, value, good):
    user = scene[1]
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"):
        answer = create(user, 201 if good else 422, recorded_at=value, time_zone=zone)
        if good:
            entry = user.entry(answer.json()["entry_id"])
            local = datetime.datetime.fromisoformat(entry["recorded_at"].replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo(zone))
            assert entry["local_date"] == local.date().isoformat(), (value, zone)


def test_e4_zones_that_are_none_are_the_accounts_and_days_follow_the_clock_changes(scene):
    user = scene[0].user()
    own = user.call("GET", "/v1/me", 200).json()["time_zone"]
    taken = {}
    for zone in (
        "Mars/Olympus",
        "utc+1",
        "UTC+5",
        "Foo+5",
        "A-99",
        "Europe/Berlin/../UTC",
        "/etc/passwd",
        "../UTC",
        "posixrules",
        "Europe",
        "EST5EDT4",
        "<+03>-3",
        "Z",
        "-05:00",
        "GMT0x",
        "default",
        "local",
    ):
        answer = create(user, recorded_at="2026-01-01T00:00:00Z", time_zone=zone)
        entry = answer.json()["entry"]
        if answer.status_code != 201 or entry["time_zone"] not in (own, "UTC", "Etc/GMT-1", "Etc/GMT-5", "Etc/GMT+5"):
            taken[zone] = answer.text
    made = {}
    for utc in (
        "2026-03-28T22:59:59Z",
        "2026-03-28T23:00:00Z",
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00Z",
        "2026-03-29T21:59:59Z",
        "2026-03-29T22:00:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T22:59:59Z",
        "2026-10-25T23:00:00Z",
    ):
        made[create(user, 201, recorded_at=utc, time_zone="Europe/Berlin").json()["entry_id"]] = utc
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    for day in ("2026-03-28", "2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"):
        expected = {
            i
            for i, utc in made.items()
            if datetime.datetime.fromisoformat(utc.replace("Z", "+00:00")).astimezone(zone).date().isoformat() == day
        }
        assert {e["id"] for e in user.call("GET", f"/v1/entries?from={day}&to={day}", 200).json()["items"]} == expected, day
    archive = zipped(user, **{"from": "2026-10-25", "to": "2026-10-25"})
    assert len(archive.namelist()) == 2 + 3  # the hour that comes twice has two names
    zipped(user, **{"from": "0001-01-01", "to": "9999-12-31"})
    assert not taken, "no zones of the IANA database, yet taken"


def test_f1_c1_hostile_ids_paths_and_methods(scene):
    rig, user = scene
    bearer = user.http.headers["Authorization"]
    mine = create(user, 201).json()["entry_id"]
    tails = ["", "/", "/restore", "/reprocess", "/audio", "/audio/url", "/transcript", "/nothing", "/restore/x"]
    ids = [
        "0",
        "-1",
        "null",
        "undefined",
        mine[:-1],
        mine + "0",
        "{" + mine + "}",
        mine.replace("-", ""),
        mine + "%00",
        mine + "%20",
        "%20" + mine,
        "..",
        "%2e%2e",
        "%2e%2e%2f%2e%2e%2fv1%2fme",
        "%ff",
        "%",
        "%zz",
        "%c0%ae",
        "'--",
        "*",
        "a" * 4000,
        "%f0%9f%98%80",
        mine + ";x=1",
        mine + "%2f",
        "urn:uuid:" + mine,
        str(uuid.uuid4()),
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ]
    for text in ids:
        paths = [f"/v1/entries/{text}{tail}" for tail in tails]
        for path in paths + [f"/v1/uploads/{text}/{tail}" for tail in ("url", "parts", "complete")]:
            methods = ["GET", "DELETE", "POST", "PATCH"]
            for method in random.sample(methods, repetitions(4, 1)):
                answer = raw(
                    rig,
                    (
                        f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {bearer}\r\nIf-Match: *\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
                    ).encode(),
                )
                # A body is read before its entry is looked for.
                is_draft = method == "POST" and path.endswith("/audio")
                refusals = (400, 404, 405, 414, *([422] if is_draft else []))
                assert statuses(answer)[:1] and statuses(answer)[0] in refusals, (method, path, answer[:200])
    assert user.entry(mine.upper())["id"] == mine
    for target in (
        "//v1/me",
        "/v1//me",
        "/v1/me/",
        "/v1/./me",
        "/v1/../v1/me",
        "/V1/me",
        "/v1/me%2f",
        "/v1%2fme",
        "/v1/me;x",
        "/v1/me%00",
        "*",
        "v1/me",
        "http://evil.example/v1/nothing",
        "/openapi.yaml/..",
        "/.well-known/../livez",
    ):
        answer = raw(rig, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {bearer}\r\n\r\n".encode())
        assert statuses(answer)[0] in (400, 404), (target, answer[:200])


def test_f1_f8_hostile_queries_cursors_and_versions(scene):
    rig, user = scene
    for query in (
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=9999999999999999999999",
        "limit=1.5",
        "limit=",
        "limit=%31%00",
        "limit=1&limit=2",
        "limit=+5",
        "limit=1e1",
        "from=2026-02-30",
        "from=x",
        "to=0000-01-01",
        "from=2026-01-02&to=2026-01-01",
        "order=up",
        "order=ASC",
        "order=asc'--",
        "cursor=",
        "cursor=x",
        "cursor=" + "A" * 34,
        "cursor=Av" + "_" * 32,
        "cursor=" + "A" * 5000,
        "since=",
        "since=x",
        "since=" + "_" * 12,
        "since=" + "A" * 65,
        "since=%00",
        "since=%ff",
        "since=2026-01-01",
        "unknown=1",
        "limit[]=1",
        "%00=1",
        "=1",
        "a=%zz",
        "since=AwAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA&from=2026-01-01",
        "since=AX__________",
        "&".join(f"p{i}=1" for i in range(800)),
    ):
        harmless(user.http.get(rig.url + "/v1/entries?" + query), 400, 410, 422)
    for query in (
        "since=0001-01-01T00:00:00Z",
        "since=9999-12-31T23:59:59.999999999Z",
        "from=0001-01-01&to=9999-12-31",
        "from=9999-12-31",
        "to=0001-01-01",
        "&&limit=5&",
    ):
        harmless(user.http.get(rig.url + "/v1/entries?" + query), 200)
    harmless(user.http.get(rig.url + f"/v1/entries/{uuid.uuid4()}/transcript?format=srt"), 422, 404)
    mine = create(user, 201).json()["entry_id"]
    for tag in (
        "1",
        '"',
        '""',
        '"x"',
        'W/"2"',
        '"-1"',
        '"99999999999999999999999"',
        '"9223372036854775807"',
        '"1',
        "**",
        "*,*",
        '"1' + "0" * 5000 + '"',
        ",",
        ", ".join(f'"{i}"' for i in range(100, 200)),
        '"1"; drop',
        '"\xff"',
    ):
        for method in ("PATCH", "DELETE"):
            harmless(
                user.http.request(
                    method, rig.url + f"/v1/entries/{mine}", json={"title": "x"}, headers={"If-Match": tag.encode("latin-1")}
                ),
                400,
                412,
                422,
                431,
            )
    assert user.entry(mine)["version"] == 1
