"""What a request says: a multipart form with a recording as 16 kHz mono wav."""

import io
import wave

import numpy as np
from python_multipart import create_form_parser
from python_multipart.exceptions import FormParserError

RATE = 16_000
LONGEST = 30 * 60
"""Seconds of one request. Longer recordings come in parts."""
MOST_BYTES = LONGEST * 2 * RATE + (1 << 16)


class Refused(Exception):
    def __init__(self, status, code, message, parameter=None):
        super().__init__(message)
        self.status, self.code, self.parameter = status, code, parameter


class Form:
    """fields: lists of texts by name. samples: float32 from -1 to 1."""

    def __init__(self, headers, body):
        self.fields, self.samples = read(headers, body)

    def text(self, name):
        return next(iter(self.fields.get(name, [])), "").strip()

    def texts(self, name):
        """OpenAI's clients write `name[]`, others `name`."""
        return [text.strip() for text in self.fields.get(name + "[]", []) + self.fields.get(name, []) if text.strip()]


def read(headers, body):
    length = headers.get("Content-Length", "")
    if not length.isdecimal():
        raise Refused(411, "length_required", "Content-Length is missing")
    if int(length) > MOST_BYTES:
        raise Refused(413, "too_large", f"at most {MOST_BYTES} bytes: {LONGEST} seconds of 16 kHz mono wav")
    fields, files = {}, {}

    def field(part):
        fields.setdefault(part.field_name.decode("utf-8", "replace"), []).append((part.value or b"").decode("utf-8", "replace"))

    def file(part):
        part.file_object.seek(0)
        files[part.field_name] = part.file_object.read()
        part.close()

    try:
        # In memory whatever its size: a temporary file would hold plain speech.
        parser = create_form_parser(
            {"Content-Type": headers.get("Content-Type", "").encode()}, field, file, config={"MAX_MEMORY_FILE_SIZE": 2 * MOST_BYTES}
        )
        left = int(length)
        while left and (chunk := body.read(min(left, 1 << 20))):
            parser.write(chunk)
            left -= len(chunk)
        parser.finalize()
    except (FormParserError, ValueError):
        raise Refused(400, "invalid_form", "not a multipart/form-data body") from None
    if left:
        raise ConnectionError
    if b"file" not in files:
        raise Refused(400, "missing_required_parameter", "file is missing", "file")
    return fields, samples(files[b"file"])


def samples(data):
    try:
        with wave.open(io.BytesIO(data)) as sound:
            shape = (sound.getnchannels(), sound.getsampwidth(), sound.getframerate())
            frames = sound.readframes(sound.getnframes())
    except Exception:  # noqa: BLE001  What the wave module raises for bad headers is not said.
        raise Refused(400, "unreadable", "the file is no wav", "file") from None
    if shape != (1, 2, RATE):
        raise Refused(400, "unreadable", "wav of 16 kHz, one channel and 16 bits is read, nothing else", "file")
    frames = frames[: len(frames) // 2 * 2]
    return np.frombuffer(frames, dtype="<i2").astype(np.float32) / 32_768
