"""Interrupted and killed at every stage: nothing is left running, and the next try works."""

import time

DEMO = "scripts/demo --exit"
DONE = r"^The whole way took"
DIARY = ".build/debug/diary dev"


def gone(lab, m, seconds=30):
    left = m.left(seconds)
    lab.held("nothing runs on", not left, left or "")


def build(lab):
    with lab.machine() as m:
        # Something to build: the target that depends on all others.
        m.do("echo '// changed' >>Sources/DiaryApp/Settings/SettingsError.swift")
        first = m.start(DEMO)
        first.wait_for(["Compiling", "[", "Building for"], 120)
        first.send("INT")
        first.wait(60)
        lab.held("Ctrl-C while it builds", first.code == 130 and "Traceback" not in first.text, f"exit {first.code}")
        gone(lab, m)
        lab.saw("demo again", m.run(DEMO, 900), 0, DONE)


def start(lab):
    """At every stage of the start: `word` is what it has just printed, or the program that has just come up."""
    stages = [
        ("word", "starting the service"),
        ("program", "initdb"),
        ("program", "postgres: checkpointer"),
        ("program", "redis-server"),
        ("word", "migrating"),
    ]
    for how in ("INT", "TERM", "HUP"):
        with lab.machine() as m:
            for kind, what in stages:
                m.do("rm -rf .diary")
                one = m.start("scripts/demo" if kind == "word" and what.startswith("starting") else DIARY)
                seen = one.wait_for(what, 300) if kind == "word" else appears(m, one, what)
                one.send(how)
                one.wait(60)
                noise = [word for word in ("Fatal", "Traceback") if word in one.text]
                lab.held(f"SIG{how} at '{what}'", seen and one.code is not None and not noise, f"exit {one.code} {' '.join(noise)}".strip())
                left = m.left(30)
                lab.held(
                    "nothing runs on, nothing lies in /tmp",
                    not left and not m.quiet("bash", "-c", "ls -d /tmp/diary-*"),
                    left or m.quiet("bash", "-c", "ls -d /tmp/diary-*"),
                )
            lab.saw("demo on what the last one left", m.run(DEMO), 0, DONE)


def appears(m, one, program, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and one.code is None:
        if m.pids(program):
            return True
    return False


def job(lab):
    for word in ("registered", "bytes uploaded", "(transcribe,", "export of"):
        with lab.machine() as m:
            one = m.start("scripts/demo")
            seen = one.wait_for(word, 200)
            one.send("INT")
            one.wait(90)
            lab.held(f"Ctrl-C at '{word}'", seen and one.code == 130 and "Traceback" not in one.text, f"exit {one.code}")
            gone(lab, m, 5)
            lab.saw("demo again", m.run(DEMO), 0, DONE)


def killed_demo(lab):
    with lab.machine() as m:
        one = m.start("scripts/demo")
        one.wait_for("bytes uploaded", 200)
        one.send_one("KILL")
        one.wait(30)
        gone(lab, m, 60)
        lab.saw("demo again", m.run(DEMO), 0, DONE)


def killed(lab, m, words, did):
    serving = m.start(DIARY)
    ready = serving.wait_for("ready on", 120)
    m.kill([p for w in words for p in m.pids(w)])
    serving.wait(30)
    lab.held(did, ready and serving.code not in (0, None), f"exit {serving.code}")
    lab.saw("demo then", m.run(DEMO), 0, DONE)
    gone(lab, m)


def killed_diary(lab):
    with lab.machine() as m:
        m.user("easy")
        killed(lab, m, ["diary dev"], "kill -9 of diary alone")
    with lab.machine() as m:
        m.user("easy")
        m.do("mkdir -m 700 .diary; chown easy .diary")
        one = m.start(DIARY, user="easy")
        one.wait_for("ready on", 120)
        m.kill(m.pids("diary dev"))
        one.wait(30)
        lab.saw("as a user: demo after kill -9 of diary", m.run(DEMO, user="easy"), 0, DONE)
        gone(lab, m)


def killed_all(lab):
    with lab.machine() as m:
        killed(lab, m, ["diary dev", "postgres", "redis-server"], "kill -9 of everything at once")
        killed(lab, m, ["diary dev", "bin/postgres"], "kill -9 of diary and the postmaster, its children living on")


def killed_servers(lab):
    with lab.machine() as m:
        serving = m.start("scripts/demo")
        serving.wait_for("Serving on", 200)
        for words, name in ((["bin/postgres"], "postgres"), (["redis-server"], "redis"), (["postgres", "redis-server"], "both")):
            m.kill([p for w in words for p in m.pids(w)])
            m.do(
                'for i in $(seq 300); do sleep 0.2; [ "$(curl -s http://127.0.0.1:8080/readyz | grep -c \'"ready"\')" = 1 ] && [ -n "$(pgrep redis-server)" ] && exit 0; done; exit 1'
            )
            lab.held(
                f"kill -9 of {name}: started again, ready again",
                serving.code is None,
                m.quiet("curl", "-s", "http://127.0.0.1:8080/readyz"),
            )
        # A server that hangs is no server.
        m.kill(m.pids("redis-server"), "STOP")
        serving.send("INT")
        lab.held("Ctrl-C with a Redis that hangs", serving.wait(90).code == 0, f"exit {serving.code}")
        gone(lab, m)
        lab.saw("demo again", m.run(DEMO), 0, DONE)


def reboot(lab):
    with lab.machine() as m:
        m.user("easy")
        one = m.start("scripts/demo", user="easy")
        one.wait_for("Serving on", 200)
        m.kill([pid for pid, _ in m.processes()])
        one.wait(30)
        # What a machine loses when its power goes: processes and /tmp. And it gives the numbers to others.
        m.do("rm -rf /tmp/diary-*")
        sleeper = m.start("exec sleep 600", user="easy")
        sleeper.wait_for("x", 1)
        m.do(f"sed -i '1s/.*/{m.pids('sleep 600')[0]}/' .diary/postgres/postmaster.pid")
        demo = m.run(DEMO, user="easy")
        lab.saw("demo after the power went, an innocent process having Postgres's number", demo, 0, DONE)
        lab.held("the innocent process lives", sleeper.code is None)
        sleeper.send("KILL")
        sleeper.wait(10)
        mails = m.do("ls .diary/mail/*.eml | wc -l").strip()
        lab.held("with what was there", mails == "4", f"{mails} mails")
        gone(lab, m)


ROWS = [
    ("interrupt-build", "Ctrl-C while it builds", build),
    ("interrupt-start", "Ctrl-C, SIGTERM and a closed terminal at each stage of the start", start),
    ("interrupt-job", "Ctrl-C at stages of the job", job),
    ("kill-demo", "kill -9 of scripts/demo", killed_demo),
    ("kill-diary", "kill -9 of diary, as root and as a user", killed_diary),
    ("kill-all", "kill -9 of diary with its servers", killed_all),
    ("kill-servers", "kill -9 of Postgres and Redis under a serving demo; a Redis that hangs", killed_servers),
    ("reboot", "the power goes: processes and /tmp gone, numbers given to others", reboot),
]
