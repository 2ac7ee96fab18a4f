"""Writes sdk-forms.json: what the official `openai` Python SDK sends for calls of audio.transcriptions.create.

    .venv/bin/python Tests/DiaryMediaTests/Hosted/make_sdk_forms.py

TranscriptionFormTests compares our forms with it; test_fake_openai.py finds out whether it is still what the SDK sends.
"""

import json
import mimetypes
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "sdk-forms.json"
sys.path.append(str(HERE.parents[1] / "blackbox"))

# As Debian's media-types has it; Python's own table lacks it.
mimetypes.add_type("audio/mp4", ".m4a")

AUDIO = "\x00 the bytes of a recording \r\n--"
VERBOSE = {"response_format": "verbose_json", "timestamp_granularities": ["segment", "word"]}

# What our engine is given, and the call of the SDK that means the same.
CALLS = [
    ({"model": "whisper-1", "content_type": "audio/mp4"}, ".m4a", VERBOSE),
    (
        {"model": "whisper-1", "content_type": "audio/x-m4a", "language": "de-CH", "vocabulary": ["Zürich", "Ann-Lee", 'St. "Gallen"']},
        ".m4a",
        {"language": "de", "prompt": 'Zürich, Ann-Lee, St. "Gallen"', **VERBOSE},
    ),
    ({"model": "whisper-1", "content_type": "audio/flac", "language": "nb"}, ".flac", {"language": "no", **VERBOSE}),
    (
        {"model": "Systran/faster-whisper-large-v3", "content_type": "audio/webm", "language": "yue"},
        ".webm",
        {"language": "yue", **VERBOSE},
    ),
    (
        {"model": "gpt-4o-transcribe", "content_type": "audio/mpeg", "language": "fr", "vocabulary": ["Aline"]},
        ".mp3",
        {"language": "fr", "prompt": "Aline", "response_format": "json", "include": ["logprobs"]},
    ),
    ({"model": "gpt-4o-mini-transcribe", "content_type": "audio/wav"}, ".wav", {"response_format": "json", "include": ["logprobs"]}),
    ({"model": "gpt-transcribe", "content_type": "audio/ogg", "language": "en-GB"}, ".ogg", {"language": "en", "response_format": "json"}),
    (
        {"model": "gpt-4o-transcribe-diarize", "content_type": "audio/wav", "language": "en", "vocabulary": ["not supported"]},
        ".wav",
        {"language": "en", "response_format": "diarized_json", "chunking_strategy": "auto"},
    ),
    (
        {
            "model": "gpt-4o-transcribe-diarize",
            "content_type": "audio/ogg",
            "speakers": [{"name": "known_1", "sample": "one voice"}, {"name": "known_2", "sample": "another"}],
        },
        ".ogg",
        {
            "response_format": "diarized_json",
            "chunking_strategy": "auto",
            "known_speaker_names": ["known_1", "known_2"],
            "known_speaker_references": ["data:audio/ogg;base64,b25lIHZvaWNl", "data:audio/ogg;base64,YW5vdGhlcg=="],
        },
    ),
]


def cases():
    from openai import OpenAI

    from fake_openai import FakeOpenAI

    made = []
    with FakeOpenAI() as fake, tempfile.TemporaryDirectory() as folder:
        client = OpenAI(api_key="sk-test", base_url=fake.url, max_retries=0)
        for ours, suffix, call in CALLS:
            file = pathlib.Path(folder) / f"recording{suffix}"
            file.write_bytes(AUDIO.encode())
            client.audio.transcriptions.create(file=file, model=ours["model"], **call)
            body = fake.requests[-1]
            boundary = body.header("content-type").partition("boundary=")[2]
            made.append({**ours, "audio": AUDIO, "body": body.body.decode().replace(boundary, "0" * 32)})
    return made


if __name__ == "__main__":
    OUT.write_text(json.dumps(cases(), indent=1, ensure_ascii=False) + "\n")
