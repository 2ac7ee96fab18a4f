"""Speech that an engine leaves out without a word is found, asked for once more, and shown (issue 34, must 5). Without `DIARY_TIMES=1` one of each kind,
with it forty."""

import email
import json
import os
import random
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rig import Rig
from servers import ROOT
from speech_server import VOICES, SpeechServer
from test_speech_server import asked, form, wav

COUNT = 40 if os.environ.get("DIARY_TIMES") == "1" else 1
CLIPS = [(VOICES / "two_cities.wav", 44.3), (ROOT / "Tests/Samples/walk.m4a", 37.3), (VOICES / "endgame_nagg_nell.wav", 28.2)]


class Forgetful(ThreadingHTTPServer):
    """OpenAI's interface in front of the speech server. The first answer for a recording lacks what is in `left`, and so do all where it `insists`."""

    def __init__(self, server):
        self.server, self.left, self.insists, self.calls = server, None, False, []
        super().__init__(("127.0.0.1", 0), Asked)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Asked(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parsed = email.message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + body)
        sent = next(part for part in parsed.walk() if part.get_filename())
        with tempfile.NamedTemporaryFile() as file:
            file.write(sent.get_payload(decode=True))
            file.flush()
            command = ["ffmpeg", "-loglevel", "error", "-i", file.name, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"]
            samples = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
        audio = wav(len(samples) / 32_000, repeated=samples or b"\0\0")
        answer = asked(self.server.server, "/v1/audio/transcriptions", form(audio, ("response_format", "verbose_json")))[2]
        del answer["voice"]
        first = not self.server.calls
        self.server.calls.append(len(samples) / 32_000)
        if self.server.left and (first or self.server.insists):
            start, end = self.server.left if first else (0, 1e9)
            for segment in answer["segments"]:
                segment["words"] = [word for word in segment["words"] if not start <= (word["start"] + word["end"]) / 2 <= end]
                segment["text"] = "".join(word["word"] for word in segment["words"])
            answer["segments"] = [segment for segment in answer["segments"] if segment["words"]]
            answer["words"] = [word for segment in answer["segments"] for word in segment["words"]]
            answer["text"] = "".join(segment["text"] for segment in answer["segments"])
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Nothing is logged."""


@pytest.fixture(scope="module")
def served():
    server = SpeechServer("tiny.en")
    engine = Forgetful(server)
    settings = {**server.settings, "DIARY_SPEECH": "openai", "DIARY_SPEECH_URL": engine.url, "DIARY_SPEECH_MODEL": "whisper-1"}
    rig = Rig(**settings, DIARY_ENGINES_PRIVATE="1", DIARY_SPEECH_LOCAL="1", DIARY_CLEANUP="rules")
    yield engine, rig.user()
    rig.end()
    engine.shutdown()
    server.end()


def cut(number, folder):
    """Some 20 seconds of a clip."""
    chance = random.Random(number)
    source, length = CLIPS[number % len(CLIPS)]
    start = chance.uniform(0, length - 22)
    path = folder / f"{number}.m4a"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-ss", str(start), "-t", "22", "-i", source, "-ac", "1", "-c:a", "aac", path]
    subprocess.run(command, check=True, timeout=60)
    return path.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("number", range(COUNT))
def test_what_is_left_out_is_heard_again_once_and_what_stays_is_shown(served, tmp_path, number):
    engine, user = served
    audio = cut(number, tmp_path)
    engine.left, engine.insists, engine.calls = None, False, []
    honest = user.wait_done(user.record(audio, title=f"honest {number}"), seconds=120)
    assert (honest["transcription"]["gaps"], honest["transcription"]["coverage"], len(engine.calls)) == ([], 1, 1), (
        honest["transcription"],
        engine.calls,
    )
    said = timed_words(user, honest)

    # From the end of one word to the start of another, in the middle, with more than six seconds of words between.
    first = next(index for index, word in enumerate(said) if word["end"] > 5)
    last = next(index for index in range(first + 2, len(said)) if said[index - 1]["end"] > said[first + 1]["start"] + 6.5)
    start, end = said[first]["end"], said[last]["start"]
    engine.left, engine.insists, engine.calls = (start, end), number % 2 == 0, []
    entry = user.wait_done(user.record(audio, title=f"forgetful {number}"), seconds=120)
    told = entry["transcription"]
    assert len(engine.calls) == 2 and abs(engine.calls[1] - (end - start)) < 2.5, (engine.calls, start, end)
    if engine.insists:
        # Where something is said, without the pauses at its ends.
        left = [word for word in said if start <= (word["start"] + word["end"]) / 2 <= end]
        start, end = left[0]["start"], left[-1]["end"]
        assert len(told["gaps"]) == 1 and abs(told["gaps"][0]["start"] - start) < 1 and abs(told["gaps"][0]["end"] - end) < 1, (
            told,
            start,
            end,
        )
        assert abs(told["coverage"] - (1 - (end - start) / 20)) < 0.2, told
    else:
        assert (told["gaps"], told["coverage"]) == ([], 1), told
        assert abs(len(timed_words(user, entry)) - len(said)) <= 0.15 * len(said)


def timed_words(user, entry):
    segments = user.call("GET", f"/v1/entries/{entry['id']}/transcript", 200).json()["segments"]
    return [word for segment in segments for word in segment["words"]]
