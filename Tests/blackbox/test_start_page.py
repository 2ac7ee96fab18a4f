"""/docs, where people who write clients begin: its three calls work as they stand there, and the reference behind it is whole."""

import html
import json
import re
import subprocess

import http_client
from contract import CONTRACT
from user import SAMPLE

JQ = """
jq() { python3 -c 'import functools, json, sys; print(functools.reduce(dict.get, sys.argv[1].split(".")[1:], json.load(sys.stdin)))' "$2"; }
"""
"""The one way in which the page uses it, for a machine without it."""


def get(rig, path):
    answer = http_client.get(rig.url + path, timeout=10)
    CONTRACT.check(answer)
    assert answer.status_code == 200, answer.text
    return answer


def test_the_calls_of_the_first_page_lead_from_a_sign_in_to_the_words(shared_rig):
    user = shared_rig.user()
    blocks = re.findall(r"<pre><code>(.*?)</code></pre>", get(shared_rig, "/docs").text, re.S)
    assert len(blocks) == 3
    own = {"my-day": user.app, "anna@example.org": user.address, "seven quiet lighthouses": user.password, "walk.m4a": str(SAMPLE)}
    commands = "\n".join(html.unescape(block) for block in blocks)
    for shown, real in own.items():
        assert shown in commands
        commands = commands.replace(shown, real)

    done = subprocess.run(["bash", "-euo", "pipefail", "-c", JQ + commands], capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stderr
    entry = json.loads(done.stdout.strip()[done.stdout.strip().rindex('{"id"') :])
    assert user.wait_done(entry["id"])["transcript_raw"]


def test_the_reference_runs_a_script_of_this_service_and_only_it_may(shared_rig):
    page, script = get(shared_rig, "/docs/reference"), get(shared_rig, "/docs/reference.js")

    assert re.findall(r'(?:src|href)="(?!data:)([^"]*)"', page.text) == ["../docs", "../openapi.yaml", "reference.js"]
    assert "script-src 'self';" in page.headers["content-security-policy"]
    assert script.headers["content-type"].startswith("text/javascript") and "Redoc.init('../openapi.json'" in script.text
    assert get(shared_rig, "/openapi.json").json() == CONTRACT.document
    for path in ("/docs", "/problems", "/problems/not_found"):
        assert "script" not in get(shared_rig, path).headers["content-security-policy"], path
