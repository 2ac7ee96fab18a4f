"""E1, E8: hostile words in every place of a diary: in the names of a zip, in its index.html by a strict reader, and in headless Chromium where it is
installed (`apt-get install chromium`)."""

import re
import shutil
import subprocess

import pytest

from export_reading import FORMATS, exported
from hostile_words import WORDS as HOSTILE
from html_reading import Page


def test_there_are_enough_of_them():
    assert len(set(HOSTILE)) == len(HOSTILE) >= 60


@pytest.fixture(scope="module")
def zipped(shared_rig):
    """Every one of them as a title, as a mood, among tags, in a text, in a segment, and as a speaker's name and id."""
    rig, user = shared_rig, shared_rig.user()
    rig.script("speech", segments=[{"text": words, "speaker": words[:40]} for words in HOSTILE])
    spoken = user.record(title=HOSTILE[0], tags=[HOSTILE[1][:50]])
    user.wait_done(spoken)
    rig.unscript()
    transcript = user.call("GET", f"/v1/entries/{spoken}/transcript", 200).json()
    names = {speaker["id"]: {"name": words[:60]} for speaker, words in zip(transcript["speakers"], HOSTILE[::-1], strict=False)}
    user.call("PATCH", f"/v1/entries/{spoken}/speakers", 200, json=names, headers={"If-Match": "*"})
    user.call("PATCH", f"/v1/entries/{spoken}/segments/1", 200, json={"text": "\n".join(HOSTILE)}, headers={"If-Match": "*"})
    for place, words in enumerate(HOSTILE):
        fields = {"title": words, "mood": words[:50], "tags": sorted({w[:50] for w in HOSTILE[place % 4 * 20 :][:20]})}
        user.create_text("\n".join(HOSTILE) if place == 0 else words, recorded_at=f"2026-05-01T10:00:{place % 60:02d}Z", **fields)
    yield exported(user, formats=FORMATS)


def visible(words):
    """As the page shows it: without characters that HTML has not."""
    words = words.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c if ord(c) in (9, 10) or not unprintable(ord(c)) else "\ufffd" for c in words)


def unprintable(code):
    return code < 32 or 0x7F <= code < 0xA0 or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def test_e1_names_are_made_of_times_and_ids_whatever_the_entries_hold(zipped):
    # `Zip` has checked every name.
    assert len(zipped.names) == 3 * len(HOSTILE) + 6 + 2


def test_e8_the_page_has_all_words_as_text_and_nothing_that_acts(zipped):
    page = Page(zipped.read("index.html").decode())
    titles = [page.text(heading) for heading in page.all("h4")]
    shown = page.text(page.root)
    for words in HOSTILE:
        assert any(title.endswith(" " + visible(words)) for title in titles), words
        assert shown.count(visible(words)) >= 4, words
    articles = page.all("article")
    assert len(articles) == len(HOSTILE) + 1
    (player,) = page.all("audio")
    assert player.attrib["src"] in zipped.names and player.attrib["preload"] == "none"
    for link in page.all("a"):
        assert link.attrib["href"].startswith("#") or link.attrib["href"] in zipped.names


def test_the_page_is_in_the_accounts_language(shared_rig):
    user = shared_rig.user()
    user.call("PATCH", "/v1/me", 200, json={"locale": "de-AT"}, headers={"Content-Type": "application/merge-patch+json"})
    user.create_text("Ein Tag am Fluss", recorded_at="2026-05-01T10:00:00Z", title=HOSTILE[0])

    page = Page(exported(user, include_audio=False).read("index.html").decode())

    assert page.root.attrib["lang"] == "de"
    (heading,) = page.all("h1")
    assert page.text(heading) == "Tagebuch, 1. Januar bis 31. Dezember 2026"
    assert "1 Eintrag" in page.text(page.root) and "Dateien: Text" in page.text(page.root)


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium")
def test_e8_in_a_browser_nothing_acts_and_nothing_outside_is_asked_for(zipped, tmp_path):
    page = tmp_path / "index.html"
    page.write_bytes(zipped.read("index.html"))
    asked = tmp_path / "net.json"
    arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=3000"]
    arguments += [
        "--disable-background-networking",
        "--disable-component-update",
        f"--log-net-log={asked}",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]

    made = subprocess.run([CHROMIUM, *arguments, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=90)

    assert made.returncode == 0, made.stderr[-2000:]
    assert "<title>Diary, " in made.stdout and "<title>acted" not in made.stdout
    # The script of the page itself has run: it shows the search.
    assert re.search(r'<form id="search" role="search">', made.stdout)
    assert made.stdout.count("<script") == 1 and "attacker.example" not in asked.read_text()
