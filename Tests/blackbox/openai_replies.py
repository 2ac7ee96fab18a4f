"""Replies of an OpenAI-compatible server and its faults, by name."""

import dataclasses
import time
from email.utils import formatdate


@dataclasses.dataclass
class Reply:
    status: int = 200
    body: bytes | dict = b""
    headers: tuple = ()
    drip: float = 0
    """Seconds between two bytes of the body."""
    cut: bool = False
    """Ends in the middle of the body."""
    hang: bool = False
    """Reads the request and never answers."""


def error(status, code, message="No.", headers=(), param=None):
    return Reply(status, {"error": {"message": message, "type": code, "param": param, "code": code}}, tuple(headers))


HTML = b"<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"


def fault(name):
    """A reply by its name, also as a part of the URL: `429-after-7`, `drip` …"""
    number, _, more = name.partition("-")
    if more.startswith("after-"):
        return error(int(number), "rate_limit_exceeded", headers=[("Retry-After", more.removeprefix("after-"))])
    if more.startswith("date-"):
        at = formatdate(time.time() + float(more.removeprefix("date-")), usegmt=True)
        return error(int(number), "rate_limit_exceeded", headers=[("Retry-After", at)])
    return {
        "429": error(429, "rate_limit_exceeded"),
        "quota": error(429, "insufficient_quota"),
        "400": error(400, "invalid_request_error", "Invalid file format."),
        "language": error(400, "invalid_value", param="language"),
        "hints": error(400, "unsupported_value", param="prompt"),
        "voices": error(400, "invalid_value", param="known_speaker_references[0]"),
        "unknown-voices": error(400, "unknown_parameter"),
        "model": error(400, "model_not_found"),
        "long": error(400, "context_length_exceeded"),
        "401": error(401, "invalid_api_key", "Incorrect API key provided: sk-te***st."),
        "403": error(403, "unsupported_country_region_territory"),
        # OpenRouter's form, others' words in `type` or `code`, and a form that flags nothing.
        "flagged": Reply(403, {"error": {"code": 403, "message": "No.", "metadata": {"reasons": ["violence"], "flagged_input": "Um"}}}),
        "filtered": Reply(403, {"error": {"code": "403", "type": "content_filter", "message": "No."}}),
        "policy": error(403, "content_policy_violation"),
        "unexplained": Reply(403, {"error": {"code": 403, "message": "No.", "metadata": {"reasons": [], "flagged_input": None}}}),
        "404": error(404, "model_not_found"),
        "408": error(408, "timeout"),
        "413": Reply(413, HTML, (("Content-Type", "text/html"),)),
        "415": error(415, "unsupported_media_type"),
        "422": Reply(422, {"detail": [{"loc": ["body", "file"], "msg": "invalid"}]}),
        "500": error(500, "server_error"),
        "502": Reply(502, HTML, (("Content-Type", "text/html"),)),
        "503": error(503, "overloaded"),
        "504": Reply(504, HTML, (("Content-Type", "text/html"),)),
        "html": Reply(200, HTML, (("Content-Type", "text/html"),)),
        "bad-json": Reply(200, b'{"text": "This ends in the mid'),
        "shape": Reply(200, {"object": "list", "data": []}),
        "second-language": Reply(200, {"object": "list", "data": []}),
        "babble": Reply(200, {"text": "x" * 30_000}),
        "empty-body": Reply(200, b""),
        "empty": Reply(200, {"task": "transcribe", "language": "english", "duration": 1.0, "text": "", "segments": [], "words": []}),
        "drip": Reply(200, {"text": "x" * 1_000_000}, drip=1),
        "cut": Reply(200, {"text": "x" * 10_000}, cut=True),
        "hang": Reply(hang=True),
        "redirect": Reply(307, b"", (("Location", "http://127.0.0.1:1/v1/audio/transcriptions"),)),
        "redirect-metadata": Reply(302, b"", (("Location", "http://169.254.169.254/latest/meta-data/"),)),
        "large": Reply(200, {"text": "x" * (17 << 20)}),
    }[name]
