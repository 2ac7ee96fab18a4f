"""Recordings that a phone or browser could have made, with some bytes changed: `python mutated_media.py FOLDER FIRST COUNT`.

Writes the mutants FIRST … FIRST + COUNT - 1 and prints the name and content type of each: m4a, webm, caf and amr in turn. A mutant is the same in
every run, whichever others are written with it, as long as ffmpeg encodes the same.
"""

import os
import random
import sys

from costly_kinds import sound
from hostile_amr import NARROW, WIDE, frames

AAC = ("-c:a", "aac", "-ar", "16000", "-b:a", "24k")
OPUS = ("-c:a", "libopus", "-b:a", "24k")
TONE = {"source": "sine=r=48000"}

# Two of each: of phones and of browsers, with a table and without, of narrow and of wide speech.
ORIGINALS = {
    "audio/mp4": [
        lambda: sound("m4a", *AAC, "-movflags", "+faststart", **TONE),
        lambda: sound("mp4", *AAC, "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "200000", **TONE),
    ],
    "audio/webm": [lambda: sound("webm", *OPUS, **TONE), lambda: sound("webm", *OPUS, "-live", "1", **TONE)],
    "audio/x-caf": [
        lambda: sound("caf", "-c:a", "alac", "-ar", "16000", **TONE),
        lambda: sound("caf", "-c:a", "pcm_s16be", "-ar", "8000", **TONE),
    ],
    "audio/amr": [lambda: NARROW + frames(0, 12, 50), lambda: WIDE + frames(0, 17, 50)],
}
WILD = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


def place(noise, data):
    """Every second time in the first kilobyte, where the tables are."""
    return noise.randrange(4, max(5, min(1024, len(data)) if noise.random() < 0.5 else len(data)))


def change(noise, data):
    at = place(noise, data)
    size = noise.choice((1, 2, 4, 8, 64, 1024))
    way = noise.randrange(8)
    if way < 3:
        data[at : at + 1] = noise.randbytes(1)
    elif way == 3:
        width = noise.choice((1, 2, 4, 8))
        data[at : at + width] = (noise.choice(WILD) & (1 << 8 * width) - 1).to_bytes(width, noise.choice(("big", "little")))
    elif way == 4:
        del data[at : at + size]
    elif way == 5:
        data[at:at] = noise.randbytes(size)
    elif way == 6:
        data[at:at] = data[at : at + size] * noise.choice((1, 2, 50))
    else:
        del data[max(64, len(data) - size) :]


def mutant(number):
    """Its content type and bytes."""
    noise = random.Random(20_260_101 + number)
    content_type = list(ORIGINALS)[number % 4]
    data = bytearray(ORIGINALS[content_type][number // 4 % 2]())
    for _ in range(noise.choice((1, 1, 2, 4, 8, 24))):
        change(noise, data)
    return content_type, bytes(data)


if __name__ == "__main__":
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(first, first + count):
        content_type, data = mutant(number)
        name = f"mutant-{number}"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        print(name, content_type)
