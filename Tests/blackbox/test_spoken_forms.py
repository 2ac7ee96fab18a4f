"""Issue 18, must 5: speech of flite in 12 containers and codecs, through the whole service with the real ffmpeg and recogniser.

    DIARY_TIMES=1 WAVEFORM_PICTURES=/tmp/waveforms .venv/bin/python -m pytest -s Tests/blackbox/test_spoken_forms.py

takes a minute or two; without `DIARY_TIMES=1` it is skipped. With a folder in `WAVEFORM_PICTURES` it draws `waveforms.png` there: the speech's own
envelope first, then the waveform of each form. AMR is a 13th form where Debian's libopencore-amrnb0 is installed.
"""

import json
import os
import pathlib
import re
import subprocess

import pytest

import http_client
from drawn_waveforms import correlation, draw, envelope
from recorder_forms import AMR, FORMS, amr_encoder, decoded, encoded, spoken
from rig import Rig
from servers import ROOT
from user import sha256

pytestmark = pytest.mark.skipif(os.environ.get("DIARY_TIMES") != "1", reason="recognises minutes of speech: DIARY_TIMES=1")

POINTS = 800
SERVICE = {
    "DIARY_PROBE": "ffmpeg",
    "DIARY_SPEECH": "local",
    "DIARY_CLEANUP": "rules",
    # The README's, in place of the tests': recognition may be slow here.
    "DIARY_LEASE_SECONDS": "60",
    "DIARY_HEARTBEAT_SECONDS": "15",
}


def words(text):
    return re.findall(r"[^\W_]+", text.lower().replace("'", ""))


def share_heard(said, heard):
    """Of the words said, each as often as it was said."""
    left = list(heard)
    return sum(1 for word in said if word in left and not left.remove(word)) / len(said)


def length(path):
    shown = ["-show_entries", "format=duration:stream=codec_name", "-of", "json"]
    told = json.loads(subprocess.run(["ffprobe", "-v", "error", *shown, path], check=True, capture_output=True, timeout=60).stdout)
    assert [stream["codec_name"] for stream in told["streams"]] == ["aac"], told
    return float(told["format"]["duration"])


def played(user, entry_id, path):
    link = user.call("GET", f"/v1/entries/{entry_id}/audio/url", 200).json()
    assert link["content_type"] == "audio/mp4", link
    answer = http_client.get(link["url"], timeout=60)
    assert answer.status_code == 200
    path.write_bytes(answer.content)
    return answer.content


def test_speech_in_every_form_is_transcribed_played_and_drawn(tmp_path):
    lines = (ROOT / "Tests/Samples/walk.txt").read_text().splitlines()[:3]
    said, speech = words(" ".join(lines)), tmp_path / "speech.wav"
    spoken(" ".join(lines), speech)
    samples = decoded(speech, 16_000)
    seconds, loudness = len(samples) / 32_000, envelope(samples, POINTS)
    forms = FORMS + ([AMR] if amr_encoder() else [])
    drawn, faults = [[min(255, round(value * 255 / max(loudness))) for value in loudness]], []

    rig = Rig(**SERVICE)
    try:
        user = rig.user()
        made = []
        for form in forms:
            audio = encoded(speech, form)
            made.append((form, audio, user.record(audio, content_type=form.content_type, title=form.name)))
        for form, audio, entry_id in made:
            entry = user.wait_done(entry_id, seconds=600)
            copy = tmp_path / f"played-{form.file}.m4a"
            is_original = sha256(played(user, entry_id, copy)) == sha256(audio)
            peaks = user.call("GET", f"/v1/entries/{entry_id}/waveform", 200).json()["peaks"]
            drawn.append(peaks)
            found = {
                "heard": share_heard(said, words(entry["transcript_raw"])),
                "off": entry["duration_s"] - seconds,
                "copy off": length(copy) - seconds,
                "decoded off": len(decoded(copy, 16_000)) / 32_000 - seconds,
                "correlation": correlation(peaks, loudness) if len(peaks) == POINTS else 0.0,
            }
            print(f"{form.name:30} {len(audio):8} B", *(f"{name} {value:.3f}" for name, value in found.items()))
            if found["heard"] <= form.heard:
                faults.append((form.name, entry["transcript_raw"]))
            # A player that ignores the stated length plays the last frame to its end, which at 8 kHz is 128 ms.
            exact = max(abs(found["off"]), abs(found["copy off"])) < 0.05 and abs(found["decoded off"]) < 0.05 + 0.128
            if found["correlation"] <= 0.9 or not exact:
                faults.append((form.name, found))
            if is_original == form.is_copied:
                faults.append((form.name, "plays as it is" if is_original else "plays from a copy"))
        if folder := os.environ.get("WAVEFORM_PICTURES"):
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            draw(drawn, pathlib.Path(folder) / "waveforms.png")
    finally:
        rig.end()
    assert len(forms) >= 12 and not faults, faults
