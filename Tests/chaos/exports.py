"""I5: each export that was acknowledged is there once, was mailed once unless it is empty, and its zip is what its manifest says and what was
uploaded."""

import collections
import io
import json
import re
import zipfile

from mail import text_of
from user import sha256

DISCARDED = "processing_crashed"


class Exports:
    def __init__(self, rig, history):
        self.rig, self.history = rig, history

    def judge(self, client, stored, twice, may_be_discarded):
        """`stored`: {entry: (kind, status)}. `twice`: exports that may be mailed twice. Returns counts and faults."""
        faults = []
        told = self.history.acknowledged(client.id, "export")
        rows = {
            row[0]: row[1:]
            for row in self.rig.postgres.sql(
                "diary",
                """select id::text, status, case when mail_asked then mail_status else 'none' end, code, entry_count, size_bytes
                   from exports where user_id = %s""",
                client.id,
            )
        }
        for key, ids in told.items():
            if len(ids) != 1:
                faults.append(f"I5: export key {key} was answered with {len(ids)} exports")
            if lost := [id for id in ids if id not in rows]:
                faults.append(f"I5: {len(lost)} acknowledged exports are lost")
        if len(rows) > len(told):
            faults.append(f"I5: {len(rows)} exports for {len(told)} keys")
        mails = self.mails(client)
        zips = discarded = 0
        for id, (status, mailed, code, count, size) in rows.items():
            if status == "failed" or mailed == "failed":
                if may_be_discarded and code == DISCARDED:
                    discarded += 1
                else:
                    faults.append(f"I5: an export failed: {status}, mail {mailed}, {code}")
                continue
            sent = mails.get(id, [])
            if status != "ready" or (mailed, bool(sent)) != (("sent", True) if count else ("none", False)):
                faults.append(f"I5: an export of {count} entries is {status}, its mail {mailed}, {len(sent)} sent")
                continue
            if len(sent) > (2 if id in twice else 1) or len({number for number, _ in sent}) > 1:
                faults.append(f"I5: {len(sent)} mails for one export")
            began = min((line["began"] for line in self.history.told(client.id, "export", 202) if line["id"] == id), default=None)
            faults += self.zips(client, id, sent[0][1] if sent else None, stored, count, size, began)
            zips += 1
        known = {id for ids in told.values() for id in ids}
        if unknown := set(mails) - known:
            faults.append(f"I5: {len(unknown)} mails for no export of this user")
        return {"zips": zips, "discarded": discarded}, faults

    def mails(self, client):
        """{export: [(Message-ID, link), …]} of what lies in the outbox for this user."""
        subjects = dict(
            self.rig.postgres.sql(
                "diary", "select id::text, subject::text from mails where user_id = %s and kind = 'export_ready'", client.id
            )
        )
        found = collections.defaultdict(list)
        for mail in self.rig.mails(client.user.address):
            link = re.search(re.escape(self.rig.url) + r"/exports/[A-Za-z0-9._~-]+", text_of(mail))
            if link:
                number = str(mail["Message-ID"])
                found[next((export for id, export in subjects.items() if id in number), "?")].append((number, link[0]))
        return found

    def zips(self, client, export, link, stored, count, size, began):
        """All parts of an export hold what was there, each entry in one of them. `link`: None of an empty one."""
        parts = self.rig.postgres.sql(
            "diary", "select number, entry_count, size_bytes from export_parts where export_id = %s order by number", export
        )
        faults, held, head = [], [], None
        for number, part_count, part_size in parts:
            found, manifest = self.zip(client, export, link, number if len(parts) > 1 else None, part_count, part_size)
            faults += found
            if manifest is None:
                continue
            if manifest["part"] != {"number": number, "count": len(parts)}:
                faults.append("I5: a part's manifest says that it is another")
            head = manifest["range"]
            held += [entry["id"] for entry in manifest["entries"]]
        if sum(part[1] for part in parts) != count or sum(part[2] for part in parts) != size:
            faults.append("I5: an export's row does not say what its parts do")
        if len(set(held)) != len(held) or len(held) != count:
            faults.append(f"I5: {len(held)} entries in manifests, {len(set(held))} different, {count} in the export's row")
        if not set(held) <= set(stored):
            faults.append("I5: a zip holds an entry that is not its owner's")
        if began and head is not None:
            due = (
                {line["id"] for line in self.history.told(client.id, "create", 200, 201) if line["at"] < began}
                if head.get("from", "") < "2001"
                else set()
            )
            if due - set(held):
                faults.append(f"I5: {len(due - set(held))} entries that were acknowledged before are not in the zip")
        return faults

    def zip(self, client, export, link, number, count, size):
        """(faults, manifest) of one zip."""
        try:
            data = client.user.download(link, number) if link else client.zip(export)
        except AssertionError as error:
            return [f"I5: a mailed link does not give its zip: {str(error)[:120]}"], None
        if len(data) != size:
            return [f"I5: a zip has {len(data)} bytes, its export says {size}"], None
        faults = []
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.testzip() is not None:
                return ["I5: a zip's member is damaged"], None
            manifest = json.loads(archive.read("manifest.json"))
            files = {file["path"]: file for named in [*manifest["entries"], manifest] for file in named["files"]}
            if sorted(archive.namelist()) != sorted([*files, "manifest.json"]):
                faults.append("I5: a zip holds other members than its manifest names")
            for path, file in files.items():
                content = archive.read(path)
                if (len(content), sha256(content)) != (file["size"], file["sha256"]):
                    faults.append("I5: a zip's member is not what its manifest says")
            for entry in manifest["entries"]:
                faults += self.contents(archive, entry, client)
        if len(manifest["entries"]) != count or count != manifest["entry_count"]:
            faults.append(f"I5: {len(manifest['entries'])} entries in a manifest, {count} in the row")
        return faults, manifest

    def contents(self, archive, entry, client):
        """Recordings and words are the ones that were sent; what was ready is whole."""
        uploaded, words = self.history.audio().get(entry["id"]), self.history.words(client.id).get(entry["id"])
        audio = [file["sha256"] for file in entry["files"] if file["path"].startswith("audio/")]
        text = [archive.read(file["path"]) for file in entry["files"] if file["path"].startswith("text/")]
        if entry["kind"] == "text":
            return (
                []
                if text and (words is None or sha256(text[0].removesuffix(b"\n")) == words)
                else ["I5: a zip's words are not what was written"]
            )
        if audio and uploaded and audio != [uploaded]:
            return ["I5: a zip's recording is not what was uploaded"]
        if entry["status"] == "transcribed" and not (audio and text):
            return ["I5: a zip lacks a transcribed entry's recording or words"]
        return []
