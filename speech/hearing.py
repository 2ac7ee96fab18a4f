"""What Whisper hears in a recording: where somebody speaks, in which of the offered languages, and the words with their times."""

import math
import os

# Nothing is fetched, as the model is a folder, and nothing is reported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.transcribe import restore_speech_timestamps
from faster_whisper.vad import VadOptions, collect_chunks, get_speech_timestamps

RATE = 16_000
COMPUTE_TYPES = ("int8", "int8_float32")
VOICE = VadOptions(min_silence_duration_ms=500, speech_pad_ms=0)
"""Half a second without voice is none of its time."""
LONGEST_PAUSE, MARGIN = 2 * RATE, 2 * RATE // 5
"""In samples: pauses that the recogniser hears, and what it hears beside voice. The library's own (`VadOptions()`)."""
QUIET_PEAK, LOUDEST_GAIN = 0.25, 30.0
"""The voice detector misses quiet voices; Whisper's features are the same at any loudness."""
TEMPERATURES = (0.0, 0.2, 0.4)
"""The library goes on to 1.0, which takes minutes for noises that are like speech, and finds no words there."""
LONGEST_WORD = 2.0
"""Seconds. What is longer has a pause in it."""
KEYS_OF_SEGMENTS = ("id", "seek", "start", "end", "text", "tokens", "temperature", "avg_logprob", "compression_ratio", "no_speech_prob")


class Hearing:
    def __init__(self, folder, threads, name=None):
        """Raises RuntimeError when the processor has no fast arithmetic for the model: it would be many times slower and larger."""
        self.name = name or os.path.basename(os.path.normpath(folder))
        self.model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads, num_workers=1, local_files_only=True)
        self.compute_type = self.model.model.compute_type
        if self.compute_type not in COMPUTE_TYPES:
            raise RuntimeError(f"the processor cannot calculate in int8: {self.compute_type} would be used")

    def warm_up(self):
        """Decodes a second of noise: the first time allocates what later ones use."""
        noise = np.random.default_rng(1).normal(0, 0.01, RATE).astype(np.float32)
        list(self.model.transcribe(noise, language="en", without_timestamps=True, temperature=0)[0])

    def voice(self, samples):
        """Where somebody speaks: [{start, end}], in seconds."""
        return [seconds(span) for span in spans(samples)]

    def transcribe(self, samples, offered=(), hotwords=None, prompt=None):
        """A generator that yields after each window of half a minute, and returns the answer.

        offered: Whisper's codes of the languages that it may be; none stands for all.
        """
        found = spans(samples)
        answer = {"language": None, "duration": samples.size / RATE, "text": "", "segments": [], "words": []}
        answer["voice"] = [seconds(span) for span in found]
        if not found:
            return answer
        # As the library's own vad_filter does it, which tells nobody where it found voice.
        chunks = heard_chunks(found, samples.size)
        spoken = np.concatenate(collect_chunks(samples, chunks)[0])
        options = {
            "word_timestamps": True,
            "condition_on_previous_text": False,
            "temperature": TEMPERATURES,
            "best_of": 1,
            "hotwords": hotwords or None,
            "initial_prompt": prompt or None,
        }
        offered = [code for code in offered if code in self.model.supported_languages]
        heard, info = self.model.transcribe(spoken, language=offered[0] if len(offered) == 1 else None, **options)
        answer["language"] = info.language
        if every := dict(info.all_language_probs or ()):
            best = max(offered, key=lambda code: every.get(code, 0)) if offered else info.language
            answer.update(language=best, language_probability=every.get(best), detected_language=info.language)
            if best != info.language:
                heard, _ = self.model.transcribe(spoken, language=best, **options)
        yield
        for segment in restore_speech_timestamps(heard, chunks, RATE):
            answer["segments"].append(timed(segment, answer["voice"]))
            yield
        answer["text"] = "".join(segment["text"] for segment in answer["segments"]).strip()
        answer["words"] = [word for segment in answer["segments"] for word in segment["words"]]
        return answer


def spans(samples):
    """Where the detector finds voice: [{start, end}], in samples."""
    return get_speech_timestamps(audible(samples), VOICE) if samples.size else []


def heard_chunks(found, size):
    """The spans as the library's own options would find them."""
    chunks = []
    for span in found:
        if chunks and span["start"] - chunks[-1]["end"] < LONGEST_PAUSE:
            chunks[-1]["end"] = span["end"]
        else:
            chunks.append(dict(span))
    if chunks and size - chunks[-1]["end"] < LONGEST_PAUSE:
        chunks[-1]["end"] = size
    return [{"start": max(0, chunk["start"] - MARGIN), "end": min(size, chunk["end"] + MARGIN)} for chunk in chunks]


def audible(samples):
    """Louder, for the voice detector, where the recording is quiet."""
    peak = float(np.abs(samples).max(initial=0))
    return samples * min(QUIET_PEAK / peak, LOUDEST_GAIN) if 0 < peak < QUIET_PEAK else samples


def seconds(chunk):
    return {"start": round(chunk["start"] / RATE, 3), "end": round(chunk["end"] / RATE, 3)}


def timed(segment, voice):
    """The segment as OpenAI's verbose_json has it, with its words inside. Its times are those of the words: the model's own stretch over
    pauses that the voice detector removed."""
    words = [{"word": w.word, **spoken(w.start, w.end, voice), "probability": finite(w.probability)} for w in segment.words or []]
    answer = {key: finite(getattr(segment, key)) for key in KEYS_OF_SEGMENTS}
    if words:
        answer["start"], answer["end"] = words[0]["start"], max(w["end"] for w in words)
    return {**answer, "words": words}


def spoken(start, end, voice):
    """The times of a word without the silence that the model gives it: before the first word after a pause, and behind the last before one."""
    inside = [(max(start, v["start"]), min(end, v["end"])) for v in voice if v["start"] < end and v["end"] > start]
    if inside and end - start > LONGEST_WORD / 4:
        # Where most of it is.
        start, end = max(inside, key=lambda span: span[1] - span[0])
    return {"start": round(float(start), 3), "end": round(float(min(end, start + LONGEST_WORD)), 3)}


def finite(value):
    """JSON has no number for what is none."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
