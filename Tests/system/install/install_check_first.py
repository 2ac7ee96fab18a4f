"""An installation by the documents, from nothing to a mailed zip over TLS."""

import json
import re
import shutil

import install_check_docs as docs
from install_check_machine import wait

UNITS = ("diary-api", "diary-worker", "diary-migrate")
CERTIFICATE = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
EXPECT = {"look": r'isolation":"namespaces'}
WHEELS = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/var/cache/wheels"}
"""For pip in the machine, which has no network."""


def install(lab, package, name="first"):
    """A booted machine in which the service runs and has done the main job once."""
    report = lab.report
    report.begin(name, f"{package.name} by docs/install.md")
    machine = lab.machine(name)
    report.saw("Debian 12 boots", True, f"systemd is {machine.boot() and machine.state()}")
    shutil.copy(package, machine.root / "root")
    for step, text in docs.blocks("install").items():
        commands = docs.own(text, package.name, lab.host)
        if step == "speech" and not has_speech(machine):
            continue
        report.quote(commands)
        if step == "settings":
            change_settings(report, machine, commands)
            continue
        if step == "look":
            # A person needs longer to type than Caddy for the first certificate.
            wait(lambda: lab.is_ready(machine), 20)
        done = machine.operate(commands, CURL_CA_BUNDLE=CERTIFICATE, **WHEELS)
        report.ran(f"install {step}", done, EXPECT.get(step, ""))
        if step == "package":
            active = [machine.property(unit, "ActiveState") for unit in (*UNITS, "diary-speech")]
            report.saw("the package starts nothing", set(active) == {"inactive"}, ", ".join(active))
        if step == "look":
            report.saw("/readyz says ready", '"status":"ready"' in done.stdout.replace(" ", ""), done.stdout.splitlines()[0])
    main_job(lab, machine)
    state_of_units(lab, machine)
    wrapper(lab, machine)
    missing_files(lab, machine)
    return machine


def has_speech(machine):
    """False of a package that is older than the speech server."""
    return (machine.root / "usr/bin/diary-speech").exists()


def fetch_speech(lab, machine):
    """What the operator does after an upgrade that says so; else it changes nothing."""
    done = machine.operate(docs.blocks("install")["speech"], **WHEELS)
    return lab.report.ran("diary-speech", done)


def change_settings(report, machine, lines):
    """What an operator does with an editor."""
    path = machine.root / "etc/diary/diary.env"
    path.write_text(docs.with_settings(path.read_text(), lines))
    report.saw("install settings", True, "written into diary.env")


def main_job(lab, machine, name="job"):
    folder = machine.root.parent
    done = lab.ask(machine, "job", machine.mails, folder / f"{name}.zip", folder / f"{name}.json")
    lab.report.quote(done.stdout)
    return lab.report.ran("the main job over TLS: sign-up, recording, words, export, mailed zip", done, r"The whole way took.*")


def look(lab, machine, did, name="job"):
    return lab.report.ran(did, lab.ask(machine, "look", machine.root.parent / f"{name}.json"), r"are as they were", go_on=True)


def isolation(machine):
    """What the worker of this boot says of its sandbox, newest last."""
    lines = [line for line in machine.journal("diary-worker").splitlines() if '"isolation"' in line]
    return [json.loads(line)["isolation"] for line in lines if line.startswith("{")]


def state_of_units(lab, machine):
    report = lab.report
    states = {unit: (machine.property(unit, "ActiveState"), machine.property(unit, "NRestarts")) for unit in UNITS}
    report.saw("all units run and none had to be started twice", set(states.values()) == {("active", "0")}, states)
    failed = machine.run("systemctl --failed --plain --no-legend").stdout.strip()
    report.saw("no unit of the machine failed", not failed, failed)
    found = isolation(machine)
    report.saw("sandbox state", found and set(found) == {"namespaces"}, ", ".join(found) or "no line")
    if has_speech(machine):
        speech_server(report, machine)
    keys = sorted(path.name for path in (machine.root / "etc/diary/keys").iterdir())
    report.saw("optional key files are missing, and the units run", not {"smtp-password", "apple.p8"} & set(keys), ", ".join(keys))
    open_ports = machine.run("ss -Hltn | awk '{ print $4 }' | grep -v -e '^127[.]' -e '^.::1.' | sort -u | xargs").stdout.strip()
    report.saw("only the proxy listens for other machines", set(open_ports.split()) <= {"*:80", "*:443"}, open_ports)
    noise = [line for line in (machine.journal("diary-api") + machine.journal("diary-worker")).splitlines() if '"level":"error"' in line]
    report.saw("no line of level error in the logs", not noise, "; ".join(noise[:3]))


def speech_server(report, machine):
    states = {name: machine.property("diary-speech", name) for name in ("ActiveState", "NRestarts", "MainPID")}
    report.saw("the speech server runs", (states["ActiveState"], states["NRestarts"]) == ("active", "0"), states)
    # In its mount namespace even root finds nothing there.
    seen = machine.run(f"nsenter -t {states['MainPID']} -m find /etc/diary /var/lib/diary -mindepth 1")
    report.saw("it sees neither settings, keys nor recordings", seen.returncode == 0 and not seen.stdout, seen.stdout + seen.stderr)
    named = machine.run(f"xargs -0 -n 1 echo </proc/{states['MainPID']}/environ | grep -o '^DIARY_[A-Z_]*' | xargs").stdout.strip()
    report.saw("its environment has no setting of others", named == "DIARY_WHISPER_MODEL", named)
    peak = machine.run(f"grep VmHWM /proc/{states['MainPID']}/status").stdout.split()
    report.saw("its memory stays below the unit's limit", peak and int(peak[1]) < 2 << 20, f"at most {' '.join(peak[1:])}")


def wrapper(lab, machine):
    """diary-admin: output, exit status and standard input of the command are its own."""
    report = lab.report
    report.ran("diary-admin tenant list", machine.run("diary-admin tenant list"), "my-day", go_on=True)
    report.ran("diary-admin jobs stats", machine.run("diary-admin jobs stats"), "mail", go_on=True)
    report.ran("diary-admin keys list", machine.run("diary-admin keys list"), "m1", go_on=True)
    report.ran("diary-admin restore-check", machine.run("diary-admin restore-check"), go_on=True)
    done = machine.run("diary-admin tenant show no-such-app")
    report.saw("diary-admin ends as its command does", done.returncode not in (0, 203, 226, 243), f"{done.returncode}: {done.stderr}")


def missing_files(lab, machine):
    """A password file that is not there keeps no unit from starting: what fails is the connection."""
    report, place = lab.report, "/etc/diary/pgpass/worker"
    machine.run(f"mv {place} {place}.away; systemctl restart diary-worker", seconds=60)
    state, status = machine.property("diary-worker", "ActiveState"), machine.property("diary-worker", "ExecMainStatus")
    said = re.findall("no password supplied", machine.journal("diary-worker"))
    did = "without a password file systemd starts the worker, which says what is missing"
    report.saw(did, state == "active" and said, f"{state}, {status}: {said[:1]}")
    done = machine.run(f"mv {place}.away {place}; systemctl restart diary-worker", seconds=90)
    report.ran("with the file it runs again", done)
