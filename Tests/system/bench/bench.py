"""Measures the running API with wrk, and the database alone with pgbench on the statements that the API sends, in one run."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import requests

import http_client
from processes import PROGRAM
from rig import AS_SHIPPED, Rig

CONNECTIONS, THREADS, ROUNDS = 8, 2, 5
"""Of pgbench: as many as the API has to its database."""
CLIENTS = (8, 32)
"""Of the API. With as many clients as database connections some of these lie idle while their clients hear or ask."""

STAGES = ["'{verify,transcribe,clean}'", "'{media,speech,text}'", "60"]
"""What the statement of an entry is told for its place in the queue: stages, their queues, and the seconds after which a worker counts as gone."""


def arguments():
    parser = argparse.ArgumentParser()
    for name, default in (("seconds", 4), ("users", 20), ("entries", 200), ("bytes", 1000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--json")
    parser.add_argument("--profile", type=pathlib.Path)
    return parser.parse_args()


def profile(rig, process, name, script, options):
    """A run of its own under perf: where the API's time goes, by function and by what it calls."""
    options.profile.mkdir(parents=True, exist_ok=True)
    data, target = rig.folder / "perf.data", options.profile / f"{name.replace(' ', '-')}.txt"
    record = subprocess.Popen(
        [
            "perf",
            "record",
            "-q",
            "-e",
            "cpu-clock",
            "-F",
            "499",
            "-g",
            "-p",
            str(process.pid),
            "-o",
            data,
            "--",
            "sleep",
            str(options.seconds),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wrk(rig.url, script, options.seconds + 1, rig.folder)
    record.wait()
    report = ["perf", "report", "-i", data, "--stdio", "-g", "none", "--percent-limit", "0.3"]
    with target.open("w") as file:
        for title, form in [
            ("Self", ["--no-children", "--sort", "symbol"]),
            ("With what it calls", ["--children", "--sort", "symbol"]),
            ("Threads", ["--no-children", "--sort", "comm,dso"]),
        ]:
            lines = subprocess.run([*report, *form], capture_output=True, text=True).stdout.splitlines()
            file.write(f"# {title}\n" + "".join(f"{line.rstrip()}\n" for line in lines if line.strip() and not line.startswith("#")) + "\n")
    assert target.stat().st_size > 200, "perf recorded nothing"


class Process:
    """What /proc tells of one process."""

    def __init__(self, pid):
        self.pid = pid

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self, name):
        found = re.search(rf"^{name}:\s+(\d+) kB", pathlib.Path(f"/proc/{self.pid}/status").read_text(), re.M)
        return int(found[1]) / 1024


def wrk(url, script, seconds, folder, clients=CONNECTIONS):
    path = folder / "wrk.lua"
    path.write_text(
        script
        + """
done = function(summary, latency, requests)
    io.write(string.format("\\nRESULT %d %d %d %f %f\\n", summary.requests, summary.duration, summary.errors.status + summary.errors.connect +
        summary.errors.read + summary.errors.write + summary.errors.timeout, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
"""
    )
    out = subprocess.run(
        ["wrk", "-c", str(clients), "-t", str(THREADS), "-d", f"{seconds}s", "-s", path, url], capture_output=True, text=True
    )
    found = re.search(r"RESULT (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+)", out.stdout)
    assert found, out.stdout + out.stderr
    count, micros, errors = int(found[1]), int(found[2]), int(found[3])
    return {"requests": count, "per_second": count / (micros / 1e6), "errors": errors, "p50_ms": float(found[4]), "p99_ms": float(found[5])}


def lua(method, path, tokens=(None,), bodies=(None,)):
    """One request shape; each goes out as any of the members, with any of the bodies. They are written before the clock runs, as pgbench's script is."""

    def one(token, body):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        fields = ", ".join(f"[{json.dumps(name)}] = {json.dumps(value)}" for name, value in headers.items())
        return f"wrk.format({json.dumps(method)}, {json.dumps(path)}, {{{fields}}}, {json.dumps(body) if body else 'nil'})"

    return f"""
local requests
init = function(args)
    math.randomseed(tonumber(tostring({{}}):match("0x(%x+)"), 16))
    requests = {{{", ".join(one(token, body) for token in tokens for body in bodies)}}}
end
request = function() return requests[math.random(#requests)] end
"""


class Statements:
    """The texts that the API sends, word for word, out of the private server's log."""

    def __init__(self, rig):
        self.rig = rig
        rig.postgres.sql("diary", "alter role diary_api set log_statement = 'all'")
        self.restart()

    def restart(self):
        self.rig.stop("serve")
        self.rig.start("serve")

    def of(self, act, *marks):
        """For each mark, the one text that contains it and ran while `act` did."""
        log = pathlib.Path(self.rig.postgres.log)
        before = log.stat().st_size
        act()
        time.sleep(0.2)
        seen = log.read_bytes()[before:].decode()
        texts = [t.replace("\n\t", "\n") for t in re.findall(r"LOG:  execute [^:]+: (.*(?:\n\t.*)*)", seen)]
        chosen = []
        for mark in marks:
            matching = sorted({t for t in texts if mark in t}, key=len)
            assert matching, (mark, texts)
            chosen.append(matching[0])
        return chosen

    def end(self):
        self.rig.postgres.sql("diary", "alter role diary_api reset log_statement")


def pgbench(rig, folder, statements, members, seconds):
    """`statements`: texts with $n; `members`: for each member, for each statement, SQL for its parameters. One pipeline, one implicit transaction, as the
    API does it; each is any member's. Values go as parameters, as the API sends them, but as text: pgbench speaks no binary. It has no variable that is
    NULL, so a null stands in the text, as does what is too long for an argument."""
    # New ids come in the order of time, as the API's do.
    script = [f"\\set m random(1, {len(members)})", "\\set n :n + 1", "\\set id (:n << 8) | :client_id", "\\startpipeline"]
    variables = ["-D", f"n={time.time_ns() // 1000}"]
    for place, text in enumerate(statements):
        parameters = list(zip(*(values[place] for values in members)))
        for number in range(len(parameters), 0, -1):
            given = parameters[number - 1]
            if len(set(given)) > 1:
                value = f"((array[{', '.join(given)}]::uuid[])[:m])"
            elif quoted := re.fullmatch(r"'([^']{0,100000})'", given[0]):
                variables += ["-D", f"v{place}_{number}={quoted[1]}"]
                value = f":v{place}_{number}"
            else:
                value = given[0]
            text = text.replace(f"${number}", value)
        script.append(" ".join(text.split()) + ";")
    path = folder / "pipeline.sql"
    path.write_text("\n".join(script + ["\\endpipeline"]) + "\n")
    out = subprocess.run(
        [
            "pgbench",
            "-n",
            "-M",
            "prepared",
            "-c",
            str(CONNECTIONS),
            "-j",
            str(THREADS),
            "-T",
            str(seconds),
            *variables,
            "-f",
            str(path),
            "-h",
            rig.postgres.folder,
            "-U",
            "diary_api",
            "diary",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PGOPTIONS": "-c jit=off -c TimeZone=UTC"},
    )
    found = re.search(r"tps = ([\d.]+)", out.stdout)
    assert found, out.stdout + out.stderr
    return float(found[1])


def first_200(rig):
    """Milliseconds from exec to the first 200."""
    rig.stop("serve")
    started = time.monotonic()
    process = subprocess.Popen([PROGRAM, "serve"], env=rig.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            if http_client.get(rig.url + "/v1/config", timeout=1).status_code == 200:
                break
        except requests.ConnectionError:
            pass
        assert time.monotonic() - started < 20 and process.poll() is None
        time.sleep(0.002)
    rig.processes["serve"] = process
    return (time.monotonic() - started) * 1000


def fill(rig, options):
    users = [rig.user() for _ in range(options.users)]
    text = ("The quiet river went by and no one said a word. " * (options.bytes // 48 + 1))[: options.bytes]

    def write(user):
        for i in range(options.entries):
            user.http.post(
                rig.url + "/v1/entries", json={"kind": "text", "text": text, "title": f"Day {i}", "tags": ["bench"]}
            ).raise_for_status()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, users))
    rig.postgres.sql("diary", "vacuum analyze")
    return users, text


def measure(rig, process, name, script, seconds, clients, beside):
    """One round; `beside`: what pgbench did in its turn."""
    before = process.cpu_seconds()
    measured = {"name": name, "clients": clients, **wrk(rig.url, script, seconds, rig.folder, clients)}
    measured["cpu_us"] = (process.cpu_seconds() - before) / max(1, measured["requests"]) * 1e6
    if beside:
        measured |= {"pgbench": beside, "ratio": measured["per_second"] / beside}
    return measured


def middle(rounds):
    """The round with the middle ratio, or the middle rate; with the errors of all."""
    chosen = sorted(rounds, key=lambda one: one.get("ratio", one["per_second"]))[len(rounds) // 2]
    return chosen | {"errors": sum(one["errors"] for one in rounds)}


def show(row):
    ratio = f"{row['pgbench']:10.0f} {row['ratio']:7.2f}" if "ratio" in row else f"{'-':>10} {'-':>7}"
    print(
        f"{row['name']:14}{row['clients']:8} {row['per_second']:8.0f} {row['p50_ms']:8.2f} {row['p99_ms']:8.2f} {row['cpu_us']:8.0f} "
        f"{row['errors']:7d} {ratio}",
        flush=True,
    )


def main():
    options = arguments()
    rig = Rig(DIARY_LOG_LEVEL="error", DIARY_RATE_FACTOR="1000000", **AS_SHIPPED)
    try:
        print(f"filling: {options.users} members with {options.entries} entries of {options.bytes} characters", flush=True)
        users, text = fill(rig, options)
        tokens = [u.tokens["access_token"] for u in users]
        user = users[0]
        sessions = [[f"'{v}'" for v in (rig.tenants["my-day"], u.id, u.tokens["session_id"])] for u in users]
        entry = user.call("GET", "/v1/entries?order=desc&limit=1", 200).json()["items"][0]["id"]
        statements = Statements(rig)
        listing = statements.of(lambda: user.call("GET", "/v1/entries?order=desc&limit=50", 200), "begin_member($1", "row_number()")
        one = statements.of(lambda: user.call("GET", f"/v1/entries/{entry}", 200), "begin_member($1", "e.deleted_at is null")
        text_body = json.dumps({"kind": "text", "text": text})
        create = statements.of(
            lambda: user.call("POST", "/v1/entries", 201, data=text_body, headers={"Content-Type": "application/json"}),
            "begin_member($1",
            "insert into entries",
            "e.request_hash, e.request_hash",
        )
        voice_body = json.dumps({"kind": "voice", "content_type": "audio/mp4", "size_bytes": 200_000})
        keys = dict(rig.postgres.sql("diary", "select user_id::text, key_id::text from user_sync"))

        def creating(body):
            """With the values that the API stores for this body; the ids and the time are new each time."""
            made = user.call("POST", "/v1/entries", 201, data=body, headers={"Content-Type": "application/json"}).json()
            columns = [
                "kind",
                "status",
                "null",
                "null",
                "duration_s",
                "size_bytes",
                "content_type",
                "sha256",
                "language",
                "object_id",
                "request_hash",
                "personal",
            ]
            row = rig.postgres.sql(
                "diary", f"select {', '.join(c + '::text' for c in columns)} from entries where id = '{made['entry_id']}'"
            )[0]
            *sent, personal = ("null" if value is None else f"'{value}'" for value in row)
            fresh = "lpad(to_hex((:id)::bigint), 32, '0')::uuid"
            sent[2] = "now()"
            if made.get("upload"):
                sent[columns.index("object_id")] = fresh
            # Not a favourite, no labels, for a recording the seconds that it is waited for, no limit of storage, a repeated recording is
            # taken, its audio goes by age, no time of a wall clock, no words of the phone, and no recording that stays there.
            rest = ["false", "null", "604800" if made.get("upload") else "null", "null", "null", "false", *["null"] * 3, "false"]
            return create, [
                [session, [*session[:2], fresh, *sent, f"'{keys[session[1].strip(chr(39))]}'", personal, *rest], [*session[:2], fresh]]
                for session in sessions
            ]

        statements.end()
        start_ms = first_200(rig)
        time.sleep(2)
        process = Process(rig.processes["serve"].pid)
        idle = process.megabytes("VmRSS")

        work = [
            (
                "list 50",
                lua("GET", "/v1/entries?order=desc&limit=50", tokens),
                (listing, [[session, [*session[:2], "'50'"]] for session in sessions]),
            ),
            ("get", lua("GET", f"/v1/entries/{entry}", tokens[:1]), (one, [[sessions[0], [*sessions[0][:2], f"'{entry}'", *STAGES]]])),
            ("create text", lua("POST", "/v1/entries", tokens, [text_body]), creating(text_body)),
            ("create voice", lua("POST", "/v1/entries", tokens, [voice_body]), creating(voice_body)),
            (
                "login",
                lua("POST", "/v1/auth/email", bodies=[json.dumps({"email": u.address, "password": u.password}) for u in users]),
                None,
            ),
            (
                "refresh",
                lua("POST", "/v1/auth/refresh", bodies=[json.dumps({"refresh_token": u.tokens["refresh_token"]}) for u in users]),
                None,
            ),
        ]
        rows = []
        for name, script, alone in work:
            subprocess.run(["sleep", "0.5"])
            wrk(rig.url, script, 1, rig.folder)
            # Within the half minute in which a refresh token may be shown again and again (three uses, ten seconds each).
            seconds = min(options.seconds, 8) if name == "refresh" else options.seconds
            rounds = {clients: [] for clients in (CLIENTS if alone else CLIENTS[:1])}
            # In turns: the machine's pace changes within a minute.
            for _ in range(ROUNDS):
                beside = pgbench(rig, rig.folder, *alone, options.seconds) if alone else None
                for clients, measured in rounds.items():
                    measured.append(measure(rig, process, name, script, seconds, clients, beside))
            if options.profile:
                profile(rig, process, name, script, options)
            if not rows:
                print(
                    f"{'':14}{'clients':>8} {'req/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'CPU µs':>8} {'errors':>7} {'pgbench/s':>10} {'ratio':>7}"
                )
            for measured in rounds.values():
                rows.append(middle(measured))
                show(rows[-1])
        memory = {
            "idle_mb": idle,
            "after_mb": process.megabytes("VmRSS"),
            "peak_mb": process.megabytes("VmHWM"),
            "first_200_ms": start_ms,
            "program_mb": os.path.getsize(PROGRAM) / 1e6,
        }
        print(", ".join(f"{name} {value:.0f}" for name, value in memory.items()))
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps({"operations": rows, **memory}, indent=1))
    finally:
        rig.end()


if __name__ == "__main__":
    main()
