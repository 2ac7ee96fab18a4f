"""Recordings move to a bucket: a command that is killed copies them under load, the service is switched, and nothing is missing (decision 0047)."""

import contextlib
import json
import random
import secrets
import shutil
import signal
import subprocess
import threading

import pytest
import requests

import http_client
import many_recordings
from key_commands import running
from processes import PROGRAM, free_port, wait_for
from repetitions import repetitions
from rig import Rig
from s3_server import IS_INSTALLED
from stores import BucketStore
from user import SAMPLE

pytestmark = [pytest.mark.skipif(not IS_INSTALLED, reason="radosgw is not installed"), pytest.mark.long]

COUNT = repetitions(full=20_000, fast=200)
KILLS = repetitions(full=5, fast=2)
PROCESSES = ["serve", "serve-2", "work", "work-2"]


class Service:
    """Two APIs and two workers, of which one of each goes on while the other is started again with other settings."""

    def __init__(self, bucket):
        self.rig = Rig(DIARY_ACCESS_TOKEN_SECONDS="86400", **bucket.access)
        self.second = free_port()
        self.start("serve-2")
        self.start("work-2")

    def start(self, name):
        if name != "serve-2":
            return self.rig.start(name.split("-")[0], name)
        log = open(self.rig.folder / "logs" / "serve-2.log", "ab")
        environment = {**self.rig.environment, "DIARY_LISTEN": f"127.0.0.1:{self.second}"}
        self.rig.processes[name] = subprocess.Popen([PROGRAM, "serve"], env=environment, stdout=log, stderr=log)
        wait_for(lambda: self.answers(self.second), 20, "the second API")

    def answers(self, port):
        with contextlib.suppress(requests.RequestException):
            return http_client.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200

    def switch(self, **settings):
        """Restarts one process after the other with these settings."""
        self.rig.environment = {k: v for k, v in {**self.rig.environment, **settings}.items() if v is not None}
        for name in PROCESSES:
            assert self.rig.stop(name) == 0
            self.start(name)

    def call(self, method, url, headers=(), **more):
        """By whichever API takes the connection; a call that one of them dropped while it stopped is made again."""
        own, answers = f"http://127.0.0.1:{self.rig.port}", []

        def sent():
            for port in random.sample([self.rig.port, self.second], 2) if url.startswith((own, "/")) else [None]:
                address = url if port is None else f"http://127.0.0.1:{port}{url.removeprefix(own)}"
                # Signed for the public address.
                host = {} if port is None else {"Host": f"127.0.0.1:{self.rig.port}"}
                with contextlib.suppress(requests.ConnectionError):
                    answers.append(http_client.request(method, address, headers={**dict(headers), **host}, **more))
                    return True
            return False

        wait_for(sent, 30, f"an answer to {method} {url.split('?')[0]}")
        return answers[0]

    def ask(self, user, method, path, *allowed, headers=(), **more):
        own = {"Authorization": user.http.headers["Authorization"], "Diary-App": user.app}
        answer = self.call(method, path, {**own, **dict(headers)}, **more)
        assert answer.status_code in allowed, (method, path, answer.status_code, answer.text[:500])
        return answer

    def played(self, user, entry):
        link = self.ask(user, "GET", f"/v1/entries/{entry}/audio-url", 200).json()["url"]
        answer = self.call("GET", link)
        assert answer.status_code == 200, (entry, answer.status_code, answer.text[:300])
        return answer.content

    def record(self, user):
        """A new recording, sent to wherever its URL leads."""
        audio = SAMPLE.read_bytes()
        body = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": len(audio)}
        made = self.ask(user, "POST", "/v1/entries", 201, json=body, headers={"Idempotency-Key": secrets.token_hex(12)}).json()
        upload, entry = made["upload"], made["entry_id"]
        sent = self.call("PUT", upload["url"], upload["headers"], data=audio)
        # A put that was answered to a connection that ended is there.
        assert sent.status_code in (200, 409, 412), sent.text[:300]
        self.ask(user, "POST", f"/v1/entries/{entry}/complete", 200, 202)
        return entry

    def done(self, user, entry):
        found = self.ask(user, "GET", f"/v1/entries/{entry}", 200).json()
        assert found["status"] != "failed", found
        return found["status"] == "transcribed"


class Load:
    """Plays recordings, makes new ones, and deletes every third of those."""

    def __init__(self, service, user, entries):
        self.service, self.user, self.entries = service, user, entries
        self.played, self.made, self.deleted = 0, [], []
        self.stop = threading.Event()

    def play(self):
        while not self.stop.is_set():
            entry = random.choice(self.entries)
            assert self.service.played(self.user, entry) == many_recordings.content(entry), entry
            self.played += 1
            self.stop.wait(0.02)

    def record(self):
        while not self.stop.is_set():
            entry = self.service.record(self.user)
            if (len(self.made) + len(self.deleted)) % 3 == 2:
                wait_for(lambda entry=entry: self.service.done(self.user, entry), 60, "a transcript")
                self.deleted.append((self.object(entry), entry))
                self.service.ask(self.user, "DELETE", f"/v1/entries/{entry}", 200, 204)
            else:
                self.made.append(entry)
            self.stop.wait(0.3)

    def object(self, entry):
        return self.service.rig.postgres.sql("diary", "select object_id::text from entries where id = %s", entry)[0][0]


def test_recordings_are_moved_to_a_bucket_under_load_by_a_copy_that_is_killed_and_no_entry_is_unreadable_meanwhile(s3_url):
    store = BucketStore(s3_url)
    service = Service(store)
    try:
        move(service, store)
    finally:
        service.rig.end()


def move(service, store):
    rig, folder, bucket = service.rig, str(service.rig.folder / "objects"), store.address
    user = rig.user()
    template = user.record()
    user.wait_done(template)
    entries = many_recordings.make(rig, user, template, COUNT)
    load = Load(service, user, entries)
    line = [PROGRAM, "objects", "copy", "--from", folder, "--to", bucket, "--json"]

    def in_bucket():
        return {name for name in store.names() if name[0] == "audio"}

    def copied(*more):
        done = subprocess.run([*line, *more], env=rig.environment, capture_output=True, text=True, timeout=3_000)
        assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    with running(load.stop, load.play, load.play, load.record):
        service.switch(DIARY_OBJECTS_ALSO=bucket)
        for kill in range(1, KILLS + 2):
            how, code = (signal.SIGINT, 130) if kill > KILLS else (signal.SIGKILL, -signal.SIGKILL)
            before = in_bucket()
            process = subprocess.Popen(
                [*line, "--jobs", "1"], env=rig.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            # Early enough that no copy ends by itself before its signal, and by this run: the one before may have copied more than it was asked for,
            # and a run that has only begun takes no signal yet.
            least = COUNT * kill // (2 * (KILLS + 2))
            wait_for(
                lambda least=least, before=before: len(now := in_bucket()) >= least and bool(now - before),
                3_000,
                f"{least} objects in the bucket",
            )
            process.send_signal(how)
            told = process.communicate(timeout=60)[0]
            assert process.returncode == code, (how, process.returncode, told[-2000:])
        assert json.loads(told.splitlines()[-1])["finished"] is False
        first = copied()
        assert first["finished"] and first["present"] >= COUNT * (KILLS + 1) // (2 * (KILLS + 2)) and first["findings"] == {}

        service.switch(DIARY_OBJECTS=bucket, DIARY_OBJECTS_ALSO=folder)
        wait_for(lambda: (last := copied())["copied"] == last["waiting"] == 0, 120, "a copy that finds nothing to do")
        before = load.played
        wait_for(lambda: load.played > before + 20, 60, "playing after the switch")
    for entry in load.made:
        wait_for(lambda entry=entry: service.done(user, entry), 60, "a transcript")

    # What was made in the folder at the last moment.
    last = copied("--verify")
    assert last["waiting"] == 0 and last["compared"] == last["present"] and last["findings"] == {}
    verified = subprocess.run(
        [PROGRAM, "objects", "verify", "--alone", "--sample", "1000000", "--json"], env=rig.environment, capture_output=True, text=True
    )
    assert verified.returncode == 0, (verified.stdout[-2000:], verified.stderr[-2000:])
    assert json.loads(verified.stdout.splitlines()[-1])["counts"]["hashed"] >= COUNT + len(load.made)

    # Nothing needs the folder any more.
    service.switch(DIARY_OBJECTS_ALSO=None, DIARY_ORPHAN_SECONDS="1")
    shutil.move(folder, folder + "-moved")
    for entry in entries:
        assert service.played(user, entry) == many_recordings.content(entry), entry
    for entry in [template, *load.made]:
        assert service.played(user, entry) == SAMPLE.read_bytes(), entry
    assert load.made and load.deleted
    # What a copy left that was killed between a put and its second look at the source is an orphan, which the new worker sweeps (decision 0047).
    deleted = {object_id for object_id, _ in load.deleted}
    wait_for(lambda: not deleted & {name[-1] for name in store.names()}, 60, "the end of what was deleted")
