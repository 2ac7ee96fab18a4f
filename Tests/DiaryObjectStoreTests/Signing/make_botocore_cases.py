#!/usr/bin/env python3
"""Writes signatures made by botocore, for the signer to equal (D1).

usage: make_botocore_cases.py [count] > botocore-cases.json      (count: 200, seed fixed)
"""

import base64
import datetime
import json
import random
import string
import sys
import uuid

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

rng = random.Random(20250101)
count = int(sys.argv[1]) if len(sys.argv) > 1 else 200


def freeze(moment):
    """Needs botocore 1.40 or later, where the signers read the time through this helper."""
    botocore.auth.get_current_datetime = lambda *_, **__: moment


def text(alphabet, low, high):
    return "".join(rng.choice(alphabet) for _ in range(rng.randint(low, high)))


def moment():
    seconds = rng.randint(0, 4_000_000_000)
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)


def credentials():
    return Credentials(text(string.ascii_uppercase + string.digits, 16, 20), text(string.ascii_letters + string.digits + "+/", 20, 64))


def uid():
    return str(uuid.UUID(int=rng.getrandbits(128)))


REGIONS = ["us-east-1", "eu-central-1", "auto", "local"]
TYPES = ["audio/mp4", "audio/mpeg", "audio/wav", "audio/x-m4a", 'audio/ogg; codecs="opus"', "video/mp4"]
HOSTS = [
    "http://127.0.0.1:8080",
    "https://api.example.com",
    "https://api.example.com:8443",
    "http://localhost:9",
    "https://d.example/base/v2",
]


def upload():
    keys, region, now = credentials(), rng.choice(REGIONS), moment()
    base = rng.choice(HOSTS)
    key = f"staging/{uid()}/{uid()}/{uid()}"
    length, kind, expires = rng.randint(0, 2**40), rng.choice(TYPES), rng.randint(1, 604800)
    digest = base64.b64encode(rng.randbytes(32)).decode() if rng.random() < 0.5 else None
    headers = {"Content-Type": kind, "Content-Length": str(length)}
    if digest:
        headers["x-amz-checksum-sha256"] = digest
    freeze(now)
    request = AWSRequest(method="PUT", url=f"{base}/objects/{key}", headers=headers)
    botocore.auth.S3SigV4QueryAuth(keys, "s3", region, expires=expires).add_auth(request)
    return {
        "kind": "upload",
        "access": keys.access_key,
        "secret": keys.secret_key,
        "region": region,
        "base": base,
        "key": key,
        "type": kind,
        "length": length,
        "sha256": digest,
        "date": now.strftime("%Y%m%dT%H%M%SZ"),
        "expires": expires,
        "url": request.url,
    }


def part():
    """A part's number and set, which botocore signs with the rest of the query."""
    case = upload()
    case |= {"kind": "part", "sha256": None, "number": rng.randint(1, 10_000), "upload": uid()}
    address = f"{case['base']}/objects/{case['key']}?partNumber={case['number']}&uploadId={case['upload']}"
    keys = Credentials(case["access"], case["secret"])
    freeze(datetime.datetime.strptime(case["date"], "%Y%m%dT%H%M%SZ"))
    request = AWSRequest(method="PUT", url=address, headers={"Content-Type": case["type"], "Content-Length": str(case["length"])})
    botocore.auth.S3SigV4QueryAuth(keys, "s3", case["region"], expires=case["expires"]).add_auth(request)
    return {**case, "url": request.url}


def header():
    keys, region, now = credentials(), rng.choice(REGIONS), moment()
    method = rng.choice(["GET", "PUT", "POST", "DELETE", "HEAD"])
    # S3 signs a path as it stands, so it is written in its canonical encoding here.
    alphabet = string.ascii_letters + string.digits + "-._~"
    path = "/" + "/".join(text(alphabet, 1, 12).strip(".") or "x" for _ in range(rng.randint(1, 5)))
    parts = [(text(string.ascii_letters, 1, 8), text(alphabet, 0, 12)) for _ in range(rng.randint(0, 4))]
    query = "&".join(f"{name}={value}" for name, value in parts)
    body = rng.randbytes(rng.randint(0, 64)) if method in ("PUT", "POST") else b""
    headers = {}
    for _ in range(rng.randint(0, 4)):
        headers["X-Test-" + text(string.ascii_lowercase, 1, 8)] = text(string.printable[:94] + "   ", 1, 30).strip() or "v"
    host = rng.choice(["bucket.s3.amazonaws.com", "127.0.0.1:9000", "store.example"])
    freeze(now)
    url = f"http://{host}{path}" + (f"?{query}" if query else "")
    request = AWSRequest(method=method, url=url, headers=dict(headers), data=body)
    botocore.auth.S3SigV4Auth(keys, "s3", region).add_auth(request)
    return {
        "kind": "header",
        "access": keys.access_key,
        "secret": keys.secret_key,
        "region": region,
        "method": method,
        "host": host,
        "path": path,
        "query": query,
        "headers": headers,
        "payload": request.headers["X-Amz-Content-SHA256"],
        "date": now.strftime("%Y%m%dT%H%M%SZ"),
        "authorization": request.headers["Authorization"],
    }


cases = [upload() if number % 5 < 3 else header() for number in range(count)]
cases += [part() for _ in range(count // 4)]
json.dump(cases, sys.stdout, separators=(",", ":"))
sys.stdout.write("\n")
