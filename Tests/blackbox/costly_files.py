"""Costly recordings in MPEG audio, FLAC, WAV, and AAC in ADTS."""

import random
import struct
import zlib

from costly_kinds import HOURS, kind, sound


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
