"""The five apps as their developers meet them: a template, and its page, whose calls are made as they stand there."""

import json
import secrets
import subprocess

import pytest

from app_pages import PAGES, blocks, in_order, prose, run
from processes import PROGRAM
from test_segments import SPOKEN
from test_suggestions import ANSWER, CLEAN, SAID

SCRIPTS = {
    "meetings": {"speech": {"segments": SPOKEN}},
    "toukan": {"speech": {"says": SAID}, "clean": {"answer": ANSWER}},
}
"""What engines do for a page."""
EXPECTED = {
    "my-day": [
        "^diary@example.org$",
        "^nonce .{43}$",
        "^uploaded$",
        "^Scripted words",
        "^cleaning$",
        r"^2026-07-04_07-30-00_[0-9a-f]{8}\.m4a$",
        r"^200, \d{4,} bytes$",
        "^calm$",
        "^river$",
        "^2$",
        "^True$",
        "^21:00$",
        "^ready$",
        r"^\S{20,}$",
    ],
    "toukan": [
        "^summary$",
        "^[0-9a-f-]{36}$",
        "^uploaded$",
        CLEAN,
        r"^2024-01-15T13:30:00\.000Z$",
        ANSWER["summary"],
        "We swam before breakfast",
        "^206$",
    ],
    "meetings": [
        "^True$",
        "^uploaded$",
        "hello hannah",
        "^True$",
        r"^John: Hello everyone\.$",
        r"^1\.5$",
        r"Hello everyone\.",
        "^Team Standup$",
        r"^\S+$",
        r"manifest\.json",
        "^204$",
    ],
    "cues": [
        "^True$",
        r'^\{"recording_scaffold_enabled":true\}$',
        "^uploaded$",
        "^um scripted words",
        r"^0",
        r"^0\.8$",
        r"^0\.8$",
        "^200$",
        "^90$",
        r"^20\d$",
    ],
    "notes": [
        "^False$",
        "^transcribed$",
        r"^Call the plumber about the lamp\.$",
        "^Idea$",
        "^#2e7d32$",
        r"^note-1\.m4a$",
        r"manifest\.json",
        "^204$",
        r"^\S{20,}$",
    ],
}
"""What the lines of a page print, in their order."""


@pytest.mark.parametrize("page", PAGES)
def test_the_calls_of_a_page_are_answered_as_its_developer_expects(rig, tmp_path, page):
    for name, behaviour in SCRIPTS.get(page, {}).items():
        rig.script(name, **behaviour)
    in_order(run(rig, tmp_path, blocks(page)), EXPECTED[page])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_at_most_250_words_besides_its_blocks(page):
    assert len(prose(page).split()) <= 250


def test_every_template_has_its_page_and_is_told_by_the_help():
    shown = subprocess.run([PROGRAM, "tenant", "create", "--help"], capture_output=True, text=True, timeout=30).stdout
    in_order(shown, [rf"\b{name}: " for name in ("my-day", "toukan", "meetings", "cues", "notes")])
    assert {"my-day", "toukan", "meetings", "cues", "notes"} == set(PAGES)
    assert "limits.audio_max_bytes=0" in shown and "speech.guess_speakers=on" in shown


def test_an_app_begins_with_the_settings_of_its_template_which_are_its_own_then(rig):
    slug = "made-" + secrets.token_hex(3)
    words = ("tenant", "create", slug, "--name", "Cues", "--mail-from", "diary@example.org", "--template")
    [made] = json.loads(rig.diary(*words, "cues", "--json"))
    assert made["settings"] == {"cleanup": "off", "flags.recording_scaffold_enabled": True, "hosted_processing": "consent"}
    assert "flags.recording_scaffold_enabled = true" in rig.diary("tenant", "show", slug)
    [act] = json.loads(rig.diary("tenant", "acts", slug, "--json"))
    assert (act["act"], act["settings"]) == ("created", sorted(made["settings"]))
    rig.diary("tenant", "unset", slug, "cleanup")
    refused = subprocess.run([PROGRAM, *words, "diary"], env=rig.environment, capture_output=True, text=True, timeout=30)
    assert refused.returncode == 64 and "--template" in refused.stderr


def test_an_app_that_takes_no_recordings_refuses_each(rig):
    slug = "quiet-" + secrets.token_hex(3)
    rig.diary("tenant", "create", slug, "--name", "Quiet", "--mail-from", "diary@example.org", "--template", "notes")
    rig.wait_for_app(slug)
    user = rig.user(app=slug)
    config = user.call("GET", "/v1/config", 200).json()
    assert (config["permits"]["recordings"], config["limits"]["audio_max_bytes"]) == (False, 0)
    assert config["app"] == {"slug": slug, "name": "Quiet"} and config["sender"] == {"name": "Quiet", "address": "diary@example.org"}
    body = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": 1}
    assert user.call("POST", "/v1/entries", 422, json=body).json()["errors"] == [
        {"pointer": "/size_bytes", "detail": "cannot be: this app takes no recordings"}
    ]
    sent = {"data": b"x", "headers": {"Content-Type": "audio/mp4"}}
    assert user.call("POST", "/upload", 413, **sent).json()["code"] == "body_too_large"


def test_the_flags_of_an_app_are_one_flat_object_by_get_and_by_post(rig):
    user = rig.user()
    for method, more in (("GET", {}), ("POST", {}), ("POST", {"json": {"x": 1}}), ("POST", {"data": b"\0"})):
        assert user.call(method, "/rpc/app_config", 200, **more).json() == user.call("GET", "/v1/config", 200).json()["flags"]
    refused = user.call("POST", "/rpc/app_config", 400, headers={"Diary-App": "nowhere"}).json()
    assert refused["code"] == "app_unknown"
