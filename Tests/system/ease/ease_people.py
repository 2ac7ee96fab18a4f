"""Who runs it: root, ordinary users with and without sudo, on machines that lack packages or the toolchain."""

DEMO = "scripts/demo --exit"
DONE = r"^The whole way took"


def root(lab):
    with lab.machine() as m:
        lab.saw("demo as root", m.run(DEMO), 0, DONE)
        lab.held("nothing runs on", not m.left(), m.left(0) or "")
        lab.held(
            "the databases lie in .diary, which others cannot read",
            m.read(f"{m.place}/.diary/databases").split() == [".", "made"]
            and "drwx--x--- root postgres" in m.do("stat -c '%A %U %G' .diary"),
            m.do("stat -c '%A %U %G' .diary").strip(),
        )


def ordinary(lab):
    with lab.machine() as m:
        m.user("easy")
        lab.saw("demo as a user, nothing missing", m.run(DEMO, user="easy"), 0, DONE)
        lab.held("nothing runs on", not m.left(), m.left(0) or "")


def twice(lab):
    with lab.machine() as m:
        first = m.start("scripts/demo")
        first.wait_for("Serving on", 300)
        lab.saw("demo while one serves", m.run(DEMO), 5, r"running already")
        lab.saw("diary dev while one serves", m.run(".build/debug/diary dev --port 8081"), 1, r"another `diary dev` is running")
        before = m.do("grep -l . .diary/mail/*.eml | wc -l").strip()
        first.send("INT")
        lab.saw("Ctrl-C ends serving", first.wait(60), 0, r"^stopping")
        lab.held("nothing runs on", not m.left(), m.left(0) or "")
        lab.saw("demo again", m.run(DEMO), 0, DONE)
        after = m.do("grep -l . .diary/mail/*.eml | wc -l").strip()
        lab.held("what was there is still there", (before, after) == ("2", "4"), f"{before} mails, then {after}")


def sudo(lab):
    with lab.machine(network=True) as m:
        if m.run("apt-get update -qq && apt-get install -y -qq sudo", 300).code != 0:
            lab.skip("sudo is not installed and cannot be fetched")
        m.user("easy")
        m.do(
            "echo 'easy ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/easy; chmod 440 /etc/sudoers.d/easy; dpkg -r --force-depends redis-server libarchive-tools >&2"
        )
        port = "--port 18473"
        demo = m.run(f"{DEMO} {port}", user="easy")
        lab.saw("demo with sudo, redis-server and libarchive-tools missing", demo, 0, DONE)
        lab.held("it said what it installed", "installing: redis-server libarchive-tools" in demo.text)


def no_sudo(lab):
    with lab.machine() as m:
        m.user("easy")
        m.do("dpkg -r --force-depends redis-server libarchive-tools >&2")
        line = r"^sudo apt-get update && sudo apt-get install -y --no-install-recommends redis-server libarchive-tools$"
        lab.saw("demo without sudo, two packages missing", m.run(DEMO, user="easy"), 3, line)
        lab.saw("test without sudo, two packages missing", m.run("scripts/test", user="easy"), 3, line)
        lab.held("nothing was begun", m.do("ls -d .diary 2>/dev/null || true").strip() == "")


def no_swift(lab):
    with lab.machine() as m:
        path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        for name in ("demo", "test"):
            lab.saw(f"{name} without a Swift toolchain", m.run(f"scripts/{name}", env=path), 4, r"Swift 6\.2 or newer is needed")


def missing(name, package, program, words):
    def body(lab):
        with lab.machine() as m:
            m.do(f"dpkg -r --force-depends {package} >&2; rm -f {program}")
            lab.saw(f"diary dev without {name}", m.run(".build/debug/diary dev"), 1, words)
            lab.held("nothing runs on", not m.left(), m.left(0) or "")

    return body


def foreign_checkout(lab):
    with lab.machine() as m:
        m.user("easy", owns=False)
        lab.saw("demo as a user in root's checkout", m.run(DEMO, user="easy"), 6, r"cannot be written by easy")
        lab.saw("test as a user in root's checkout", m.run("scripts/test", user="easy"), 6, r"cannot be written by easy")


def root_then_user(lab):
    with lab.machine() as m:
        m.user("easy")
        lab.saw("demo as root in a user's checkout", m.run(DEMO), 0, DONE)
        lab.saw("demo as that user after it", m.run(DEMO, user="easy"), 6, r"\.diary belongs to root")
        lab.saw("diary dev as that user", m.run(".build/debug/diary dev", user="easy"), 1, r"belongs to root")


def user_then_root(lab):
    with lab.machine() as m:
        m.user("easy")
        lab.saw("demo as a user", m.run(DEMO, user="easy"), 0, DONE)
        lab.saw("demo as root after it", m.run(DEMO), 6, r"\.diary belongs to easy")


def test_start(lab):
    with lab.machine() as m:
        m.user("easy")
        lab.saw(
            "test --only ZipArchiveTests as a user",
            m.run("scripts/test --only ZipArchiveTests", 1500, user="easy"),
            0,
            r"^all tests passed",
        )
        lab.held("nothing runs on", not m.left(), m.left(0) or "")
        lab.saw("again", m.run("scripts/test --only ZipArchiveTests", 1500, user="easy"), 0, r"^all tests passed")
        lab.saw("an unknown target", m.run("scripts/test --only NoSuch", user="easy"), 2, r"no such tests")
        # By now everything is built for tests.
        again = m.start("scripts/test --swift", user="easy")
        again.wait_for("Test run started", 600)
        again.send("INT")
        again.wait(60)
        lab.held("Ctrl-C in the middle of the tests ends it", again.code not in (0, None), f"exit {again.code}")
        lab.held("nothing runs on", not m.left(30), m.left(0) or "")


ROWS = [
    ("root", "demo as root", root),
    ("user", "demo as an ordinary user", ordinary),
    ("twice", "demo twice in a row, and beside itself", twice),
    ("sudo", "packages missing, with sudo", sudo),
    ("no-sudo", "packages missing, without sudo", no_sudo),
    ("no-swift", "no Swift toolchain", no_swift),
    (
        "no-redis",
        "no redis-server",
        missing("redis-server", "redis-server", "/usr/bin/redis-server", r"not installed: redis-server.*apt-get install redis-server"),
    ),
    (
        "no-ffmpeg",
        "no ffmpeg",
        missing("ffmpeg", "ffmpeg", "/usr/bin/ffmpeg /usr/bin/ffprobe", r"not installed: ffmpeg, ffprobe.*apt-get install ffmpeg"),
    ),
    (
        "no-postgres",
        "no Postgres server",
        missing(
            "Postgres",
            "$(dpkg-query -W -f '${Package} ' 'postgresql-[0-9]*' 'postgresql')",
            "-r /usr/lib/postgresql/*/bin/initdb",
            r"not installed: the Postgres server.*apt-get install postgresql",
        ),
    ),
    ("foreign-checkout", "a user in a checkout of root's", foreign_checkout),
    ("root-then-user", "root first, then the owner", root_then_user),
    ("user-then-root", "the owner first, then root", user_then_root),
    ("test", "scripts/test through its start, twice, interrupted", test_start),
]
