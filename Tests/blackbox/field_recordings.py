"""Makes recordings of phones, browsers and dictation machines that are not as the books say, and knows the sound that is in them.

A passage is written in digits, one for each half second: `0` is silence, `3` a tone that is twelve decibels louder than `2`, and so on.
What a recording holds are its passages, one after the other, each once.
"""

import array
import functools
import io
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import wave
from collections.abc import Callable
from typing import NamedTuple

from costly_mp4 import MATRIX, box, full
from costly_streams import CRC
from recorder_forms import QUIET, amr

RATE = 48_000
STEP = 0.5
LEVELS = (0.0, 0.05, 0.2, 0.8)
ONE, TWO, THREE, DECOY = "30213123", "13203212", "21302313", "12121212"


UNREAD = frozenset({"media_unreadable", "media_unsupported"})
TOO_LONG = frozenset({"media_too_long", "media_limits_exceeded"})


# The sound


@functools.cache
def cycle(kind):
    """Samples between -1 and 1 that go on where they begin: a tone of 400 Hz, or a murmur of sixty tones."""
    if kind == "tone":
        return [math.sin(2 * math.pi * at / 120) for at in range(120)]
    noise, length = random.Random(48), RATE // 2
    sines = [math.sin(2 * math.pi * at / length) for at in range(length)]
    partials = [(hz // 2, noise.randrange(length)) for hz in noise.sample(range(200, 1800, 2), 60)]
    wild = [sum(sines[(at * number + turn) % length] for number, turn in partials) for at in range(length)]
    most = max(map(abs, wild))
    return [value / most for value in wild]


class Channel(NamedTuple):
    """What one channel of a recording holds."""

    passage: str
    gain: float = 1.0
    turn: float = 0.0
    """Of a period of the tone: half of one is the inverse."""
    late: float = 0.0
    """Seconds, as at a microphone that is further away."""
    kind: str = "tone"
    step: float = STEP

    def samples(self):
        period = cycle(self.kind)
        start = round(self.turn * len(period))
        period = period[start:] + period[:start]
        steps = {level: [round(32767 * LEVELS[int(level)] * self.gain * value) for value in period] for level in set(self.passage)}
        count, made = round(self.step * RATE), array.array("h", bytes(2 * round(self.late * RATE)))
        for level in self.passage:
            made.extend(array.array("h", steps[level]) * (count // len(period)))
        return made[: count * len(self.passage)]


def wav(*channels, rate=RATE):
    """A WAV of 16 bits. A channel may hold several passages, one after the other."""
    columns = []
    for channel in channels:
        parts = [part.samples() for part in ([channel] if isinstance(channel, Channel) else channel)]
        columns.append(sum(parts[1:], parts[0]))
    mixed = array.array("h", bytes(2 * sum(map(len, columns))))
    for at, column in enumerate(columns):
        mixed[at :: len(columns)] = column
    if sys.byteorder == "big":
        mixed.byteswap()
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(len(columns))
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(mixed.tobytes())
    return made.getvalue() if rate == RATE else ffmpeg([made.getvalue()], "-ar", str(rate), "-c:a", "pcm_s16le", "-bitexact", "-f", "wav")


def ffmpeg(inputs, *options, are_one=False):
    """What ffmpeg makes of these files; of `are_one` it takes the packets one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, str(number)) for number in range(len(inputs))]
        for name, data in zip(names, inputs, strict=True):
            with open(name, "wb") as file:
                file.write(data)
        made, listed = os.path.join(folder, "made"), os.path.join(folder, "list")
        if are_one:
            with open(listed, "w") as file:
                file.writelines(f"file '{name}'\n" for name in names)
            read = ["-f", "concat", "-safe", "0", "-i", listed]
        else:
            read = [word for name in names for word in ("-i", name)]
        subprocess.run([*QUIET, *read, *options, made], check=True, timeout=120)
        with open(made, "rb") as file:
            return file.read()


AAC, OPUS = ("-c:a", "aac"), ("-c:a", "libopus", "-b:a", "48k")
FORMS = {
    "adts": (*AAC, "-f", "adts"),
    "mp3": ("-c:a", "libmp3lame", "-b:a", "64k", "-f", "mp3", "-write_xing", "0", "-id3v2_version", "0"),
    "mp3 with tags": (
        "-c:a",
        "libmp3lame",
        "-b:a",
        "64k",
        "-f",
        "mp3",
        "-id3v2_version",
        "3",
        "-write_id3v1",
        "1",
        "-metadata",
        "title=Memo",
    ),
    "opus": (*OPUS, "-f", "ogg"),
    "vorbis": ("-c:a", "libvorbis", "-f", "ogg"),
    "webm": (*OPUS, "-f", "webm"),
    "live webm": (*OPUS, "-f", "webm", "-live", "1"),
    "flac": ("-c:a", "flac", "-f", "flac"),
    "m4a": (*AAC, "-f", "ipod"),
    "mov": (*AAC, "-f", "mov"),
    "3gp": (*AAC, "-f", "3gp"),
    "fragments": (*AAC, "-f", "mp4", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"),
    "caf": ("-c:a", "pcm_s16be", "-f", "caf"),
    "lossless caf": ("-c:a", "alac", "-f", "caf"),
}


class Recording(NamedTuple):
    content_type: str
    make: Callable[[], bytes]
    passages: list
    """None: it must be refused."""
    slack: float = 0.02
    """Seconds that an encoder adds to each passage."""
    quiet: float = 7
    """Decibels that the service's mix may be below the louder channel."""
    quiet_elsewhere: float = 0
    """More that the copy, and what an engine mixes by itself, may be below it."""
    refusals: frozenset = frozenset()
    step: float = STEP
    kind: str = "tone"


def slack(form, rate):
    """AAC and MP3 begin with up to two frames that are none of the sound, and fill their last one. Fragments of MP4 begin with one; other MP4
    says which it is."""
    return 2_048 / rate if form == "fragments" else 3_400 / rate if form in ("adts", "mp3", "mp3 with tags") else 0.02


TYPES = {
    "adts": "audio/aac",
    "mp3": "audio/mpeg",
    "mp3 with tags": "audio/mpeg",
    "opus": "audio/ogg",
    "vorbis": "audio/ogg",
    "webm": "audio/webm",
    "live webm": "audio/webm",
    "flac": "audio/flac",
    "m4a": "audio/mp4",
    "mov": "video/mp4",
    "3gp": "audio/3gpp",
    "fragments": "audio/mp4",
    "caf": "audio/x-caf",
    "lossless caf": "audio/x-caf",
    "wav": "audio/wav",
    "amr": "audio/amr",
}


@functools.cache
def encoded(form, channels, rate=RATE, more=()):
    if form == "wav":
        return wav(*channels, rate=rate)
    if form == "amr":
        return amr(wav(channels[0], rate=8_000)[44:], *more)
    return ffmpeg([wav(*channels)], "-ar", str(rate), *FORMS[form], *more)


def plain(form, passage, rate=RATE, channels=2, more=(), step=STEP):
    """The passage in each channel."""
    return encoded(form, (Channel(passage, step=step),) * channels, rate, more)


def tracks(form, *passages):
    """A file with a sound track of each. In MP4 all are turned on, of which ffmpeg turns on the first alone."""
    chosen = [word for number in range(len(passages)) for word in ("-map", f"{number}:a")]
    made = ffmpeg([wav(Channel(passage)) for passage in passages], *chosen, *FORMS[form])
    return turned(made, *[True] * len(passages)) if b"moov" in made else made


FILM = ("-f", "lavfi", "-i", "testsrc=s=64x64:r=5:d=4")


def film(form, *passages, codec):
    """The picture first."""
    chosen = [word for number in range(len(passages)) for word in ("-map", f"{number}:a")]
    sounds = [wav(Channel(passage)) for passage in passages]
    return ffmpeg(sounds, *FILM, "-map", f"{len(sounds)}:v", *chosen, "-c:v", codec, *FORMS[form])


# Bytes


def put(data, at, value):
    return data[:at] + value + data[at + len(value) :]


def replaced(data, old, new, count=1):
    assert old in data and len(old) == len(new)
    return data.replace(old, new, count)


def boxes(data, path, start=0, end=None):
    """Where the content of each box of this path begins: `moov/trak/tkhd`."""
    name, _, rest = path.partition("/")
    at, end = start, len(data) if end is None else end
    while at + 8 <= end:
        size = int.from_bytes(data[at : at + 4], "big") or end - at
        if data[at + 4 : at + 8] == name.encode():
            yield from boxes(data, rest, at + 8, at + size) if rest else [at + 8]
        at += size


ENTRY = "moov/trak/mdia/minf/stbl/stsd"


def alien(data, number=0, name=b"apac"):
    """The sound track of this number is in a codec that no decoder knows."""
    at = list(boxes(data, ENTRY))[number] + 12
    config = data.index(b"esds", at)
    return put(put(data, at, name), config, b"dapa")


def turned(data, *are_on):
    """Tracks that players take, and tracks that they leave."""
    for found, is_on in zip(boxes(data, "moov/trak/tkhd"), are_on, strict=True):
        data = put(data, found + 1, b"\0\0" + bytes([3 if is_on else 2]))
    return data


def lasting(data, seconds):
    """An MP4 whose headers state this length; the tables of its samples are true."""
    for path, at in (("moov/mvhd", 12), ("moov/trak/mdia/mdhd", 12)):
        for found in boxes(data, path):
            scale = int.from_bytes(data[found + at : found + at + 4], "big")
            data = put(data, found + at + 4, struct.pack(">I", min(round(seconds * scale), 0xFFFFFFFE)))
    scale = int.from_bytes(data[(found := next(boxes(data, "moov/mvhd"))) + 12 : found + 16], "big")
    for found in boxes(data, "moov/trak/tkhd"):
        data = put(data, found + 20, struct.pack(">I", min(round(seconds * scale), 0xFFFFFFFE)))
    return data


def aac_frames(adts):
    """The frames, and what a header of MP4 says of them."""
    found, at = [], 0
    profile, rate, channels = adts[2] >> 6, adts[2] >> 2 & 15, (adts[2] & 1) << 2 | adts[3] >> 6
    while at < len(adts):
        length = (adts[at + 3] & 3) << 11 | adts[at + 4] << 3 | adts[at + 5] >> 5
        found.append(adts[at + (7 if adts[at + 1] & 1 else 9) : at + length])
        at += length
    return found, struct.pack(">H", profile + 1 << 11 | rate << 7 | channels << 3)


def aac_entry(specific, rate, channels):
    config = b"\x04" + bytes([13 + 2 + len(specific)]) + b"\x40\x15" + bytes(11) + b"\x05" + bytes([len(specific)]) + specific
    esds = full(b"esds", b"\x03" + bytes([3 + len(config) + 3]) + b"\0\1\0" + config + b"\x06\x01\x02")
    return box(b"mp4a", bytes(6) + b"\0\1", bytes(8), struct.pack(">HHIHH", channels, 16, 0, rate, 0), esds)


class MovieTrack(NamedTuple):
    """Of AAC at 48 kHz; each chunk of frames has its own description."""

    entries: list
    chunks: list
    number: int
    duration: int = 1024


def movie(*tracks):
    """An MP4 as small recorders write it: sound, then its tables, and no edits."""
    ftyp, data, made = box(b"ftyp", b"M4A \0\0\2\0M4A isom"), b"", []
    for track in tracks:
        places, sizes, times = [], [], []
        for frames, duration in track.chunks:
            places.append(len(ftyp) + 8 + len(data))
            data += b"".join(frames)
            sizes += map(len, frames)
            times.append((len(frames), duration))
        total = sum(count * duration for count, duration in times)
        runs = b"".join(struct.pack(">III", at + 1, len(frames), at + 1) for at, (frames, _) in enumerate(track.chunks))
        stbl = box(
            b"stbl",
            full(b"stsd", struct.pack(">I", len(track.entries)), *track.entries),
            full(b"stts", struct.pack(">I", len(times)), *(struct.pack(">II", *time) for time in times)),
            full(b"stsc", struct.pack(">I", len(track.chunks)), runs),
            full(b"stsz", struct.pack(f">II{len(sizes)}I", 0, len(sizes), *sizes)),
            full(b"stco", struct.pack(f">I{len(places)}I", len(places), *places)),
        )
        tkhd = full(b"tkhd", struct.pack(">5I", 0, 0, track.number, 0, total), bytes(16), MATRIX, bytes(8), flags=7)
        mdhd = full(b"mdhd", struct.pack(">4I", 0, 0, RATE, total), b"\x55\xc4\0\0")
        dinf = box(b"dinf", full(b"dref", struct.pack(">I", 1), full(b"url ", flags=1)))
        minf = box(b"minf", full(b"smhd", bytes(4)), dinf, stbl)
        made.append((total, box(b"trak", tkhd, box(b"mdia", mdhd, full(b"hdlr", bytes(4), b"soun", bytes(13)), minf))))
    longest = max(total for total, _ in made)
    head = struct.pack(">4I", 0, 0, RATE, longest) + struct.pack(">IH", 0x10000, 0x100) + bytes(10) + MATRIX + bytes(24)
    mvhd = full(b"mvhd", head, struct.pack(">I", len(tracks) + 1))
    return ftyp + box(b"mdat", data) + box(b"moov", mvhd, *(trak for _, trak in made))


def long_memo(step, seconds):
    """A passage with steps of this length in AAC at 8 kHz, under headers that state these seconds."""
    frames, specific = aac_frames(plain("adts", "3210", 8_000, 1, step=2.56))
    heard = {str(3 - number): frames[20 * number + 8 : 20 * number + 13] for number in range(4)}
    made = [frame for level in ONE for frame in heard[level] * round(step / 0.64)]
    return lasting(movie(MovieTrack([aac_entry(specific, 8_000, 1)], [(made, 1024 * RATE // 8_000)], 1)), seconds)


def two_descriptions():
    """One track, of which the second half has another rate and number of channels."""
    entries, chunks = [], []
    for passage, rate, channels in ((ONE, 48_000, 2), (TWO, 16_000, 1)):
        frames, specific = aac_frames(plain("adts", passage, rate, channels))
        entries.append(aac_entry(specific, rate, channels))
        chunks.append((frames, 1024 * RATE // rate))
    return movie(MovieTrack(entries, chunks, 1))


def with_an_empty_track(*numbers):
    """The first track has no samples; the numbers are the tracks' own."""
    frames, specific = aac_frames(plain("adts", ONE, 48_000, 1))
    entry = aac_entry(specific, RATE, 1)
    return movie(MovieTrack([entry], [], numbers[0]), MovieTrack([entry], [(frames, 1024)], numbers[1]))


def fragments_from(data, seconds):
    """The times of the fragments begin there."""
    scale = int.from_bytes(data[(at := next(boxes(data, "moov/trak/mdia/mdhd")) + 12) : at + 4], "big")
    for found in boxes(data, "moof/traf/tfdt"):
        assert data[found] == 1
        time = int.from_bytes(data[found + 4 : found + 12], "big")
        data = put(data, found + 4, (time + seconds * scale).to_bytes(8, "big"))
    return data


def with_numbers(data, *numbers):
    """The tracks' own numbers, in the order in which they stand."""
    for found, number in zip(boxes(data, "moov/trak/tkhd"), numbers, strict=True):
        data = put(data, found + 12, struct.pack(">I", number))
    return data


def webm_lasting(data, seconds):
    return put(data, data.index(b"\x44\x89\x88") + 3, struct.pack(">d", seconds * 1000))


def flac_lasting(data, samples):
    """`fLaC`, a head of four bytes, STREAMINFO: 36 bits from the middle of its fourteenth byte."""
    return put(data, 21, bytes([data[21] & 0xF0 | samples >> 32]) + struct.pack(">I", samples & 0xFFFFFFFF))


def mp3_lasting(data, frames):
    at = data.index(b"Xing") if b"Xing" in data else data.index(b"Info")
    return put(data, at + 8, struct.pack(">I", frames))


def wav_lasting(data, size, riff=None):
    data = put(data, 40, struct.pack("<I", size))
    return put(data, 4, struct.pack("<I", (size + 36) & 0xFFFFFFFF if riff is None else riff))


def caf_lasting(data, size):
    """The chunk's size counts four bytes of edits before the sound."""
    return put(data, data.index(b"data") + 4, struct.pack(">q", size))


def caf_packets(data, frames):
    return put(data, data.index(b"pakt") + 20, struct.pack(">q", frames))


def ogg_pages(data):
    at = 0
    while at < len(data):
        table = data[at + 27 : at + 27 + data[at + 26]]
        size = 27 + len(table) + sum(table)
        yield data[at : at + size]
        at += size


def ogg_from(data, seconds):
    """As who joins a live stream late gets it: its times begin there."""
    made = []
    for found in ogg_pages(data):
        granule, serial, number = struct.unpack("<qII", found[6:22])
        table = found[27 : 27 + found[26]]
        if granule > 0:
            found = checked(put(found, 6, struct.pack("<q", granule + round(seconds * RATE))))
        made.append(found)
        assert sum(table) == len(found) - 27 - len(table)
    return b"".join(made)


def checked(found):
    """With the sum that belongs to this page of Ogg."""
    value = 0
    for byte in put(found, 22, bytes(4)):
        value = (value << 8 ^ CRC[value >> 24 ^ byte]) & 0xFFFFFFFF
    return put(found, 22, struct.pack("<I", value))


def id3(*frames):
    body = b"".join(name + struct.pack(">I", len(text)) + b"\0\0" + text for name, text in frames)
    return b"ID3\4\0\0" + bytes(len(body) >> shift & 0x7F for shift in (21, 14, 7, 0)) + body


STAMP = id3((b"PRIV", b"com.apple.streaming.transportStreamTimestamp\0" + bytes(8)))
"""Before each part of a stream of Apple's kind."""
