"""Imports through the API, and the zips that they are given."""

import datetime
import io
import json
import uuid
import zipfile

from processes import wait_for
from user import SAMPLE


def announce(user, size, expect=201, **fields):
    body = {"size_bytes": size, **fields}
    return user.call("POST", "/v1/imports", expect, json=body).json()


def send(user, content, **fields):
    made = announce(user, len(content), **fields)
    user.put(made["upload"], content)
    user.complete(made["import"]["id"])
    return made["import"]["id"]


def shown(user, import_id):
    return user.call("GET", f"/v1/imports/{import_id}", 200).json()


def wait_import(user, import_id, status="finished", seconds=60):
    def ended():
        found = shown(user, import_id)
        assert found["status"] == status or found["status"] not in ("finished", "failed"), found
        return found if found["status"] == status else None

    return wait_for(ended, seconds, f"import {status}")


def imported(user, content, status="finished", seconds=60, **fields):
    return wait_import(user, send(user, content, **fields), status, seconds)


def report(user, import_id):
    items, cursor = [], ""
    while True:
        page = user.call("GET", f"/v1/imports/{import_id}/report?limit=200{cursor}", 200).json()
        items += page["items"]
        if not page["has_more"]:
            return items
        cursor = f"&cursor={page['next_cursor']}"


def day_one_entry(number=1, **members):
    """As the app writes one; times in UTC, the zone by name."""
    at = datetime.datetime(2019, 3, 1, 21, 30, tzinfo=datetime.UTC) + datetime.timedelta(hours=number)
    return {
        "uuid": uuid.uuid4().hex.upper(),
        "creationDate": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "modifiedDate": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "timeZone": "America/New_York",
        "starred": False,
        "duration": 0,
        "isAllDay": False,
        "text": f"# Day {number}\n\nIt rained\\. We stayed in\\!",
        **members,
    }


def day_one(entries, files=None, journal="Journal.json", **members):
    """A zip as the app exports it: a journal, and attachments in folders beside it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        # The app escapes slashes.
        text = json.dumps({"metadata": {"version": "1.0"}, "entries": entries, **members}, indent=2, ensure_ascii=False).replace("/", "\\/")
        archive.writestr(journal, text)
        for name, content in (files or {}).items():
            archive.writestr(name, content, zipfile.ZIP_STORED)
    return out.getvalue()


def voice_entry(name="0a1b2c3d", **members):
    """With a recording, and the files that go with it."""
    audio = {"md5": name, "identifier": uuid.uuid4().hex.upper(), "format": "aac", "duration": 2.5, "audioChannels": "Mono"}
    text = f"![](dayone-moment:/audio/{audio['identifier']})\n\nSaid on the way home\\."
    return day_one_entry(audios=[audio], **{"text": text, **members}), {f"audios/{name}.m4a": SAMPLE.read_bytes()}
