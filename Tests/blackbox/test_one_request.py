"""Recordings in one request, `POST /upload`: from each kind of client, cut off, doubled, over limits.

`DIARY_TIMES=1` sends 500 MiB to a folder and to a bucket, cut at ten places, and measures the API's memory."""

import concurrent.futures
import contextlib
import datetime
import http.client
import json
import pathlib
import re
import secrets
import socket
import struct
import subprocess

import pytest

import http_client
from processes import wait_for
from repetitions import LONG
from rig import Rig
from stores import BucketStore
from user import SAMPLE, sha256

pytestmark = pytest.mark.any_store

MIB = 1 << 20
NAME = "toukan_2024-01-15T14-30-00.m4a"
BOUNDARY = "------------------------d74496d66958873e"
BEFORE = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="device"\r\n\r\nphone\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{NAME}"\r\nContent-Type: audio/mp4\r\n\r\n'
).encode()
AFTER = f"\r\n--{BOUNDARY}--\r\n".encode()
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def recording(size):
    """No two are the same, and bytes of all kinds are in it: also beginnings of what ends a part."""
    return SAMPLE.read_bytes()[:1_000] + b"\r\n--" + BOUNDARY.encode()[:-1] + secrets.token_bytes(size)


def bearer(user):
    return user.http.headers["Authorization"]


def pieces(audio, size=65_536, form=False):
    """Of an open file, or of bytes."""
    if form:
        yield BEFORE
    if isinstance(audio, bytes):
        yield from (audio[at : at + size] for at in range(0, len(audio), size))
    else:
        while piece := audio.read(size):
            yield piece
    if form:
        yield AFTER


def by_curl(user, path, *words, **more):
    """Status and body."""
    command = ["curl", "-sS", "--noproxy", "*", "--max-time", "300", "-w", "\n%{http_code}", "-H", f"Authorization: {bearer(user)}", *words]
    said = subprocess.run([*command, user.rig.url + path], capture_output=True, timeout=320, **more)
    assert said.returncode == 0, said.stderr
    body, _, status = said.stdout.decode().rpartition("\n")
    return int(status), json.loads(body)


def form_of_curl(user, file):
    return by_curl(user, "/upload", "-F", f"file=@{file};filename={NAME};type=audio/mp4", "-F", "device=phone")


def file_of_curl(user, file):
    return by_curl(user, f"/upload?filename={NAME}", "-X", "POST", "-T", str(file), "-H", "Content-Type: audio/mp4")


def pipe_of_curl(user, file):
    """In chunks."""
    with open(file, "rb") as bytes_of:
        words = ("-X", "POST", "-T", "-", "-H", "Content-Type: audio/mp4", "-H", "Expect: 100-continue")
        return by_curl(user, f"/upload?filename={NAME}", *words, stdin=bytes_of)


def form_of_requests(user, file):
    with open(file, "rb") as bytes_of:
        answer = user.call("POST", "/upload", files={"file": (NAME, bytes_of)}, data={"device": "phone"}, timeout=300)
    return answer.status_code, answer.json()


def stream_of_requests(user, file):
    with open(file, "rb") as bytes_of:
        answer = user.call("POST", "/upload", data=pieces(bytes_of, form=True), headers={"Content-Type": FORM}, timeout=300)
    return answer.status_code, answer.json()


def form_of_http_client(user, file):
    with (
        open(file, "rb") as bytes_of,
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", user.rig.port, timeout=300)) as connection,
    ):
        headers = {"Authorization": bearer(user), "Content-Type": FORM, "Content-Length": str(len(BEFORE + AFTER) + file.stat().st_size)}
        # A refusal comes before the end of the body.
        with contextlib.suppress(BrokenPipeError):
            connection.request("POST", "/upload", pieces(bytes_of, form=True), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def head(user, *fields):
    lines = [
        f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{user.rig.port}",
        f"Authorization: {bearer(user)}",
        f"Content-Type: {FORM}",
        *fields,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def chunks_by_hand(user, file):
    """Of odd lengths, one of them a single byte."""
    with open(file, "rb") as bytes_of, socket.create_connection(("127.0.0.1", user.rig.port), timeout=300) as link:
        link.sendall(head(user, "Connection: close", "Transfer-Encoding: chunked"))
        for piece in pieces(bytes_of, size=60_007, form=True):
            for part in (piece[:1], piece[1:]):
                if part:
                    link.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        link.sendall(b"0\r\n\r\n")
        answer = b"".join(iter(lambda: link.recv(65_536), b""))
    return int(answer[9:12]), json.loads(answer.partition(b"\r\n\r\n")[2])


CLIENTS = {
    client.__name__: client
    for client in (form_of_curl, file_of_curl, pipe_of_curl, form_of_requests, stream_of_requests, form_of_http_client, chunks_by_hand)
}


def again(user, audio):
    """The same bytes without a name."""
    answer = user.call("POST", "/upload", 201, data=audio, headers={"Content-Type": "audio/mp4"}, timeout=60)
    return answer.json()["memory_id"], answer.headers.get("Idempotency-Replayed")


def cut(user, size, body, at, how):
    """Sends the beginning of a body of `size` bytes, and ends the connection: by RST, or by FIN within a chunk or the announced length."""
    with socket.create_connection(("127.0.0.1", user.rig.port), timeout=60) as link:
        link.sendall(head(user, "Transfer-Encoding: chunked" if how == "chunk" else f"Content-Length: {size}"))
        if how == "chunk":
            link.sendall(b"%x\r\n" % size)
        for piece in body:
            link.sendall(piece[:at])
            at -= len(piece[:at])
            if at == 0:
                break
        if how == "reset":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def stored(user):
    """Kinds of the user's objects; None while there is something else of the user."""
    names = user.rig.store.names(user.id)
    return sorted(name[0] for name in names) if len(user.rig.store.files_of(user.id)) == len(names) else None


@pytest.fixture(scope="module")
def user(shared_rig):
    return shared_rig.user()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_recording_of_any_client_becomes_a_memory_and_the_same_bytes_again_the_same_one(user, tmp_path, client):
    audio = recording(200_000)
    (tmp_path / "walk").write_bytes(audio)
    status, said = CLIENTS[client](user, tmp_path / "walk")

    assert status == 201, said
    assert {**said, "memory_id": None} == {"memory_id": None, "status": "processing", "message": "Audio uploaded and processing enqueued"}
    entry = user.entry(said["memory_id"])
    assert (entry["sha256"], entry["size_bytes"], entry["content_type"]) == (sha256(audio), len(audio), "audio/mp4")
    assert entry["metadata"] == {"client_filename": NAME}
    assert entry["recorded_at"] == "2024-01-15T13:30:00.000Z", "the clock of the name, in the account's zone"
    assert again(user, audio) == (said["memory_id"], "true")


def test_a_memory_is_reviewed_as_an_entry_and_its_bytes_are_those_that_were_sent(user):
    audio = recording(9 * MIB)
    answer = user.call("POST", "/upload", 201, files={"file": (NAME, audio, "audio/mp4")}, timeout=60)
    memory = answer.json()["memory_id"]
    assert answer.headers["Location"] == f"/v1/entries/{memory}" and "Idempotency-Replayed" not in answer.headers
    entry = user.wait_done(memory)
    assert entry["transcript_clean"] and entry["local_date"] == "2024-01-15"
    assert http_client.get(user.audio_url(memory), timeout=60).content == audio
    user.call("DELETE", f"/v1/entries/{memory}", 204)
    assert again(user, audio)[0] != memory, "a deleted one does not stand for the bytes"


def test_many_at_once_of_the_same_bytes_are_one_memory_and_another_account_has_its_own(rig):
    user, neighbour, audio = rig.user(), rig.user(), recording(100_000)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        sent = list(pool.map(lambda _: again(user, audio), range(6)))
    assert len({memory for memory, _ in sent}) == 1 and [replayed for _, replayed in sent].count(None) == 1
    assert again(neighbour, audio)[0] != sent[0][0]
    user.wait_done(sent[0][0])
    wait_for(lambda: stored(user) == ["audio"], 20, "the end of what was sent twice")
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == len(audio)


def test_an_entry_that_was_announced_with_the_bytes_does_not_keep_them_away(rig):
    user, audio = rig.user(), recording(50_000)
    waiting = user.create_voice(audio, sha256=sha256(audio))["entry_id"]
    memory, replayed = again(user, audio)
    assert (memory != waiting, replayed) == (True, None)
    assert user.entry(memory)["sha256"] == sha256(audio)


def test_a_request_that_is_cut_leaves_nothing(rig):
    user, audio = rig.user(), recording(9 * MIB)
    body = BEFORE + audio + AFTER
    places = [0, 10, len(BEFORE) - 1, len(BEFORE), 100_000, len(BEFORE) + 8 * MIB, 9 * MIB, len(body) - len(AFTER), len(body) - 4]
    for number, at in enumerate(places):
        cut(user, len(body), pieces(body), at, ("reset", "length", "chunk")[number % 3])
    wait_for(lambda: stored(user) == [], 20, "the end of what was cut")
    assert user.call("GET", "/v1/entries", 200).json()["items"] == []
    assert user.call("GET", "/v1/me/stats", 200).json()["usage"]["storage_bytes"] == 0

    memory, replayed = again(user, audio)
    user.wait_done(memory)
    wait_for(lambda: stored(user) == ["audio"] and not rig.half_written(), 20, "the end of what was cut")
    assert replayed is None and [entry["id"] for entry in user.call("GET", "/v1/entries", 200).json()["items"]] == [memory]


def test_what_is_no_recording_or_not_whole_is_refused(user):
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.m4a"\r\n'.encode()
    for body, kind, status, code in (
        (b"", FORM, 400, "malformed_request"),
        (BEFORE + b"x", FORM, 400, "malformed_request"),
        (part + b"Content-Transfer-Encoding: base64\r\n\r\nAAAA" + AFTER, FORM, 400, "malformed_request"),
        (part + b"\r\n" + AFTER, FORM, 422, "invalid_fields"),
        (part.replace(b'"file"', b'"files"') + b"\r\nx" + AFTER, FORM, 422, "invalid_fields"),
        (part + b"\r\nx\r\n" + part + b"\r\ny" + AFTER, FORM, 422, "invalid_fields"),
        (part + b"Content-Type: text/plain\r\n\r\nx" + AFTER, FORM, 415, "unsupported_media_type"),
        (b"x", "multipart/form-data", 400, "malformed_request"),
        (b"a=b", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b"", "audio/mp4", 422, "invalid_fields"),
    ):
        answer = user.call("POST", "/upload", status, data=body, headers={"Content-Type": kind})
        assert answer.json()["code"] == code, (body[-80:], answer.text)
    assert http_client.post(user.rig.url + "/upload", data=b"x", headers={"Content-Type": "audio/mp4"}).status_code == 401


def test_an_apps_limits_hold_and_its_upload_addresses_live_as_long_as_it_says(shared_rig):
    rig, app = shared_rig, "one-request"
    rig.tenant(app)
    rig.diary("tenant", "set", app, "limits.audio_max_bytes=100000", "limits.storage_bytes=150000", "limits.upload_url_seconds=43200")

    def limits():
        answer = http_client.get(rig.url + "/v1/config", headers={"Diary-App": app})
        return answer.status_code == 200 and answer.json()["limits"]["upload_url_seconds"] == 43_200

    wait_for(limits, 15, "the settings of the app")
    user = rig.user(app)
    typed = {"Content-Type": "audio/mp4"}
    assert user.call("POST", "/upload", 413, data=secrets.token_bytes(100_001), headers=typed).json()["code"] == "body_too_large"
    user.call("POST", "/upload", 201, data=secrets.token_bytes(80_000), headers=typed)
    full = user.call("POST", "/upload", 409, data=secrets.token_bytes(80_000), headers=typed).json()
    assert (full["code"], full["storage"]) == ("storage_exceeded", {"bytes": 80_000, "max_bytes": 150_000})
    wait_for(lambda: len(stored(user) or []) == 1, 20, "the end of what did not fit")

    audio = secrets.token_bytes(10_000)
    upload = user.create_voice(audio)["upload"]
    left = datetime.datetime.fromisoformat(upload["expires_at"]) - datetime.datetime.now(datetime.UTC)
    assert 43_000 < left.total_seconds() <= 43_200
    user.put(upload, audio)


PLACES = 10


@pytest.mark.skipif(not LONG, reason="500 MiB are for a quiet machine, and take long: DIARY_TIMES=1")
@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_500_mib_that_are_cut_and_doubled_are_one_memory_with_little_of_the_apis(kind, tmp_path, request):
    store = BucketStore(request.getfixturevalue("s3_url")) if kind == "bucket" else None
    rig = Rig(store=store, DIARY_MAX_AUDIO_SECONDS="86400")
    try:
        user, file = rig.user(), tmp_path / "meeting"
        with file.open("wb") as target:
            target.writelines(secrets.token_bytes(MIB) for _ in range(500))
        size = len(BEFORE + AFTER) + 500 * MIB
        for number in range(PLACES):
            with file.open("rb") as bytes_of:
                cut(user, size, pieces(bytes_of, MIB, form=True), size * number // PLACES, ("reset", "length", "chunk")[number % 3])
        wait_for(lambda: stored(user) == [], 60, "the end of what was cut")
        memories = set()
        for name in ("form_of_curl", "pipe_of_curl", "stream_of_requests", "form_of_http_client", "chunks_by_hand"):
            status, said = CLIENTS[name](user, file)
            assert status == 201, said
            memories.add(said["memory_id"])
        assert len(memories) == 1
        user.wait_done(memories.pop(), 300)
        wait_for(lambda: stored(user) == ["audio"] and not rig.half_written(), 60, "the end of what was sent again")
        status = pathlib.Path(f"/proc/{rig.processes['serve'].pid}/status").read_text()
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1_000
        print(f"500 MiB into a {kind}: the API at {peak} MB")
        assert peak <= 80
    finally:
        rig.end()
