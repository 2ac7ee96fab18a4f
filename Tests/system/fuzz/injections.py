"""F8: hostile texts in every string that openapi.yaml names, one at a time: body members, query, path and header parameters."""

import collections
import time
import urllib.parse
import uuid

import requests

import http_client
from attack import INSIDE
from contract import CONTRACT

SLEEP = 2
"""Seconds that a statement which got through would sleep."""

TEXTS = {
    "nul": "a\0b",
    "only nul": "\0",
    "quote": "'",
    "double quote": '"',
    "backslash": "\\",
    "two quotes": "''",
    "comment": "'--",
    "block comment": "*/ '/*",
    "or true": "' or '1'='1",
    "number or true": "1 or 1=1",
    "bracket": "') or ('1'='1",
    "stacked": "'; drop table entries; --",
    "sleeps": f"' || pg_sleep({SLEEP}) || '",
    "stacked sleep": f"'; select pg_sleep({SLEEP}); --",
    "number sleeps": f"1; select pg_sleep({SLEEP})",
    "union": "' union select null, version(), current_user --",
    "cast": "1::int / 0",
    "dollar": "$1",
    "dollar quote": "$$ select 1 $$",
    "escape string": "E'\\\\x27'",
    "copy": "'; copy users to program 'id'; --",
    "like": "%_%",
    "identifier": '"; select 1; --"',
    "redis": "\r\nFLUSHALL\r\n",
    "lua": "') redis.call('flushall') --",
    "header": "a\r\nX-Injected: yes",
    "format": "%s%n%x",
    "jndi": "${jndi:ldap://127.0.0.1/x}",
    "template": "{{7*7}}${7*7}<%= 7*7 %>",
    "path": "../../../../etc/passwd",
    "encoded path": "..%2f..%2fetc%2fpasswd",
    "markup": "<script>alert(1)</script>",
    "wide quote": "\u02bc or 1=1",
    "fullwidth quote": "\uff07 or 1=1",
    "kelvin": "\u212a",
    "combining": "e\u0301" * 40,
    "direction": "\u202egnp\u2066",
    "noncharacter": "\uffff\ufdd0",
    "astral": "\U0001f600\U0010ffff",
    "long": "a" * 7000,
    "much": "é" * 3000,
    "empty": "",
    "space": " ",
    "minus": "-1",
    "huge": "9" * 400,
    "not a number": "NaN",
}
LONE = "\ud800"
"""Half a pair: only a JSON escape can spell it."""

GOOD = {
    "registerByEmail": {"email": "a@example.org", "password": "seven quiet lighthouses", "name": "A", "time_zone": "UTC", "locale": "en"},
    "verifyEmail": {"email": "a@example.org", "code": "20481634", "request": "q83vEjRWeJCrze8SNFZ4kA", "device": "d"},
    "requestCode": {"purpose": "sign_up", "email": "a@example.org", "request": "q83vEjRWeJCrze8SNFZ4kA"},
    "signInByEmail": {"email": "a@example.org", "password": "seven quiet lighthouses", "device": "d"},
    "confirmPasswordReset": {
        "email": "a@example.org",
        "code": "20481634",
        "request": "q83vEjRWeJCrze8SNFZ4kA",
        "password": "seven quiet lighthouses",
        "device": "d",
    },
    "refreshSession": {"refresh_token": "A" * 112},
    "signInWithApple": {"id_token": "e30.e30.c2ln", "nonce": "3q2-7w" + "A" * 37, "authorization_code": "c", "name": "A", "device": "d"},
    "signInWithGoogle": {"id_token": "e30.e30.c2ln", "nonce": "3q2-7w" + "A" * 37, "device": "d"},
    "linkIdentity": {"provider": "google", "id_token": "e30.e30.c2ln", "nonce": "3q2-7w" + "A" * 37},
    "receiveAppleNotification": {"payload": "e30.e30.c2ln"},
    "deleteAccount": {"password": "not the right one"},
    "changeProfile": {"name": "n", "locale": "en", "time_zone": "UTC", "day_ends_at": "03:00", "languages": ["en"]},
    # Not the right one: a password that was changed would end the session of the next request.
    "changePassword": {"current_password": "not the right one", "new_password": "seven quiet lighthouses", "device": "d"},
    "confirmEmailChange": {"code": "20481634", "request": "q83vEjRWeJCrze8SNFZ4kA"},
    "reauthenticate": {"password": "not the right one"},
    "createToken": {"name": "watch", "scopes": ["all"], "expires_in_days": 1},
    "createEntry": {
        "kind": "text",
        "text": "words",
        "title": "t",
        "mood": "m",
        "language": "en",
        "time_zone": "UTC",
        "recorded_at": "2026-03-01T12:00:00Z",
        "tags": ["a"],
        "favorite": True,
        "keep_audio": True,
    },
    "changeEntry": {
        "title": "t",
        "text": "x",
        "mood": "m",
        "tags": ["a"],
        "metadata": {"a": "b"},
        "language": "en",
        "favorite": False,
        "keep_audio": False,
    },
    "changeTag": {"name": "a", "color": "#2e7d32"},
    "answerSuggestions": {"accept": {"title": "t", "tags": ["a"]}, "decline": {"mood": "m"}},
    "reprocessEntry": {"stage": "clean", "engine": "rules", "language": "en"},
    "putTranscript": {
        "text": "x",
        "language": "en",
        "source": "a",
        "recognise": "never",
        "segments": [{"start": 0, "end": 1, "text": "x"}],
    },
    "addAudio": {"size_bytes": 5, "content_type": "audio/mp4"},
    "correctSegment": {"text": "x", "speaker": "A"},
    "correctSegments": {"segments": [{"id": 1, "text": "x", "speaker": "A"}]},
    "nameSpeakers": {"A": {"name": "Anna"}},
    "createSpeaker": {"name": "Anna"},
    "renameSpeaker": {"name": "Anna"},
    "addNote": {"id": str(uuid.uuid4()), "text": "x", "created_at": "2026-03-01T12:00:00Z"},
    "changeNote": {"text": "x"},
    "changeEntries": {"operations": [{"op": "tag", "id": str(uuid.uuid4()), "add_tags": ["a"], "remove_tags": ["b"]}]},
    "createExport": {"from": "2026-01-01", "to": "2026-01-02"},
    "estimateExport": {"from": "2026-01-01", "to": "2026-01-02"},
    "createExportSchedule": {"every": "month", "day": 31, "at": "21:00", "time_zone": "Europe/Berlin"},
    "changeExportSchedule": {"at": "07:00"},
    "createImport": {"size_bytes": 100},
}
SIZES = {"kind": "voice", "size_bytes": 5, "content_type": "audio/mp4"}


def rows(user, entry):
    """(operation, place, request without the text, how to put it in). Every string of the contract has a row."""
    document = CONTRACT.document
    for method, template, _, operation in CONTRACT.operations:
        name = operation["operationId"]
        item = document["paths"][template]
        parameters = [CONTRACT.resolve(p) for p in item.get("parameters", []) + operation.get("parameters", [])]
        known = {
            "id": entry,
            "key": "staging/a/b/c",
            "token": "a.1.b",
            "tenant": str(uuid.uuid4()),
            "user": user.id,
            "object": str(uuid.uuid4()),
            "filename": "a.m4a",
            "note": str(uuid.uuid4()),
        }
        for parameter in parameters:
            yield (
                name,
                f"{parameter['in']} {parameter['name']}",
                lambda text, m=method, t=template, p=parameter, ps=parameters, n=name: placed(m, t, p, ps, known, n, text),
            )
        body = operation.get("requestBody")
        if body and "application/json" in body["content"]:
            schema = CONTRACT.resolve(body["content"]["application/json"]["schema"])
            for member in sorted(schema.get("properties", {})):
                yield name, f"body {member}", lambda text, m=method, t=template, k=member, n=name: within(m, t, known, n, k, text)
                yield name, f"body [{member}]", lambda text, m=method, t=template, k=member, n=name: within(m, t, known, n, k, [text])
                items = CONTRACT.resolve(CONTRACT.resolve(schema["properties"][member]).get("items", {})).get("properties", {})
                for inner in sorted(items):
                    for label, listed in (inner, False), (f"[{inner}]", True):
                        yield (
                            name,
                            f"body {member}[].{label}",
                            lambda text, m=method, t=template, k=member, n=name, i=inner, many=listed: within(
                                m, t, known, n, k, [{**GOOD[n][k][0], i: [text] if many else text}]
                            ),
                        )


def placed(method, template, parameter, parameters, known, name, text):
    query, headers, path = {}, {}, dict(known)
    for other in parameters:
        if other["in"] == "query" and other.get("required"):
            query[other["name"]] = "1"
        if other["in"] == "header" and other.get("required"):
            headers[other["name"]] = "*"
    {"query": query, "header": headers, "path": path}[parameter["in"]][parameter["name"]] = text
    url = template
    for key, value in path.items():
        url = url.replace("{" + key + "}", urllib.parse.quote(value, safe=""))
    if query:
        url += "?" + urllib.parse.urlencode(query)
    return method, url, headers, GOOD.get(name)


def within(method, template, known, name, member, value):
    body = {**GOOD[name], member: value}
    if name == "putTranscript" and member == "text":
        del body["segments"]
    recording = ("size_bytes", "content_type", "duration_s", "sha256", "allow_duplicate", "parts", "transcript", "recognise", "audio")
    if name == "createEntry" and member in recording:
        body = {**{k: v for k, v in body.items() if k != "text"}, **SIZES, member: value}
    url = template
    for key, value in known.items():
        url = url.replace("{" + key + "}", value)
    return method, url, {"If-Match": "*"} if method == "PATCH" else {}, body


def taken(answer):
    """Whether the request was carried out; of a batch, whether any of its operations was."""
    results = answer.json().get("results") if answer.status_code == 200 and answer.content[:1] == b"{" else None
    return answer.status_code < 400 if results is None else any(result["status"] < 400 for result in results)


def injections(rig):
    user = rig.user()
    entry = user.create_text("words")["entry_id"]
    session, count, statuses, bad, began = http_client.Session(), 0, collections.Counter(), [], time.monotonic()
    places = set()
    for name, place, make in rows(user, entry):
        for label, text in [*TEXTS.items(), *([("lone surrogate", LONE)] if place.startswith("body") else [])]:
            method, url, headers, body = make(text)
            if place.startswith("header") and any(c in text for c in "\r\n\0"):
                continue  # Not a header field any more: the malformed requests send those.
            prepared = requests.Request(
                method, rig.url + url, headers={"Diary-App": "my-day", "Authorization": user.http.headers["Authorization"]}, json=body
            ).prepare()
            prepared.headers.update({k: v.encode() for k, v in headers.items()})  # Now: the library would refuse some of them.
            sent = time.monotonic()
            answer = session.send(prepared, timeout=30, allow_redirects=False)
            took = time.monotonic() - sent
            count, places = count + 1, places | {(name, place)}
            statuses[answer.status_code] += 1
            found = []
            if answer.status_code >= 500:
                found.append(f"status {answer.status_code}")
            if took >= SLEEP and "sleep" in label:
                found.append(f"took {took:.1f} s")
            if answer.status_code >= 400 and INSIDE.search(answer.text.replace(text, "")):
                found.append("words of the inside")
            if "X-Injected" in answer.headers:
                found.append("a header of the client's")
            if "\0" in text and taken(answer) and not place.startswith("path"):
                found.append(f"U+0000 taken with {answer.status_code}")
            if text == LONE and answer.status_code not in (400, 401):
                found.append(f"half a surrogate pair answers {answer.status_code}")
            try:
                CONTRACT.check(answer)
            except Exception as error:
                found.append(f"not as in openapi.yaml: {str(error)[:200]}")
            if found:
                bad.append(f"{name} {place} <- {label}: {'; '.join(found)}")
    assert user.entry(entry)["id"] == entry
    print(
        f"injections: {count} requests into {len(places)} places in {time.monotonic() - began:.0f} s; {dict(sorted(statuses.items()))}; {len(bad)} faults"
    )
    for line in bad[:40]:
        print("  FAULT " + line)
    session.close()
    return not bad
