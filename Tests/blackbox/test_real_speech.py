"""The recording's way with nothing scripted: this program's own ffprobe, ffmpeg, sandbox and recogniser."""

import pytest

from rig import Rig
from servers import ROOT


@pytest.mark.long
def test_a_spoken_walk_becomes_its_words():
    rig = Rig(DIARY_PROBE="ffmpeg", DIARY_SPEECH="pocketsphinx", DIARY_CLEANUP="rules")
    try:
        user = rig.user()
        entry = user.wait_done(user.record(title="A walk"), seconds=120)
        said = set((ROOT / "Tests/Samples/walk.txt").read_text().lower().replace(",", "").replace(".", "").split())
        heard = set(entry["transcript_raw"].lower().split())
        # How many words it gets right is measured elsewhere; none at all would mean that it heard nothing.
        assert len(said & heard) > len(said) / 4, entry["transcript_raw"]
        assert entry["transcript_clean"] and entry["text"] == entry["transcript_clean"]
        assert entry["duration_s"] > 5
    finally:
        rig.end()
