"""A zip of a user's entries, checked against itself: names, sizes, digests, and the published form of its manifest."""

import io
import json
import pathlib
import re
import zipfile

import jsonschema_rs

import http_client
from contract import closed
from processes import wait_for
from user import sha256

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/export-manifest.schema.json").read_text())
STEM = r"\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(_[0-9a-f]{8}|_[0-9a-f-]{36})?"
NAME = re.compile(
    rf"index\.html|manifest\.json|text/{STEM}\.(txt|md)|srt/{STEM}\.srt|audio/{STEM}\.[a-z0-9]+"
    r"|entries/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/(transcript|metadata)\.json"
)
FORMATS = ["txt", "md", "srt", "transcript_json", "metadata_json"]


def strict(schema):
    """As this version writes it: no member that the form does not name."""
    made = {name: strict(inner) if isinstance(inner, dict) else inner for name, inner in schema.items()}
    return closed(made) if made.get("type") == "object" else made


VALIDATOR = jsonschema_rs.validator_for({**strict(SCHEMA), "$defs": {name: strict(inner) for name, inner in SCHEMA["$defs"].items()}})


def exported(user, seconds=40, **body):
    days = {} if "entry_ids" in body else {"from": "2026-01-01", "to": "2026-12-31"}
    made = user.call("POST", "/v1/exports", 202, json={**days, "mail": False, **body}).json()

    def ready():
        export = user.call("GET", f"/v1/exports/{made['id']}", 200).json()
        assert export["status"] != "failed", export
        return export["status"] == "ready"

    wait_for(ready, seconds, "the zip")
    url = user.call("GET", f"/v1/exports/{made['id']}/url", 200).json()["url"]
    return Zip(http_client.get(url, timeout=30).content)


class Zip:
    def __init__(self, data):
        self.archive = zipfile.ZipFile(io.BytesIO(data))
        assert self.archive.testzip() is None
        self.names = self.archive.namelist()
        self.manifest = json.loads(self.read("manifest.json"))
        VALIDATOR.validate(self.manifest)
        self.entries = {entry["id"]: entry for entry in self.manifest["entries"]}
        assert self.manifest["entry_count"] == len(self.entries) == len(self.manifest["entries"])
        files = [file for named in [*self.manifest["entries"], self.manifest] for file in named["files"]]
        assert sorted(self.names) == sorted([file["path"] for file in files] + ["manifest.json"])
        assert len({name.lower() for name in self.names}) == len(self.names)
        for name in self.names:
            assert NAME.fullmatch(name), name
        for file in files:
            content = self.read(file["path"])
            assert (len(content), sha256(content)) == (file["size"], file["sha256"]), file

    def read(self, name):
        return self.archive.read(name)

    def file(self, entry, role):
        """The content of an entry's file."""
        (found,) = [file for file in self.entries[entry]["files"] if file["role"] == role]
        return self.read(found["path"])
