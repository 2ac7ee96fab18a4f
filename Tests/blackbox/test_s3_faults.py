"""A8: the bucket's service fails, stalls, cuts, lies, or finds the clock wrong, while recordings arrive, are heard again and are played.

Clients reach the service directly, API and workers through a proxy that fails. With `DIARY_TIMES=1` a stall takes 60 s, and the client's own
deadline ends it."""

import collections
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

import http_client
from processes import wait_for
from repetitions import LONG, repetitions
from rig import Rig
from s3_proxy import FAULTS, S3Proxy
from stores import BucketStore

STALL = repetitions(60, 1)
NAMED = {
    "500": ["HeadObject: 500", "GetObject: 500 InternalError"],
    "503": ["HeadObject: 503", "GetObject: 503 SlowDown"],
    "stall": repetitions(["HeadObject: timed out", "GetObject: timed out"], ["GetObject: (could not connect|protocol error 52)"]),
    "cut": ["GetObject: protocol error 18"],
    # Sealed bytes are not authentic; plain ones are others when they are sealed than when they were checked.
    "wrong bytes": ["object store: damaged", "object store: checksumMismatch"],
    "error document": ["PutObject: 200 InternalError", "CompleteMultipartUpload: 200 InternalError"],
    "clock": [
        r"HeadObject: 403 .*clocks differ by -(119\d|120\d) s",
        r"GetObject: 403 RequestTimeTooSkewed, clocks differ by -(119\d|120\d) s",
    ],
}
"""Patterns of what the log says of each."""
MEANWHILE = 120
"""Seconds for a call that needs the bucket."""


@pytest.fixture
def failing(s3_url):
    """(rig, proxy)"""
    proxy = S3Proxy(s3_url, stall_seconds=STALL)
    rig = None
    try:
        rig = Rig(store=BucketStore(s3_url), DIARY_S3_ENDPOINT=proxy.url, DIARY_S3_PUBLIC_ENDPOINT=s3_url)
        yield rig, proxy
    finally:
        if rig:
            rig.end()
        proxy.end()


class Voices:
    """Recordings of one person, and how often each is to be heard."""

    def __init__(self, rig, user):
        self.rig, self.user = rig, user
        self.audio, self.due = {}, collections.Counter()
        self.calls = rig.folder / "calls"
        rig.script("speech", calls_log=str(self.calls))

    def sent(self, **more):
        """An entry whose recording lies in the bucket, not yet reported as complete."""
        audio = b"\0\0\0\x18ftypM4A " + secrets.token_bytes(3000)
        made = self.user.create_voice(audio, **more)
        self.audio[made["entry_id"]] = audio
        self.due[fingerprint(audio)] = 1
        if more.get("parts"):
            (part,) = self.user.call("POST", f"/v1/uploads/{made['entry_id']}/parts", 200).json()["parts"]
            answer = http_client.put(part["url"], data=audio, headers=part["headers"])
            assert answer.status_code == 200, answer.text
        else:
            self.user.put(made["upload"], audio)
        return made["entry_id"]

    def hear_again(self, entry):
        self.user.call("POST", f"/v1/entries/{entry}/reprocess", 202, json={"stage": "transcribe"})
        self.due[fingerprint(self.audio[entry])] += 1

    def heard(self):
        return collections.Counter(self.calls.read_text().split())

    def play(self, entry):
        """The status, or `cut`; never other bytes than the right ones."""
        link = self.user.audio_url(entry)
        try:
            answer = http_client.get(link, timeout=MEANWHILE)
        except requests.RequestException:
            return "cut"
        assert answer.status_code != 200 or answer.content == self.audio[entry], "wrong bytes were played"
        return answer.status_code


def fingerprint(audio):
    """What the scripted recogniser notes of a recording: FNV-1a, 64 bits."""
    hashed = 0xCBF29CE484222325
    for byte in audio:
        hashed = (hashed ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{hashed:016x}"


class Log:
    """What API and workers have logged since this was made."""

    def __init__(self, rig):
        self.paths = [rig.folder / "logs" / f"{name}.log" for name in ("serve", "work")]
        self.begun = [path.stat().st_size for path in self.paths]

    def text(self):
        return "".join(path.read_bytes()[begun:].decode(errors="replace") for path, begun in zip(self.paths, self.begun))


def met(rig, *entries):
    """How many jobs have met the fault and are not done. A store that is away counts no error, bytes that are wrong do."""
    query = "select count(*)::int from jobs where subject::text = any(%s) and code = 'storage_unavailable' and state <> 'done'"
    return rig.postgres.sql("diary", query, list(entries))[0][0]


@pytest.mark.long
def test_a8_no_fault_of_the_bucket_loses_or_alters_a_recording_or_stops_what_needs_none(failing):
    rig, proxy = failing
    user = rig.user()
    voices, played = Voices(rig, user), {}
    heard = {fault: voices.sent() for fault in FAULTS}
    for entry in heard.values():
        user.complete(entry)
    for entry in heard.values():
        user.wait_done(entry)

    for fault in FAULTS:
        joined, arrived, log = voices.sent(parts=True), voices.sent(), Log(rig)
        began = time.monotonic()
        with proxy.fault(fault), ThreadPoolExecutor(3) as pool:
            voices.hear_again(heard[fault])
            storing = [pool.submit(user.call, "POST", f"/v1/uploads/{entry}/complete", timeout=MEANWHILE) for entry in (joined, arrived)]
            playing = pool.submit(voices.play, heard[fault])
            # Words, lists and new entries need no bucket; signing is done here.
            for number in range(3):
                made = user.create_text(f"{fault} {number}")["entry_id"]
                assert user.entry(made)["text"] == f"{fault} {number}"
            late = voices.sent()
            assert user.call("GET", "/v1/entries", 200).json()["items"]
            for answer in (future.result() for future in storing):
                assert answer.status_code in (202, 503), f"{fault}: {answer.status_code} {answer.text}"
                assert answer.status_code == 202 or int(answer.headers["retry-after"]) >= 1
            played[fault] = playing.result()
            wait_for(lambda: met(rig, joined, arrived, heard[fault]), MEANWHILE, f"{fault}: a try that met it")
            wait_for(lambda: all(re.search(name, log.text()) for name in NAMED[fault]), MEANWHILE, f"{fault}: its name in the log")
            if fault == "stall" and LONG:
                time.sleep(max(0, began + STALL - time.monotonic()))
            if fault == "503":
                wait_for(lambda: http_client.get(rig.url + "/readyz").status_code == 503, 20, "a service that is not ready")
        for entry in (joined, arrived, late):
            user.call("POST", f"/v1/uploads/{entry}/complete", (200, 202))
        for entry in (joined, arrived, late, heard[fault]):
            done = user.wait_done(entry)
            assert fingerprint(voices.audio[entry]) in done["transcript_raw"], f"{fault}: a transcript of other bytes"
        assert voices.play(joined) == voices.play(arrived) == voices.play(heard[fault]) == 200

    # Each recording was heard as often as it was to be, and nothing else.
    assert voices.heard() == voices.due
    assert {fault for fault in played if played[fault] == 200} == {"error document"}, played
    assert all(proxy.met[fault] for fault in FAULTS), proxy.met
    wait_for(lambda: {kind for kind, *_ in rig.store.names(user.id)} == {"audio"}, 10, "the end of staging")
    assert len(rig.store.names(user.id)) == len(voices.audio) and not rig.half_written()
    print(f"A8: {len(FAULTS)} faults met by {sum(sum(met.values()) for met in proxy.met.values())} requests, played as {played}")
