"""The main job of scripts/apart, by HTTP from a machine of its own."""

import hashlib
import io
import re
import secrets
import subprocess
import zipfile

import http_client
from apart_machines import nothing_in_common
from mail import text_of
from processes import wait_for
from user import SAMPLE, User

PASSWORD = "a long enough passphrase 7"
PEAKS = 800
PATIENCE = 240
"""Seconds for a transcript: the recogniser is real, and the machine may be slow."""
HELD = "select leased_by from jobs where kind = 'transcribe' and state = 'leased' and subject = %s"
DONE = "select attempt, crashes from jobs where kind = 'transcribe' and state = 'done' and subject = %s"


def long_recording():
    """The sample as WAV, so long that its transcription can be interrupted, and so large that it goes in parts."""
    words = ["ffmpeg", "-v", "error", "-i", str(SAMPLE), "-ar", "48000", "-ac", "2", "-f", "wav", "-fflags", "+bitexact", "-"]
    return subprocess.run(words, check=True, capture_output=True).stdout


class Job:
    def __init__(self, service, network, saw):
        self.service, self.network, self.saw = service, network, saw
        self.audio = SAMPLE.read_bytes()

    def run(self):
        self.apart()
        self.sign_up()
        self.record()
        self.play()
        self.worker_is_cut_off()
        self.export()
        self.api_is_cut_off()
        self.delete()

    def apart(self):
        machines = [machine for machine in self.network.machines if machine.process.poll() is None]
        count = nothing_in_common(machines)
        self.saw(f"{len(machines)} machines share no namespace, and none of the {count} file systems that they can write to")
        own, servers = [*self.service.apis, *self.service.workers], (self.service.postgres, self.service.redis, self.service.bucket)
        ports = dict(zip((server.machine.address for server in servers), (5432, 6379, self.service.bucket.PORT), strict=True))
        for machine in own:
            assert all(machine.reaches(address, port) for address, port in ports.items()), machine.name
            assert not any(machine.reaches(api.address, 8080) for api in self.service.apis if api is not machine), machine.name
        self.saw("API and worker machines reach Postgres, Redis and the bucket, and not each other")

    def sign_up(self):
        self.user = User(self.service, "my-day", f"{secrets.token_hex(8)}@example.org", PASSWORD)
        self.saw("signed up; the requests met different API machines, and the code was mailed by a worker machine")

    def to_bucket(self, url, data, headers):
        assert url.startswith(self.service.bucket.url + "/"), url
        answer = http_client.put(url, data=data, headers=headers)
        assert answer.status_code == 200, answer.text

    def record(self):
        made = self.user.create_voice(self.audio, sha256=hashlib.sha256(self.audio).hexdigest())
        self.to_bucket(made["upload"]["url"], self.audio, made["upload"]["headers"])
        self.user.complete(made["entry_id"])
        self.entry = self.user.wait_done(made["entry_id"], PATIENCE)
        assert len(self.entry["transcript_raw"].split()) > 20 and self.entry["transcript_clean"], self.entry
        self.saw("a recording went to the bucket by its presigned URL and was transcribed")
        kept = self.service.bucket.keys("audio/")
        assert kept and not self.service.bucket.keys("staging/"), self.service.bucket.keys()
        assert not any(self.audio[4_000:4_064] in self.service.bucket.content(key) for key in kept)
        self.saw("it is sealed in the bucket, and nothing of it is left in staging")

    def play(self):
        link = self.user.call("GET", f"/v1/entries/{self.entry['id']}/audio/url", 200).json()["url"]
        for first, last in ((0, 99), (1_000, 70_000)):
            part = http_client.get(self.service.elsewhere(link), headers={"Range": f"bytes={first}-{last}"})
            assert part.status_code == 206 and part.content == self.audio[first : last + 1], part.status_code
        assert http_client.get(self.service.elsewhere(link)).content == self.audio
        assert len(self.user.call("GET", f"/v1/entries/{self.entry['id']}/waveform", 200).json()["peaks"]) == PEAKS
        self.saw("played in ranges by an API machine that did not sign the link")

    def worker_is_cut_off(self):
        audio = long_recording()
        made = self.user.create_voice(
            audio, content_type="audio/wav", parts=True, recorded_at="2026-03-02T12:00:00Z", sha256=hashlib.sha256(audio).hexdigest()
        )
        entry = made["entry_id"]
        offered = self.user.call("POST", f"/v1/uploads/{entry}/parts", 200).json()
        assert len(offered["parts"]) > 1, offered
        for part in reversed(offered["parts"]):
            data = audio[(part["number"] - 1) * offered["part_size"] :][: part["size_bytes"]]
            self.to_bucket(part["url"], data, part["headers"])
        self.user.complete(entry)
        self.saw(f"{len(audio) >> 20} MiB went to the bucket in {len(offered['parts'])} parts, the last one first")
        (holder,) = wait_for(lambda: self.service.postgres.sql("diary", HELD, entry), PATIENCE, "a worker at the transcript")[0]
        (lost,) = [worker for worker in self.service.workers if worker.name == holder.split("/")[0]]
        lost.cut_off()
        done = self.user.wait_done(entry, PATIENCE)
        assert done["transcript_raw"] and done["sha256"] == hashlib.sha256(audio).hexdigest(), done
        assert self.service.postgres.sql("diary", DONE, entry) == [(2, 1)], "attempts and crashes"
        self.saw(f"{lost.name} was cut off and killed while it transcribed, and the other one finished")

    def export(self):
        self.user.export(**{"from": "2026-03-01", "to": "2026-03-02"})
        texts = [text_of(mail) for mail in self.service.mails(self.user.address)]
        link = next(found[0] for text in texts if (found := re.search(re.escape(self.service.public_url) + r"/exports/[\w.~-]+", text)))
        taken = http_client.post(self.service.elsewhere(link) + "/download", allow_redirects=False)
        assert taken.status_code == 303, taken.text
        target = taken.headers["location"]
        zipped = http_client.get(self.service.url + target if target.startswith("/") else self.service.elsewhere(target))
        with zipfile.ZipFile(io.BytesIO(zipped.content)) as archive:
            assert archive.testzip() is None
            recordings = {name: archive.read(name) for name in archive.namelist() if name.startswith("audio/")}
        assert len(recordings) == 2 and recordings[f"audio/{self.entry['filename']}"] == self.audio, list(recordings)
        self.saw("an export was built, mailed and downloaded, with both recordings in it")

    def api_is_cut_off(self):
        lost = self.service.apis[0]
        self.service.without(lost)
        lost.cut_off()
        assert self.user.entry(self.entry["id"])["transcript_raw"] == self.entry["transcript_raw"]
        self.saw(f"{lost.name} was cut off and killed, and the other one goes on with the same session")

    def delete(self):
        before = set(self.service.bucket.keys("audio/"))
        self.user.call("DELETE", f"/v1/entries/{self.entry['id']}", 204)
        wait_for(lambda: set(self.service.bucket.keys("audio/")) < before, 30, "the deletion of the recording")
        receipt = self.user.call("DELETE", "/v1/me", 202, json={"password": PASSWORD}).json()["receipt"]

        def erased():
            return http_client.get(f"{self.service.url}/v1/deletions/{receipt}").json()["status"] == "erased"

        wait_for(erased, 60, "the erasure")
        left = [key for key in self.service.bucket.keys() if not key.endswith("/sweep-mark")]
        assert not left, left
        self.saw("an entry and then the account were deleted, and the bucket is empty")
