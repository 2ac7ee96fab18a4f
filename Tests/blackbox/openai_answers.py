"""Answers as OpenAI gives them, to a form for `/v1/audio/transcriptions` and to JSON for `/v1/chat/completions`."""

import hashlib
import json
import re
import time

from openai_replies import Reply


def words_of_file(request):
    """Words that depend on the file's content alone."""
    return f"Um these words were heard in {hashlib.sha256(request.file.body).hexdigest()[:16]}."


def echo(request):
    """The user's last message; for a JSON schema an object that has it as its first text, and nothing else."""
    said = [m["content"] for m in request.json["messages"] if m["role"] == "user"][-1]
    text = said if isinstance(said, str) else "".join(part.get("text", "") for part in said)
    wanted = (request.json.get("response_format") or {}).get("json_schema", {}).get("schema")
    if not wanted:
        return text
    made, left = {}, [text]
    for name, kind in wanted.get("properties", {}).items():
        kinds = kind.get("type", "string")
        if "array" in kinds:
            made[name] = []
        elif "null" in kinds:
            made[name] = None
        else:
            made[name] = left.pop() if left and "string" in kinds else ("" if "string" in kinds else {})
    return json.dumps(made)


def transcription(heard, request, seconds):
    """The reply for what was heard, a text or an object, in the format that the form asks for; lasts `seconds` if it has no duration."""
    if isinstance(heard, Reply):
        return heard
    heard = {"text": heard} if isinstance(heard, str) else dict(heard)
    form, text, seconds = request.fields, heard["text"], heard.get("duration", seconds)
    kind = form.get("response_format", "json")
    if kind == "json":
        return Reply(200, short_transcription(text, form))
    segments = heard.get("segments") or ([{"text": text, "start": 0.0, "end": seconds}] if text else [])
    answer = {"task": "transcribe", "duration": seconds, "text": text}
    usage = {"type": "duration", "seconds": int(seconds + 0.999)}
    if kind == "diarized_json":
        made = [{"type": "transcript.text.segment", "id": f"seg_{i:03}", "speaker": "A", **segment} for i, segment in enumerate(segments)]
        return Reply(200, {**answer, "segments": made, "usage": usage})
    answer["language"] = heard.get("language", "english")
    granularities = form.get("timestamp_granularities", ["segment"])
    if "segment" in granularities:
        answer["segments"] = [numbered(i, segment) for i, segment in enumerate(segments)]
    if "word" in granularities:
        answer["words"] = heard.get("words") or [word for segment in segments for word in words(segment)]
    return Reply(200, {**answer, "usage": usage})


def short_transcription(text, form):
    """In the format `json`: no times."""
    tokens = max(1, len(text.split()))
    usage = {
        "type": "tokens",
        "input_tokens": 14,
        "input_token_details": {"text_tokens": 10, "audio_tokens": 4},
        "output_tokens": tokens,
        "total_tokens": 14 + tokens,
    }
    answer = {"text": text, "usage": usage}
    if "logprobs" in form.get("include", []):
        answer["logprobs"] = [{"token": t, "logprob": -0.1, "bytes": list(t.encode())} for t in text.split()]
    return answer


def numbered(number, segment):
    known = {"tokens": [50364], "temperature": 0.0, "avg_logprob": -0.2, "compression_ratio": 1.2, "no_speech_prob": 0.01}
    return {"id": number, "seek": 0, **known, **segment, "text": " " + segment["text"]}


def words(segment):
    """As OpenAI spells them: without punctuation; each takes the same time."""
    words = [word for word in (re.sub(r"^\W+|\W+$", "", token) for token in segment["text"].split()) if word]
    step = (segment["end"] - segment["start"]) / max(1, len(words))
    return [
        {"word": word, "start": round(segment["start"] + i * step, 2), "end": round(segment["start"] + (i + 1) * step, 2)}
        for i, word in enumerate(words)
    ]


def completion(content, request):
    """The reply with this content of the message."""
    if isinstance(content, Reply):
        return content
    return Reply(200, chat_completion(content, request.json["model"], len(request.body) // 4))


def chat_completion(content, model, tokens=10, finish_reason="stop", refusal=None):
    """OpenAI's answer around a message's content."""
    used = max(1, len(content or "") // 4)
    return {
        "id": "chatcmpl-" + hashlib.sha256(repr((content, model)).encode()).hexdigest()[:29],
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": refusal, "annotations": []},
                "logprobs": None,
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": tokens, "completion_tokens": used, "total_tokens": tokens + used},
    }
