"""The recording's way with nothing scripted: this program's own ffprobe, ffmpeg, sandbox and recogniser."""

import subprocess

import pytest

from rig import Rig
from servers import ROOT
from user import SAMPLE

SECONDS = 9.5
"""Of the sample's 37, its first two sentences: recognition costs half a second of a core for each. RecognizerTests takes 26."""


@pytest.mark.long
def test_a_spoken_walk_becomes_its_words(tmp_path):
    start = tmp_path / "start.m4a"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-t", str(SECONDS), "-i", SAMPLE, "-c", "copy", start], check=True, timeout=60)
    rig = Rig(DIARY_PROBE="ffmpeg", DIARY_SPEECH="pocketsphinx", DIARY_CLEANUP="rules")
    try:
        user = rig.user()
        entry = user.wait_done(user.record(start.read_bytes(), title="A walk"), seconds=120)
        lines = (ROOT / "Tests/Samples/walk.txt").read_text().lower().replace(",", "").replace(".", "").splitlines()
        said = set(" ".join(lines[:2]).split())
        heard = set(entry["transcript_raw"].lower().split())
        # How many words it gets right is measured elsewhere; none at all would mean that it heard nothing.
        assert len(said & heard) > len(said) / 4, entry["transcript_raw"]
        assert entry["transcript_clean"] and entry["text"] == entry["transcript_clean"]
        assert SECONDS - 1 < entry["duration_s"] < SECONDS + 1
    finally:
        rig.end()
