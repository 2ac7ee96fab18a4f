#!/usr/bin/env python3
"""Writes presigned uploads made by botocore's S3 client, for ours to equal: objects and parts, both styles of address, hard keys.

usage: make_presign_cases.py [count] > presign-cases.json      (count: 200, seed fixed)

`DIARY_PRESIGN_CASES` names a longer file for the test (5,000 for a release).
"""

import base64
import datetime
import json
import random
import string
import sys
import urllib.parse

import botocore.auth
import botocore.session
from botocore.config import Config

rng = random.Random(20260101)
count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
HARD = string.ascii_letters + string.digits + " +%&=?#~'()!*,;:@$äß€😀\"<>|^`{}[]\\"
ENDPOINTS = ["http://127.0.0.1:9000", "https://s3.example.com", "https://store.example.com:8443"]
session = botocore.session.Session()
clients = {}


def text(alphabet, low, high):
    return "".join(rng.choice(alphabet) for _ in range(rng.randint(low, high)))


def client(endpoint, region, style, token):
    name = (endpoint, region, style, token)
    if name not in clients:
        clients[name] = session.create_client(
            "s3",
            region_name=region,
            endpoint_url=endpoint,
            aws_access_key_id="test:key",
            aws_secret_access_key="secret/+key",
            aws_session_token=token,
            config=Config(signature_version="s3v4", s3={"addressing_style": style}, request_checksum_calculation="when_required"),
        )
    return clients[name]


def key():
    while True:
        made = "/".join(text(HARD, 1, 12) for _ in range(rng.randint(1, 4)))
        if not {".", ".."} & set(made.split("/")):
            return made


def case():
    # An address has no subdomains.
    endpoint, style = rng.choice([(e, s) for e in ENDPOINTS for s in ("path", "virtual") if s == "path" or "127" not in e])
    region, token = rng.choice(["us-east-1", "eu-central-1"]), rng.choice([None, None, "token/+=="])
    now = datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=rng.randint(0, 10**9))
    botocore.auth.get_current_datetime = lambda *_, **__: now
    made = {"endpoint": endpoint, "style": style, "region": region, "token": token, "key": key(), "length": rng.randint(0, 2**33)}
    made |= {"date": now.strftime("%Y%m%dT%H%M%SZ"), "expires": rng.randint(1, 604_800)}
    params = {"Bucket": "my-bucket", "Key": made["key"], "ContentLength": made["length"]}
    if rng.random() < 0.3:
        made["md5"] = params["ContentMD5"] = base64.b64encode(rng.randbytes(16)).decode()
    if rng.random() < 0.4:
        made |= {"upload": text(string.ascii_letters + "~._-+/=", 10, 60), "part": rng.randint(1, 10_000)}
        operation, params = "upload_part", params | {"UploadId": made["upload"], "PartNumber": made["part"]}
    else:
        operation = "put_object"
        made["type"] = params["ContentType"] = rng.choice(["audio/mp4", "audio/ogg; codecs=opus"])
        if rng.random() < 0.5:
            made["sha256"] = params["ChecksumSHA256"] = base64.b64encode(rng.randbytes(32)).decode()
        if rng.random() < 0.5:
            made["absent"], params["IfNoneMatch"] = True, "*"
    made["url"] = client(endpoint, region, style, token).generate_presigned_url(operation, Params=params, ExpiresIn=made["expires"])
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(made["url"]).query))
    assert "content-length" in query["X-Amz-SignedHeaders"], query
    return made


json.dump([case() for _ in range(count)], sys.stdout, separators=(",", ":"))
sys.stdout.write("\n")
