"""What the shell hands over: TMPDIR, HOME, umask, locale, settings."""

import re

DEMO = "scripts/demo --exit"
DONE = r"^The whole way took"


def demo(lab, m, did, words=DONE, **more):
    return lab.saw(did, m.run(DEMO, **more), 0, words)


def tmpdir(lab):
    with lab.machine() as m:
        m.user("easy")
        demo(lab, m, "TMPDIR unset", user="easy", without=["TMPDIR"])
        plain = isolation(m)
        demo(lab, m, "TMPDIR is no folder", r"TMPDIR .*using /tmp", user="easy", env={"TMPDIR": "/no/such"})
        demo(lab, m, "TMPDIR may not be written", r"TMPDIR .*using /tmp", user="easy", env={"TMPDIR": "/root"})
        demo(lab, m, "TMPDIR empty", user="easy", env={"TMPDIR": ""})
        long = "/tmp/" + "/".join(["t" * 100] * 3)
        m.do(f"mkdir -p '{long}' '/tmp/an odd one' /tmp/ü; chmod 777 '{long}' '/tmp/an odd one' /tmp/ü")
        demo(lab, m, f"TMPDIR of {len(long)} bytes", user="easy", env={"TMPDIR": long})
        lab.held("the media sandbox is as before", isolation(m) == plain, f"{plain}, then {isolation(m)}")
        demo(lab, m, "TMPDIR with spaces", user="easy", env={"TMPDIR": "/tmp/an odd one"})
        lab.held("the media sandbox is as before", isolation(m) == plain, f"{plain}, then {isolation(m)}")
        demo(lab, m, "TMPDIR beyond ASCII, which ends the compiler", r"TMPDIR .*using /tmp", user="easy", env={"TMPDIR": "/tmp/ü"})
        lab.held("the media sandbox is as before", isolation(m) == plain, f"{plain}, then {isolation(m)}")


def isolation(m):
    """What the worker said of its sandbox at its start."""
    found = re.search(r'"isolation":"(\w+)"', m.read(m.place + "/.diary/demo.log"))
    return found and found[1]


def home(lab):
    with lab.machine() as m:
        m.user("easy")
        demo(lab, m, "no HOME, USER, LOGNAME", user="easy", without=["HOME", "USER", "LOGNAME"])
        demo(lab, m, "HOME is not there", r"HOME is /no/such.*\.build/home", user="easy", env={"HOME": "/no/such"})
        m.do("rm -rf .diary")
        demo(lab, m, "HOME is not there, as root", r"HOME is /no/such.*\.build/home", env={"HOME": "/no/such"})


def umask(lab):
    with lab.machine() as m:
        m.user("easy")
        for value in ("077", "000"):
            m.do("rm -rf .diary")
            demo(lab, m, f"umask {value}", user="easy", umask=value)
            bad = m.do("find .diary \\( -type f -o -type d \\) -perm /077 ! -path '*/postgres/*' ! -name demo.zip").split()
            lab.held("nothing of .diary is open to others", not bad, " ".join(bad[:5]))
        m.do("rm -rf .diary")
        demo(lab, m, "umask 077 as root", umask="077")


def locale(lab):
    with lab.machine() as m:
        m.user("easy")
        demo(lab, m, "LANG=C", user="easy", env={"LANG": "C"})
        demo(lab, m, "LC_ALL=POSIX", user="easy", env={"LC_ALL": "POSIX"})
        demo(lab, m, "a locale that is not installed", user="easy", env={"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"})
        demo(lab, m, "no locale at all", user="easy", without=["LANG"])
        # Turkish: no small i for I; German of before UTF-8: other bytes.
        if m.run("command -v localedef && [ -f /usr/share/i18n/locales/tr_TR ]").code != 0:
            lab.left_out("Turkish, and a locale that is not UTF-8", "this machine has no locale sources (package locales)")
            return
        m.do("localedef -i tr_TR -f UTF-8 tr_TR.UTF-8; localedef -i de_DE -f ISO-8859-1 de_DE.ISO-8859-1")
        m.do("rm -rf .diary")
        for name in ("tr_TR.UTF-8", "de_DE.ISO-8859-1"):
            demo(lab, m, f"LC_ALL={name}", user="easy", env={"LC_ALL": name})


def settings(lab):
    with lab.machine() as m:
        left = {
            "DIARY_LISTEN": "127.0.0.1:1",
            "DIARY_DATABASE_URL": "host=/nowhere",
            "DIARY_MASTER_KEYS": "x",
            "PGDATA": "/nowhere",
            "PGHOST": "nowhere",
            "PGPORT": "1",
            "PGUSER": "no-such-user",
            "PGOPTIONS": "-c search_path=none",
            "PGSSLMODE": "require",
            "http_proxy": "http://127.0.0.1:1",
            "HTTPS_PROXY": "http://127.0.0.1:1",
            "PYTHONPATH": "/no/such",
            "PYTHONHOME": None,
            "GREP_OPTIONS": "-v",
            "CDPATH": "/:/tmp",
        }
        demo(lab, m, "settings of other things in the environment", env=left)
        one = m.start(".build/debug/diary dev", env={k: v for k, v in left.items() if not k.startswith("DIARY_")})
        ready = one.wait_for("ready on", 120)
        one.send("INT")
        one.wait(60)
        lab.held("diary dev with PGPORT, PGOPTIONS and the like set", ready and one.code == 0, one.text.strip().splitlines()[-1][:300])
        for words in ("--port 0", "--port 70000", "--port x", "--nonsense"):
            lab.saw(f"demo {words}", m.run(f"scripts/demo {words}"), 2, r"--port must be|scripts/demo \[--port N\]")
        lab.saw(
            "demo from another folder, through a link",
            m.run(f"ln -s '{m.place}/scripts/demo' /tmp/link && cd / && /tmp/link --exit"),
            0,
            DONE,
        )


ROWS = [
    ("tmpdir", "TMPDIR unset, wrong, long, odd", tmpdir),
    ("home", "no HOME", home),
    ("umask", "umask 077 and 000", umask),
    ("locale", "LANG=C and foreign locales", locale),
    ("settings", "settings of other things, odd arguments, another working folder", settings),
]
