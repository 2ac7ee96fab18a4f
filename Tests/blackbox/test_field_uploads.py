"""Uploads whose client does not say their length, as streams of OkHttp, fetch, Deno, curl and httpx: the refusal says that Content-Length
is missing, for a whole recording and for a part, and the same URL takes the recording with its length afterwards."""

import contextlib
import json
import shutil
import subprocess
import urllib.error
import urllib.request

import httpx
import pytest

import http_client
from attack import raw, statuses
from contract import CONTRACT
from user import SAMPLE, sha256

AUDIO = SAMPLE.read_bytes()[:48_000]
LENGTH_REQUIRED = 411


def chunks(size, extension=b"", trailer=b""):
    pieces = [AUDIO[at : at + size] for at in range(0, len(AUDIO), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces) + b"0\r\n" + trailer + b"\r\n"


WIRE = {
    "OkHttp: a body without a length, 8 KiB at a time": ([("Transfer-Encoding", "chunked")], chunks(8192)),
    "fetch: one chunk": ([("Transfer-Encoding", "chunked")], chunks(len(AUDIO))),
    "Deno: many small chunks": ([("transfer-encoding", "chunked")], chunks(100)),
    "a name in capitals": ([("TRANSFER-ENCODING", "Chunked")], chunks(16_384)),
    "an extension of each chunk": ([("Transfer-Encoding", "chunked")], chunks(8192, extension=b";ieof")),
    "a trailer": ([("Transfer-Encoding", "chunked"), ("Trailer", "X-Digest")], chunks(8192, trailer=b"X-Digest: none\r\n")),
    "a stream that was empty": ([("Transfer-Encoding", "chunked")], b"0\r\n\r\n"),
    "no length and no chunks": ([], b""),
    "no length and the recording all the same": ([], AUDIO),
}
"""Header fields beside those of the upload, and the bytes after them."""


def over_the_wire(rig, upload, name):
    fields, body = WIRE[name]
    lines = "".join(f"{key}: {value}\r\n" for key, value in [*upload["headers"].items(), *fields])
    head = f"PUT /{upload['url'].split('/', 3)[3]} HTTP/1.1\r\nHost: 127.0.0.1:{rig.port}\r\nConnection: close\r\n{lines}\r\n"
    answer = raw(rig, head.encode() + body, 2)
    assert len(statuses(answer)) == 1, answer[:300]
    return statuses(answer)[0], answer.partition(b"\r\n\r\n")[2].decode()


def in_pieces():
    yield from (AUDIO[at : at + 8192] for at in range(0, len(AUDIO), 8192))


def by_requests(upload):
    answer = http_client.put(upload["url"], data=in_pieces(), headers=upload["headers"])
    CONTRACT.check(answer)
    return answer.status_code, answer.text


def by_httpx(upload):
    answer = httpx.put(upload["url"], content=in_pieces(), headers=upload["headers"], timeout=20, trust_env=False)
    return answer.status_code, answer.text


def by_urllib(upload):
    request = urllib.request.Request(upload["url"], in_pieces(), upload["headers"], method="PUT")
    with contextlib.closing(urllib.request.build_opener(urllib.request.ProxyHandler({}))) as opener:
        try:
            with opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()


def by_curl(upload):
    """`-T -` sends what it reads from a pipe, and asks with `Expect: 100-continue` before."""
    fields = [word for key, value in upload["headers"].items() for word in ("-H", f"{key}: {value}")]
    words = ["curl", "-sS", "--noproxy", "*", "--max-time", "20", "-w", "\n%{http_code}", *fields, "-H", "Expect: 100-continue", "-T", "-"]
    said = subprocess.run([*words, upload["url"]], input=AUDIO, capture_output=True, timeout=30)
    assert said.returncode == 0, said.stderr
    body, _, status = said.stdout.decode().rpartition("\n")
    return int(status), body


NODE = """
const [url, headers] = JSON.parse(process.argv[1])
const bytes = require("fs").readFileSync(0)
const body = new ReadableStream({
  start(c) { for (let at = 0; at < bytes.length; at += 8192) c.enqueue(bytes.subarray(at, at + 8192)); c.close() }
})
fetch(url, { method: "PUT", headers, body, duplex: "half" }).then(async (a) => console.log(JSON.stringify([a.status, await a.text()])))
"""


def by_fetch_of_node(upload):
    if not shutil.which("node"):
        pytest.skip("needs node")
    words = ["node", "-e", NODE, json.dumps([upload["url"], upload["headers"]])]
    said = subprocess.run(words, input=AUDIO, capture_output=True, timeout=60)
    assert said.returncode == 0, said.stderr
    return tuple(json.loads(said.stdout))


CLIENTS = {
    "requests: a generator": by_requests,
    "httpx: a generator": by_httpx,
    "urllib: an iterator": by_urllib,
    "curl: a pipe": by_curl,
    "fetch of node: a stream": by_fetch_of_node,
}


@pytest.fixture(scope="module")
def user(shared_rig):
    return shared_rig.user()


def sent(rig, upload, name):
    return CLIENTS[name](upload) if name in CLIENTS else over_the_wire(rig, upload, name)


def is_told(answer):
    """411, or a refusal that says in its details what is missing."""
    status, body = answer
    if status == LENGTH_REQUIRED:
        return
    assert status in (400, 403), answer
    problem = json.loads(body)
    details = [problem.get("detail", ""), *(error["detail"] for error in problem["errors"])]
    assert any("content-length" in detail.lower() for detail in details), problem


@pytest.mark.parametrize("name", [*WIRE, *CLIENTS])
def test_an_upload_without_a_length_is_told_so_and_its_url_takes_one_with_it(shared_rig, user, name):
    made = user.create_voice(AUDIO)
    is_told(sent(shared_rig, made["upload"], name))
    user.complete(made["entry_id"], 409)
    user.put(made["upload"], AUDIO)
    user.complete(made["entry_id"])
    assert user.wait_done(made["entry_id"])["sha256"] == sha256(AUDIO)


@pytest.mark.parametrize("name", ["OkHttp: a body without a length, 8 KiB at a time", "no length and the recording all the same", *CLIENTS])
def test_a_part_without_a_length_is_told_so_and_its_url_takes_one_with_it(shared_rig, user, name):
    entry = user.create_voice(AUDIO, parts=True)["entry_id"]
    path = f"/v1/uploads/{entry}/parts"
    (part,) = user.call("POST", path, 200).json()["parts"]
    is_told(sent(shared_rig, part, name))
    assert user.call("GET", path, 200).json()["items"] == []
    assert http_client.put(part["url"], data=AUDIO, headers=part["headers"]).status_code == 200
    user.complete(entry)
    assert user.wait_done(entry)["sha256"] == sha256(AUDIO)


def test_a_recording_with_a_digest_is_told_so_too(shared_rig, user):
    made = user.create_voice(AUDIO, sha256=sha256(AUDIO), allow_duplicate=True)
    is_told(by_requests(made["upload"]))
    user.put(made["upload"], AUDIO)


def test_a_forged_url_stays_refused_whether_a_length_is_given_or_not(shared_rig, user):
    upload = user.create_voice(AUDIO)["upload"]
    forged = {**upload, "url": upload["url"][:-1] + ("0" if upload["url"][-1] != "0" else "1")}
    assert user.put(forged, AUDIO, expect=None).status_code == 403
    assert by_requests(forged)[0] in (400, 403, LENGTH_REQUIRED)
    user.put(upload, AUDIO)
