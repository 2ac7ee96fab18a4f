"""F8: Debian's sqlmap on every parameter and every string of every JSON body, one operation at a time."""

import json
import re
import subprocess
import time
import urllib.parse

from contract import CONTRACT
from injections import GOOD

SECONDS = 300
"""For one operation; those with many members take half a minute."""

VALUES = {
    "limit": "5",
    "since": "AwAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA",
    "from": "2026-01-01",
    "to": "2026-12-31",
    "order": "asc",
    "kind": "text",
    "status": "transcribed",
    "favorite": "false",
    "view": "full",
    "month": "2026-07",
    "format": "json",
    "expires": "1790000000",
    "key": "staging",
    "token": "a.1.b",
    "filename": "a.m4a",
    "Diary-App": "my-day",
    "If-Match": '"1"',
    "Range": "bytes=0-1",
}


def requests_of(rig, user, entry):
    """(operation, arguments): `*` marks what sqlmap puts its own into, after a value."""
    for method, template, _, operation in CONTRACT.operations:
        name, url, query, headers, places = operation["operationId"], template, {}, [], 0
        item = CONTRACT.document["paths"][template]
        for parameter in (CONTRACT.resolve(p) for p in item.get("parameters", []) + operation.get("parameters", [])):
            value = entry if parameter["name"] == "id" else VALUES.get(parameter["name"], "a")
            if name == "listEntries" and parameter["name"] == "since":
                continue  # Not together with the others: a request of its own below.
            if name == "countDays" and parameter["name"] == "year":
                continue  # Not together with a month.
            places += 1
            if parameter["in"] == "path":
                url = url.replace("{" + parameter["name"] + "}", value + "*")
            elif parameter["in"] == "query":
                query[parameter["name"]] = value
            elif parameter["in"] == "header":
                headers += ["-H", f"{parameter['name']}: {value}*"]
        url = rig.url + url + ("?" + "&".join(f"{k}={urllib.parse.quote(v)}*" for k, v in query.items()) if query else "")
        body = []
        if name in GOOD:
            marked = {k: v + "*" if isinstance(v, str) else v for k, v in GOOD[name].items()}
            places += sum(isinstance(v, str) for v in marked.values())
            body = ["--data", json.dumps(marked), "-H", "Content-Type: application/json"]
        if places:
            yield name, places, ["-u", url, "--method", method, *headers, *body]
        if name == "listEntries":
            yield name + " since", 1, ["-u", f"{rig.url}{template}?since={VALUES['since']}*", "--method", method]


def sqlmap(rig):
    user = rig.user()
    entry = user.create_text("words")["entry_id"]
    fine, total, began = True, 0, time.monotonic()
    for name, places, more in requests_of(rig, user, entry):
        line = [
            "timeout",
            str(SECONDS),
            "sqlmap",
            "--batch",
            "--flush-session",
            "--level",
            "1",
            "--risk",
            "1",
            "--dbms",
            "postgresql",
            "--time-sec",
            "2",
            "--ignore-code",
            "400,401,403,404,410,412,415,422",
            "--disable-coloring",
            "--output-dir",
            rig.folder / "sqlmap",
            "-H",
            "Authorization: " + rig.user().http.headers["Authorization"],
            *more,
        ]
        done = subprocess.run(line, capture_output=True, text=True)
        output = done.stdout + done.stderr
        clean = len(re.findall(r"does not seem to be injectable", output))
        # What "appears to be injectable" on the way is checked by sqlmap itself; a finding is what it names at the end.
        found = re.findall(r"^Parameter: .*", output, re.M)
        failures = re.findall(r"5\d\d \([^)]*\) - \d+ times", output)
        total += clean
        print(
            f"  {name}: {clean} of {places} places are not injectable{'; FOUND ' + '; '.join(found) if found else ''}{'; ' + '; '.join(failures) if failures else ''}",
            flush=True,
        )
        if found or failures or clean == 0:
            fine = False
            print("\n".join("    " + l for l in output.splitlines()[-12:]))
    print(f"sqlmap: {total} places in {time.monotonic() - began:.0f} s; {'none injectable' if fine else 'FAULTS'}")
    return fine
