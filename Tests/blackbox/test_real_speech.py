"""The recording's way with nothing scripted: this program's own ffprobe, ffmpeg, sandbox and Whisper, by the speech server."""

import pathlib
import re
import subprocess
import sys

import pytest

from processes import wait_for
from rig import Rig
from servers import ROOT
from speech_server import VOICES, SpeechServer

sys.path.insert(0, str(ROOT / "Tests/Samples"))
from word_error_rate import word_error_rate  # noqa: E402


@pytest.fixture(scope="module")
def server():
    made = SpeechServer("base")
    yield made
    made.end()


@pytest.fixture(scope="module")
def rig(server):
    made = Rig(**server.settings, DIARY_CLEANUP="rules")
    yield made
    made.end()


def as_m4a(path, folder, *options):
    made = folder / (pathlib.Path(path).stem + ".m4a")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, *options, "-c:a", "aac", made], check=True, timeout=60)
    return made.read_bytes()


def spoken(text, folder, voice="de"):
    subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", folder / "said.wav", text], check=True, timeout=60)
    return as_m4a(folder / "said.wav", folder)


@pytest.mark.long
def test_a_man_is_heard_word_for_word(rig, tmp_path):
    """Beckett: "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better." """
    user = rig.user()
    entry = user.wait_done(user.record(as_m4a(VOICES / "beckett.wav", tmp_path)), seconds=120)
    said = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."
    assert word_error_rate(said, entry["transcript_raw"]) == 0
    assert entry["language"] == "en" and entry["text"] == entry["transcript_clean"]
    told = entry["transcription"]
    assert (told["state"], told["engine"], told["model"], told["coverage"], told["gaps"]) == ("heard", "local", "base", 1, [])
    segments = user.call("GET", f"/v1/entries/{entry['id']}/transcript", 200).json()["segments"]
    words = [word for segment in segments for word in segment["words"]]
    # Where he says them, by ear: within a third of a second.
    for index, start in ((0, 0.3), (4, 3.5), (6, 4.8), (8, 6.6), (10, 8.1)):
        assert abs(words[index]["start"] - start) < 0.35, words[index]
    assert all(0 <= word["confidence"] <= 1 for word in words)


@pytest.mark.long
def test_the_language_is_one_of_the_accounts_own(rig, tmp_path):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"languages": ["nl", "de-AT"], "vocabulary": ["Hamburg"]})
    entry = user.wait_done(user.record(spoken("Meine Schwester kommt am Freitag mit dem Zug aus Hamburg.", tmp_path)), seconds=120)
    assert entry["language"] == "de-AT"
    assert "am Freitag" in entry["transcript_raw"] and "Hamburg" in entry["transcript_raw"]


@pytest.mark.long
def test_what_has_no_voice_has_no_words(rig, tmp_path):
    user = rig.user()
    sounds = {"silence": "anullsrc=r=16000:cl=mono", "noise": "anoisesrc=a=0.2", "hum": "sine=f=60"}
    made = []
    for name, source in sounds.items():
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-t", "12", "-i", source, tmp_path / f"{name}.wav"], check=True)
        made.append(user.record(as_m4a(tmp_path / f"{name}.wav", tmp_path)))
    for entry_id in made:
        entry = user.wait_done(entry_id, seconds=120)
        assert (entry["transcription"]["state"], entry["text"]) == ("no_speech", ""), entry


@pytest.mark.long
def test_recordings_wait_for_a_server_that_is_away_and_go_on_by_themselves(rig, server, tmp_path):
    user = rig.user()
    audio = as_m4a(VOICES / "beckett.wav", tmp_path)
    server.kill()
    entry_id = user.record(audio)

    def waits():
        entry = user.entry(entry_id)
        return entry["processing"].get("code") == "speech_unavailable" and entry

    entry = wait_for(waits, 30, "the reason why it waits")
    assert entry["status"] == "transcribing" and entry["processing"]["next_attempt_at"]
    server.start()
    assert "fail better" in user.wait_done(entry_id, seconds=120)["transcript_raw"].lower()
    logs = server.said() + "".join(path.read_text(errors="replace") for path in (rig.folder / "logs").iterdir())
    assert logs and not re.search(r"fail better|Schwester", logs, re.IGNORECASE)
