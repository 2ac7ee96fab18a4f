"""A11: hours of real speech in parts, with the speech server and the worker killed meanwhile, and a note beside them.

    DIARY_SPEECH_MINUTES=120 .venv/bin/python -m pytest -s Tests/blackbox/test_long_speech.py

takes some twenty minutes; without the variable it is skipped.
"""

import difflib
import math
import os
import pathlib
import random
import re
import signal
import subprocess
import threading
import time

import pytest

from processes import wait_for
from rig import Rig
from servers import ROOT
from speech_server import VOICES, SpeechServer

MINUTES = float(os.environ.get("DIARY_SPEECH_MINUTES", "0"))
MODEL = "base" if MINUTES > 10 else "tiny.en"
CLIPS = [VOICES / "two_cities.wav", VOICES / "beckett.wav", VOICES / "endgame_nagg_nell.wav", ROOT / "Tests/Samples/walk.m4a"]


def words(text):
    return [word for word in re.findall(r"[^\W_]+", text.lower().replace("'", "")) if word]


def samples(path):
    command = ["ffmpeg", "-loglevel", "error", "-i", path, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"]
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout


def joined(folder, minutes, seed):
    """An m4a of the clips in random order with pauses between, and which clip begins where."""
    chance, sounds, raw, placed = random.Random(seed), [samples(clip) for clip in CLIPS], bytearray(), []
    while len(raw) < minutes * 60 * 32_000:
        number = chance.randrange(len(sounds))
        raw += bytes(2 * int(16_000 * chance.uniform(0.8, 3)))
        placed.append((number, len(raw) / 32_000))
        raw += sounds[number]
    path = folder / f"long{seed}.m4a"
    command = ["ffmpeg", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-ac", "1", "-i", "-", "-c:a", "aac", "-b:a", "48k", path]
    subprocess.run(command, input=bytes(raw), check=True, timeout=600)
    return path.read_bytes(), placed


def timed(user, entry_id):
    """(word, start) of an entry, in order."""
    segments = user.call("GET", f"/v1/entries/{entry_id}/transcript", 200, timeout=60).json()["segments"]
    found = [(key, word["start"]) for segment in segments for word in segment["words"] for key in words(word["text"])]
    assert all(one[1] <= two[1] + 0.05 for one, two in zip(found, found[1:]))
    return found


@pytest.mark.long
@pytest.mark.skipif(not MINUTES, reason="hears hours of speech: DIARY_SPEECH_MINUTES=120")
def test_a11_a_long_recording_survives_kills_and_a_note_passes_it(tmp_path):
    server = SpeechServer(MODEL)
    rig = Rig(
        **server.settings, DIARY_CLEANUP="rules", DIARY_ACCESS_TOKEN_SECONDS="20000", DIARY_LEASE_SECONDS="6", DIARY_HEARTBEAT_SECONDS="1.5"
    )
    try:
        user = rig.user()
        clips = []
        for clip in CLIPS:
            entry = user.wait_done(user.record(as_m4a(clip, tmp_path)), seconds=180)
            clips.append(timed(user, entry["id"]))
        note = as_m4a(VOICES / "beckett.wav", tmp_path)
        idle = noted(user, note)

        # The other one need only be long while the notes are heard.
        (audio, placed), (other, _) = joined(tmp_path, MINUTES, 1), joined(tmp_path, min(MINUTES, 15), 2)
        began = time.monotonic()
        long_one, long_two = user.record(audio), user.record(other)
        parts = "select count(*) from speech_parts"
        wait_for(lambda: rig.postgres.sql("diary", parts)[0][0] >= 2, 120, "two parts")
        beside = [noted(user, note, rig.user() if number % 2 else user) for number in range(4 if MINUTES > 10 else 1)]
        print(f"a note of ten seconds: {idle:.1f} s idle, {', '.join(f'{one:.1f}' for one in beside)} s beside two long ones")

        peaks, kept = Peaks(rig, server), set()
        for kill in ("server", "worker", "server") if MINUTES > 10 else ("server", "worker"):
            stored = stored_parts(rig, long_one)
            if not stored:
                break
            assert kept <= stored, "a part that was stored was heard again"
            kept = stored
            if kill == "server":
                server.kill()
                time.sleep(1)
                server.start()
            else:
                rig.processes["work"].send_signal(signal.SIGKILL)
                rig.processes["work"].wait()
                rig.start("work")
            wait_for(lambda: not 0 < len(stored_parts(rig, long_one)) <= len(kept), 240, f"a part after the kill of the {kill}")
        entry = user.wait_done(long_one, seconds=60 + MINUTES * 40)
        took = time.monotonic() - began
        user.wait_done(long_two, seconds=60 + MINUTES * 40)
        print(f"{MINUTES} minutes, and {min(MINUTES, 15)} others, in {took:.0f} s; {peaks.text()}")

        heard = timed(user, long_one)
        said, same, off = compared(placed, clips, heard)
        print(f"{said} words said, {len(heard)} heard, {same} the same in order, {off} of these off by 0.3 s and more")
        # The same clip is heard a little otherwise each time.
        assert same > 0.97 * max(said, len(heard)) and off < 0.01 * same
        assert entry["transcription"]["gaps"] == [] and entry["transcription"]["coverage"] == 1
        assert max(beside) <= 3 * idle, (idle, beside)
    finally:
        rig.end()
        server.end()


def stored_parts(rig, entry_id):
    """Number and sealed bytes of each; none once the whole text is stored."""
    rows = rig.postgres.sql("diary", "select part, sealed from speech_parts where entry_id = %s", entry_id)
    return {(row[0], bytes(row[1])) for row in rows}


def as_m4a(path, folder):
    made = folder / (pathlib.Path(path).stem + ".aac.m4a")
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", path, "-c:a", "aac", made], check=True, timeout=60)
    return made.read_bytes()


def noted(user, audio, other=None):
    """Seconds from the upload to the text."""
    by = other or user
    began = time.monotonic()
    by.wait_done(by.record(audio), seconds=120)
    return time.monotonic() - began


def compared(placed, clips, heard):
    """How many words were said, how many of them are heard in order, once each, and of these how many at another time by 0.3 s and more: clip by
    clip, as the same clip comes many times."""
    said, same, off = 0, 0, 0
    for (number, at), (_, end) in zip(placed, [*placed[1:], (0, math.inf)]):
        expected = [(word, at + start) for word, start in clips[number]]
        found = [word for word in heard if at - 0.6 <= word[1] < end - 0.6]
        matcher = difflib.SequenceMatcher(None, [word for word, _ in expected], [word for word, _ in found], autojunk=False)
        pairs = [(expected[a + n][1], found[b + n][1]) for a, b, size in matcher.get_matching_blocks() for n in range(size)]
        said, same, off = said + len(expected), same + len(pairs), off + sum(abs(one - two) >= 0.3 for one, two in pairs)
    return said, same, off


class Peaks:
    """Memory of worker and speech server, by a look each second."""

    def __init__(self, rig, server):
        self.rig, self.server, self.worker, self.hearing = rig, server, 0, 0
        threading.Thread(target=self.look, daemon=True).start()

    def look(self):
        while True:
            try:
                status = pathlib.Path(f"/proc/{self.rig.processes['work'].pid}/status").read_text()
                self.worker = max(self.worker, int(re.search(r"VmHWM:\s+(\d+)", status)[1]))
                self.hearing = max(self.hearing, self.server.memory[1] // 1024)
            except (OSError, KeyError, TypeError, ValueError):
                pass
            time.sleep(1)

    def text(self):
        return f"worker {self.worker // 1024} MiB and speech server {self.hearing // 1024} MiB at most"
