"""What servers of speech and text answered in the field: what becomes of each answer, and how often it is asked and paid for.

A: an answer of status 200 that cannot be read, or that is an error, is about the recording and stops no engine.
B: one flaw beside the words costs nothing but itself. C: the model's object is found whatever surrounds it. D: silence has no words.
E: the words of an answer are all there and in its order, whatever its shape. F: tags of models are no words.

`DIARY_TIMES=1` takes all of each table instead of every second row.
"""

import collections
import contextlib
import copy
import dataclasses
import json
import math
import random
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from fake_openai import FakeOpenAI
from hosted_engine import hosted_engine
from openai_answers import chat_completion, transcription
from openai_answers import words as words_of
from openai_replies import HTML, Reply
from processes import wait_for
from repetitions import daily
from rig import Rig

pytestmark = pytest.mark.long

MODEL = "whisper-1"
SAID = ("We swam far out in the lake.", "It was cold, and Anna laughed.")
WORDS = " ".join(SAID)
MEMO = "Thank you."
PIECES = ("First we walked to the station.", "Then the train was late.", "In Bremen we met Clara.", "She had brought cake.")
OTHER_ENGINE = "These words are from the other engine."
ABOUT_THE_ENGINE = {"speech_unavailable", "speech_timeout", "engine_refused", "engine_paused", "engine_busy"}
ENDED = ("transcribed", "failed")
NAN, INFINITY = math.nan, math.inf


@dataclasses.dataclass
class Input:
    """Answers of a server, one for each call, of which the last stays; and what must come of them.

    - words: exactly these, in this order, whatever the case and the punctuation; None where `parts`, in this order, must be among others.
    - code: of the entry that fails for good; "any" for one that is about the recording.
    - reason: why there is no cleaned text.
    """

    name: str
    answers: list
    stage: str = "speech"
    app: str | None = None
    words: str | None = WORDS
    parts: tuple = ()
    absent: tuple = ()
    code: str | None = None
    waits: str | None = None
    reason: str | None = None
    language: str | None = None
    engine: str | None = None
    calls: int = 2
    vocabulary: tuple = ()
    sound: str = "voice"
    seconds: float = 2.0
    unmarked: bool = False
    check: object = None
    """A function of the requests, for what they must be."""


def speech(name, *answers, **expected):
    return Input(name, list(answers), **expected)


def text(name, *answers, **expected):
    """Answers are functions of the clean text, which is expected."""
    return Input(name, list(answers), stage="text", **expected)


def as_reply(answer):
    return answer if isinstance(answer, Reply) else Reply(200, answer)


def typed(body, content_type):
    return Reply(200, body, (("Content-Type", content_type),))


# Answers of speech servers.


def segment(number, words, start, end, **members):
    known = {"tokens": [50364], "temperature": 0.0, "avg_logprob": -0.2, "compression_ratio": 1.2, "no_speech_prob": 0.01}
    return {"id": number, "seek": 0, "start": start, "end": end, "text": " " + words, **known, **members}


def whisper(*texts, seconds=2.0, **members):
    """The form of `verbose_json`, the texts equally long."""
    step = seconds / max(1, len(texts))
    segments = [segment(i, one, round(i * step, 2), round((i + 1) * step, 2)) for i, one in enumerate(texts)]
    words = [word for one in segments for word in words_of(one)]
    answer = {"task": "transcribe", "language": "english", "duration": seconds, "text": " ".join(texts)}
    return {**answer, "segments": segments, "words": words, **members}


def timed(*segments, seconds=20.0, **members):
    """Segments as (text, start, end), without words."""
    made = [segment(i, *one) for i, one in enumerate(segments)]
    said = " ".join(str(one[0]) for one in segments)
    return {"task": "transcribe", "language": "english", "duration": seconds, "text": said, "segments": made, **members}


HEARD = whisper(*SAID)
LINE = json.dumps(HEARD)
ONLY_TEXT = {"text": WORDS}


def each(answer, **members):
    """With these members in each segment."""
    changed = copy.deepcopy(answer)
    for one in changed["segments"]:
        one.update(members)
    return changed


def without(answer, *names):
    return {name: value for name, value in answer.items() if name not in names}


def replaced(old, new, answer=LINE):
    """In the answer's JSON, as bytes."""
    as_bytes = [one.encode() if isinstance(one, str) else one for one in (answer, old, new)]
    assert as_bytes[1] in as_bytes[0], old
    return as_bytes[0].replace(*as_bytes[1:])


# Answers of language models.


def content(make, **members):
    """The content of the message, made of the clean text; `members` are those of the message."""

    def answer(clean):
        whole = chat_completion("", MODEL)
        whole["choices"][0]["message"].update({"content": make(clean), **members})
        return whole

    return answer


def bare(clean):
    return json.dumps({"clean_text": clean})


def envelope(change):
    """The usual answer, changed: in place, or into what the function returns."""

    def answer(clean):
        whole = chat_completion(bare(clean), MODEL)
        return change(whole) or whole

    return answer


def choice(**members):
    return envelope(lambda whole: whole["choices"][0].update(members))


def around(before, after=""):
    return content(lambda clean: before + bare(clean) + after)


def always(answer):
    return lambda clean: answer


# A


def error(message="No.", **members):
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **members}}


UNREADABLE = {
    "the page of a proxy": typed(HTML, "text/html"),
    "a page to sign in, said to be JSON": b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>",
    "an empty body": b"",
    "blanks alone": b" \r\n\r\n",
    "null": b"null",
    "an empty list of models": {"object": "list", "data": []},
    "a job that was queued": {"id": "b4ff0a1e", "status": "IN_QUEUE", "delayTime": 0},
    "a model that is loading": {"detail": "Model is loading, please wait."},
    "cut off before the words": b'{"task": "transcribe", "language": "engl',
    "a line of a log": typed(b"Internal Server Error", "text/plain; charset=utf-8"),
    "a page of PHP's": b"<br />\n<b>Fatal error</b>:  Maximum execution time of 30 seconds exceeded in <b>/srv/api.php</b> on line <b>12</b><br />",
    "XML of a store": typed(b'<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>', "application/xml"),
    "an event that says it is over": typed(b"data: [DONE]\n\n", "text/event-stream"),
    "bytes of no text": bytes(range(128, 256)) * 4,
    "vLLM's older error": {"object": "error", "message": "Invalid or unsupported audio file.", "type": "BadRequestError", "code": 400},
}
UNREADABLE_TEXT = {
    "the page of a proxy": typed(HTML, "text/html"),
    "an empty body": b"",
    "null": b"null",
    "another object": {"object": "list", "data": []},
    "no choices": without(chat_completion("", MODEL), "choices"),
    "an empty list of choices": {**chat_completion("", MODEL), "choices": []},
    "choices that are null": {**chat_completion("", MODEL), "choices": None},
    "a message that is null": {**chat_completion("", MODEL), "choices": [{"index": 0, "message": None, "finish_reason": "stop"}]},
    "a job that was queued": {"id": "b4ff0a1e", "status": "IN_QUEUE"},
    "cut off before the words": b'{"id": "chatcmpl-1", "object": "chat.compl',
}


def without_hints(requests):
    return [bool(request.fields.get("prompt")) for request in requests] == [True, False]


def with_json_alone(requests):
    return [request.json["response_format"]["type"] for request in requests] == ["json_schema", "json_object"]


ERRORS = [
    speech("a language", error(param="language", code="invalid_value"), code="language_unsupported", calls=1),
    speech("a length", error(code="context_length_exceeded"), code="media_limits_exceeded", calls=1),
    speech("a format", error("Invalid file format."), code="media_unsupported", calls=1),
    speech("whisper.cpp's words", {"error": "failed to read audio data"}, code="media_unsupported", calls=1),
    speech("whisper.cpp's words of a field", {"error": "no 'file' field in the request"}, code="media_unsupported", calls=1),
    speech(
        "whisper.cpp's words of ffmpeg, beside the type of a page",
        typed(b'{"error":"FFmpeg conversion failed."}', "text/html"),
        code="media_unsupported",
        calls=1,
    ),
    speech("vLLM's number as code", error("Audio file is corrupted.", type="BadRequestError", code=400), code="media_unsupported", calls=1),
    speech("beside an empty text", {**error("Unsupported codec."), "text": ""}, code="media_unsupported", calls=1),
    speech("the hints", error(param="prompt", code="unsupported_value"), HEARD, vocabulary=("Oberbaum", "Clara"), check=without_hints),
    speech("a model that is not there", error(code="model_not_found"), app="a-model", waits="speech_unavailable", words=None, calls=1),
    speech("none: null", {"error": None, **HEARD}),
    speech("none: false, of a server with a flag", {**HEARD, "error": False}),
    speech("none: an empty text", {"error": "", **ONLY_TEXT}),
    text("a length", always(error(code="context_length_exceeded")), reason="text_too_long", calls=1),
    text("any", always(error("The input is invalid.")), reason="cleanup_unavailable", calls=1),
    text("a word", always({"error": "invalid request"}), reason="cleanup_unavailable", calls=1),
    text("beside no choices", always({**error("Bad request.", code=400), "choices": []}), reason="cleanup_unavailable", calls=1),
    text(
        "the format of the answer", always(error(param="response_format", code="unsupported_value")), content(bare), check=with_json_alone
    ),
    text("none: null", envelope(lambda whole: whole.update(error=None))),
]
for one in ERRORS:
    one.name = f"{one.stage}, an error in a 200: {one.name}"

A = [
    *[speech(name, answer, words=None, code="any") for name, answer in UNREADABLE.items()],
    *[speech(f"{name}, once", UNREADABLE[name], HEARD) for name in ("the page of a proxy", "an empty body", "cut off before the words")],
    *[
        speech(f"{name}, of the first engine of two", UNREADABLE[name], app="a-chain", words=OTHER_ENGINE, engine="good")
        for name in ("the page of a proxy", "an empty body", "a job that was queued", "cut off before the words", "bytes of no text")
    ],
    *[text(f"text: {name}", always(answer), reason="any") for name, answer in UNREADABLE_TEXT.items()],
    text("text: the page of a proxy, once", always(UNREADABLE_TEXT["the page of a proxy"]), content(bare)),
    *[
        text(f"text: {name}, of the first engine of two", always(UNREADABLE_TEXT[name]), app="text-chain")
        for name in ("the page of a proxy", "an empty body", "an empty list of choices", "another object")
    ],
    *ERRORS,
]

# B

SILENT = whisper(text="", segments=[segment(0, "", 0.0, 2.0, avg_logprob=NAN, compression_ratio=NAN, no_speech_prob=NAN)])
TOKENS = {
    "nan": "nan",
    "-nan(ind)": "-nan(ind)",
    "inf": "-inf",
    "a bare point": "-.2",
    "a point at the end": "-1.",
    "beyond a double": "-1e999",
}
CONTENT_TYPES = ["text/html; charset=utf-8", "text/plain", "application/octet-stream", "application/json; charset=ISO-8859-1"]
CUT_OFF = json.dumps({"text": WORDS, **HEARD})


def cut_off(within):
    at = CUT_OFF.index(within, CUT_OFF.index(WORDS) + len(WORDS))
    return CUT_OFF[: at + len(within) // 2].encode()


B_SPEECH = [
    speech("NaN as logarithm", each(HEARD, avg_logprob=NAN)),
    speech("-Infinity as logarithm", each(HEARD, avg_logprob=-INFINITY)),
    speech("Infinity as ratio", each(HEARD, compression_ratio=INFINITY)),
    speech("NaN as every measure", each(HEARD, avg_logprob=NAN, compression_ratio=NAN, no_speech_prob=NAN, temperature=NAN)),
    speech("NaN as duration", {**HEARD, "duration": NAN}),
    speech("NaN as times of words", {**HEARD, "words": [{**word, "start": NAN, "end": NAN} for word in HEARD["words"]]}),
    speech("NaN where nothing was said", SILENT, words=""),
    speech("-Infinity and no segment where nothing was said", {**SILENT, "segments": [], "language_probability": -INFINITY}, words=""),
    *[
        speech(f"a number of C++ or JavaScript: {name}", replaced('"avg_logprob": -0.2', f'"avg_logprob": {token}'))
        for name, token in TOKENS.items()
    ],
    speech("a comma before the end of the object", LINE[:-1].encode() + b",}"),
    speech("a comma before the end of an array", replaced("}], ", "},], ")),
    speech("a byte order mark", b"\xef\xbb\xbf" + LINE.encode()),
    speech("a byte of Latin-1 beside the words", replaced('"task": "transcribe"', b'"model": "gro\xdf", "task": "transcribe"')),
    speech(
        "a byte of Latin-1 in the words",
        replaced("lake", b"S\xe4ntis lake"),
        words=None,
        parts=("we swam far out in the", "lake it was cold and anna laughed"),
    ),
    speech("a line's end in the words", replaced("far out", "far\nout")),
    speech("a tab in the words", replaced("far out", "far\tout")),
    speech("a control character beside the words", replaced('"transcribe"', '"trans\x1bcribe"')),
    speech("an escaped NUL in the words", replaced("far out", "far\\u0000 out")),
    speech(
        "half a surrogate in the words",
        replaced("far out", "far \\ud83d out"),
        words=None,
        parts=("we swam far", "out in the lake it was cold and anna laughed"),
    ),
    speech("the other half of a surrogate beside the words", replaced('"transcribe"', '"trans\\udc4dcribe"')),
    speech(
        "an apostrophe that is escaped",
        replaced("It was", "It\\'s been"),
        words="We swam far out in the lake. It's been cold, and Anna laughed.",
    ),
    speech("a line of a log after the object", LINE.encode() + b"\nINFO: 127.0.0.1:51234 - POST /v1/audio/transcriptions 200 OK\n"),
    speech("a NUL after the object", LINE.encode() + b"\0"),
    speech("a second object after the first", LINE.encode() + b'\n{"done": true}\n'),
    speech("cut off within the segments", cut_off('"tokens"')),
    speech("cut off within the times of words", cut_off('"word": "laughed"')),
    *[speech(f"said to be {kind}", typed(LINE.encode(), kind)) for kind in CONTENT_TYPES],
    speech("words are null", {**HEARD, "words": None}),
    speech("words are a text", {**HEARD, "words": "none"}),
    speech("words are an object", {**HEARD, "words": {}}),
    speech("words are texts", {**HEARD, "words": WORDS.split()}),
    speech("words of segments are null", each(HEARD, words=None)),
    speech("a usage of numbers as texts", {**HEARD, "usage": {"type": "duration", "seconds": "2"}}),
    speech("a usage that is a text", {**HEARD, "usage": "n/a"}),
    speech("a duration that is a text", {**HEARD, "duration": "2.0"}),
    speech("a duration that is null", {**HEARD, "duration": None}),
    speech("a language that is null", {**HEARD, "language": None}),
    speech("a language that is an array", {**HEARD, "language": ["english", 0.98]}),
    speech("times that are texts", each(HEARD, start="0.0", end="2.0")),
    speech("times that are null", each(HEARD, start=None, end=None)),
    speech("measures that are texts", each(HEARD, avg_logprob="-0.2", no_speech_prob="0.01", compression_ratio="N/A")),
    speech("an id that is a text, and tokens that are one", each(HEARD, id="seg_1", tokens="50364", seek=None)),
    speech("segments that are null", {**HEARD, "segments": None}),
    speech("segments that are an object", {**HEARD, "segments": {}}),
    speech("segments that are a text", {**HEARD, "segments": "none"}),
    speech("a text that is null beside segments", {**HEARD, "text": None}),
]


def as_bytes(change):
    """The usual answer's JSON, changed."""
    return lambda clean: change(json.dumps(chat_completion(bare(clean), MODEL)).encode())


B_TEXT = [
    text("text: NaN in the usage", envelope(lambda whole: whole["usage"].update(cost=NAN, total_time=-INFINITY))),
    text("text: NaN among the logarithms", choice(logprobs={"content": [{"token": "{", "logprob": -INFINITY, "bytes": None}]})),
    text("text: a usage that is null", envelope(lambda whole: whole.update(usage=None))),
    text("text: a usage of texts", envelope(lambda whole: whole.update(usage={"prompt_tokens": "10", "completion_tokens": "n/a"}))),
    text(
        "text: an id that is null and a time that is a text", envelope(lambda whole: whole.update(id=None, created="2026-03-01T12:00:00Z"))
    ),
    text(
        "text: no index, no role",
        envelope(lambda whole: (whole["choices"][0].pop("index"), whole["choices"][0]["message"].pop("role")) and None),
    ),
    text("text: a finish_reason that is null", choice(finish_reason=None)),
    text("text: a finish_reason of another server", choice(finish_reason="eos_token")),
    text("text: no finish_reason", envelope(lambda whole: whole["choices"][0].pop("finish_reason") and None)),
    text("text: a refusal that is an empty text", content(bare, refusal="")),
    text("text: tool_calls that are null or empty", content(bare, tool_calls=[], function_call=None)),
    text("text: a comma before the end", as_bytes(lambda line: line[:-1] + b",}")),
    text("text: a byte order mark", as_bytes(lambda line: b"\xef\xbb\xbf" + line)),
    text("text: a byte of Latin-1 beside the words", as_bytes(lambda line: line.replace(b'"model": "', b'"model": "gro\xdf ', 1))),
    text("text: half a surrogate beside the words", as_bytes(lambda line: line.replace(b'"model": "', b'"model": "\\ud83d ', 1))),
    text("text: a line of a log after the object", as_bytes(lambda line: line + b"\nllama_print_timings: total time = 812.11 ms\n")),
    text("text: cut off within the usage", as_bytes(lambda line: line[: line.index(b'"prompt_tokens"') + 5])),
    text("text: said to be a page", lambda clean: typed(json.dumps(chat_completion(bare(clean), MODEL)).encode(), "text/html")),
]
B = B_SPEECH + B_TEXT

# C

HARMONY = "<|channel|>analysis<|message|>The user wants fillers removed. {um}<|end|><|start|>assistant<|channel|>final<|message|>"
C = [
    text("a fence named json", around("```json\n", "\n```")),
    text("a fence without a name", around("```\n", "\n```")),
    text(
        "a fence between sentences",
        around("Here is the cleaned transcript:\n\n```json\n", "\n```\n\nLet me know if you need anything else!"),
    ),
    text("a fence that is not closed", around("```json\n")),
    text("sentences before and after", around("Sure! ", "\n\nI removed the fillers {um, uh} as you asked.")),
    text("thoughts", around("<think>\nThe fillers go, the words stay.\n</think>\n\n")),
    text("no thoughts, as of a model that may think", around("<think>\n\n</think>\n\n")),
    text("thoughts with braces", around('<think>\nThe answer is {"clean_text": string}. What about {um}?\n</think>\n')),
    text("thoughts with another object", around('<think>A draft: {"clean_text": "I won the lottery."} No, I must not invent.</think>')),
    text("thoughts whose beginning the template has", around("The fillers go, the words stay.\n</think>\n\n")),
    text("thoughts and a fence", around("<think>Hm, {um}.</think>\n```json\n", "\n```")),
    text("thoughts in brackets", around("[THINK]The fillers {um} go.[/THINK]")),
    text("thoughts of Harmony", around(HARMONY, "<|return|>")),
    text("a draft before the answer", around('{"clean_text": "I won the lottery."}\n\nThat has new words. Corrected:\n\n')),
    text("a token of the template after it", around("", "<|im_end|>")),
    text("the end of a sequence after it", around("", "</s>")),
    text("a byte order mark before it", around("\ufeff")),
    text("parts of content", content(lambda clean: [{"type": "text", "text": bare(clean)}])),
    text(
        "parts of content that share it",
        content(lambda clean: [{"type": "text", "text": part} for part in (bare(clean)[:19], bare(clean)[19:])]),
    ),
    text(
        "parts of content, thoughts first",
        content(
            lambda clean: [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm, {um}."}]}, {"type": "text", "text": bare(clean)}]
        ),
    ),
    text("one part without an array", content(lambda clean: {"type": "text", "text": bare(clean)})),
    text("the object itself", content(lambda clean: {"clean_text": clean})),
    text("thoughts in a member of their own", content(bare, reasoning_content="The fillers {um} go.", reasoning="The fillers {um} go.")),
    text("in an array", around("[", "]")),
    text("in an object named like the schema", around('{"diary_entry": ', "}")),
    text("a comma before its end", content(lambda clean: bare(clean)[:-1] + ",\n}")),
    text("a line's end in its text", content(lambda clean: bare(clean.replace("far out", "far@out")).replace("@", "\n"))),
    text("NaN beside its text", content(lambda clean: bare(clean)[:-1] + ', "confidence": NaN}')),
    text(
        "members that nobody asked for",
        content(lambda clean: json.dumps({"reasoning": "The fillers {um} go.", "clean_text": clean, "changes": 1})),
    ),
    text(
        "extras of other types",
        content(lambda clean: json.dumps({"clean_text": clean, "title": None, "tags": "lake", "key_points": {}, "mood": 7})),
        app="c-extras",
    ),
    text("extras that are missing, in a fence", around("```json\n", "\n```"), app="c-extras"),
    text("prose alone, once", content(lambda clean: f"Here is your text: {clean}"), content(bare)),
    text("nothing at all, once", content(lambda clean: ""), content(bare)),
    text("prose alone", content(lambda clean: "The transcript is about a swim in a lake."), reason="any"),
    text("nothing at all", content(lambda clean: ""), reason="any"),
    text("thoughts alone", content(lambda clean: "<think>The fillers go, the words stay.</think>"), reason="any"),
    text("an object without the text", content(lambda clean: json.dumps({"title": "A swim"})), reason="any"),
    text("prose alone of the first engine of two", content(lambda clean: "Sure, I can help with that!"), app="text-chain"),
]

# D

SIGNS = [
    "[BLANK_AUDIO]",
    "(music)",
    "[ Silence ]",
    "♪",
    "♪♪♪",
    "[MUSIC PLAYING]",
    "[Musik]",
    "(Applaus)",
    "[no audio]",
    "【音楽】",
    "（音楽）",
    "🎵",
]
INVENTED = [
    "Thank you for watching!",
    "See you in the next episode, bye bye.",
    "Untertitelung des ZDF für funk, 2017",
    "Das war es für heute, bis zum nächsten Mal.",
    "I'll be right back with some tips for your garden.",
    "Tack för att du tittade, vi ses i morgon.",
    "you",
]
NAMES = ("Kreuzberg", "Anna-Lena")


def prompt_of(form):
    """A server that says its hints over silence, and nothing without them."""

    def answer(request):
        said = form(request.fields["prompt"]) if "prompt" in request.fields else ""
        return transcription(said, request, 2.0)

    return answer


def later(said):
    """After words of ten seconds this one."""
    whole = timed((SAID[0], 0.0, 5.0), (SAID[1], 5.0, 9.5), (said, 12.0, 18.0))
    return speech(f"over the silence after the words: {said}", whole, sound="half", seconds=20)


D = [
    *[speech(f"a sign alone: {sign}", whisper(sign), words="") for sign in SIGNS],
    speech("a sign alone, in a text without segments", {"text": " [BLANK_AUDIO]\n"}, words=""),
    speech("signs alone, one in each segment", whisper("[BLANK_AUDIO]", "(music)", "♪ ♪"), words=""),
    speech("a sign between segments", whisper(SAID[0], "[BLANK_AUDIO]", SAID[1])),
    speech("a sign before the words", whisper("[MUSIC] " + SAID[0], SAID[1])),
    speech("a sign within the words", whisper("We swam [BLANK_AUDIO] far out in the lake.", SAID[1])),
    speech("notes around words", whisper(f"♪ {SAID[0]} ♪", SAID[1]), absent=("♪",)),
    speech("words in brackets are words", whisper("We met Anna (my sister) at the lake."), words="We met Anna my sister at the lake"),
    speech(
        "a sentence in brackets is one",
        whisper(SAID[0], "(It was very cold that day, and we had no towels.)"),
        words=f"{SAID[0]} It was very cold that day and we had no towels",
    ),
    *[speech(f"over silence: {said}", whisper(said), words="", sound="silence") for said in INVENTED],
    speech("over silence, without segments", {"text": "I'll see you next time."}, words="", sound="silence"),
    speech(
        "over silence, sure of itself",
        each(whisper("We will see you on Friday."), avg_logprob=-0.05, no_speech_prob=0.0),
        words="",
        sound="silence",
    ),
    later("Thank you for watching!"),
    later("Please visit our garden again soon."),
    speech("a whisper is no silence", HEARD, sound="whisper"),
    speech("thanks that were said", whisper(MEMO), words=MEMO),
    speech("one segment over words and silence", timed((WORDS, 0.0, 20.0)), sound="half", seconds=20),
    speech("words of a server without times, and silence after them", ONLY_TEXT, sound="half", seconds=20),
    *[
        speech(f"the hints over {sound}, {name}", prompt_of(form), words="", sound=sound, vocabulary=NAMES)
        for sound, name, form in [
            ("silence", "as they were sent", str),
            ("silence", "as a sentence", lambda prompt: prompt + "."),
            ("noise", "as they were sent", str),
            ("noise", "as a sentence", lambda prompt: prompt + "."),
            ("noise", "in small letters", str.lower),
            ("noise", "without commas", lambda prompt: prompt.replace(",", "")),
            ("voice", "as they were sent", str),
        ]
    ],
    speech(
        "hints that were said among other words",
        whisper("We met Anna-Lena in Kreuzberg."),
        words="We met Anna-Lena in Kreuzberg",
        vocabulary=NAMES,
    ),
]

# E

ALL = " ".join(PIECES)


def at(*times, **members):
    """The pieces with these times."""
    return timed(*[(piece, *pair) for piece, pair in zip(PIECES, times, strict=True)], **members)


def ordered(name, answer, **more):
    return speech(name, answer, **{"words": ALL, "seconds": 20.0, **more})


IN_TURN = at((0.0, 5.0), (5.0, 10.0), (10.0, 15.0), (15.0, 20.0))
PLACEHOLDERS = {
    "-1, as of vLLM": {"avg_logprob": -1.0, "compression_ratio": -1.0, "no_speech_prob": -1.0},
    "-1 as numbers without a point": {"avg_logprob": -1, "compression_ratio": -1, "no_speech_prob": -1},
    "null": {"avg_logprob": None, "compression_ratio": None, "no_speech_prob": None},
    "999": {"avg_logprob": -999, "compression_ratio": 999, "no_speech_prob": 999},
    "a positive logarithm": {"avg_logprob": 1.0, "compression_ratio": 0.0, "no_speech_prob": 1.5},
    "N/A": {"avg_logprob": "N/A", "compression_ratio": "N/A", "no_speech_prob": "N/A"},
}
HALVES = [{"text": one, "start": i * 1.0, "end": i + 1.0} for i, one in enumerate(SAID)]
WHISPERX = [{**one, "words": [{**word, "score": 0.91} for word in words_of(one)]} for one in HALVES]
CLI = [
    {
        "timestamps": {"from": f"00:00:0{i},000", "to": f"00:00:0{i + 1},000"},
        "offsets": {"from": i * 1000, "to": i * 1000 + 1000},
        "text": " " + one,
    }
    for i, one in enumerate(SAID)
]
E = [
    ordered("pieces that begin at 0 again", at((0.0, 5.0), (5.0, 10.0), (0.0, 5.0), (5.0, 10.0))),
    ordered("each piece begins at 0", at((0.0, 5.0), (0.0, 4.0), (0.0, 6.0), (0.0, 5.0))),
    ordered("pieces that begin shortly after 0 again", at((0.4, 5.0), (5.2, 9.6), (0.3, 5.0), (5.0, 9.9))),
    ordered("a start that falls back by a little", at((0.0, 5.0), (5.5, 10.4), (5.2, 15.0), (15.0, 20.0))),
    ordered("no times at all", at(*[(0.0, 0.0)] * 4)),
    ordered("times that are null", at(*[(None, None)] * 4)),
    ordered("the first time is the only one", at((0.0, 5.0), (None, None), (None, None), (None, None))),
    ordered("times in milliseconds", at((0, 5000), (5000, 10000), (10000, 15000), (15000, 20000))),
    ordered("times beyond the recording, then from its beginning", at((0.0, 30.0), (30.0, 60.0), (0.0, 30.0), (30.0, 60.0))),
    ordered("ends before starts", at((5.0, 0.0), (10.0, 5.0), (15.0, 10.0), (20.0, 15.0))),
    ordered("negative times", at((-1.0, -1.0), (-1.0, -1.0), (-1.0, -1.0), (-1.0, -1.0))),
    ordered("speakers in turn", {**IN_TURN, "segments": [{**one, "speaker": "AB"[i % 2]} for i, one in enumerate(IN_TURN["segments"])]}),
    *[
        speech(f"placeholders: {name}", each(whisper(MEMO), **measures), words=MEMO, unmarked=True)
        for name, measures in PLACEHOLDERS.items()
    ],
    *[
        ordered(f"placeholders in every segment: {name}", each(IN_TURN, **measures), unmarked=True)
        for name, measures in {
            "-1": PLACEHOLDERS["-1, as of vLLM"],
            "999": PLACEHOLDERS["999"],
            "0": {"avg_logprob": 0.0, "compression_ratio": 0.0, "no_speech_prob": 0.0},
        }.items()
    ],
    speech("a text that says more than the segments", {**HEARD, "segments": HEARD["segments"][:1]}),
    speech("a text that says more than the segments, at its beginning", {**HEARD, "segments": HEARD["segments"][1:]}),
    speech("no segments beside a text", {**HEARD, "segments": []}),
    speech("no segments and no words beside a text", {**HEARD, "segments": [], "words": []}),
    speech("segments without text beside a text", each(HEARD, text="")),
    speech("segments without the member beside a text", {**HEARD, "segments": [without(one, "text") for one in HEARD["segments"]]}),
    speech("segments beside an empty text", {**HEARD, "text": ""}),
    speech("segments without a text", without(HEARD, "text", "words")),
    speech("segments that say more than the text", {**HEARD, "text": SAID[0]}),
    speech("words alone", {**HEARD, "text": "", "segments": []}),
    speech("words alone, and neither text nor segments", without(HEARD, "text", "segments")),
    speech(
        "segments in small letters without points",
        {**HEARD, "segments": [{**one, "text": re.sub(r"[.,]", "", one["text"]).lower()} for one in HEARD["segments"]]},
    ),
    speech("WhisperX", {"segments": WHISPERX, "word_segments": [word for one in WHISPERX for word in one["words"]], "language": "en"}),
    speech("whisper.cpp's program", {"result": {"language": "en"}, "transcription": CLI}),
    speech("Cloudflare", {"result": {"text": WORDS, "word_count": 12, "segments": HALVES}, "success": True, "errors": [], "messages": []}),
    speech(
        "Hugging Face",
        {"text": " " + WORDS, "chunks": [{"timestamp": [i * 1.0, None if i else 1.0], "text": " " + one} for i, one in enumerate(SAID)]},
    ),
    speech(
        "LocalAI, in nanoseconds",
        {
            "segments": [{"id": i, "start": i * 10**9, "end": (i + 1) * 10**9, "text": one, "tokens": [1]} for i, one in enumerate(SAID)],
            "text": WORDS,
        },
    ),
]

# F

SENSE = "<|en|><|NEUTRAL|><|Speech|><|woitn|>"
F = [
    speech("Qwen3-ASR", {"text": f"language English<asr_text>{WORDS}"}, language="en"),
    speech("Qwen3-ASR, German", {"text": "language German<asr_text>Wir schwammen im See."}, words="Wir schwammen im See", language="de"),
    speech("Qwen3-ASR, in pieces", {"text": f"language English<asr_text>{SAID[0]} language English<asr_text>{SAID[1]}"}),
    speech("Qwen3-ASR, in each segment", whisper(*[f"language English<asr_text>{one}" for one in SAID])),
    speech("Qwen3-ASR, nothing said", {"text": "language None<asr_text>"}, words=""),
    speech("SenseVoice", {"text": SENSE + WORDS}, language="en"),
    speech("SenseVoice, in pieces", {"text": f"{SENSE}{SAID[0]} {SENSE}{SAID[1]}"}),
    speech("SenseVoice, Chinese", {"text": "<|zh|><|HAPPY|><|BGM|><|withitn|>我们去湖里游泳了。"}, words="我们去湖里游泳了", language="zh"),
    speech("SenseVoice, nothing said", {"text": "<|nospeech|><|EMO_UNKNOWN|><|Event_UNK|><|woitn|>"}, words=""),
    speech("times as tokens", {"text": f"<|0.00|> {SAID[0]}<|2.40|><|2.40|> {SAID[1]}<|4.10|>"}),
    speech("times as tokens, in each segment", whisper(*[f"<|{i}.00|> {one}<|{i + 1}.00|>" for i, one in enumerate(SAID)])),
    speech(
        "Whisper's beginning and end",
        {"text": f"<|startoftranscript|><|en|><|transcribe|><|notimestamps|> {WORDS}<|endoftext|>"},
        language="en",
    ),
    speech("Whisper's sign of nothing said", {"text": "<|startoftranscript|><|nospeech|><|endoftext|>"}, words=""),
    speech(
        "tokens among the words as well",
        {**whisper("<|en|> " + WORDS), "words": [{"word": "<|en|>", "start": 0.0, "end": 0.0}, *HEARD["words"]]},
    ),
    speech("whisper.cpp's tokens", whisper(f"[_BEG_] {SAID[0]}[_TT_120]", f"{SAID[1]}[_TT_250]"), absent=("[_",)),
    speech("the end of a sequence", {"text": f"{WORDS}</s>"}),
]
for one in F:
    one.absent = (*one.absent, "<|", "|>", "asr_text")

KINDS = {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F}
APPS = {
    "kind-a": ["speech"],
    "a-model": ["speech"],
    "a-chain": ["speech", "speech-good"],
    "a-text": ["text"],
    "text-chain": ["text", "text-good"],
    "kind-b": ["speech"],
    "b-text": ["text"],
    "c-text": ["text"],
    "c-extras": ["text"],
}
"""Stages of their engines: of the server, or of one that works. What they lack is the process's own, as in the app `my-day`."""


def app_of(kind, given):
    if given.app:
        return given.app
    app = f"{kind.lower()}-text" if given.stage == "text" else f"kind-{kind.lower()}"
    return app if app in APPS else "my-day"


def marker(number):
    """A word that no other recording has."""
    return "lu" + "".join("bdfgklmnprst"[number // 12**i % 12] + "aeiou"[number // 12**i % 5] for i in (2, 1, 0))


def raw_of(number):
    return f'um we swam "far out" in the lake near {marker(number).capitalize()} and it was cold'


def clean_of(number):
    return f'We swam "far out" in the lake near {marker(number).capitalize()}, and it was cold.'


def folded(words):
    """The words alone."""
    return " ".join(re.findall(r"\w+", (words or "").casefold().replace("'", "").replace("’", "")))


SOUNDS = {
    "voice": lambda count: random.Random(count).randbytes(count),
    "whisper": lambda count: bytes(byte % 26 for byte in random.Random(count).randbytes(count)),
    "noise": lambda count: bytes(byte % 4 for byte in random.Random(count).randbytes(count)),
    "silence": bytes,
    "half": lambda count: random.Random(count).randbytes(count // 2) + bytes(count - count // 2),
}


def recording(number, sound="voice", seconds=2.0):
    """As the scripted probe takes it: 8,000 bytes a second, and every tenth or so is how loud it is; the number lies between these."""
    made = bytearray(SOUNDS[sound](int(seconds * 8_000)))
    made[1:5] = number.to_bytes(4, "big")
    return bytes(made)


def number_of(request):
    return int.from_bytes(request.file.body[1:5], "big")


class Scene:
    """Recordings on their way through a service, and what became of each.

    - entries: as last seen, by number; `codes` are all that an entry has shown.
    - requests: of each number, by stage.
    """

    def __init__(self, rig):
        self.rig = rig
        self.people, self.ids, self.numbers, self.since = {}, {}, {}, {}
        self.entries, self.codes = {}, collections.defaultdict(set)
        self.requests = collections.defaultdict(list)

    def record(self, number, person, audio):
        self.people[number] = person
        self.ids[number] = person.record(audio)
        self.numbers[self.ids[number]] = number

    def look(self, person):
        """Reads what has changed."""
        while True:
            page = person.call("GET", f"/v1/changes?limit=100&since={self.since.get(person.id, '0')}", 200).json()
            self.since[person.id] = page["next_since"]
            for entry in page["items"]:
                if (number := self.numbers.get(entry["id"])) is not None:
                    self.entries[number] = entry
                    self.codes[number].add((entry.get("processing") or {}).get("code"))
            if not page["has_more"]:
                return

    def wait(self, numbers, seconds, ended=lambda entry: entry["status"] in ENDED):
        """Until all have ended, or that long."""

        def done():
            for person in {self.people[number].id: self.people[number] for number in numbers}.values():
                self.look(person)
            return all(number in self.entries and ended(self.entries[number]) for number in numbers)

        with contextlib.suppress(AssertionError):
            wait_for(done, seconds, "the end")


class Field(Scene):
    def __init__(self, rig, fake, good):
        super().__init__(rig)
        self.given, self.engines, self.count = {}, {}, 0
        fake.hears, fake.writes = self.hears, self.writes
        good.hears = lambda request: OTHER_ENGINE
        good.writes = lambda request: bare(clean_of(self.number_in(request)))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda app: self.furnish(app, {"": fake.url, "good": good.url}), APPS))
        for app in APPS:
            rig.wait_for_app(app)

    def furnish(self, app, urls):
        self.rig.tenant(app)
        for engine in APPS[app]:
            stage, _, which = engine.partition("-")
            chosen = ("--kind", "openai", "--url", urls[which], "--model", MODEL, "--slots", "16")
            self.rig.diary("tenant", "engine", "set", app, stage, which or "heard", *chosen)
        if app.endswith("extras"):
            self.rig.diary("tenant", "set", app, "cleanup.extras=title,summary,key_points,suggestions")

    def hears(self, request):
        number = number_of(request)
        given = self.given[number]
        if given.stage == "text":
            return raw_of(number)
        self.requests[number].append(request)
        answer = given.answers[min(len(self.requests[number]), len(given.answers)) - 1]
        return answer(request) if callable(answer) else as_reply(answer)

    def number_in(self, request):
        found = re.search(r"lake near (\w+)", request.json["messages"][-1]["content"])
        return next(number for number in self.given if marker(number).capitalize() == found[1])

    def writes(self, request):
        number = self.number_in(request)
        given = self.given[number]
        self.requests[number].append(request)
        return as_reply(given.answers[min(len(self.requests[number]), len(given.answers)) - 1](clean_of(number)))

    def play(self, kind, given, seconds):
        """Returns the numbers of these inputs, all of which have ended."""
        first, self.count = self.count + 1, self.count + len(given)
        numbers = range(first, self.count + 1)
        crowd = collections.defaultdict(list)
        for number, one in zip(numbers, given, strict=True):
            self.given[number] = one
            app = app_of(kind, one)
            if one.vocabulary or not crowd[app] or len(crowd[app]) < 4:
                person = self.rig.user(app)
                if one.vocabulary:
                    person.call("PATCH", "/v1/me", 200, json={"vocabulary": list(one.vocabulary)})
                else:
                    crowd[app].append(person)
            else:
                person = crowd[app][number % 4]
            self.people[number] = person
        with ThreadPoolExecutor(8) as pool:
            sounds = {number: recording(number, self.given[number].sound, self.given[number].seconds) for number in numbers}
            list(pool.map(lambda number: self.record(number, self.people[number], sounds[number]), numbers))
        self.wait(numbers, seconds, self.has_ended)
        return numbers

    def has_ended(self, entry):
        waits = self.given[self.numbers[entry["id"]]].waits
        return entry["status"] in ENDED or (waits and (entry.get("processing") or {}).get("code") == waits)

    def stopped(self):
        """Apps and engines that are left alone."""
        return [(e["tenant"], e["name"], e["state"]) for e in json.loads(self.rig.diary("jobs", "stats", "--json"))["engines"]]

    def faults(self, number):
        given, entry = self.given[number], self.entries[number]
        processing, asked = entry.get("processing") or {}, self.requests[number]
        how = f"{entry['status']}, code {processing.get('code')}, {len(asked)} calls, cleanup {entry.get('cleanup')}, raw {entry.get('transcript_raw')!r}"
        found = [f"{len(asked)} calls"] if len(asked) > given.calls else []
        if "engine_paused" in self.codes[number]:
            found.append("waited for an engine that was stopped")
        if given.check and not given.check(asked):
            found.append("other requests")
        if given.waits:
            return found + ([] if processing.get("code") == given.waits else [how])
        if given.code:
            right = entry["status"] == "failed" and (
                processing["code"] not in {None, *ABOUT_THE_ENGINE} if given.code == "any" else processing["code"] == given.code
            )
            return found + ([] if right else [how])
        if entry["status"] != "transcribed":
            return [*found, how]
        return found + (self.faults_of_text(number) if given.stage == "text" else self.faults_of_speech(number))

    def faults_of_text(self, number):
        given, entry = self.given[number], self.entries[number]
        cleanup = entry.get("cleanup") or {}
        if given.reason:
            right = (
                cleanup.get("state") == "failed"
                and given.reason in ("any", cleanup["reason"])
                and cleanup["reason"] not in ABOUT_THE_ENGINE
            )
            return [] if right and entry["text"] == entry["transcript_raw"] == raw_of(number) else [f"{cleanup}, text {entry['text']!r}"]
        right = cleanup.get("state") == "accepted" and folded(entry["transcript_clean"]) == folded(clean_of(number))
        return [] if right else [f"{cleanup}, clean {entry['transcript_clean']!r}"]

    def faults_of_speech(self, number):
        given, entry, found = self.given[number], self.entries[number], []
        raw, transcription = entry["transcript_raw"] or "", entry["transcription"]
        if given.words is not None and folded(raw) != folded(given.words):
            found.append(f"not the words: {raw!r}")
        if given.parts and not re.search(r"\b.*\b".join(re.escape(folded(part)) for part in given.parts), folded(raw)):
            found.append(f"words missing: {raw!r}")
        found += [f"{there!r} in {raw!r}" for there in given.absent if there in raw]
        if transcription["state"] != ("no_speech" if given.words == "" else "heard"):
            found.append(f"state {transcription['state']}")
        if given.language and (entry["language"] or "").split("-")[0] != given.language:
            found.append(f"language {entry['language']}")
        if given.engine and transcription["engine"] != given.engine:
            found.append(f"heard by {transcription['engine']}")
        return found + self.faults_of_segments(number)

    def faults_of_segments(self, number):
        given, found = self.given[number], []
        segments = self.people[number].call("GET", f"/v1/entries/{self.ids[number]}/transcript", 200).json()["segments"]
        starts = [one["start"] for one in segments]
        if starts != sorted(starts) or not all(0 <= one["start"] <= one["end"] <= given.seconds + 0.01 for one in segments):
            found.append(f"times {[(one['start'], one['end']) for one in segments]}")
        if given.unmarked and any(one["marks"] for one in segments):
            found.append(f"marks {[one['marks'] for one in segments]}")
        return found


@pytest.fixture(scope="module")
def field():
    with FakeOpenAI() as fake, FakeOpenAI() as good:
        rig = Rig(**hosted_engine("SPEECH", fake.url, MODEL, "sk-field"), DIARY_SPEECH_SLOTS="32")
        try:
            yield Field(rig, fake, good)
        finally:
            rig.end()


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_field_answers(field, kind):
    numbers = field.play(kind, daily(KINDS[kind]), 60)
    faults = {field.given[number].name: field.faults(number) for number in numbers}
    names = [field.given[number].name for number in numbers]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    wrong = [f"{kind}, {name}: {'; '.join(found)}" for name, found in faults.items() if found]
    print(f"{kind}: {len(names)} inputs, {len(wrong)} wrong")
    assert not wrong, f"{len(wrong)} of {len(names)}:\n" + "\n".join(wrong)


def test_a_what_came_with_200_keeps_no_other_recording_waiting(field):
    """More answers than open a breaker, and while they come, recordings of another account."""
    unreadable = [speech(f"{name}, again", answer, words=None, code="any") for name, answer in UNREADABLE.items()]
    good = [speech(f"another account's, number {number}", HEARD) for number in range(4)]
    bad = field.play("A", unreadable, 0)
    wait_for(lambda: sum(len(field.requests[number]) > 0 for number in bad) >= 8, 30, "eight answers that cannot be read")
    others = field.play("A", good, 60)
    assert [field.given[n].name for n in others if field.faults(n)] == []
    assert [field.given[n].name for n in others if len(field.requests[n]) != 1] == []
    field.wait(bad, 60)
    paused = [field.given[n].name for n in [*bad, *others] if "engine_paused" in field.codes[n]]
    assert paused == []
    assert [engine for engine in field.stopped() if engine[0] != "a-model"] == []
