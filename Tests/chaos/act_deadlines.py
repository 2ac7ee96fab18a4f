"""A14: a second SIGTERM and the end of a graceful stop's time: no try counted, nothing lost, nothing half-stored."""

import http.client
import time
import urllib.parse

from client import Client, recording
from processes import wait_for
from stage import worked


def play(run):
    # The service's own 30 s once in the long pass; the short time often.
    times = run.pick([1], [30, 1, 1, 2, 2])
    random = run.random("deadlines")
    stops = {"work": [], "serve": []}
    with run.stage() as (rig, history, oracle):
        client = Client(rig, history)
        for number, seconds in enumerate(times):
            limit = {} if seconds == 30 else {"DIARY_GRACEFUL_STOP_SECONDS": str(seconds)}
            stops["work"].append(worker(rig, client, random, seconds, limit))
            if not run.has_bucket:
                stops["serve"].append(api(rig, client, recording(random, 200_000), seconds, limit, number))
            run.say(
                "deadlines",
                f"stopped at {seconds} s: " + ", ".join(f"{what} after {found[-1]:.1f} s" for what, found in stops.items() if found),
            )
        counts = oracle.judge([client], 60)
        errors, crashes = worked(rig)
        assert (errors, crashes) == (0, 0), f"{errors} errors and {crashes} crashes were counted"
        stopped = stops["work"] + stops["serve"]
        late = max(after - seconds for after, seconds in zip(stopped, times + times))
        return {
            **counts,
            "stops": {what: [round(s, 1) for s in found] for what, found in stops.items()},
            "errors": errors,
            "crashes": crashes,
        }, (
            f"{len(stopped)} stops with work that would not end and a second SIGTERM, deadlines {sorted(set(times))} s: ended at most {late:.1f} s after them, "
            f"0 tries counted, {counts['transcribed']} recordings done afterwards; "
            + (
                "uploads in flight do not apply: a bucket takes them"
                if run.has_bucket
                else f"{2 * len(times)} uploads in flight: those that ended in time answered, the others stored whole when sent again"
            )
        )


def worker(rig, client, random, seconds, limit):
    """Two recordings that the recogniser would keep for longer than the stop allows."""
    rig.stop("work")
    rig.script("speech", calls_log=str(rig.calls), delay_seconds=seconds + 20)
    # Of four slots one account gets two.
    rig.start("work", DIARY_SPEECH_SLOTS="4", **limit)
    entries = [client.voice(recording(random)) for _ in range(2)]
    wait_for(
        lambda: rig.postgres.sql("diary", "select count(*)::int from jobs where kind = 'transcribe' and state = 'leased'") == [(2,)],
        20,
        "two recordings at work",
    )
    stopped = twice_told(rig, "work", seconds)
    states = rig.postgres.sql(
        "diary", "select state, errors, crashes from jobs where subject::text = any(%s) and kind = 'transcribe'", entries
    )
    assert states == [("ready", 0, 0)] * 2, f"after the deadline: {states}"
    rig.script("speech", calls_log=str(rig.calls))
    rig.start("work")
    for entry in entries:
        client.wait_done(entry)
    return stopped


def api(rig, client, audio, seconds, limit, number):
    """One upload whose rest comes in time, and one whose rest never comes."""
    rig.stop("serve")
    rig.start("serve", **limit)
    made = [client.start_voice(audio, key=f"deadline-{number}-{i}") for i in range(2)]
    flying = [begin(rig, m["upload"], audio) for m in made]
    client.http.close()
    time.sleep(0.3)

    def rest():
        flying[0].send(audio[len(audio) // 2 :])
        answer = flying[0].getresponse()
        assert answer.status == 200, f"an upload that ended in time was answered {answer.status}"

    stopped = twice_told(rig, "serve", seconds, rest)
    for connection in flying:
        connection.close()
    rig.start("serve")
    for m in made:
        assert client.put(m["upload"], audio).status_code == (412 if m is made[0] else 200)
        client.complete(m["entry_id"], audio)
    return stopped


def begin(rig, upload, audio):
    """Half of an upload."""
    connection = http.client.HTTPConnection("127.0.0.1", rig.port, timeout=60)
    address = urllib.parse.urlsplit(upload["url"])
    connection.putrequest("PUT", f"{address.path}?{address.query}", skip_accept_encoding=True)
    headers = {"Content-Length": str(len(audio)), **upload["headers"]}
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(audio[: len(audio) // 2])
    return connection


def twice_told(rig, name, seconds, meanwhile=None):
    """SIGTERM, and again; returns after how many seconds it ended. By itself, and well."""
    process, began = rig.processes[name], time.monotonic()
    process.terminate()
    time.sleep(0.3)
    process.terminate()
    if meanwhile:
        meanwhile()
    code = process.wait(seconds + 20)
    ended = time.monotonic() - began
    rig.processes.pop(name)
    assert code == 0, f"{name} ended with {code} after {ended:.1f} s"
    assert seconds - 0.5 <= ended <= seconds + 7, f"{name} ended after {ended:.1f} s, its deadline was {seconds} s"
    return ended
