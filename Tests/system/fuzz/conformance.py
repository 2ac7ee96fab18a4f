"""What openapi.yaml allows and forbids, sent by schemathesis with all its checks."""

import os
import re
import subprocess
import urllib.parse

import http_client
from processes import wait_for
from servers import ROOT

SLICE = 240
"""Seconds of one run of schemathesis: an access token lives for fifteen minutes."""

# All checks are on for every operation; an operation that refuses what its schema allows is named here with the reason.
SETTINGS = """
[parameters]
# Signing in needs an app that there is; other names are among the injections.
"header.Diary-App" = "my-day"

[checks]
# Another state, version or owner than there is: no schema can say it.
positive_data_acceptance.expected-statuses = ["2xx", "302", "303", "304", "401", "403", "404", "409", "410", "412", "416", "429"]
# An anonymous request, and one of another type, is refused before its fields are looked at.
missing_required_header.expected-statuses = ["400", "401", "403", "406", "415", "422", "428"]

# A `since` that was not given.
[[operations]]
include-operation-id = "listChanges"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "410", "422", "429"]

# `since` excludes the other parameters, `from` is not after `to`, a cursor is one that was given.
[[operations]]
include-operation-id = "listEntries"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "410", "422", "429"]

# One of month and year.
[[operations]]
include-operation-id = "countDays"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "422", "429"]

# A cursor that was not given.
[[operations]]
include-operation-id = ["listEvents", "listExports", "listRevisions", "getImportReport", "listOnThisDay", "searchEntries"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "410", "422", "429"]

# A zone that the database does not know, another version than the one of If-Match.
[[operations]]
include-operation-id = "changeProfile"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "412", "422", "429"]

# A code that is not the right one, a `request` that was not given, an Idempotency-Key of another request, a member of another purpose.
[[operations]]
include-operation-id = ["verifyEmail", "requestCode", "confirmEmailChange"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "409", "422", "429"]

# YAML, which schemathesis reads as an object.
[[operations]]
include-operation-id = "getContract"
checks.response_schema_conformance.enabled = false

# A password and a code together, a code without its request, or neither.
[[operations]]
include-operation-id = ["signInByEmail", "reauthenticate"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "422", "429"]

# A password that is easy to guess, and one that is not the right one.
[[operations]]
include-operation-id = "changePassword"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "422", "429"]

[[operations]]
include-operation-id = "confirmPasswordReset"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "422", "429"]

# A zone that the database does not know.
[[operations]]
include-operation-id = ["signInWithApple", "signInWithGoogle"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "409", "422", "429"]

# A password that is easy to guess, a zone that the database does not know, JSON over 256 KiB, members of a text and of a recording together.
[[operations]]
include-operation-id = ["registerByEmail", "changeEntry", "createExport"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "412", "413", "422", "429"]

# The same, segments with other words than the text; and null for `recognise` and `audio`, as for `createExportSchedule`.
[[operations]]
include-operation-id = ["createEntry", "putTranscript", "addAudio"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "413", "422", "429"]
checks.negative_data_rejection.expected-statuses = ["2xx", "400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]

# schemathesis takes `If-Match: 0` for good, which the pattern does not.
[[operations]]
include-operation-id = ["deleteEntry", "removeAudio", "deleteNote"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "410", "412", "422", "429"]

# No member at all, a speaker who is no label, a name of blanks.
[[operations]]
include-operation-id = ["correctSegment", "correctSegments", "nameSpeakers", "createSpeaker", "renameSpeaker", "changeTag"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "412", "422", "429"]

# A text of blanks alone, a place in a text, a hundred notes.
[[operations]]
include-operation-id = ["addNote", "changeNote"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "404", "409", "412", "422", "429"]

# A time before 1900, a form without a file.
[[operations]]
include-operation-id = "uploadRecording"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "409", "413", "415", "422", "429"]

# Cursors of another kind; members that exclude each other, an engine that the app does not have, tags or a title that were not suggested, an entry that
# has ended, limits of the installation, a signature's parts of another form, a part that the export does not have.
[[operations]]
include-operation-id = ["listExportSchedules", "listImports", "listTrash", "changeExportSchedule", "reprocessEntry",
    "answerSuggestions", "estimateExport", "createImport", "receiveSendGridEvents", "startExportDownload"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "302", "303", "400", "401", "403", "404", "409", "410", "412", "413", "422", "429"]

# Members that exclude each other, limits of the installation; null, which in a creation means the same as a member left out (`info`): the schemas of
# chosen words do not name it.
[[operations]]
include-operation-id = "createExportSchedule"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "409", "412", "413", "422", "429"]
checks.negative_data_rejection.expected-statuses = ["2xx", "400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]

# Deleting an export ends its link; the export stays readable as revoked.
[[operations]]
include-operation-id = ["getExport", "revokeExport"]
checks.use_after_free.enabled = false
"""


def plan(minutes):
    """(who, seconds, filters): slices of both kinds until the time is used up, and signing out last of all."""
    total, slices = minutes * 60, []
    while total > 0:
        seconds = min(total, 2 * SLICE)
        slices += [("signed in", seconds / 2, ["--exclude-operation-id", "signOut"]), ("anonymous", seconds / 2, [])]
        total -= seconds
    return slices + [
        ("holding links", max(10, minutes * 6), ["--include-path-regex", "^/(audio|exports)/"]),
        ("signing out", 5, ["--include-operation-id", "signOut"]),
    ]


def links(rig):
    """Settings under which the operations without a session get addresses that were signed: what is beyond the signature is reached too."""
    user = rig.user()
    user.wait_done(voice := user.record())
    path, query = user.audio_url(voice).removeprefix(rig.url).split("?")
    user.export()
    link = wait_for(user.export_links, 20, "the link")[-1]
    file = http_client.post(link + "/download", allow_redirects=False, timeout=10).headers["location"].split("?")[1]
    recording = dict(zip(("tenant", "user", "object", "filename"), path.split("/")[2:])) | dict(urllib.parse.parse_qsl(query))
    token = {"token": link.rsplit("/", 1)[1]}
    known = {
        "getRecording": recording,
        "openExportLink": token,
        "startExportDownload": token,
        "getExportFile": token | dict(urllib.parse.parse_qsl(file)),
    }
    return "".join(
        f'\n[[operations]]\ninclude-operation-id = "{name}"\nparameters = {{ '
        + ", ".join(f'{k} = "{v}"' for k, v in values.items())
        + " }\n"
        for name, values in known.items()
    )


def conformance(rig, options):
    folder = rig.folder / "schemathesis"
    folder.mkdir()
    fine = True
    for number, (who, seconds, filters) in enumerate(plan(options.minutes), 1):
        (folder / "schemathesis.toml").write_text(SETTINGS + (links(rig) if who == "holding links" else ""))
        headers = [] if who in ("anonymous", "holding links") else ["-H", "Authorization: " + rig.user().http.headers["Authorization"]]
        print(f"schemathesis, {who}, {seconds:.0f} s, seed {options.seed + number}", flush=True)
        fine &= one(rig, folder, number, options, seconds, filters + headers)
    return fine


def one(rig, folder, number, options, seconds, more):
    line = [
        ROOT / ".venv/bin/schemathesis",
        "--config-file",
        folder / "schemathesis.toml",
        "run",
        ROOT / "openapi.yaml",
        "--url",
        rig.url,
        "--mode",
        "all",
        "--max-time",
        str(max(int(seconds), 1)),
        "--seed",
        str(options.seed + number),
        "--continue-on-failure",
        "--suppress-health-check",
        "all",
        "--workers",
        "1",
        *more,
    ]
    with open(folder / f"{number}.log", "w") as log:
        ended = subprocess.run(
            line,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": ""},
        ).returncode
    text = (folder / f"{number}.log").read_text()
    cases = re.findall(r"([\d,]+) generated", text)
    print(f"  {'passed' if ended == 0 else 'FAILED'}, {cases[-1] if cases else 'no'} cases", flush=True)
    if ended:
        starts = [at for at in (text.find("= ERRORS ="), text.find("= FAILURES =")) if at >= 0]
        shown = text[min(starts) :] if starts else text[-8000:]
        print("\n".join(line[:400] for line in shown.splitlines()[:250]))
    return ended == 0
