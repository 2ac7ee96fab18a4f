"""A8: stored bytes flipped, cut, swapped or moved away. Never transcribed, never played as if nothing were; well again when they are."""

import time

import requests

import http_client
from client import Client, recording
from processes import wait_for
from user import sha256

KINDS = ("flipped", "cut", "emptied", "swapped", "moved")


def play(run):
    rounds, size = run.pick(1, 10), 100_000
    random = run.random("damage")
    with run.stage() as (rig, history, oracle):
        client = Client(rig, history)
        other = client.voice(recording(random, size))
        client.wait_done(other)
        played, due, errors = {}, {}, 0
        for number in range(rounds):
            rig.script("speech", calls_log=str(rig.calls), fail="retry", retry_after=600)
            audio = {kind: recording(random, size) for kind in KINDS}
            entries = {kind: client.voice(audio[kind], key=f"{kind}-{number}") for kind in KINDS}
            # Verified, and the recogniser had no time for it: the next try is to find other bytes.
            for entry in entries.values():
                wait_for(
                    lambda: rig.postgres.sql(
                        "diary", "select 1 from jobs where subject = %s and kind = 'transcribe' and errors = 1 and state = 'ready'", entry
                    ),
                    20,
                    "a first try",
                )
            asked = len(rig.calls.read_text().splitlines())
            undo = {kind: damage(rig, entries[kind], kind, other) for kind in KINDS}
            rig.script("speech", calls_log=str(rig.calls))
            # The next try is due now, when all bytes are other ones, and not before.
            rig.postgres.sql(
                "diary",
                "update jobs set run_at = clock_timestamp() where kind = 'transcribe' and state = 'ready' and subject::text = any(%s)",
                list(entries.values()),
            )
            for kind, entry in entries.items():
                status = play_back(client, entry, audio[kind], kind)
                played[status] = played.get(status, 0) + 1
            client.text(f"meanwhile {number}", key=f"damage-text-{number}")
            client.start_voice(recording(random), key=f"damage-signed-{number}")
            for kind, entry in entries.items():
                wait_for(
                    lambda: rig.postgres.sql(
                        "diary", "select 1 from jobs where subject = %s and kind = 'transcribe' and (errors >= 3 or state = 'dead')", entry
                    ),
                    20,
                    f"{kind}: two more tries",
                )
            assert len(rig.calls.read_text().splitlines()) == asked, "damaged bytes went to the recogniser"
            for kind, entry in entries.items():
                undo[kind]()
                if client.entry(entry)["status"] == "failed":
                    client.insist("POST", f"/v1/entries/{entry}/reprocess", (202, 409), json={})
            for kind, entry in entries.items():
                wait_for(lambda: settled(client, entry), 60, f"{kind}: transcribed from the right bytes")
                assert client.download(entry) == audio[kind]
            if number % 5 == 4:
                run.say("damage", f"{number + 1} rounds")
        without(rig, client, other, recording(random, size))
        # One that is never mended, damaged before it was ever verified. In a bucket it is not sealed yet: its digest tells.
        rig.stop("work")
        lost = client.voice(audio := recording(random, size), sha256=sha256(audio))
        damage(rig, lost, "flipped", other, "staging")
        rig.start("work")
        due[lost] = "upload_hash_mismatch" if run.has_bucket else "storage_unavailable"
        wait_for(lambda: client.entry(lost)["status"] == "failed", 60, "the end of its tries")
        counts = oracle.judge([client], 30, due=due)
        errors = rig.postgres.sql("diary", "select coalesce(sum(errors), 0)::int from jobs")[0][0]
        return {**counts, "damaged": rounds * len(KINDS) + 1, "played": {str(k): v for k, v in played.items()}, "tries_repeated": errors}, (
            f"{rounds * len(KINDS) + 1} objects {', '.join(KINDS)}: 0 sent to the recogniser, played back as {', '.join(f'{n} × {s}' for s, n in played.items())}; "
            f"{rounds * len(KINDS)} transcribed when the bytes were right again, 1 failed as {due[lost]}; words and new entries meanwhile; "
            + ("moving the folder away does not apply" if run.has_bucket else "the folder moved away: still the store of who has it open")
        )


def without(rig, client, entry, audio):
    """An export of a recording that is away waits for it; the whole folder under another name is still the store of who has it open."""
    put_back = damage(rig, entry, "moved", entry)
    export = client.export(**{"from": "2026-03-01", "to": "2026-03-01"})
    wait_for(
        lambda: rig.postgres.sql("diary", "select 1 from jobs where subject = %s and (code is not null or state = 'done')", export),
        20,
        "a first try",
    )
    put_back()
    # Not five minutes later.
    rig.postgres.sql("diary", "update jobs set run_at = clock_timestamp() where subject = %s and state = 'ready'", export)
    wait_for(lambda: client.insist("GET", f"/v1/exports/{export}", (200,)).json()["mail_status"] == "sent", 30, "the export")
    if rig.store.is_bucket:
        return
    folder = rig.store.folder
    away = folder.rename(folder.with_name("objects-away"))
    try:
        fresh = client.voice(audio)
        client.wait_done(fresh)
    finally:
        away.rename(folder)


def damage(rig, entry, kind, other, place="audio"):
    """Returns what puts it right."""
    store = rig.store

    def named(id):
        row = rig.postgres.sql("diary", "select tenant_id::text, user_id::text, object_id::text from entries where id = %s", id)[0]
        return (place if id == entry else "audio", *row)

    name = named(entry)
    whole = store.read(name)
    if kind == "flipped":
        data = bytearray(whole)
        data[len(data) // 2] ^= 1
        store.write(name, bytes(data))
    elif kind == "cut":
        store.write(name, whole[:-7])
    elif kind == "emptied":
        store.write(name, b"")
    elif kind == "swapped":
        store.write(name, store.read(named(other)))
    else:
        store.remove(name)
    return lambda: store.write(name, whole)


def play_back(client, entry, audio, kind):
    """The status, or `cut` for an answer that broke off; never other bytes than the right ones, whole."""
    place = client.insist("GET", f"/v1/entries/{entry}/audio/url", (200,)).json()["url"]
    try:
        answer = http_client.get(place, timeout=10)
    except requests.RequestException:
        return "cut"
    assert answer.status_code != 200 or sha256(answer.content) == sha256(audio), f"{kind}: wrong bytes were played"
    assert answer.status_code != 200, f"{kind}: played although damaged"
    return answer.status_code


def settled(client, entry):
    status = client.entry(entry)["status"]
    if status == "failed":
        client.insist("POST", f"/v1/entries/{entry}/reprocess", (202, 409), json={})
        time.sleep(0.2)
    return status == "transcribed"
