"""The main job of an app, by a generated client: from sign-up to the download of an export."""

import argparse
import datetime
import hashlib
import io
import pathlib
import secrets
import sys
import zipfile

import generated_clients
import http_client
from contract import CONTRACT
from later_version import MEMBER, VALUE, LaterVersion
from mail import Outbox, code_of
from processes import wait_for
from user import SAMPLE

PASSWORD = "a long enough passphrase 7"
DAY = datetime.date(2026, 3, 1)
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
READS = ("getConfig", "getReadiness", "getProfile", "getStatistics", "listSessions", "listEvents", "listExports", "listIdentities")


class ClientJob:
    """`later`: answers come through `LaterVersion`, so the client knows none of the values that may grow, and goes by the others."""

    def __init__(self, client, outbox, later=False):
        self.client, self.outbox, self.later = client, outbox, later

    def run(self):
        self.sign_up()
        text, other = self.write("Planted tomatoes.", NOON), self.write("The day after.", NOON + datetime.timedelta(days=1))
        voice = self.record()
        since = self.lists({text.id, voice.id}, other.id)
        self.edit(text, since)
        self.transcripts(voice)
        self.play(voice)
        self.export()
        self.reads()

    def good(self, operation, *path, **more):
        answer = self.client.call(operation, *path, **more)
        assert 200 <= answer.status < 300, (operation, answer)
        return answer.value

    def known(self, found, value):
        assert found == (VALUE if self.later else value), found

    def sign_up(self):
        new, address = self.client.new, f"{secrets.token_hex(8)}@example.org"
        sent = self.good("registerByEmail", body=new("Registration", email=address, password=PASSWORD, time_zone="Europe/Berlin"))

        def code():
            mails = self.outbox.to(address)
            return code_of(mails[-1]) if mails else None

        proof = new("Verification", email=address, code=wait_for(code, 20, "the code's mail"), request=sent.request)
        self.client.sign_in(self.good("verifyEmail", body=proof).access_token)
        assert self.good("getProfile").email == address

    def write(self, words, at):
        kind = self.client.value("AskedKind", "text")
        body = self.client.new(
            "EntryDraft", kind=kind, text=words, title="Garden", tags=["garden"], recorded_at=at, time_zone="Europe/Berlin"
        )
        entry = self.good("createEntry", body=body).entry
        assert (entry.text, entry.title, entry.local_date, entry.recorded_at) == (words, "Garden", at.date(), at)
        self.known(entry.kind, "text")
        return entry

    def record(self):
        audio = SAMPLE.read_bytes()
        kind, digest = self.client.value("AskedKind", "voice"), hashlib.sha256(audio).hexdigest()
        about = {"content_type": "audio/mp4", "size_bytes": len(audio), "sha256": digest, "recorded_at": NOON}
        started = self.good("createEntry", body=self.client.new("EntryDraft", kind=kind, time_zone="Europe/Berlin", **about))
        headers = started.upload.headers
        headers = headers if isinstance(headers, dict) else headers.to_dict()
        assert http_client.put(started.upload.url, data=audio, headers=headers).status_code == 200
        self.good("completeUpload", started.entry_id)

        def recognised():
            entry = self.good("getEntry", started.entry_id)
            assert self.later or entry.status != "failed", entry
            return entry.transcript_clean and entry

        entry = wait_for(recognised, 60, "the transcript")
        self.known(entry.status, "transcribed")
        assert entry.size_bytes == len(audio) and entry.sha256 == digest and not entry.title
        if extra := self.client.extra(entry):
            described = CONTRACT.document["components"]["schemas"]["Entry"]["properties"].keys()
            assert extra - described == ({MEMBER} if self.later else set()), extra
        return entry

    def lists(self, ids, other):
        """The feed, all entries, and those of a day. Returns the feed's position."""
        feed = self.good("listChanges")
        for page in (feed, self.good("listEntries")):
            assert {entry.id for entry in page.items} == ids | {other} and page.deleted == [] and page.has_more is False
        day = self.good("listEntries", **{self.client.FROM: DAY, "to": DAY})
        assert {entry.id for entry in day.items} == ids and {entry.local_date for entry in day.items} == {DAY}
        return feed.next_since

    def edit(self, entry, since):
        def change(if_match, **members):
            return self.client.call("changeEntry", entry.id, if_match=if_match, body=self.client.new("EntryPatch", **members))

        edited = change(f'"{entry.version}"', title="By the river", tags=["walk"])
        assert edited.status == 200 and (edited.value.title, edited.value.tags) == ("By the river", ["walk"])
        stale = change(f'"{entry.version}"', title="Too late")
        assert stale.status == 412 and stale.value.title, stale
        self.known(stale.value.code, "precondition_failed")
        cleared = change(edited.headers["ETag"], title="")
        assert cleared.status == 200 and not cleared.value.title and cleared.value.text == entry.text
        for feed in ("listChanges", "listEntries"):
            assert [changed.id for changed in self.good(feed, since=since).items] == [entry.id]

    def transcripts(self, entry):
        transcript = self.good("getTranscript", entry.id)
        assert transcript.text == entry.transcript_clean and transcript.raw == entry.transcript_raw
        asked = {self.client.FORMAT: self.client.value("AskedTranscriptFormat", "txt")}
        file = self.client.content(self.good("getTranscriptFile", entry.id, **asked))
        assert file.decode().strip() == entry.transcript_clean.strip()

    def play(self, entry):
        audio = SAMPLE.read_bytes()
        part = http_client.get(self.good("getAudioUrl", entry.id).url, headers={"Range": "bytes=1000-1999"})
        assert part.status_code == 206 and part.content == audio[1000:2000]

    def export(self):
        asked = self.good("createExport", body=self.client.new("ExportDraft", **{self.client.FROM: DAY, "to": DAY}))

        def ready():
            export = self.good("getExport", asked.id)
            return export.ready_at and export

        export = wait_for(ready, 60, "the export")
        self.known(export.status, "ready")
        zipped = http_client.get(self.good("getExportUrl", asked.id).url).content
        with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
            assert archive.testzip() is None and export.size_bytes == len(zipped) and export.entry_count == 2
            (recording,) = (name for name in archive.namelist() if name.startswith("audio/"))
            assert archive.read(recording) == SAMPLE.read_bytes()

    def reads(self):
        for operation in READS:
            self.good(operation)
        assert self.client.call("getEntry", "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f").status == 404


def main():
    """For scripts/clients: packages on PYTHONPATH, against a service that runs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--outbox", type=pathlib.Path, required=True)
    parser.add_argument("packages", nargs="+", metavar="GENERATOR=PACKAGE")
    options = parser.parse_args()
    for generator, package in (word.split("=") for word in options.packages):
        ClientJob(generated_clients.made(generator, package, options.url), Outbox(options.outbox)).run()
        print(f"{package}: the main job", flush=True)
        with LaterVersion(options.url) as later:
            ClientJob(generated_clients.made(generator, package, later.url), Outbox(options.outbox), later=True).run()
        print(f"{package}: the main job, with a later version of the service", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
