"""What Whisper hears in a recording: where somebody speaks, in which of the offered languages, and the words with their times."""

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
PAUSES = VadOptions(min_silence_duration_ms=500, speech_pad_ms=100)
"""Finer than what the recogniser is given, so that a pause of half a second is none of the voice's time."""
QUIET_PEAK, LOUDEST_GAIN = 0.25, 30.0
"""The voice detector misses quiet voices; Whisper's features are the same at any loudness."""
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
        if not samples.size:
            return []
        return [seconds(chunk) for chunk in get_speech_timestamps(audible(samples), PAUSES)]

    def transcribe(self, samples, offered=(), hotwords=None, prompt=None):
        """A generator that yields after each window of half a minute, and returns the answer.

        offered: Whisper's codes of the languages that it may be; none stands for all.
        """
        duration = samples.size / RATE
        chunks = get_speech_timestamps(audible(samples), VadOptions()) if samples.size else []
        if not chunks:
            return {"language": None, "duration": duration, "text": "", "segments": [], "words": [], "voice": []}
        # As the library's own vad_filter does it; the language is looked for in what is heard, too.
        spoken = np.concatenate(collect_chunks(samples, chunks)[0])
        language, probability, found = self.language(spoken, [code for code in offered if code in self.model.supported_languages])
        yield
        heard, _ = self.model.transcribe(
            spoken,
            language=language,
            word_timestamps=True,
            condition_on_previous_text=False,
            hotwords=hotwords or None,
            initial_prompt=prompt or None,
        )
        voice = self.voice(samples)
        segments = []
        for segment in restore_speech_timestamps(heard, chunks, RATE):
            segments.append(timed(segment, voice))
            yield
        return {
            "language": language,
            "language_probability": probability,
            "detected_language": found,
            "duration": duration,
            "text": "".join(segment["text"] for segment in segments).strip(),
            "segments": segments,
            "words": [word for segment in segments for word in segment["words"]],
            "voice": voice,
        }

    def language(self, spoken, offered):
        """The most probable of the offered languages, with its probability, and the most probable of all."""
        if len(offered) == 1 or not self.model.model.is_multilingual:
            return (offered or ["en"])[0], None, None
        found, _, every = self.model.detect_language(spoken)
        every = dict(every)
        best = max(offered, key=lambda code: every.get(code, 0)) if offered else found
        return best, every.get(best), found


def audible(samples):
    """Louder, for the voice detector, where the recording is quiet."""
    peak = float(np.abs(samples).max(initial=0))
    return samples * min(QUIET_PEAK / peak, LOUDEST_GAIN) if 0 < peak < QUIET_PEAK else samples


def seconds(chunk):
    return {"start": round(chunk["start"] / RATE, 3), "end": round(chunk["end"] / RATE, 3)}


def timed(segment, voice):
    """The segment as OpenAI's verbose_json has it, with its words inside. Its times are those of the words: the model's own stretch over
    pauses that the voice detector removed."""
    words = [{"word": w.word, **spoken(w.start, w.end, voice), "probability": w.probability} for w in segment.words or []]
    answer = {key: getattr(segment, key) for key in KEYS_OF_SEGMENTS}
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
