"""A client of the installed service, run in the machine's network.

install_check_client.py HOST CERTIFICATE job MAILS ZIP STATE   the main job of scripts/demo; the account and its entry are kept in STATE
install_check_client.py HOST CERTIFICATE look STATE            the account of STATE reads its entry and hears its recording
install_check_client.py HOST CERTIFICATE watch                 a request each 50 ms until SIGTERM, then a line of JSON about them
"""

import hashlib
import json
import pathlib
import signal
import socket
import ssl
import sys
import time
import urllib.request

import demo

SAMPLES = demo.ROOT / "Tests/Samples"


def use(host, certificate):
    """The public name leads to the machine, and its certificate is checked against the given authority alone."""
    found = socket.getaddrinfo
    socket.getaddrinfo = lambda name, *more, **named: found("127.0.0.1" if name == host else name, *more, **named)
    context = ssl.create_default_context(cafile=certificate)
    https = urllib.request.HTTPSHandler(context=context)
    demo.OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), demo.NoRedirect, https)
    return f"https://{host}"


def job(base, mails, archive, state):
    session, entry = demo.run(base, mails, SAMPLES / "walk.m4a", SAMPLES / "walk.txt", archive)
    keep(state, base, session, entry)


def keep(state, base, session, entry):
    kept = {"refresh": session["refresh_token"], "entry": f"{base}/v1/entries/{entry['id']}", "words": entry["transcript_clean"]}
    pathlib.Path(state).write_text(json.dumps({**kept, "id": entry["id"]}))


def look(base, state):
    kept = json.loads(pathlib.Path(state).read_text())
    session = demo.call("POST", base + "/v1/auth/refresh", 200, {"refresh_token": kept["refresh"]}).json()
    entry = demo.call("GET", kept["entry"], 200, token=session["access_token"]).json()
    keep(state, base, session, entry)
    if entry["transcript_clean"] != kept["words"]:
        raise demo.Broken("the entry has other words than before")
    place = demo.call("GET", kept["entry"] + "/audio/url", 200, token=session["access_token"]).json()["url"]
    heard = demo.call("GET", place if place.startswith("http") else base + place, 200)
    if hashlib.sha256(heard.body).digest() != hashlib.sha256((SAMPLES / "walk.m4a").read_bytes()).digest():
        raise demo.Broken("the recording has other bytes than before")
    print(f"the words ({len(kept['words'].split())}) and the recording ({len(heard.body)} bytes) are as they were")


def watch(base):
    ended, counts = [], {"asked": 0, "failed": 0, "longest_s": 0.0, "first_fault": None}
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    print("watching", flush=True)
    while not ended:
        began = time.monotonic()
        try:
            demo.call("GET", base + "/v1/config", 200)
        except demo.Broken as fault:
            counts["failed"] += 1
            counts["first_fault"] = counts["first_fault"] or str(fault)
        counts["asked"] += 1
        counts["longest_s"] = max(counts["longest_s"], round(time.monotonic() - began, 2))
        time.sleep(0.05)
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    host, certificate, action, *words = sys.argv[1:]
    try:
        {"job": job, "look": look, "watch": watch}[action](use(host, certificate), *words)
    except demo.Broken as error:
        print(error, file=sys.stderr)
        sys.exit(1)
