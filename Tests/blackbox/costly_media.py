"""Recordings that cost much to examine, decode or recognise for their size: `python costly_media.py FOLDER` writes one of each kind.

Most are made of bytes by the formats' specifications, so that making them costs little; a few begin with a second of sound by ffmpeg.
`KINDS` maps a name to its content type and its maker; `make(name)` returns the bytes. Everything is the same on each run.
"""

import functools
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from typing import NamedTuple

HOURS = 3.9  # below the service's limit of 4


class Kind(NamedTuple):
    content_type: str
    make: Callable[[], bytes]


KINDS: dict[str, Kind] = {}


def kind(content_type):
    def register(make):
        KINDS[make.__name__] = Kind(content_type, make)
        return make

    return register


def make(name):
    return KINDS[name].make()


@functools.cache
def sound(suffix, *options, seconds=1, source="anoisesrc=a=0.5:seed=1:r=44100"):
    """Noise, encoded by ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sound." + suffix)
        command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-t", str(seconds), "-i", source]
        subprocess.run([*command, "-bitexact", *options, path], check=True)
        with open(path, "rb") as file:
            return file.read()


# Boxes of ISO 14496-12


def box(name, *parts):
    payload = b"".join(parts)
    return struct.pack(">I4s", 8 + len(payload), name) + payload


def full(name, *parts, version=0, flags=0):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
FTYP = box(b"ftyp", b"M4A \0\0\2\0M4A isom")


def table(name, count, entry):
    return full(name, struct.pack(">I", count), entry * count)


@functools.cache
def aac_frames(seconds=1, source="anoisesrc=a=0.5:seed=1:r=44100"):
    """Frames of AAC without their ADTS headers."""
    data, frames, at = sound("aac", "-c:a", "aac", "-ac", "1", "-b:a", "48k", seconds=seconds, source=source), [], 0
    while at + 7 <= len(data):
        length = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        frames.append(data[at + 7 : at + length])
        at += length
    return frames


def sample_entry():
    """AAC LC, 44.1 kHz, one channel."""
    specific = b"\x05\x02\x12\x08"
    config = b"\x04" + bytes([13 + len(specific)]) + b"\x40\x15" + bytes(11) + specific
    esds = full(b"esds", b"\x03" + bytes([3 + len(config) + 3]) + b"\0\1\0" + config + b"\x06\x01\x02")
    return full(b"stsd", struct.pack(">I", 1), box(b"mp4a", bytes(6) + b"\0\1", bytes(8), struct.pack(">HHIHH", 1, 16, 0, 44100, 0), esds))


def track(tables, duration, number=1, edits=b""):
    tkhd = full(b"tkhd", struct.pack(">5I", 0, 0, number, 0, duration), bytes(16), MATRIX, bytes(8), flags=7)
    mdhd = full(b"mdhd", struct.pack(">4I", 0, 0, 44100, duration), b"\x55\xc4\0\0")
    dinf = box(b"dinf", full(b"dref", struct.pack(">I", 1), full(b"url ", flags=1)))
    minf = box(b"minf", full(b"smhd", bytes(4)), dinf, box(b"stbl", sample_entry(), *tables))
    return box(b"trak", tkhd, edits, box(b"mdia", mdhd, full(b"hdlr", bytes(4), b"soun", bytes(13)), minf))


def movie(tables, duration, *more, edits=b"", tracks=1, data=None):
    """The media data first, so that it begins at byte 32."""
    mvhd = full(
        b"mvhd", struct.pack(">4I", 0, 0, 44100, duration), struct.pack(">IH", 0x10000, 0x100), bytes(10), MATRIX, bytes(24), b"\0\0\0\2"
    )
    traks = b"".join(track(tables, duration, number + 1, edits) for number in range(tracks))
    return FTYP + box(b"mdat", data if data is not None else b"".join(aac_frames())) + box(b"moov", mvhd, traks, *more)


START = len(FTYP) + 8


def one_frame_tables(count, duration=1024):
    """All samples are the same bytes."""
    size = len(aac_frames()[10])
    offset = START + sum(len(f) for f in aac_frames()[:10])
    return (
        full(b"stts", struct.pack(">III", 1, count, duration)),
        full(b"stsc", struct.pack(">IIII", 1, 1, 1, 1)),
        full(b"stsz", struct.pack(">II", size, count)),
        table(b"stco", count, struct.pack(">I", offset)),
    )


def samples(hours):
    return int(hours * 3600 * 44100 / 1024)


@kind("audio/mp4")
def mp4_claims_hours():
    """Four samples."""
    return movie(one_frame_tables(4), int(HOURS * 3600 * 44100), data=b"".join(aac_frames()[:11]))


@kind("audio/mp4")
def mp4_repeated_samples():
    """Hours of noise in 2 MB: each sample is the same frame."""
    count = samples(HOURS)
    return movie(one_frame_tables(count), count * 1024)


@kind("audio/mp4")
def mp4_claims_a_second_over_an_hour():
    return movie(one_frame_tables(samples(1)), 44100)


@kind("audio/mp4")
def mp4_counts_samples_without_bytes():
    tables = (
        full(b"stts", struct.pack(">III", 1, 0x7FFFFFFF, 1)),
        full(b"stsc", struct.pack(">IIII", 1, 1, 0x7FFFFFFF, 1)),
        full(b"stsz", struct.pack(">II", 1, 0x7FFFFFFF)),
        table(b"stco", 1, struct.pack(">I", START)),
    )
    return movie(tables, 44100)


@kind("audio/mp4")
def mp4_a_million_times():
    tables = one_frame_tables(44)
    return movie((table(b"stts", 1_000_000, struct.pack(">II", 1, 1)), *tables[1:]), 44100)


@kind("audio/mp4")
def mp4_a_million_composition_offsets():
    return movie((*one_frame_tables(44), table(b"ctts", 1_000_000, struct.pack(">II", 1, 1))), 44 * 1024)


@kind("audio/mp4")
def mp4_a_million_samples_of_one_tick():
    return movie(one_frame_tables(1_000_000, duration=1), 1_000_000)


@kind("audio/mp4")
def mp4_half_a_million_edits():
    edits = box(b"edts", table(b"elst", 500_000, struct.pack(">III", 1, 0, 0x10000)))
    return movie(one_frame_tables(430), 430 * 1024, edits=edits)


@kind("audio/mp4")
def mp4_deep_boxes():
    """Each box contains all that follow."""
    return FTYP + struct.pack(">I4s", 0, b"moov") + struct.pack(">I4s", 0x7FFFFFFF, b"udta") * 200_000


@kind("audio/mp4")
def mp4_a_million_empty_boxes():
    return FTYP + box(b"free") * 1_000_000 + movie(one_frame_tables(44), 44 * 1024)[len(FTYP) :]


@kind("audio/mp4")
def mp4_a_thousand_tracks():
    return movie(one_frame_tables(44), 44 * 1024, tracks=1000)


@kind("audio/mp4")
def mp4_fragments():
    """20,000 fragments of one sample."""
    frame = aac_frames()[10]
    empty = [full(name, struct.pack(">I", 0)) for name in (b"stts", b"stsc", b"stco")] + [full(b"stsz", struct.pack(">II", 0, 0))]
    mvex = box(b"mvex", full(b"trex", struct.pack(">5I", 1, 1, 1024, len(frame), 0)))

    def fragment(number):
        def moof(offset):
            trun = full(b"trun", struct.pack(">Ii", 1, offset), flags=1)
            traf = box(b"traf", full(b"tfhd", struct.pack(">I", 1), flags=0x20000), trun)
            return box(b"moof", full(b"mfhd", struct.pack(">I", number)), traf)

        return moof(len(moof(0)) + 8) + box(b"mdat", frame)

    return movie(empty, 0, mvex, data=b"") + b"".join(fragment(number + 1) for number in range(20_000))


@kind("audio/mp4")
def mp4_with_video():
    """The decoders of its other tracks must stay closed."""
    options = ["-f", "lavfi", "-t", "2", "-i", "testsrc=s=640x480:r=25", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "mpeg4"]
    return sound("mp4", *options, seconds=2)


@kind("audio/mp4")
def mp4_sweeping_tones():
    """For the recogniser: tones that sweep through the range of a voice, five minutes."""
    source = "aevalsrc=0.3*sin(2*PI*(200+150*sin(6*PI*t))*t)*(0.5+0.5*sin(10*PI*t))+0.2*sin(2*PI*(1200+500*sin(4.6*PI*t))*t):s=16000"
    return sound("m4a", "-c:a", "aac", "-b:a", "24k", seconds=300, source=source)


# Ogg (RFC 3533), with Opus (RFC 7845)


def crc_table():
    table = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
        table.append(value)
    return table


CRC = crc_table()


def page(packets, granule, number, serial=1, flags=0):
    """Of packets below 255 bytes."""
    lacing, payload = bytes(len(p) for p in packets), b"".join(packets)
    head = b"OggS\0" + bytes([flags]) + struct.pack("<qII", granule, serial, number)
    value = 0
    for byte in head + bytes(4) + bytes([len(packets)]) + lacing + payload:
        value = (value << 8 ^ CRC[value >> 24 ^ byte]) & 0xFFFFFFFF
    return head + struct.pack("<I", value) + bytes([len(packets)]) + lacing + payload


OPUS_HEAD = b"OpusHead\1\1" + struct.pack("<HIhB", 312, 48000, 0, 0)
OPUS_TAGS = b"OpusTags" + struct.pack("<II", 0, 0)
# 120 ms: six frames of 20 ms, all empty (RFC 6716, code 3, constant rate).
SILENCE = b"\x0b\x06"


def ogg(pages, serial=1):
    return page([OPUS_HEAD], 0, 0, serial, 2) + page([OPUS_TAGS], 0, 1, serial) + b"".join(pages)


@kind("audio/ogg")
def ogg_hours_of_silence():
    count = int(HOURS * 3600 / 0.12 / 200)
    return ogg(page([SILENCE] * 200, (n + 1) * 200 * 5760, n + 2, flags=4 * (n == count - 1)) for n in range(count))


@kind("audio/ogg")
def ogg_claims_hours():
    return ogg([page([SILENCE], 5760, 2), page([SILENCE], int(HOURS * 3600 * 48000), 3, flags=4)])


@kind("audio/ogg")
def ogg_small_pages():
    return ogg(page([SILENCE], (n + 1) * 5760, n + 2) for n in range(60_000))


@kind("audio/ogg")
def ogg_streams():
    return b"".join(page([OPUS_HEAD], 0, 0, serial, 2) for serial in range(20_000)) + ogg([page([SILENCE], 5760, 2, flags=4)])


@kind("audio/ogg")
def ogg_chain():
    """2,000 recordings one after the other."""
    return b"".join(ogg([page([SILENCE] * 10, 57_600, 2, serial, 4)], serial) for serial in range(2_000))


@kind("audio/ogg")
def ogg_empty_pages():
    return ogg(page([], 0, n + 2) for n in range(100_000))


@kind("audio/ogg")
def ogg_vorbis_noise():
    return sound("ogg", "-c:a", "libvorbis", "-q:a", "9", seconds=120)


# Matroska (RFC 9559)


def element(number, *parts):
    payload = b"".join(parts)
    return bytes.fromhex(number) + struct.pack(">Q", 1 << 56 | len(payload)) + payload


UNKNOWN_SIZE = b"\x01" + b"\xff" * 7


def entry(number=1):
    audio = element("E1", element("B5", struct.pack(">d", 48000)), element("9F", b"\1"))
    codec = element("86", b"A_OPUS") + element("63A2", OPUS_HEAD)
    return element(
        "AE", element("D7", struct.pack(">H", number)), element("73C5", struct.pack(">H", number)), element("83", b"\2"), codec, audio
    )


def webm(*rest, tracks=1, duration=None):
    info = element("2AD7B1", struct.pack(">I", 1_000_000)) + (element("4489", struct.pack(">d", duration * 1000)) if duration else b"")
    head = element("1A45DFA3", element("4282", b"webm"), element("4287", b"\2"), element("4285", b"\2"))
    entries = b"".join(entry(n + 1) for n in range(tracks))
    return head + bytes.fromhex("18538067") + UNKNOWN_SIZE + element("1549A966", info) + element("1654AE6B", entries) + b"".join(rest)


def cluster(milliseconds, offsets):
    blocks = b"".join(b"\xa3\x86\x81" + struct.pack(">h", offset) + b"\x80" + SILENCE for offset in offsets)
    return element("1F43B675", element("E7", struct.pack(">I", milliseconds)), blocks)


@kind("audio/webm")
def webm_hours_of_silence():
    """As a browser writes it, without a duration."""
    return webm(*(cluster(n * 24_000, range(0, 24_000, 120)) for n in range(int(HOURS * 150))))


@kind("audio/webm")
def webm_jumps_by_hours():
    return webm(cluster(0, [0]), cluster(int(HOURS * 3_600_000), [0]))


@kind("audio/webm")
def webm_claims_hours():
    return webm(cluster(0, [0, 120]), duration=HOURS * 3600)


@kind("audio/webm")
def webm_tracks():
    return webm(cluster(0, [0, 120]), tracks=5_000, duration=0.24)


@kind("audio/webm")
def webm_empty_clusters():
    return webm(cluster(0, [0, 120]), element("1F43B675", element("E7", b"\1")) * 200_000)


@kind("audio/webm")
def webm_deep_tags():
    """Tags in tags; each size counts those within."""
    tag = b""
    for _ in range(3_000):
        tag = element("67C8", tag)
    return webm(element("1254C367", element("7373", tag)), cluster(0, [0, 120]))


@kind("audio/webm")
def webm_cues():
    point = element("BB", element("B3", b"\1"), element("B7", element("F7", b"\1"), element("F1", b"\1")))
    return webm(element("1C53BB6B", point * 100_000), cluster(0, [0, 120]), duration=0.24)


# MPEG audio, FLAC, WAV, AAC in ADTS


@kind("audio/mpeg")
def mp3_fake_xing():
    """A Xing header that states 2³¹ frames."""
    frames = sound("mp3", "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0")
    return frames[:4] + bytes(32) + b"Xing" + struct.pack(">III", 3, 0x7FFFFFFF, 0x7FFFFFFF) + bytes(417 - 48) + frames


@kind("audio/mpeg")
def mp3_lowest_rate():
    """8 kbit/s at 8 kHz: half an hour in 2 MB, without a header that states its length."""
    second = sound("mp3", "-c:a", "libmp3lame", "-ac", "1", "-ar", "8000", "-b:a", "8k", "-write_xing", "0", "-id3v2_version", "0")
    return second * 1800


@kind("audio/mpeg")
def mp3_a_million_tags():
    frame = b"TXXX" + b"\0\0\0\2" + b"\0\0" + b"\0a"
    tags = frame * 700_000
    size = bytes(len(tags) >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\3\0\0" + size + tags + sound("mp3", "-c:a", "libmp3lame")


def flac(total, *blocks):
    """Noise under another header: STREAMINFO with this number of samples."""
    data = sound("flac", "-c:a", "flac", "-ac", "1")
    info = bytearray(data[8:42])
    info[13] = info[13] & 0xF0 | total >> 32
    info[14:18] = struct.pack(">I", total & 0xFFFFFFFF)
    at = 4
    while not data[at] & 0x80:
        at += 4 + int.from_bytes(data[at + 1 : at + 4], "big")
    at += 4 + int.from_bytes(data[at + 1 : at + 4], "big")
    heads = [bytes([number]) + len(block).to_bytes(3, "big") + block for number, block in blocks]
    return b"fLaC" + b"\0\0\0\x22" + bytes(info) + b"".join(heads) + b"\x81\0\0\0" + data[at:]


@kind("audio/flac")
def flac_claims_hours():
    """Over one frame."""
    return flac(int(HOURS * 3600 * 44100))[:1200]


@kind("audio/flac")
def flac_states_nothing():
    return flac(0)


@kind("audio/flac")
def flac_seek_points():
    return flac(44100, (3, struct.pack(">QQH", 0, 0, 4096) * 900_000))


def wav(size, data, rate=16000, channels=1, chunks=b""):
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    return (
        b"RIFF"
        + struct.pack("<I", 0xFFFFFFFF)
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + chunks
        + b"data"
        + struct.pack("<I", size)
        + data
    )


NOISE = random.Random(7).randbytes(1 << 20)


@kind("audio/wav")
def wav_of_unknown_size():
    return wav(0xFFFFFFFF, NOISE * 4)


@kind("audio/wav")
def wav_claims_hours():
    return wav(int(HOURS * 3600 * 32_000), NOISE[:64_000])


@kind("audio/wav")
def wav_a_million_chunks():
    return wav(64_000, NOISE[:64_000], chunks=(b"junk" + bytes(4)) * 1_000_000)


@kind("audio/wav")
def wav_slowest():
    """An hour at 4 kHz, which recognition gets at 16 kHz."""
    return wav(28 << 20, NOISE * 28, rate=4000)


@kind("audio/aac")
def aac_noise():
    return sound("aac", "-c:a", "aac", "-ac", "2", "-b:a", "512k", seconds=120)


@kind("audio/aac")
def aac_tiny_frames():
    """ADTS frames of one byte at 7.35 kHz: hours in 1 MB."""
    head = bytes([0xFF, 0xF1, 1 << 6 | 12 << 2, 1 << 6, 1, 0x1F, 0xFC])
    return (head + b"\xe0") * int(HOURS * 3600 * 7350 / 1024)


@kind("audio/flac")
def flac_of_a_bomb():
    """What decompresses to much elsewhere: zeros under FLAC's mark."""
    return b"fLaC" + zlib.compress(bytes(50 << 20), 9) + bytes(1 << 20)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:] or KINDS:
        data = make(name)
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)
        print(f"{name:36} {KINDS[name].content_type:12} {len(data):>11,}")
