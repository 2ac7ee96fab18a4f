"""A6: the transaction commits and the answer is lost. The retry with the same key must give the first answer."""

from client import Client, recording
from proxy import PostgresProxy
from stage import calls, worked


def play(run):
    wanted = run.pick(20, 200)
    random = run.random("commit-dropped")
    with run.stage() as (rig, history, oracle):
        proxy = PostgresProxy(rig.postgres.folder)
        try:
            rig.stop("serve")
            rig.start("serve", DIARY_DATABASE_URL=f"host={proxy.folder} dbname=diary")
            client = Client(rig, history)
            client.text("before", key="before")
            known = {row[0] for row in ids(rig, client)}
            told_503 = answered_at_once = same = 0
            for number in range(wanted):
                if number % 4 == 3:
                    body = {
                        "kind": "voice",
                        "content_type": "audio/mp4",
                        "size_bytes": 3000,
                        "recorded_at": "2026-03-01T12:00:00Z",
                        "time_zone": "Europe/Berlin",
                    }
                else:
                    body = {"kind": "text", "text": f"words {number}"}
                key = f"dropped-{number}"
                dropped = proxy.dropped
                proxy.arm()
                first = client.ask("POST", "/v1/entries", "create", key=key, headers={"Idempotency-Key": key}, json=body)
                assert proxy.dropped == dropped + 1, f"the proxy dropped nothing; answered {first is not None and first.status_code}"
                assert first is not None, "the connection was cut instead of a 503"
                new = [row[0] for row in ids(rig, client) if row[0] not in known]
                assert len(new) == 1, f"{len(new)} rows after the commit"
                known.add(new[0])
                if first.status_code == 503:
                    told_503 += 1
                else:
                    answered_at_once += 1
                    assert first.status_code == 201 and first.json()["entry_id"] == new[0], first.text[:200]
                again = client.insist(
                    "POST", "/v1/entries", (201,), operation="create", key=key, headers={"Idempotency-Key": key}, json=body
                )
                assert again.json()["entry_id"] == new[0], "the retry made another entry"
                same += 1
                if number % 50 == 49:
                    run.say("commit-dropped", f"{number + 1} dropped")
            run.say("commit-dropped", f"{wanted} answers to the API dropped")
            ends = worker(run, rig, client, random, run.pick(9, 100))
            counts = oracle.judge([client], 60)
        finally:
            proxy.end()
    return {**counts, "dropped": wanted, "told_503": told_503, "first_answer": same, "worker_dropped": ends}, (
        f"{wanted} commits answered into the void: {told_503} × 503 with Retry-After, {answered_at_once} answered at once; {same} of {wanted} retries gave the first 201 and id; "
        f"{ends} ends of jobs dropped before the workers: each recording recognised once, 0 tries counted; 0 twice"
    )


def worker(run, rig, client, random, wanted):
    """The answers to the ends of jobs are lost: verified, recognised, cleaned."""
    proxy = PostgresProxy(rig.postgres.folder, watched=b"finish_job")
    try:
        rig.stop("work")
        rig.start("work", DIARY_DATABASE_URL=f"host={proxy.folder} dbname=diary")
        before, entries = calls(rig), []
        while proxy.dropped < wanted:
            for _ in range(3):
                proxy.arm()
            entry = client.voice(recording(random))
            entries.append(entry)
            client.wait_done(entry)
            assert len(entries) < 10 * wanted + 10, (
                f"{proxy.dropped} answers dropped in {len(entries)} recordings: finish_job is not what it was"
            )
            if len(entries) % 10 == 0:
                run.say("commit-dropped", f"{proxy.dropped} ends of jobs dropped")
        proxy.disarm()
        asked = calls(rig) - before
        assert asked == len(entries), f"{asked} recognitions for {len(entries)} recordings"
        assert worked(rig) == (0, 0), f"{worked(rig)} errors and crashes were counted"
        rig.stop("work")
        rig.start("work")
        return proxy.dropped
    finally:
        proxy.end()


def ids(rig, client):
    return rig.postgres.sql("diary", "select id::text from entries where user_id = %s", client.id)
