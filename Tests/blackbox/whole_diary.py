"""A diary as its owner reads it, entry by entry, and as a zip."""

import http_client
from processes import wait_for
from test_segments import transcript
from user import sha256

EVERYTHING = {"from": "1990-01-01", "to": "2030-12-31", "mail": False}
COUNTED = ("updated_at", "processing", "upload_expires_at")
"""Of an entry as it is shown: what the service counts anew."""


def entries_of(user):
    found, cursor = [], ""
    while True:
        page = user.call("GET", f"/v1/entries?order=asc&limit=200{cursor}", 200).json()
        found += page["items"]
        if not page["has_more"]:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def audio_of(user, entry):
    link = user.call("GET", f"/v1/entries/{entry}/audio/url", 200).json()
    return sha256(http_client.get(link["url"], timeout=20).content)


def kept(user):
    """All that a diary holds, by entry."""
    found = {}
    for entry in entries_of(user):
        whole = user.call("GET", f"/v1/entries/{entry['id']}", 200).json()
        made = {name: value for name, value in whole.items() if name not in COUNTED}
        if entry["kind"] == "voice":
            made["said"] = {k: v for k, v in transcript(user, entry["id"]).items() if k != "version"}
            made["audio"] = audio_of(user, entry["id"])
        for layer in ("raw", "clean", "edited", "corrected"):
            path = f"/v1/entries/{entry['id']}/revisions?layer={layer}&limit=200"
            made[f"earlier {layer}"] = user.call("GET", path, 200).json()["items"]
        found[entry["id"]] = made
    return found


def zip_of(user, **body):
    made = user.call("POST", "/v1/exports", 202, json=body if "entry_ids" in body else {**EVERYTHING, **body}).json()

    def ready():
        found = user.call("GET", f"/v1/exports/{made['id']}", 200).json()
        assert found["status"] != "failed", found
        return found["status"] == "ready"

    wait_for(ready, 40, "the zip")
    return http_client.get(user.call("GET", f"/v1/exports/{made['id']}/url", 200).json()["url"], timeout=30).content
