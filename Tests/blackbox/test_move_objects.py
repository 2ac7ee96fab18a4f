"""Recordings move to a bucket and back by the commands of docs/reference.md, and nothing is missing or wrong (decision 0027).

`DIARY_TIMES=1` moves 2,000 recordings."""

import json
import re
import secrets
import shutil
import subprocess
import time

import pytest

import http_client
import many_recordings
from processes import PROGRAM, wait_for
from repetitions import repetitions
from rig import Rig
from s3_server import ACCESS_KEY, IS_INSTALLED, REGION, SECRET_KEY
from servers import ROOT
from stores import BucketStore
from user import SAMPLE, sha256

HAS_ALL = IS_INSTALLED and shutil.which("rclone", path="/usr/bin")
pytestmark = [pytest.mark.skipif(not HAS_ALL, reason="radosgw or rclone is not installed"), pytest.mark.long]

COUNT = repetitions(full=2_000, fast=40)
MIB = 1_048_576
LIFE = 20
"""Seconds of an upload address."""
PAGE = (ROOT / "docs/reference.md").read_text()
BLOCKS = dict(re.findall(r"<!-- move (\w+) -->\n+```sh\n(.*?)```", PAGE, re.DOTALL))
PLACES = "FROM=/var/lib/diary/objects TO=bucket:diary-objects/my-day"


class Page:
    """The page's shell, with what stands here for a machine with the package, and for AWS."""

    def __init__(self, rig, bucket):
        self.rig = rig
        tools = rig.folder / "tools"
        tools.mkdir()
        (tools / "diary-admin").write_text(f'#!/bin/sh\nexec {PROGRAM} "$@"\n')
        (tools / "diary-admin").chmod(0o755)
        (tools / "s3-secret-key").write_text(SECRET_KEY)
        self.path = f"{tools}:/usr/bin:/bin"
        self.is_back = False
        self.own = {
            "https://s3.eu-central-1.amazonaws.com": bucket.url,
            "REGION=eu-central-1": f"REGION={REGION}",
            "AKIAIOSFODNN7EXAMPLE": ACCESS_KEY,
            "/etc/diary/keys/s3-secret-key": str(tools / "s3-secret-key"),
            "diary-objects/my-day": f"{bucket.bucket}/diary",
            "/var/lib/diary/objects": str(rig.folder / "objects"),
            "runuser -u diary -- ": "",
            "sleep 5": "sleep 0.2",
            "sleep 900": f"sleep {LIFE}",
        }

    def run(self, block):
        text = BLOCKS["begin"] + BLOCKS[block]
        if self.is_back:
            there, back = PLACES.replace("FROM=", "").split(" TO=")
            text = text.replace(PLACES, f"FROM={back} TO={there}")
        for theirs, ours in self.own.items():
            text = text.replace(theirs, ours)
        # Nothing of this machine's own AWS client.
        environment = {name: value for name, value in self.rig.environment.items() if not name.startswith("AWS_")}
        done = subprocess.run(
            ["bash", "-euc", text], env={**environment, "PATH": self.path}, capture_output=True, text=True, timeout=600, cwd="/"
        )
        assert done.returncode == 0, (block, done.returncode, done.stdout[-2000:], done.stderr[-2000:])


def waiting(rig):
    """What is left, and whether workers have to do with it."""
    done = subprocess.run([PROGRAM, "objects", "waiting", "--json"], env=rig.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 2), (done.returncode, done.stderr)
    return json.loads(done.stdout), done.returncode == 2


def sealed(store):
    return {name for name in store.names() if name[0] != "staging"}


def objects(store):
    return {name[-1] for name in store.names()}


def offered(user, entry):
    return user.call("POST", f"/v1/entries/{entry}/upload-parts", 200).json()


def send(part, audio, size):
    body = audio[(part["number"] - 1) * size :][: part["size_bytes"]]
    return http_client.put(part["url"], data=body, headers=part["headers"], timeout=30).status_code


class Uploads:
    """Recordings at each step of their way when the service stops."""

    def __init__(self, rig, user):
        self.user, self.done = user, {}
        # Workers cannot check recordings for now.
        rig.script("probe", fail="retry", retry_after=600)
        for completes in (True, False):
            audio, entry, upload = self.new()
            user.put(upload, audio)
            if completes:
                user.complete(entry)
            self.done[entry] = audio
        audio, entry, _ = self.new(6, parts=True)
        self.send_parts(entry, audio)
        self.done[entry] = audio
        self.half, self.unsent, self.late = self.new(6, parts=True), self.new(), self.new()
        offer = offered(user, self.half[1])
        self.old_parts = [(part, self.half[0], offer["part_size"]) for part in offer["parts"][:2]]
        assert send(*self.old_parts[0]) == 200
        self.lived = time.monotonic() + LIFE + 1

    def new(self, mib=0, **fields):
        audio = SAMPLE.read_bytes() + secrets.token_bytes(mib * MIB + 16)
        made = self.user.create_voice(audio, sha256=sha256(audio), **fields)
        return audio, made["entry_id"], made["upload"]

    def send_parts(self, entry, audio):
        offer = offered(self.user, entry)
        assert offer["received_count"] == 0 and len(offer["parts"]) == offer["part_count"] > 1
        for part in offer["parts"]:
            assert send(part, audio, offer["part_size"]) == 200

    def arrive_late(self):
        """A bucket takes recordings while the API is stopped, and its client keeps none that was taken."""
        audio, entry, upload = self.late
        self.user.put(upload, audio)
        self.done[entry] = audio

    def go_on(self):
        """The old place's addresses are refused, and the service gives new ones."""
        user = self.user
        wait_for(lambda: time.monotonic() > self.lived, LIFE + 5, "the end of the old addresses")
        for audio, entry, upload in [one for one in (self.unsent, self.late) if one[1] not in self.done]:
            user.put(upload, audio, 403)
            assert user.complete(entry, 409).json()["code"] == "upload_incomplete"
            fresh = user.call("POST", f"/v1/entries/{entry}/upload-url", 200).json()["upload"]
            assert fresh["url"].split("?")[0] != upload["url"].split("?")[0]
            user.put(fresh, audio)
            user.complete(entry)
            self.done[entry] = audio
        audio, entry, _ = self.half
        assert send(*self.old_parts[1]) == 403
        assert user.complete(entry, 409).json()["code"] == "upload_incomplete"
        self.send_parts(entry, audio)
        user.complete(entry)
        self.done[entry] = audio
        for entry, audio in self.done.items():
            assert user.wait_done(entry, 60)["sha256"] == sha256(audio)


def test_recordings_move_to_a_bucket_and_back_by_the_page_and_none_is_missing_or_wrong(s3_url):
    bucket = BucketStore(s3_url)
    rig = Rig(DIARY_ACCESS_TOKEN_SECONDS="86400", DIARY_UPLOAD_URL_SECONDS=str(LIFE), **bucket.access)
    try:
        there_and_back(rig, bucket)
    finally:
        rig.end()


def there_and_back(rig, bucket):
    user, folder, page = rig.user(), rig.store, Page(rig, bucket)
    template = user.record()
    user.wait_done(template)
    kept = {entry: many_recordings.content(entry) for entry in many_recordings.make(rig, user, template, COUNT)}
    kept[template] = SAMPLE.read_bytes()

    move(page, user, kept, folder, bucket, DIARY_OBJECTS=bucket.address)

    # Nothing needs the folder, which then has what it had, as it would on a way back.
    before = folder.folder.rename(rig.folder / "objects-before")
    all_is_there(user, kept)
    before.rename(folder.folder)
    page.is_back = True

    move(page, user, kept, bucket, folder, DIARY_OBJECTS=str(folder.folder))

    all_is_there(user, kept)


def move(page, user, kept, source, target, **settings):
    """`kept`: the recordings, to which those are added that were on their way."""
    rig = page.rig
    page.run("first")
    # What is deleted after the first pass is not left at the target.
    deleted = next(iter(kept))
    del kept[deleted]
    ((gone,),) = rig.postgres.sql("diary", "select object_id::text from entries where id = %s", deleted)
    assert gone in objects(target)
    user.call("DELETE", f"/v1/entries/{deleted}", 204)
    wait_for(lambda: gone not in objects(source), 20, "the deletion")
    uploads = Uploads(rig, user)

    began = time.monotonic()
    assert rig.stop("serve") == 0
    left, is_for_workers = waiting(rig)
    # The whole set may have been joined by now.
    assert is_for_workers and left["recordings"] + left["parts"] == 3 and (left["zips"], left["begun"]) == (0, 1), left
    rig.unscript()
    assert rig.stop("work") == 0
    rig.start("work")
    if source.is_bucket:
        uploads.arrive_late()
        page.run("addresses")
    page.run("wait")
    assert waiting(rig) == ({"recordings": 0, "zips": 0, "parts": 0, "begun": 1}, False)
    assert rig.stop("work") == 0
    ended = time.monotonic()
    page.run("last")
    copied = time.monotonic()
    rig.environment.update(settings)
    page.run("verify")
    verified = time.monotonic()
    rig.start("serve")
    stood = time.monotonic() - began
    assert sealed(source) == sealed(target) and gone not in objects(target)
    rig.start("work")
    print(
        f"{len(sealed(target))} objects to a {'bucket' if target.is_bucket else 'folder'}: standstill {stood / 60:.2f} min (until workers had "
        f"ended {ended - began:.1f} s, last pass {copied - ended:.1f} s, comparison {verified - copied:.1f} s)"
    )

    uploads.go_on()
    kept |= uploads.done


def all_is_there(user, kept):
    missing, wrong = [], []
    for entry, audio in kept.items():
        answer = user.call("GET", f"/v1/entries/{entry}/audio")
        answer = http_client.get(answer.headers["location"]) if answer.status_code == 302 else answer
        if answer.status_code != 200:
            missing.append(entry)
        elif answer.content != audio:
            wrong.append(entry)
    assert (missing, wrong) == ([], [])
    print(f"{len(kept)} recordings: {len(missing)} missing, {len(wrong)} wrong")
