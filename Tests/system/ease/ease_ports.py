"""Ports that are taken, and addresses of every kind."""

import time

DIARY = ".build/debug/diary dev"

HOLD = """python3 - <<'PYTHON'
import os, socket, time
family, address = {what}
if family == socket.AF_UNIX and os.path.exists(address): os.unlink(address)
s = socket.socket(family)
s.bind(address)
{listen}
print("holding", flush=True)
time.sleep(600)
PYTHON"""


def hold(m, family, address, listen="s.listen()"):
    holder = m.start(HOLD.format(what=f"socket.{family}, {address!r}", listen=listen))
    holder.wait_for("holding", 10)
    return holder


def refused(lab, m, line, words, code=1, **more):
    began = time.monotonic()
    lab.saw(line, m.run(line, **more), code, words)
    lab.held("said at once", time.monotonic() - began < 10, f"after {time.monotonic() - began:.1f} s")


def v4(lab):
    with lab.machine() as m:
        hold(m, "AF_INET", ("127.0.0.1", 8080))
        refused(lab, m, "scripts/demo --exit", r"port 8080 on 127\.0\.0\.1 cannot be used.*scripts/demo --port", 5)
        refused(lab, m, DIARY, r"127\.0\.0\.1:8080: port 8080 is taken; give another with --port")
        lab.saw("on another port", m.run("scripts/demo --exit --port 8099"), 0, r"^The whole way took")


def v6(lab):
    with lab.machine() as m:
        hold(m, "AF_INET6", ("::", 8080))
        refused(lab, m, "scripts/demo --exit", r"port 8080 on 127\.0\.0\.1 cannot be used", 5)
        refused(lab, m, DIARY + " --host ::1", r"\[::1\]:8080: port 8080 is taken")
        refused(lab, m, DIARY + " --host ::", r"\[::\]:8080: port 8080 is taken")


def localhost(lab):
    with lab.machine() as m:
        m.do("printf '127.0.0.1 localhost\\n::1 localhost\\n' >/etc/hosts")
        holder = hold(m, "AF_INET", ("127.0.0.1", 8080))
        refused(lab, m, DIARY + " --host localhost", r"localhost:8080: port 8080 is taken")
        holder.send("KILL")
        holder.wait(10)
        hold(m, "AF_INET6", ("::1", 8080))
        refused(lab, m, DIARY + " --host localhost", r"localhost:8080: port 8080 is taken")


def listen(lab):
    with lab.machine() as m:
        hold(m, "AF_INET", ("127.0.0.1", 8080))
        hold(m, "AF_INET", ("127.0.0.1", 9090))
        refused(
            lab, m, DIARY, r"127\.0\.0\.1:9090: port 9090 is taken; give another with DIARY_LISTEN", env={"DIARY_LISTEN": "127.0.0.1:9090"}
        )
        serving = m.start(DIARY, env={"DIARY_LISTEN": "[::1]:8080"})
        ready = serving.wait_for("ready on", 120)
        answer = m.quiet("curl", "-sS", "-g", "-o", "/dev/null", "-w", "%{http_code}", "http://[::1]:8080/readyz")
        serving.send("INT")
        serving.wait(60)
        lab.held(
            "DIARY_LISTEN=[::1]:8080 beside a taken 127.0.0.1:8080",
            ready and answer == "200" and "ready on http://[::1]:8080" in serving.text,
            f"/readyz answered {answer or serving.text.strip()[-300:]}",
        )
        for text in ("::1:8080", "localhost", "localhost:+80", "[::1]", ":8080", "[127.0.0.1]:8080", "/" + "x" * 107):
            lab.saw(
                f"DIARY_LISTEN={text[:30]}",
                m.run(DIARY, env={"DIARY_LISTEN": text}),
                78,
                r"setting DIARY_LISTEN: must be host:port, \[IPv6\]:port",
            )
        lab.saw("a host that is not there", m.run(DIARY + " --host nowhere.invalid"), 1, r"the host is unknown")
        lab.saw("a number above 255 in an address", m.run(DIARY + " --host 300.1.1.1"), 1, r"no IPv4 address, .*; give another with --host")
        lab.saw("an address of another machine", m.run(DIARY + " --host 192.0.2.1"), 1, r"does not have that address")
        lab.saw(
            "a CIDR with a sign",
            m.run(DIARY + " --port 8097", env={"DIARY_TRUSTED_PROXIES": "10.0.0.0/+8"}),
            78,
            r"setting DIARY_TRUSTED_PROXIES",
        )


def unix(lab):
    with lab.machine() as m:
        holder = hold(m, "AF_UNIX", "/tmp/d.sock")
        refused(lab, m, DIARY, r"/tmp/d\.sock: a server listens there already", env={"DIARY_LISTEN": "/tmp/d.sock"})
        holder.send("KILL")
        holder.wait(10)
        serving = m.start(DIARY, env={"DIARY_LISTEN": "/tmp/d.sock"})
        ready = serving.wait_for("ready on", 120)
        answer = m.quiet("curl", "-sS", "--unix-socket", "/tmp/d.sock", "-o", "/dev/null", "-w", "%{http_code}", "http://localhost/readyz")
        serving.send("INT")
        serving.wait(60)
        lab.held(
            "on the socket file that a killed server left",
            ready and answer == "200",
            f"/readyz answered {answer or serving.text.strip()[-300:]}",
        )


ROWS = [
    ("port-v4", "the port is taken on 127.0.0.1", v4),
    ("port-v6", "the port is taken on IPv6, for all addresses", v6),
    ("port-localhost", "the port is taken on one of localhost's addresses", localhost),
    ("port-listen", "DIARY_LISTEN: taken, IPv6, and what is none", listen),
    ("port-unix", "DIARY_LISTEN names a Unix socket", unix),
]
