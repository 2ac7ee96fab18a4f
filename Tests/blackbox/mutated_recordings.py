"""Recordings made at random of the building blocks of field_recordings.py, whose sound is known.

`python mutated_recordings.py FOLDER FIRST COUNT` writes the mutants FIRST … FIRST + COUNT - 1 and prints the name and words of each. A
mutant has the same sound and the same faults in every run, whichever others are made with it.
"""

import os
import random
import struct
import sys
from typing import NamedTuple

from field_recordings import (
    RATE,
    TYPES,
    UNREAD,
    Channel,
    Recording,
    alien,
    caf_lasting,
    caf_packets,
    encoded,
    ffmpeg,
    film,
    flac_lasting,
    fragments_from,
    lasting,
    mp3_lasting,
    ogg_from,
    put,
    slack,
    tracks,
    turned,
    wav_lasting,
    webm_lasting,
    with_numbers,
)

SEED = 20_261_200
CONTAINERS = {
    "wav": ("wav",),
    "mp3": ("mp3", "mp3 with tags"),
    "adts": ("adts",),
    "m4a": ("m4a", "fragments"),
    "mov": ("mov",),
    "webm": ("webm", "live webm"),
    "ogg": ("opus", "vorbis"),
    "flac": ("flac",),
    "caf": ("caf", "lossless caf"),
    "amr": ("amr",),
    "3gp": ("3gp",),
}
BOXED = ("m4a", "fragments", "mov", "3gp")
"""Forms of MP4."""
KINDS = {
    "wav": "HIJ",
    "mp3": "GHIJ",
    "adts": "GHJ",
    "m4a": "HIJK",
    "mov": "HIJK",
    "webm": "GHIJK",
    "ogg": "GHIJ",
    "flac": "GHIJ",
    "caf": "IJ",
    "amr": "GH",
    "3gp": "IJK",
}
"""What can be wrong with each: the letters of test_field_recordings.py."""
RATES = (16_000, 22_050, 24_000, 32_000, 44_100, 48_000)


class Mutant(NamedTuple):
    number: int
    kinds: str
    words: str
    recording: Recording

    @property
    def name(self):
        return f"{self.kinds} number {self.number} of seed {SEED}: {self.words}"


def passage(noise, steps=8):
    """No two steps beside each other are alike, and silence is inside only."""
    made = noise.choice("123")
    while len(made) < steps:
        made += noise.choice([level for level in "0123" if level != made[-1] and (level != "0" or len(made) < steps - 1)])
    return made if "3" in made else passage(noise, steps)


RELATIONS = {
    "alike": ((1, 0, 0), (1, 0, 0)),
    "the inverse": ((1, 0, 0), (-1, 0, 0)),
    "the inverse first": ((-1, 0, 0), (1, 0, 0)),
    "the inverse, weaker": ((1, 0, 0), (-0.8, 0, 0)),
    "the left alone": ((1, 0, 0), (0, 0, 0)),
    "the right alone": ((0, 0, 0), (1, 0, 0)),
    "the right far louder": ((0.04, 0, 0), (1, 0, 0)),
    "a quarter of a period": ((1, 0, 0), (1, 0.25, 0)),
    "half a period late": ((1, 0, 0), (1, 0, 0.01125)),
}
MURMURS = {
    "late": ((1, 0, 0), (1, 0, 0.009)),
    "the inverse, late": ((1, 0, 0), (-1, 0, 0.017)),
    "the inverse": ((1, 0, 0), (-1, 0, 0)),
}


class Part(NamedTuple):
    """Of a recording."""

    form: str
    passage: str
    rate: int
    relation: str
    """Of the second channel to the first; empty for one channel."""
    kind: str

    def make(self, more=()):
        relations = {**RELATIONS, **(MURMURS if self.kind == "murmur" else {})}
        each = relations[self.relation] if self.relation else ((1, 0, 0),)
        channels = tuple(Channel(self.passage, gain, turn, late, self.kind) for gain, turn, late in each)
        return encoded(self.form, channels, self.rate, more)

    @property
    def words(self):
        return f"{self.rate} Hz, {self.relation or 'one channel'}"


def parts(noise, form, kinds):
    """One, or several that change their format (G) or do not (H)."""
    kind = "murmur" if form == "amr" or noise.random() < 0.25 else "tone"
    relations = list(MURMURS if kind == "murmur" else RELATIONS)

    def format():
        rate = RATE if form in ("opus", "webm", "live webm") else noise.choice(RATES)
        if form == "amr":
            return 8_000, False
        return rate, "J" in kinds or noise.random() < 0.4

    formats = [format()] * (noise.choice((2, 2, 3)) if set("GH") & set(kinds) else 1)
    while "G" in kinds and form != "amr" and len(set(formats)) == 1:
        formats = [format() if at else formats[0] for at in range(len(formats))]
        if set(form.split()) & {"opus", "webm"}:
            formats = [(rate, at % 2 == 0) for at, (rate, _) in enumerate(formats)]
    made = []
    for rate, is_stereo in formats:
        relation = "" if not is_stereo else noise.choice(relations) if "J" in kinds else "alike" if kind == "tone" else "late"
        made.append(Part(form, passage(noise), rate, relation, kind))
    return made


def claim(noise, form, parts):
    """Words, and what does it to the bytes."""
    seconds = noise.choice((0, 0.3, 1, 2.5, 60, 9_000, 36_000))
    rate, frame = parts[0].rate, 1_152 if parts[0].rate >= 32_000 else 576
    width = 4 if parts[0].relation else 2
    later, bytes_a_second = noise.choice((7, 3_600, 40_000)), noise.choice((0, 1, 8_000, 0xFFFFFFFF))
    riff, other_rate = noise.choice((0, 36, 0xFFFFFFFF)), noise.choice((8_000, 44_100))
    if form == "wav":
        ways = {
            "no length": lambda data: wav_lasting(data, 0, riff),
            "the greatest length": lambda data: wav_lasting(data, 0xFFFFFFFF, 0xFFFFFFFF),
            f"{seconds} s": lambda data: wav_lasting(data, min(0xFFFFFF00, round(seconds * rate) * width)),
            "other bytes a second": lambda data: put(data, 28, struct.pack("<I", bytes_a_second)),
        }
    elif form.startswith("mp3"):
        ways = {f"{seconds} s": lambda data: mp3_lasting(data, round(seconds * rate / frame))}
    elif form == "flac":
        ways = {f"{seconds} s": lambda data: flac_lasting(data, round(seconds * rate))}
    elif form == "opus":
        ways = {f"times from {later} s on": lambda data: ogg_from(data, later)}
    elif form == "webm":
        ways = {
            f"{seconds} s": lambda data: webm_lasting(data, seconds),
            "another rate": lambda data: put(data, data.index(b"\xb5\x88") + 2, struct.pack(">d", other_rate)),
        }
    elif form == "live webm":
        ways = {
            f"times from {later} s on": lambda data: ffmpeg(
                [data], "-c", "copy", "-output_ts_offset", str(later), *("-f", "webm", "-live", "1")
            )
        }
    elif form == "caf":
        ways = {
            "no length": lambda data: caf_lasting(data, -1),
            f"{seconds + 60} s": lambda data: caf_lasting(data, round((seconds + 60) * rate * width)),
        }
    elif form == "lossless caf":
        ways = {f"{seconds + 60} s": lambda data: caf_packets(data, round((seconds + 60) * rate))}
    elif form == "fragments":
        ways = {f"times from {later} s on": lambda data: fragments_from(data, later)}
    else:
        ways = {
            f"{seconds} s": lambda data: lasting(data, seconds),
            "another rate": lambda data: put(data, data.index(b"mp4a", data.index(b"stsd")) + 28, struct.pack(">I", 8_000 << 16)),
        }
    words = noise.choice(list(ways))
    return f"states {words}", ways[words]


def with_tracks(noise, form, right):
    """The right one, and before and behind it some that no player takes. Words and bytes."""
    others = [
        noise.choice(("unknown", "unknown", "off" if form in ("m4a", "mov", "3gp") else "unknown")) for _ in range(noise.choice((1, 1, 2)))
    ]
    place = noise.randrange(len(others) + 1)
    order = [*others[:place], "right", *others[place:]]
    has_picture = form in ("m4a", "mov", "webm") and noise.random() < 0.3
    sounds = [right if what == "right" else passage(noise) for what in order]
    codecs = [noise.choice((b"apac", b"zv9a", b"iamx")) for _ in order]
    numbers = noise.sample(range(1, 9), len(order) + has_picture)

    def make():
        data = film(form, *sounds, codec="libvpx" if form == "webm" else "libx264") if has_picture else tracks(form, *sounds)
        if form in BOXED:
            data = turned(data, *[True] * has_picture, *(what != "off" for what in order))
            for at, what in enumerate(order):
                data = alien(data, at + has_picture, codecs[at]) if what == "unknown" else data
            return data if form == "fragments" else with_numbers(data, *numbers)
        pieces = data.split(b"A_OPUS", len(order))
        names = [b"A_APAC" if what == "unknown" else b"A_OPUS" for what in order]
        return pieces[0] + b"".join(name + piece for name, piece in zip(names, pieces[1:], strict=True))

    return ("a picture, " if has_picture else "") + ", ".join(order), make


def kinds_of(noise, number, container):
    """One or two. The next number of a container has its next kind, so that few show all."""
    first = KINDS[container][number // len(CONTAINERS) % len(KINDS[container])]
    kinds = {first, noise.choice(KINDS[container])}
    if "K" in kinds:
        return "IK" if "I" in kinds else "K"
    if "G" in kinds:
        kinds -= {"H"}
    if container == "wav" and "H" in kinds:
        # What is behind a length that is wrong may be another file, or not.
        kinds -= {"I"}
    return "".join(sorted(kinds))


def joined(form, parts, kinds, edit):
    if form == "amr" and "G" in kinds:
        modes = (7, 0, 4)
        each = [part.make((mode,)) for part, mode in zip(parts, modes, strict=False)]
        return each[0] + b"".join(data[6:] for data in each[1:])
    first, *rest = (part.make() for part in parts)
    return b"".join([edit(first), *rest])


def mutant(number):
    noise = random.Random(SEED + number)
    container = list(CONTAINERS)[number % len(CONTAINERS)]
    kinds, form = kinds_of(noise, number, container), noise.choice(CONTAINERS[container])
    if "I" in kinds:
        form = {"mp3": "mp3 with tags", "vorbis": "opus"}.get(form, form)
    if "K" in kinds:
        form = "webm" if container == "webm" else form
        right = passage(noise)
        words, make = with_tracks(noise, form, right)
        stated, edit = claim(noise, form, [Part(form, right, RATE, "", "tone")]) if "I" in kinds else ("", lambda data: data)
        recording = Recording(TYPES[form], lambda: edit(make()), [right])
        return Mutant(number, kinds, f"{form}: {words} {stated}".strip(), recording)
    each = parts(noise, form, kinds)
    stated, edit = claim(noise, form, each) if "I" in kinds else ("", lambda data: data)
    is_doubtful = len(each) > 1 and (form in BOXED or form == "flac" and "G" in kinds)
    recording = Recording(
        TYPES[form],
        lambda: joined(form, each, kinds, edit),
        [part.passage for part in each],
        max(slack(form, part.rate) for part in each),
        refusals=UNREAD if is_doubtful else frozenset(),
        kind=each[0].kind,
    )
    return Mutant(number, kinds, f"{form}: {'; '.join(part.words for part in each)} {stated}".strip(), recording)


if __name__ == "__main__":
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(first, first + count):
        made = mutant(number)
        name = f"mutant-{number}"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(made.recording.make())
        print(name, made.recording.content_type, made.kinds, made.words)
