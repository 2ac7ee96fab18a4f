"""Answers of speech and text servers with faults, in which a reader still finds the words: `python mutated_answers.py NUMBER` prints one.

Even numbers are answers of speech servers, odd ones of language models. An answer is the same in every run, whichever others are made with it. Its
first fault is the one whose turn it is, so that 72 answers in a row have them all; up to two more, of other places, come by chance.
"""

import copy
import dataclasses
import json
import random
import re
import sys

SEED = 20_260_301
NEWLINE, TAB, ESCAPE, NUL, LATIN, SAME = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004", "\ue005"
RAW = {NEWLINE: b"\n", TAB: b"\t", ESCAPE: b"\x1b", NUL: b"\0", LATIN: b"\xfc"}
"""Signs in texts and the bytes that they become, as they are, in the answer. `SAME` at the end of a name is dropped: so a name is there twice."""
SPOKEN = {
    "english": {
        "who": [
            "My sister",
            "Our neighbour",
            "The old teacher",
            "Clara",
            "The postman",
            "My cousin Théo",
            "Grandfather",
            "The whole family",
        ],
        "did": ["walked to", "photographed", "waited at", "painted", "described", "drove past", "talked about", "dreamed of"],
        "what": [
            "the harbour",
            "a café",
            "the red bridge",
            "that tiny museum",
            "the garden",
            "the naïve picture",
            "an empty station",
            "Zürich",
        ],
        "when": [
            "this morning",
            "after lunch",
            "in the rain",
            "before sunset",
            "on Sunday",
            "with the dog",
            "during the break",
            "quite happily",
        ],
    },
    "german": {
        "who": [
            "Meine Schwester",
            "Unser Nachbar",
            "Die alte Lehrerin",
            "Clara",
            "Der Briefträger",
            "Großvater",
            "Die ganze Familie",
            "Jürgen",
        ],
        "did": ["besuchte", "fotografierte", "malte", "beschrieb", "suchte", "fand", "zeichnete", "kannte"],
        "what": ["den Hafen", "ein Café", "die rote Brücke", "das kleine Museum", "den Garten", "ein Gemälde", "den Bahnhof", "Zürich"],
        "when": [
            "heute früh",
            "nach dem Essen",
            "im Regen",
            "vor der Dämmerung",
            "am Sonntag",
            "mit dem Hund",
            "in der Pause",
            "ganz fröhlich",
        ],
    },
    "french": {
        "who": ["Ma sœur", "Notre voisin", "La vieille institutrice", "Clara", "Le facteur", "Mon grand-père", "Toute la famille", "Théo"],
        "did": ["visitait", "photographiait", "peignait", "décrivait", "cherchait", "trouvait", "dessinait", "connaissait"],
        "what": ["le port", "un café", "le pont rouge", "le petit musée", "le jardin", "un tableau naïf", "la gare", "Zürich"],
        "when": [
            "ce matin",
            "après le déjeuner",
            "sous la pluie",
            "avant la nuit",
            "dimanche",
            "avec le chien",
            "pendant la pause",
            "très vite",
        ],
    },
}
SHORT = {"english": "en", "german": "de", "french": "fr"}
WRONG = [None, "N/A", -1, 999, [], {}, "", True, "none", [None], {"value": None}, 1e300, "2"]
PLACEHOLDERS = [-1, -1.0, 0, None, "N/A", 999]
NEEDED = {"text", "segments", "transcription", "chunks", "result", "choices", "message", "content"}
"""Members that have the words."""


class Token(str):
    """Written as it is."""


@dataclasses.dataclass
class Answer:
    number: int
    stage: str
    server: str
    mutations: list
    body: bytes
    content_type: str
    words: list
    """Those that a reader finds, folded, in order."""
    most: int
    """No more words than these: none is there twice."""
    raw: str = ""
    clean: str = ""


def folded(text):
    return re.findall(r"\w+", (text or "").casefold().replace("'", "").replace("’", ""))


class Draft:
    """An answer while it is made."""

    def __init__(self, noise, number):
        self.noise, self.number = noise, number
        self.language = noise.choice(list(SPOKEN))
        pool = SPOKEN[self.language]
        parts = {name: noise.sample(pool[name], 6) for name in pool}
        self.sentences = [" ".join(parts[name][i] for name in pool) + "." for i in range(noise.choice((1, 2, 3, 4, 6)))]
        self.seconds = 2.0 * len(self.sentences)
        self.broken, self.late, self.style = set(), [], {"ascii": noise.random() < 0.5}
        self.content_type, self.answer, self.object = "application/json", {}, {}
        self.said, self.ends = self.text, b""
        self.inner, self.outer, self.form = [], [], lambda text: text
        """What becomes of the text of a model's object, of that and what is around it, and of the content."""

    @property
    def text(self):
        return " ".join(self.sentences)

    def words(self):
        return [word for word in folded(self.said) if word not in self.broken]


# Speech servers.


def times(draft):
    return [(i * 2.0, i * 2.0 + 1.9) for i in range(len(draft.sentences))]


def words_of(draft, scored=None):
    made = []
    for (start, end), sentence in zip(times(draft), draft.sentences, strict=True):
        tokens = [token.strip(".,") for token in sentence.split()]
        step = (end - start) / len(tokens)
        for i, token in enumerate(tokens):
            score = {scored: round(draft.noise.uniform(0.6, 1), 3)} if scored else {}
            made.append({"word": token, "start": round(start + i * step, 2), "end": round(start + (i + 1) * step, 2), **score})
    return made


def segments(draft, blank=" ", **members):
    known = {"seek": 0, "tokens": [50364, 50414], "temperature": 0.0}
    made = []
    for i, ((start, end), sentence) in enumerate(zip(times(draft), draft.sentences, strict=True)):
        measures = {"avg_logprob": -0.21 - i / 100, "compression_ratio": 1.2 + i / 50, "no_speech_prob": 0.01 + i / 1000}
        made.append({"id": i, **known, "start": start, "end": end, "text": blank + sentence, **measures, **members})
    return made


def verbose(draft, **members):
    whole = {"task": "transcribe", "language": draft.language, "duration": draft.seconds, "text": draft.text}
    return {**whole, "segments": segments(draft), **members}


def openai_verbose(draft):
    return verbose(draft, words=words_of(draft), usage={"type": "duration", "seconds": int(draft.seconds)})


def openai_json(draft):
    tokens = [{"token": token, "logprob": -0.11, "bytes": list(token.encode())} for token in draft.text.split()]
    usage = {"type": "tokens", "input_tokens": 14, "output_tokens": len(tokens), "total_tokens": 14 + len(tokens)}
    return {"text": draft.text, "logprobs": tokens, "usage": usage}


def openai_diarized(draft):
    made = [
        {"type": "transcript.text.segment", "id": f"seg_{i:03}", "start": start, "end": end, "text": sentence, "speaker": "AB"[i % 2]}
        for i, ((start, end), sentence) in enumerate(zip(times(draft), draft.sentences, strict=True))
    ]
    return {"task": "transcribe", "duration": draft.seconds, "text": draft.text, "segments": made}


def speaches(draft):
    whole = verbose(draft, words=None)
    whole["language"] = SHORT[draft.language]
    return {**whole, "segments": segments(draft, words=None)}


def whisper_cpp(draft):
    whole = verbose(draft, detected_language=draft.language, detected_language_probability=0.98, language_probabilities={"en": 0.98})
    for one in whole["segments"]:
        step = 1.9 / len(one["text"].split())
        one["words"] = [
            {"word": f" {token}", "start": one["start"] + i * step, "end": one["start"] + (i + 1) * step, "t_dtw": -1, "probability": 0.91}
            for i, token in enumerate(one["text"].split())
        ]
    return {**whole, "text": "".join(f"{one['text']}\n" for one in whole["segments"])}


def vllm(draft):
    whole = verbose(draft, usage=None)
    for one in whole["segments"]:
        one.update(avg_logprob=-1.0, compression_ratio=-1.0, no_speech_prob=-1.0)
    return {**whole, "duration": str(draft.seconds)}


def local_ai(draft):
    made = [
        {"id": i, "start": int(start * 1e9), "end": int(end * 1e9), "text": sentence, "tokens": [50364]}
        for i, ((start, end), sentence) in enumerate(zip(times(draft), draft.sentences, strict=True))
    ]
    return {"segments": made, "text": draft.text}


def groq(draft):
    return verbose(draft, words=words_of(draft), x_groq={"id": "req_01jq2n"})


def azure(draft):
    return verbose(draft, words=words_of(draft), content_filter_results=None)


def whisperx(draft):
    made = [
        {"start": start, "end": end, "text": " " + sentence, "words": [], "speaker": "SPEAKER_00"}
        for (start, end), sentence in zip(times(draft), draft.sentences, strict=True)
    ]
    return {"segments": made, "word_segments": words_of(draft, "score"), "language": SHORT[draft.language]}


def cloudflare(draft):
    made = [{"start": start, "end": end, "text": one} for (start, end), one in zip(times(draft), draft.sentences, strict=True)]
    result = {"text": draft.text, "word_count": len(draft.text.split()), "segments": made}
    return {"result": result, "success": True, "errors": [], "messages": []}


def hugging_face(draft):
    made = [{"timestamp": list(pair), "text": " " + one} for pair, one in zip(times(draft), draft.sentences, strict=True)]
    return {"text": " " + draft.text, "chunks": made}


SPEECH = {
    "OpenAI, verbose_json": openai_verbose,
    "OpenAI, json": openai_json,
    "OpenAI, diarized_json": openai_diarized,
    "Speaches": speaches,
    "whisper.cpp": whisper_cpp,
    "vLLM": vllm,
    "LocalAI": local_ai,
    "Groq": groq,
    "Azure": azure,
    "WhisperX": whisperx,
    "Cloudflare": cloudflare,
    "Hugging Face": hugging_face,
}

# Language models. The content is put in when all else is done.


def chat(draft, message=None, choice=None, **members):
    made = {"role": "assistant", "content": None, **(message or {})}
    whole = {"id": f"chatcmpl-{draft.number}", "object": "chat.completion", "created": 1_772_000_000, "model": "a-model"}
    usage = {"prompt_tokens": 210, "completion_tokens": 40, "total_tokens": 250}
    choices = [{"index": 0, "message": made, "finish_reason": "stop", **(choice or {})}]
    return {**whole, "choices": choices, "usage": usage, **members}


TEXT = {
    "OpenAI, chat": lambda draft: chat(draft, {"refusal": None, "annotations": []}, {"logprobs": None}, system_fingerprint="fp_1"),
    "Azure, chat": lambda draft: chat(draft, choice={"content_filter_results": {"hate": {"filtered": False}}}, prompt_filter_results=[]),
    "Ollama": lambda draft: chat(draft, system_fingerprint="fp_ollama"),
    "LM Studio": lambda draft: chat(draft, {"reasoning_content": ""}, {"logprobs": None}, stats={}, system_fingerprint="a-model"),
    "vLLM, chat": lambda draft: chat(draft, {"reasoning_content": None, "tool_calls": []}, {"stop_reason": None}, prompt_logprobs=None),
    "Groq, chat": lambda draft: chat(draft, choice={"logprobs": None}, x_groq={"id": "req_01"}, usage_breakdown=None),
    "OpenRouter": lambda draft: chat(draft, {"refusal": None, "reasoning": "Short."}, {"native_finish_reason": "STOP"}, provider="Some"),
    "llama.cpp": lambda draft: chat(draft, timings={"prompt_n": 210, "predicted_ms": 812.5}, system_fingerprint="b4501"),
    "DeepSeek": lambda draft: chat(draft, {"reasoning_content": "The fillers {um} go."}, {"logprobs": None}),
    "MiniMax": lambda draft: chat(draft, {"audio_content": ""}, input_sensitive=False, base_resp={"status_code": 0, "status_msg": ""}),
    "Mistral": lambda draft: chat(draft, {"tool_calls": None, "prefix": False}),
}

# Faults of members.


def places(value, within=()):
    """The path of every member but those that have the words, and those in the arrays of these."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in NEEDED:
                yield (*within, name)
            yield from places(inner, (*within, name))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*within, i))


def holder(draft, path):
    value = draft.answer
    for step in path[:-1]:
        value = value[step]
    return value


PROTECTED = {"finish_reason", "refusal", "role", "errors", "success", "word", "tool_calls", "status_code", "filtered"}
"""What says whether there is an answer, and what has its words."""


def harmless(draft, kinds=None):
    """Paths of members that are not needed, of these types."""
    found = [path for path in places(draft.answer) if path[-1] not in PROTECTED]
    values = [holder(draft, path)[path[-1]] for path in found]
    return [
        path for path, value in zip(found, values, strict=True) if not kinds or (isinstance(value, kinds) and not isinstance(value, bool))
    ]


def set_some(draft, values, kinds=None):
    paths = harmless(draft, kinds)
    chosen = draft.noise.sample(paths, min(len(paths), draft.noise.choice((1, 1, 2, 4))))
    if chosen and draft.noise.random() < 0.3:
        chosen = [path for path in paths if path[-1] == chosen[0][-1]]
    value = draft.noise.choice(values)
    for path in chosen:
        try:
            there = holder(draft, path)
            there[path[-1]] = value(there[path[-1]]) if callable(value) else copy.deepcopy(value)
        except (KeyError, TypeError, IndexError):
            # What had it was changed before.
            continue


def with_segments(draft):
    """The object that has segments with texts, and their name there."""
    whole = draft.answer.get("result", draft.answer) if isinstance(draft.answer, dict) else {}
    return next(((whole, name) for name in ("segments", "chunks") if isinstance(whole, dict) and whole.get(name)), (None, None))


def types(draft):
    set_some(draft, WRONG)


def nulls(draft):
    set_some(draft, [None])


def no_numbers(draft):
    set_some(draft, [Token("NaN"), Token("Infinity"), Token("-Infinity")], (int, float))


def odd_numbers(draft):
    set_some(
        draft,
        [Token("nan"), Token("-nan"), Token("-.5"), Token("1."), Token("+1"), Token("-1e999"), Token("18446744073709551616")],
        (int, float),
    )


def number_texts(draft):
    set_some(draft, [str], (int, float))


def missing(draft):
    paths = harmless(draft)
    for path in draft.noise.sample(paths, min(len(paths), 3)):
        try:
            del holder(draft, path)[path[-1]]
        except (KeyError, TypeError, IndexError):
            continue


def unknown(draft):
    more = {"x_request": {"id": "r-1", "hops": [[["a"], {}], None]}, "warnings": [], "debug": None, "model": "large-v3", "ok": True}
    for name in draft.noise.sample(list(more), 2):
        draft.answer.setdefault(name, more[name])


def twice(draft):
    """A member of the same name and value; of those that are not needed also with another."""
    name = draft.noise.choice([name for name in draft.answer if name not in PROTECTED])
    first = copy.deepcopy(draft.answer[name]) if name in NEEDED or draft.noise.random() < 0.5 else draft.noise.choice(WRONG)
    draft.answer = {name + SAME: first, **draft.answer}


def shuffled(draft):
    def mixed(value):
        if isinstance(value, dict):
            names = list(value)
            draft.noise.shuffle(names)
            return {name: mixed(value[name]) for name in names}
        return [mixed(inner) for inner in value] if isinstance(value, list) else value

    draft.answer = mixed(draft.answer)


def placeholders(draft):
    value = draft.noise.choice(PLACEHOLDERS)
    whole, name = with_segments(draft)
    for one in whole[name]:
        one.update(avg_logprob=value, compression_ratio=value, no_speech_prob=value)


def no_times(draft):
    value = draft.noise.choice([None, "N/A", -1, 0, "0.0", "00:00:01.500"])
    whole, name = with_segments(draft)
    for one in whole[name]:
        one.update(start=value, end=value)


def own_clocks(draft):
    """Each piece of the recording begins at 0."""
    whole, name = with_segments(draft)
    for i, one in enumerate(whole[name]):
        one.update(start=(i % 2) * 2.0, end=(i % 2) * 2.0 + 1.9)


def reversed_ids(draft):
    whole, name = with_segments(draft)
    for i, one in enumerate(reversed(whole[name])):
        one["id"] = draft.noise.choice((i, 0))


def no_text(draft):
    whole, _ = with_segments(draft)
    if draft.noise.random() < 0.5:
        whole.pop("text", None)
    else:
        whole["text"] = draft.noise.choice((None, ""))


def no_segments(draft):
    whole, name = with_segments(draft)
    if draft.noise.random() < 0.3:
        del whole[name]
    else:
        whole[name] = draft.noise.choice((None, [], {}, "none"))


def fewer_segments(draft):
    """The text says more than they do."""
    whole, name = with_segments(draft)
    del whole[name][draft.noise.randrange(len(whole[name]))]


def empty_segments(draft):
    whole, name = with_segments(draft)
    for one in whole[name]:
        one["text"] = draft.noise.choice(("", None))


def no_words(draft):
    value = draft.noise.choice([None, [], {}, "none", draft.text.split(), [None], 0])
    whole, name = with_segments(draft)
    if draft.noise.random() < 0.5:
        whole["words"] = value
    else:
        for one in whole[name]:
            one["words"] = value


def in_array(draft):
    draft.answer = [draft.answer]


def choice_of(draft):
    return draft.answer["choices"][0]


def finish(draft):
    choice_of(draft)["finish_reason"] = draft.noise.choice((None, "", "STOP", "eos_token", "end_turn", "stop_sequence"))


def no_role(draft):
    choice_of(draft)["message"].pop("role")
    choice_of(draft).pop("index", None)


def no_refusal(draft):
    choice_of(draft)["message"]["refusal"] = draft.noise.choice(("", None))


def no_usage(draft):
    draft.answer["usage"] = draft.noise.choice(
        (None, {}, "n/a", [], {"prompt_tokens": "210"}, {"prompt_tokens": -1, "completion_tokens": None})
    )


# Faults within the words, and beside them.


def pair(draft):
    """Two words that follow each other."""
    words = draft.noise.choice(draft.sentences).split()
    at = draft.noise.randrange(len(words) - 1)
    return words[at], words[at + 1]


def between(draft, sign):
    """Puts this between two words, wherever the answer has them."""
    first, second = pair(draft)
    change(draft, f"{first} {second}", f"{first}{sign}{second}")


def change(draft, old, new):
    def changed(value):
        if isinstance(value, dict):
            return {name: changed(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [changed(inner) for inner in value]
        return value.replace(old, new) if isinstance(value, str) and not isinstance(value, Token) else value

    draft.answer = changed(draft.answer)
    draft.object = changed(draft.object)


def raw_controls(draft):
    between(draft, draft.noise.choice((NEWLINE, TAB, f" {ESCAPE}", f"{NUL} ")))


def escaped_controls(draft):
    between(draft, draft.noise.choice(("\u0000 ", "\n", "\r\n", "\u2028", "\u001b ")))


def surrogates(draft):
    draft.style["ascii"] = True
    between(draft, draft.noise.choice(("\ud83d ", " \udc4d", " \ud83d\ud83d ", " \udc4d\ud83d ")))


def latin(draft):
    """A word in Latin-1, of which a reader of UTF-8 sees the rest."""
    word = draft.noise.choice([word for word in draft.noise.choice(draft.sentences).split()[:-1] if len(word) > 4])
    at = draft.noise.randrange(1, len(word))
    draft.broken.update(folded(word))
    change(draft, word, word[:at] + LATIN + word[at:])


def beside(draft, sign):
    draft.answer["model"] = f"gro{sign}"


def latin_beside(draft):
    beside(draft, LATIN)


def controls_beside(draft):
    beside(draft, draft.noise.choice((NEWLINE, ESCAPE, NUL, "\u0000")))


def surrogates_beside(draft):
    draft.style["ascii"] = True
    beside(draft, draft.noise.choice(("\ud83d", "\udc4d")))


# Faults of the document.


def late(change):
    """A change of the bytes."""
    return lambda draft: draft.late.append(lambda body: change(draft, body))


def commas(draft):
    draft.style["comma"] = True


def blanks(draft, body):
    return draft.noise.choice((b"\n", b" \t\r\n", b"\r\n\r\n")) + body + draft.noise.choice((b"", b"\n", b"  \n\n"))


def garbage(draft, body):
    return body + draft.noise.choice((b"\0", b"\nINFO: 127.0.0.1 - 200 OK\n", b"}", b"]}", b"\n<!-- 0.21 s -->", b";", b"\xff\xfe"))


def second_document(draft, body):
    return body + draft.noise.choice(
        (b'{"done": true}', b"\n{}\n", b"\nnull", b'\n{"status": "ok", "usage": {"seconds": 2}}\n', b'\n{"text": ""}\n')
    )


def cut(draft, body):
    """Off within a member behind the words, which are put first."""
    return body[: draft.noise.randrange(body.index(draft.ends) + len(draft.ends), len(body))]


def cut_off(draft):
    draft.style["first"] = True
    draft.late.append(lambda body: cut(draft, body))


def content_type(draft):
    kinds = (
        "text/html; charset=utf-8",
        "text/plain",
        "application/octet-stream",
        "application/json; charset=iso-8859-1",
        "text/json",
    )
    draft.content_type = draft.noise.choice(kinds)


# Faults of what a model writes.

THOUGHTS = (
    "The fillers go, the words stay.",
    "\n\n",
    "What about {um}? The answer is {clean_text: string}.",
    'A draft: {"clean_text": "I won the lottery."} No, that is invented.',
)


def fence(draft):
    name, end = draft.noise.choice(("json", "", "JSON")), draft.noise.choice(("\n```", "```", "\n```\n", ""))
    draft.outer.append(lambda text: f"```{name}\n{text}{end}")


def thoughts(draft):
    before, after = draft.noise.choice((("<think>", "</think>\n\n"), ("", "\n</think>\n"), ("<think>\n", "\n</think>")))
    thought = draft.noise.choice(THOUGHTS)
    draft.outer.append(lambda text: f"{before}{thought}{after}{text}")


def sentences_around(draft):
    before = draft.noise.choice(("Here is the cleaned transcript:\n\n", "Sure! ", "Output {as JSON}:\n"))
    after = draft.noise.choice(("", "\n\nI removed the fillers {um, uh}.", "\n\nLet me know if you need more!"))
    draft.outer.append(lambda text: before + text + after)


def template_tokens(draft):
    before, after = draft.noise.choice(
        (("", "<|im_end|>"), ("", "</s>"), ("", "<|eot_id|>"), ("<|channel|>final<|message|>", "<|return|>"), ("\ufeff", ""))
    )
    draft.outer.append(lambda text: before + text + after)


def array_around(draft):
    draft.outer.append(lambda text: f"[{text}]")


def nested(draft):
    name = draft.noise.choice(("diary_entry", "response", "answer", "cleaned"))
    draft.outer.append(lambda text: f'{{"{name}": {text}}}')


def parts_of_content(draft):
    def parted(text):
        at = draft.noise.choice([i for i, sign in enumerate(text) if sign == " "])
        thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "The fillers go."}]}
        whole = [{"type": "text", "text": text}]
        halves = [{"type": "text", "text": text[:at]}, {"type": "text", "text": text[at:]}]
        return draft.noise.choice((whole, halves, [thinking, *whole], [{**whole[0], "annotations": None}]))

    draft.form = parted


def comma_in_object(draft):
    draft.inner.append(lambda text: text[:-1] + draft.noise.choice((",}", ",\n}", " , }")))


def line_end_in_text(draft):
    between(draft, NEWLINE)


def tokens_in_object(draft):
    draft.object["confidence"] = Token(draft.noise.choice(("NaN", "Infinity", "-Infinity")))


def more_in_object(draft):
    draft.object = {"reasoning": "The fillers {um} go.", **draft.object, "changes": ["um"], "language": "en"}


def extras_of_other_types(draft):
    draft.object.update(
        title=draft.noise.choice((None, 7, [])),
        tags=draft.noise.choice(("lake", None, {})),
        key_points={},
        mood=draft.noise.choice((7, None)),
    )


def twice_in_object(draft):
    draft.object = {**draft.object, "clean_text" + SAME: draft.object["clean_text"]}


@dataclasses.dataclass
class Mutation:
    name: str
    place: str
    apply: object
    servers: tuple = ()
    """Those that can have it; empty for all."""


SEGMENTED = tuple(name for name in SPEECH if name != "OpenAI, json")
BOTH_LAYERS = tuple(name for name in SEGMENTED if name != "WhisperX")
MEASURED = ("OpenAI, verbose_json", "Speaches", "whisper.cpp", "vLLM", "Groq", "Azure")
WITH_WORDS = ("OpenAI, verbose_json", "Speaches", "Groq", "Azure")
FLAT = tuple(name for name in SPEECH if name != "Cloudflare")

OF_MEMBERS = [
    Mutation("types of members", "members", types),
    Mutation("nulls", "members", nulls),
    Mutation("NaN and Infinity", "members", no_numbers),
    Mutation("numbers that JSON has not", "members", odd_numbers),
    Mutation("numbers as texts", "members", number_texts),
    Mutation("members that are missing", "members", missing),
    Mutation("members that nobody knows", "more", unknown),
    Mutation("members that are there twice", "more", twice),
    Mutation("another order of members", "order", shuffled),
]
OF_DOCUMENTS = [
    Mutation("Latin-1 beside the words", "beside", latin_beside),
    Mutation("control characters beside the words", "beside", controls_beside),
    Mutation("half a surrogate beside the words", "beside", surrogates_beside),
    Mutation("commas before ends", "commas", commas),
    Mutation("a byte order mark", "start", late(lambda draft, body: b"\xef\xbb\xbf" + body)),
    Mutation("blanks around the document", "start", late(blanks)),
    Mutation("garbage after the document", "end", late(garbage)),
    Mutation("a second document", "end", late(second_document)),
    Mutation("cut off behind the words", "end", cut_off),
    Mutation("another content type", "type", content_type),
]
OF_SPEECH = [
    *OF_MEMBERS,
    *OF_DOCUMENTS,
    Mutation("placeholders as measures", "measures", placeholders, MEASURED),
    Mutation("no times", "times", no_times, MEASURED),
    Mutation("pieces that begin at 0", "times", own_clocks, (*MEASURED, "LocalAI", "WhisperX")),
    Mutation("ids in another order", "ids", reversed_ids, MEASURED),
    Mutation("no text beside the segments", "layers", no_text, MEASURED),
    Mutation("no segments beside the text", "layers", no_segments, BOTH_LAYERS),
    Mutation("a segment less than the text", "layers", fewer_segments, MEASURED),
    Mutation("segments without text", "layers", empty_segments, MEASURED),
    Mutation("words of another type", "words", no_words, WITH_WORDS),
    Mutation("an array around the document", "wrap", in_array, FLAT),
    Mutation("control characters in the words", "spoken", raw_controls),
    Mutation("escaped control characters in the words", "spoken", escaped_controls),
    Mutation("half a surrogate in the words", "spoken", surrogates),
    Mutation("Latin-1 in the words", "spoken", latin),
]
OF_TEXT = [
    *OF_MEMBERS,
    *OF_DOCUMENTS,
    Mutation("another finish_reason", "finish", finish),
    Mutation("neither role nor index", "role", no_role),
    Mutation("a refusal that is none", "refusal", no_refusal),
    Mutation("no usage", "usage", no_usage),
    Mutation("a fence", "around", fence),
    Mutation("thoughts before the object", "around", thoughts),
    Mutation("sentences around the object", "around", sentences_around),
    Mutation("tokens of a template", "around", template_tokens),
    Mutation("an array around the object", "around", array_around),
    Mutation("the object in another", "around", nested),
    Mutation("parts of content", "form", parts_of_content),
    Mutation("a comma before the object's end", "inner", comma_in_object),
    Mutation("a line's end in the text", "inner", line_end_in_text),
    Mutation("NaN in the object", "object", tokens_in_object),
    Mutation("more members in the object", "object", more_in_object),
    Mutation("extras of other types", "object", extras_of_other_types),
    Mutation("the text twice in the object", "object", twice_in_object),
]
LAST = ("order", "wrap", "type", "end")
"""Places that come after all others; an array around, and an order, have what the others made."""

# Writing.


def written(value, style):
    """JSON as the style has it: names that end with `SAME` without it, tokens as they are."""
    if isinstance(value, Token):
        return str(value)
    comma = "," if style.get("comma") else ""
    if isinstance(value, dict):
        members = [f"{quoted(name.removesuffix(SAME), style)}: {written(inner, style)}" for name, inner in value.items()]
        return "{" + ", ".join(members) + (comma if members else "") + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(inner, style) for inner in value) + (comma if value else "") + "]"
    return quoted(value, style) if isinstance(value, str) else json.dumps(value)


def quoted(text, style):
    return json.dumps(text, ensure_ascii=style["ascii"])


def as_bytes(text):
    body = text.encode("utf-8", "surrogatepass")
    for sign, raw in RAW.items():
        body = body.replace(sign.encode(), raw).replace(b"\\u%04x" % ord(sign), raw)
    return body


def words_first(value):
    """With the members that have the words before all others."""
    if isinstance(value, dict):
        order = ["text", *sorted(NEEDED - {"text"})]
        names = sorted(value, key=lambda name: order.index(name.removesuffix(SAME)) if name.removesuffix(SAME) in order else len(order))
        return {name: words_first(value[name]) for name in names}
    return [words_first(inner) for inner in value] if isinstance(value, list) else value


def end_of(draft, value):
    """The bytes of the text behind which there are no more words."""
    whole = value[0] if isinstance(value, list) else value
    whole = whole["result"] if "result" in whole else whole
    if "choices" in whole:
        text = whole["choices"][0]["message"]["content"]
    else:
        text = whole.get("text") or whole["segments"][-1]["text"]
    return as_bytes(quoted(text, draft.style))


def chosen(noise, number, table, servers):
    """The server, and the mutations of different places: the one whose turn it is, and others by chance."""
    turn = number // 2
    picked = [table[turn % len(table)]]
    server = noise.choice(picked[0].servers or list(servers))
    for more in noise.sample(table, 6)[: noise.choice((0, 0, 1, 2))]:
        fits = (not more.servers or server in more.servers) and more.place not in {one.place for one in picked}
        if fits and compatible(more, picked):
            picked.append(more)
    return server, sorted(picked, key=lambda one: LAST.index(one.place) if one.place in LAST else -1)


def compatible(more, picked):
    """A layer that is gone leaves nothing to be changed or cut off there, and an order undoes that of a cut."""
    apart = [{"layers", "times"}, {"layers", "measures"}, {"layers", "ids"}, {"layers", "words"}, {"layers", "members"}, {"layers", "end"}]
    apart += [
        {"order", "end"},
        {"words", "members"},
        {"more", "members"},
        {"spoken", "layers"},
        {"more", "end"},
        {"form", "end"},
        {"spoken", "words"},
    ]
    return not any({more.place, one.place} in apart for one in picked)


def spoken(number, noise):
    draft = Draft(noise, number)
    server, mutations = chosen(noise, number, OF_SPEECH, SPEECH)
    draft.answer = SPEECH[server](draft)
    for mutation in mutations:
        mutation.apply(draft)
    return finished(draft, "speech", server, mutations)


def marker(number):
    """A word that no other answer has."""
    return "Lu" + "".join("bdfgklmnprst"[number // 12**i % 12] + "aeiou"[number // 12**i % 5] for i in (3, 2, 1, 0))


def cleaned(number, noise):
    draft = Draft(noise, number)
    server, mutations = chosen(noise, number, OF_TEXT, TEXT)
    draft.sentences.append(f"Hello {marker(number)}.")
    draft.said = clean = draft.text
    draft.answer, draft.object = TEXT[server](draft), {"clean_text": clean}
    for mutation in [one for one in mutations if one.place not in LAST]:
        mutation.apply(draft)
    # A line's end is raw in the model's JSON, and escaped in the server's.
    content = written(draft.object, draft.style | {"comma": False}).replace(NEWLINE, "\n").replace("\\ue000", "\n")
    for change in draft.inner + draft.outer:
        content = change(content)
    for name in {"choices", "choices" + SAME} & set(draft.answer):
        draft.answer[name][0]["message"]["content"] = draft.form(content)
    for mutation in [one for one in mutations if one.place in LAST]:
        mutation.apply(draft)
    made = finished(draft, "text", server, mutations)
    made.clean, made.raw = clean, re.sub(r"[.,]", "", clean)
    return made


def finished(draft, stage, server, mutations):
    value = draft.answer
    if draft.style.get("first"):
        value = words_first(value)
        draft.ends = end_of(draft, value)
    body = as_bytes(written(value, draft.style))
    for change in draft.late:
        body = change(body)
    names, most = [mutation.name for mutation in mutations], len(folded(draft.said)) + 2 * len(draft.broken)
    return Answer(draft.number, stage, server, names, body, draft.content_type, draft.words(), most)


def answer(number):
    noise = random.Random(SEED + number)
    return spoken(number, noise) if number % 2 == 0 else cleaned(number, noise)


if __name__ == "__main__":
    shown = answer(int(sys.argv[1]))
    print(shown.stage, shown.server, shown.mutations, shown.content_type, shown.words, sep="\n", file=sys.stderr)
    sys.stdout.buffer.write(shown.body + b"\n")
