"""An S3 server that fails as its keys ask. Prints one JSON line with its port, then one line per request; ends with its stdin;
a line of it is answered with a mark. It checks no signature: radosgw and Swift do.

Of a key `bucket/NAME-…` NAME says what happens:
    fail-N-STATUS-CODE   the first N requests are answered with that status and error document, the others well
    asks-N               the first N requests: 503 with Retry-After: 1
    cut-N                the first N answers end in the middle
    stall-N              the first N requests get no answer
    late                 403 without a document, dated 20 minutes ago
    hidden-N             the first N requests: status 200 and an error document (InternalError)
    parts-N              an upload with N parts, two in a listing's answer
    sets-N               N open uploads with that beginning of their keys, one in a listing's answer
    unmarked-N           the same as OpenStack Swift lists them: with empty markers, and after the last one an empty answer
    stuck                listings of parts and of uploads that say they go on, and do not
A key that ends in `-00000000dead` is answered 503 each time.
"""

import email.utils
import json
import socket
import sys
import threading
import time
import urllib.parse

lock = threading.Lock()
seen = {}
held = []


def say(**fields):
    with lock:
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


def document(code):
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message></Message></Error>".encode()


def head_of(reader):
    line = reader.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while (line := reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return method, path, headers


def answer(out, status, body=b"", *headers, length=None, ago=0):
    date = email.utils.formatdate(time.time() - ago, usegmt=True)
    lines = [f"HTTP/1.1 {status} X", f"Date: {date}", f"Content-Length: {len(body) if length is None else length}", *headers]
    out.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def listed(path):
    """The answer to ListParts or ListMultipartUploads; None for any other query."""
    key, _, text = path.partition("?")
    query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
    if "uploads" in query:
        prefix = query["prefix"]
        if prefix == "stuck":
            return "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>"
        is_marked = not prefix.startswith("unmarked-")
        most = int(prefix.split("-")[1]) if prefix.startswith(("sets-", "unmarked-")) else 0
        number = int(query.get("upload-id-marker", "0")) + 1
        if number > most:
            return "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"
        goes_on, key, marker = (number < most, f"{prefix}%2Fa", number) if is_marked else (True, "", "")
        return (
            f"<ListMultipartUploadsResult><IsTruncated>{str(goes_on).lower()}</IsTruncated><EncodingType>url</EncodingType>"
            f"<NextKeyMarker>{key}</NextKeyMarker><NextUploadIdMarker>{marker}</NextUploadIdMarker><Upload><Key>{prefix}%2Fa</Key>"
            f"<UploadId>{number}</UploadId><Initiated>2026-11-23T12:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>"
        )
    if "uploadId" in query:
        name, marker = key.rsplit("/", 1)[-1], int(query.get("part-number-marker", "0"))
        if name == "stuck":
            return "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>"
        most = int(name.split("-")[1]) if name.startswith("parts-") else 0
        page = range(marker + 1, min(marker + 2, most) + 1)
        parts = "".join(
            f"<Part><PartNumber>{n}</PartNumber><LastModified>2026-11-23T12:00:0{n}.000Z</LastModified><ETag>&quot;{n}&quot;</ETag>"
            f"<Size>{n}</Size></Part>"
            for n in page
        )
        return f"<ListPartsResult><IsTruncated>{str(marker + 2 < most).lower()}</IsTruncated>{parts}</ListPartsResult>"
    return None


def good(out, method, path, headers):
    stored = ('ETag: "e"', "Last-Modified: Mon, 23 Nov 2026 12:00:00 GMT")
    if method == "HEAD":
        answer(out, 200, b"", *stored, length=5)
    elif method == "GET" and "range" in headers:
        answer(out, 206, b"bytes", "Content-Range: bytes 0-4/5", *stored)
    elif method == "GET" and (text := listed(path)) is not None:
        answer(out, 200, text.encode())
    elif method == "GET":
        answer(out, 200, b"<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
    elif method == "POST":
        answer(out, 200, b"\n\n<?xml version='1.0'?>\n<CompleteMultipartUploadResult/>")
    else:
        answer(out, 204 if method == "DELETE" else 200, b"", *stored)


def respond(out, method, path, headers):
    """False when the connection ends."""
    words = path.split("?")[0].rsplit("/", 1)[-1].split("-")
    if words[-1] == "00000000dead":
        words = ["fail", "999", "503", "SlowDown"]
    with lock:
        count = seen[path] = seen.get(path, 0) + 1
    kind, most = words[0], int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    if kind == "late":
        answer(out, 403, b"", ago=1200)
    elif count > most or kind not in ("fail", "asks", "cut", "stall", "hidden"):
        good(out, method, path, headers)
    elif kind == "fail":
        answer(out, int(words[2]), b"" if method == "HEAD" else document(words[3]))
    elif kind == "asks":
        answer(out, 503, document("SlowDown"), "Retry-After: 1")
    elif kind == "hidden":
        answer(out, 200, document("InternalError"))
    elif kind == "cut":
        answer(out, 206, b"by", "Content-Range: bytes 0-4/5", "Last-Modified: Mon, 23 Nov 2026 12:00:00 GMT", length=5)
        return False
    else:
        held.append(out)
        return None
    return True


def serve(out):
    reader = out.makefile("rb")
    try:
        while (head := head_of(reader)) is not None:
            method, path, headers = head
            body = reader.read(int(headers.get("content-length", "0")))
            say(event="request", method=method, path=path, headers=headers, length=len(body))
            match respond(out, method, path, headers):
                case None:
                    return
                case False:
                    break
    except (OSError, ValueError):
        pass
    # The reader holds the connection too.
    try:
        out.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    out.close()


def accept(server):
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(server,), daemon=True).start()
say(event="ready", http=server.getsockname()[1])
for _ in sys.stdin:
    say(event="mark")
