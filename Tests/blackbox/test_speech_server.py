"""The speech server of speech/ by itself, on its socket: what it answers, whom it hears first, and what it refuses."""

import contextlib
import io
import json
import socket
import subprocess
import time
import wave
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest

from speech_server import VOICES, SpeechServer

BOUNDARY = "form-of-the-tests"


@pytest.fixture(scope="module")
def server():
    made = SpeechServer("tiny.en", waiting=3)
    yield made
    made.end()


def connection(server, timeout=120):
    made = HTTPConnection("localhost", timeout=timeout)
    made.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.sock.settimeout(timeout)
    made.sock.connect(server.socket)
    return made


def form(audio, *fields):
    parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in fields]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    return "".join(parts).encode() + head.encode() + audio + f"\r\n--{BOUNDARY}--\r\n".encode()


def asked(server, path, body, headers=None):
    """Status, headers and JSON."""
    made = connection(server)
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    # A refusal may come, and the connection end, before the body is sent.
    with contextlib.suppress(ConnectionError):
        made.request("POST", path, body, {"Content-Type": kind, **(headers or {})})
    answer = made.getresponse()
    text = answer.read()
    return answer.status, answer.headers, json.loads(text) if answer.headers["Content-Type"] == "application/json" else text.decode()


def wav(seconds=1.0, rate=16_000, channels=1, repeated=b"\0\0"):
    sound = io.BytesIO()
    with wave.open(sound, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        count = 2 * int(seconds * rate * channels)
        out.writeframes((repeated * (count // len(repeated) + 1))[:count])
    return sound.getvalue()


def voice(name, seconds=None):
    """A recording of the voices, as the server reads it."""
    length = ["-t", str(seconds)] if seconds else []
    command = ["ffmpeg", "-loglevel", "error", "-i", VOICES / f"{name}.wav", *length, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"]
    samples = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    return wav(len(samples) / 32_000, repeated=samples)


def test_it_answers_as_openai_does_with_words_voice_and_model(server):
    status, _, answer = asked(server, "/v1/audio/transcriptions", form(voice("beckett"), ("response_format", "verbose_json")))
    assert status == 200 and answer["task"] == "transcribe" and (answer["language"], answer["model"]) == ("en", "tiny.en")
    assert "fail better" in answer["text"].lower() and 9.9 < answer["duration"] < 10
    for segment in answer["segments"]:
        assert {"id", "start", "end", "text", "avg_logprob", "no_speech_prob", "compression_ratio", "words"} <= segment.keys()
    words = [word["word"].strip() for word in answer["words"]]
    assert "".join(words) == answer["text"].replace(" ", "")
    assert all(one["end"] <= two["start"] + 0.01 for one, two in zip(answer["words"], answer["words"][1:]))
    assert 4 < sum(span["end"] - span["start"] for span in answer["voice"]) < 9.5
    assert all(any(span["start"] - 0.5 < word["start"] < span["end"] + 0.5 for span in answer["voice"]) for word in answer["words"])
    assert asked(server, "/v1/audio/transcriptions", form(voice("beckett")))[2] == {"text": answer["text"]}
    assert asked(server, "/v1/audio/transcriptions", form(voice("beckett"), ("response_format", "text")))[2] == answer["text"] + "\n"
    assert [model["id"] for model in server.get("/v1/models")["data"]] == ["tiny.en"]


def test_silence_has_no_words_and_voice_can_be_asked_for_alone(server):
    for audio in (wav(5), wav(0.01), wav(0)):
        answer = asked(server, "/v1/audio/transcriptions", form(audio, ("response_format", "verbose_json")))[2]
        assert (answer["text"], answer["segments"], answer["voice"], answer["language"]) == ("", [], [], None)
        assert asked(server, "/v1/audio/voice", form(audio))[2]["voice"] == []
    assert len(asked(server, "/v1/audio/voice", form(voice("beckett")))[2]["voice"]) >= 4


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "code"),
    [
        ("/v1/audio/transcriptions", b"no form", {}, 400, "invalid_form"),
        ("/v1/audio/transcriptions", form(b"")[:60], {}, 400, "missing_required_parameter"),
        ("/v1/audio/transcriptions", form(b""), {}, 400, "unreadable"),
        ("/v1/audio/transcriptions", form(b"ID3 is an mp3"), {}, 400, "unreadable"),
        ("/v1/audio/transcriptions", form(wav(rate=44_100)), {}, 400, "unreadable"),
        ("/v1/audio/transcriptions", form(wav(channels=2)), {}, 400, "unreadable"),
        ("/v1/audio/transcriptions", form(wav())[:-20], {}, 400, "missing_required_parameter"),
        ("/v1/audio/transcriptions", form(wav(), ("response_format", "srt")), {}, 400, "unsupported_value"),
        ("/v1/audio/transcriptions", b"", {"Content-Length": "999999999"}, 413, "too_large"),
        ("/v1/audio/transcriptions", b"", {"Content-Length": "-1"}, 411, "length_required"),
        ("/v1/audio/translations", form(wav()), {}, 404, "unknown_url"),
        ("/v1/audio/transcriptions", form(wav(), ("language", "tlh"), ("languages[]", "💩"), ("prompt", "x" * 100_000)), {}, 200, None),
    ],
)
def test_what_it_cannot_read_is_refused_and_says_why(server, path, body, headers, status, code):
    got, _, answer = asked(server, path, body, headers)
    assert got == status, answer
    assert code is None or answer["error"]["code"] == code
    assert server.get("/health")["status"] == "ok"


def test_a_short_recording_passes_a_long_one_and_a_full_queue_says_when_to_come_again(server):
    ended = {}

    def hear(name, audio):
        status, headers, _ = asked(server, "/v1/audio/transcriptions", form(audio))
        ended[name] = (status, headers.get("Retry-After"), time.monotonic())

    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(hear, "long", voice("two_cities"))]
        until(lambda: server.get("/health")["window_s"] > 0)
        waiting += [pool.submit(hear, "other", voice("two_cities")), pool.submit(hear, "short", voice("beckett"))]
        until(lambda: server.get("/health")["waiting"] == 3)
        hear("too many", voice("beckett"))
        [one.result() for one in waiting]
    assert ended["too many"][0] == 503 and int(ended["too many"][1]) >= 1
    assert {ended[name][0] for name in ("long", "other", "short")} == {200}
    assert ended["short"][2] < min(ended["long"][2], ended["other"][2])


def test_a_client_that_is_gone_is_not_heard_on(server):
    body = form(voice("two_cities"))
    made = connection(server)
    made.request("POST", "/v1/audio/transcriptions", body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
    until(lambda: server.get("/health")["waiting"] == 1)
    made.close()
    began = time.monotonic()
    until(lambda: server.get("/health")["waiting"] == 0)
    # It is dropped at the next window's end.
    assert time.monotonic() - began < 15


def test_slow_and_broken_clients_do_not_hold_others_up(server):
    idle = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(40)]
    for number, one in enumerate(idle):
        one.connect(server.socket)
        one.sendall([b"", b"POST /v1/audio/transcriptions HTTP/1.1\r\nContent-Le", b"\xff\xfe\r\n\r\n", b"G" * 70_000][number % 4])
    assert asked(server, "/v1/audio/transcriptions", form(wav()))[0] == 200
    for one in idle:
        one.close()
    assert server.get("/health")["status"] == "ok"


def test_its_log_has_its_start_and_no_word(server):
    assert len(server.said().splitlines()) == 1 and "model tiny.en" in server.said(), server.said()


def until(is_so, seconds=60):
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
