"""Hostile recordings in RIFF WAVE and RF64."""

import struct

from hostile_kinds import each, kind, references

SOUND = b"\x10\0" * 16_000


def chunk(name, *parts, size=None):
    payload = b"".join(parts)
    return name + struct.pack("<I", len(payload) if size is None else size) + payload


def form(code=1, channels=1, rate=16_000, bytes_a_second=32_000, align=2, bits=16, more=b""):
    return chunk(b"fmt ", struct.pack("<HHIIHH", code, channels, rate, bytes_a_second, align, bits), more)


def wav(*chunks, head=b"RIFF", size=0xFFFFFFFF):
    return head + struct.pack("<I", size) + b"WAVE" + b"".join(chunks)


DATA = chunk(b"data", SOUND)

FORMS = {
    "align_zero": {"align": 0},
    "align_65535": {"align": 65_535},
    "rate_zero": {"rate": 0, "bytes_a_second": 0},
    "rate_2_32": {"rate": 0xFFFFFFFF, "bytes_a_second": 0xFFFFFFFF},
    "channels_zero": {"channels": 0},
    "channels_65535": {"channels": 65_535, "align": 65_534},
    "bits_zero": {"bits": 0},
    "bits_4096": {"bits": 4_096},
    "bits_one": {"bits": 1},
    "float_of_16_bits": {"code": 3},
    "no_bytes_a_second": {"bytes_a_second": 0},
    "all_ones": {"code": 0xFFFF, "channels": 0xFFFF, "rate": 0xFFFFFFFF, "bytes_a_second": 0xFFFFFFFF, "align": 0xFFFF, "bits": 0xFFFF},
    "more_of_65535": {"more": b"\xff\xff"},
}


@each("audio/wav", "wav", FORMS)
def wav_form(fields):
    return wav(form(**fields), DATA)


CODES = {"adpcm": 2, "gsm": 0x31, "mp3": 0x55, "wma": 0x161, "xma": 0x166, "vorbis": 0x674F, "truespeech": 0x22, "opus": 0x704F}


@each("audio/wav", "wav_codec", CODES)
def wav_codec(code):
    return wav(form(code=code, align=36, bits=4, more=struct.pack("<H", 32) + bytes(range(32))), DATA)


PCM = bytes.fromhex("0100000000001000800000aa00389b71")
EXTENSIONS = {
    "of_no_format": struct.pack("<HHI", 22, 16, 4) + bytes(16),
    "of_its_own_format": struct.pack("<HHI", 22, 16, 4) + struct.pack("<H", 0xFFFE) + PCM[2:],
    "of_all_loudspeakers": struct.pack("<HHI", 22, 16, 0xFFFFFFFF) + PCM,
    "of_4096_valid_bits": struct.pack("<HHI", 22, 4_096, 4) + PCM,
    "of_half_its_size": struct.pack("<HHI", 22, 16, 4) + PCM[:5],
    "of_another_size": struct.pack("<HHI", 0xFFFF, 16, 4) + PCM,
}


@each("audio/wav", "wav_extension", EXTENSIONS)
def wav_extension(more):
    return wav(form(code=0xFFFE, more=more), DATA)


@each("audio/wav", "wav_format_of", {"2_31": 1 << 31, "2_32": 0xFFFFFFFF, "zero": 0, "fifteen": 15})
def wav_format_of(size):
    return wav(b"fmt " + struct.pack("<I", size) + form()[8:], DATA)


@each("audio/wav", "wav_data_of", {"zero": 0, "one": 1, "2_31": 1 << 31})
def wav_data_of(size):
    return wav(form(), chunk(b"data", SOUND, size=size))


@each("audio/wav", "wav_riff_of", {"zero": 0, "one": 1, "2_31": 1 << 31})
def wav_riff_of(size):
    return wav(form(), DATA, size=size)


@each("audio/wav", "rf64_of", {"2_63": 1 << 63, "2_64": (1 << 64) - 1, "2_62": 1 << 62, "zero": 0})
def rf64_of(size):
    sizes = chunk(b"ds64", struct.pack("<QQQI", size, size, size, 0xFFFFFFFF), bytes(100), size=28)
    return wav(sizes, form(), chunk(b"data", SOUND, size=0xFFFFFFFF), head=b"RF64")


@kind("audio/wav")
def rf64_without_its_sizes():
    return wav(form(), DATA, head=b"RF64")


@kind("audio/wav")
def wav_in_wav():
    inner = b""
    for _ in range(500):
        inner = chunk(b"LIST", b"WAVE", inner)
    return wav(inner, form(), DATA)


@kind("audio/wav")
def wav_lists_that_name_files():
    texts = b"".join(
        chunk(name, value.encode() + b"\0" * (2 - len(value) % 2)) for value in references() for name in (b"INAM", b"IART", b"ISFT")
    )
    return wav(form(), chunk(b"LIST", b"INFO", texts), chunk(b"bext", bytes(602), b"\xff" * 50), DATA)


@kind("audio/wav")
def wav_of_two_formats():
    return wav(form(), form(channels=2, rate=8_000, align=4), DATA, DATA)


@kind("audio/wav", refused=True)
def wav_without_a_format():
    return wav(DATA)


@kind("audio/wav")
def wav_big_endian():
    return wav(form(), DATA, head=b"RIFX")


@kind("audio/wav")
def wav_of_wave64():
    """Sony's form, under a type of its own."""
    return b"riff" + bytes.fromhex("2E91CF11A5D628DB04C10000") + struct.pack("<Q", (1 << 63) - 1) + b"wave" + bytes(100)
