"""Folders: closed, read-only, full, oddly named, lost, copied."""

DEMO = "scripts/demo --exit"
DONE = r"^The whole way took"
DIARY = ".build/debug/diary dev"


def serve(lab, m, did, words=""):
    """diary dev until it is ready, then Ctrl-C. Records whether both went well."""
    serving = m.start(DIARY + words)
    ready = serving.wait_for("ready on", 120)
    serving.send("INT")
    serving.wait(60)
    return lab.held(did, ready and serving.code == 0, serving.text.strip().splitlines()[-1][:300] if serving.text.strip() else "")


def closed(lab):
    with lab.machine() as m:
        m.user("other", owns=False)
        m.do("chown other .; chmod 700 .")
        lab.held(
            "the servers' user cannot enter the checkout",
            not m.quiet("setpriv", "--reuid=postgres", "--clear-groups", "ls", m.place + "/README.md"),
        )
        lab.saw("demo as root", m.run(DEMO), 0, DONE)
        place = m.read(m.place + "/.diary/databases").split()[0]
        lab.held("the databases lie where nothing is swept", place.startswith("/var/lib/diary-dev/"), place)
        lab.saw("demo again", m.run(DEMO), 0, DONE)
        mails = m.do("ls .diary/mail/*.eml | wc -l").strip()
        lab.held("with what was there", mails == "4", f"{mails} mails")
        m.do("cp -a .diary /tmp/copy")
        lab.saw("diary dev on a copy of .diary", m.run(DIARY + " --folder /tmp/copy"), 1, r"is a copy of")
        m.do(f"mv {place} {place}.away")
        lab.saw("the databases' folder lost", m.run(DIARY), 1, r"are not there any more.*Bring that folder back")
        lab.saw("the same by demo", m.run(DEMO), 1, r"are not there any more")
        m.do(f"mv {place}.away {place}")
        serve(lab, m, "the folder brought back")


def lost(lab):
    with lab.machine() as m:
        serve(lab, m, "a first start")
        m.do("mv .diary/postgres /tmp/away")
        lab.saw("the cluster lost", m.run(DIARY), 1, r"are not there any more")
        m.do("mv /tmp/away .diary/postgres; mv .diary/master-keys /tmp/keys")
        lab.saw("the keys lost", m.run(DIARY), 1, r"master-keys is gone; without it the databases")
        m.do("mv /tmp/keys .diary/master-keys; rm -rf /tmp/diary-*")
        serve(lab, m, "/tmp swept")
        m.do(
            "cp -a .diary /tmp/copy; rm -rf .diary; mkdir -m 700 /var/tmp/diary-0ld; mv /tmp/copy .diary; rm .diary/databases;"
            " mv .diary/postgres /var/tmp/diary-0ld/; chown postgres /var/tmp/diary-0ld; printf /var/tmp/diary-0ld >.diary/run"
        )
        serve(lab, m, "databases under /var/tmp, of an earlier version")
        lab.held("they were taken home", m.read(m.place + "/.diary/databases").split() == [".", "made"])
        m.do("rm .diary/databases; mv .diary/postgres /tmp/away; printf /var/tmp/diary-0ld >.diary/run; rm -rf /var/tmp/diary-0ld")
        lab.saw("and when /var/tmp was swept", m.run(DIARY), 1, r"are not there any more")


def read_only(lab):
    with lab.machine() as m:
        m.do(f"mount --bind '{m.place}' '{m.place}'; mount -o remount,bind,ro '{m.place}'")
        lab.saw("demo", m.run(DEMO), 6, r"cannot be written")
        lab.saw("test", m.run("scripts/test"), 6, r"cannot be written")
        lab.saw("diary dev", m.run(DIARY), 1, r"cannot be made: Read-only file system")
        serve(lab, m, "diary dev --folder /tmp/state", words=" --folder /tmp/state")


def full(lab):
    with lab.machine() as m:
        m.do("mkdir -m 700 .diary; mount -t tmpfs -o size=100m,mode=700 full .diary")
        lab.saw("diary dev on a disk with 100 MB", m.run(DIARY), 1, r"has \d+ MB free; at least 200 MB are needed")
        lab.saw("demo", m.run(DEMO), 6, r"has \d+ MB free")
        m.do("umount .diary; rmdir .diary; mount -o remount,size=2m /tmp")
        lab.saw("demo with a full /tmp", m.run(DEMO), 6, r"/tmp has \d+ MB free")
        m.do("mount -o remount,size=2g /tmp; mkdir -m 700 .diary; mount -t tmpfs -o size=320m,mode=700 full .diary")
        serving = m.start("scripts/demo")
        served = serving.wait_for("Serving on", 200)
        m.quiet("bash", "-c", f"dd if=/dev/zero of='{m.place}/.diary/fill' bs=1M 2>/dev/null")
        answer = m.quiet("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:8080/livez")
        m.do("rm .diary/fill")
        serving.send("INT")
        lab.held(
            "the disk fills up while it serves; it lives on and ends cleanly",
            served and answer == "200" and serving.wait(60).code == 0,
            answer,
        )
        lab.saw("demo with space again", m.run(DEMO), 0, DONE)


def odd(lab):
    with lab.machine(place='/srv/über straße/it\'s a "diary" $HOME `x` & co') as m:
        program = {"DIARY_PROGRAM": m.place + "/.build/debug/diary"}
        m.user("easy")
        lab.saw("demo as a user (built at another path)", m.run(DEMO, user="easy", env=program), 0, DONE)
        m.do("rm -rf .diary")
        lab.saw("demo as root", m.run(DEMO, env=program), 0, DONE)
        lab.held("nothing runs on", not m.left(), m.left(0) or "")
    with lab.machine(place="/srv/" + "/".join(["long-" + "x" * 60] * 6)) as m:
        program = {"DIARY_PROGRAM": m.place + "/.build/debug/diary"}
        lab.saw(f"demo under a path of {len(m.place)} bytes", m.run(DEMO, env=program), 0, DONE)


ROWS = [
    ("closed-checkout", "root in a checkout that others cannot enter", closed),
    ("lost-data", "parts of .diary are gone, or swept", lost),
    ("read-only", "a checkout that cannot be written", read_only),
    ("disk-full", "little space, and none", full),
    ("odd-path", "spaces, quotes and letters beyond ASCII in the path; a long path", odd),
]
