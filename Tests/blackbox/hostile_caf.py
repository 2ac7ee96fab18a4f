"""Hostile recordings in Core Audio Format (Apple's specification 1.0)."""

import struct

from costly_mp4 import aac_frames, sample_entry
from hostile_kinds import each, kind, references

NAN, INFINITE = float("nan"), float("inf")


def chunk(name, *parts, size=None):
    payload = b"".join(parts)
    return name + struct.pack(">q", len(payload) if size is None else size) + payload


def description(rate=16_000.0, codec=b"lpcm", flags=0, packet=2, frames=1, channels=1, bits=16):
    return chunk(b"desc", struct.pack(">d4sIIIII", rate, codec, flags, packet, frames, channels, bits))


SOUND = chunk(b"data", bytes(4), b"\x10\0" * 16_000)


def caf(*chunks):
    return b"caff\0\1\0\0" + b"".join(chunks)


def packets(count, valid, table=b"", priming=0, remainder=0, size=None):
    return chunk(b"pakt", struct.pack(">qqii", count, valid, priming, remainder), table, size=size)


# AAC, whose packets are 1,024 frames, with its cookie and with sizes in a table.
COMPRESSED = description(44_100.0, b"aac ", 0, 0, 1024, 1, 0)


def cookie(size=None):
    entry = sample_entry()
    return chunk(b"kuki", entry[entry.index(b"esds") + 4 :], size=size)


def sizes():
    return b"".join(bytes([0x80 | len(frame) >> 7, len(frame) & 0x7F]) for frame in aac_frames())


def compressed(*table, data=None):
    count = len(aac_frames())
    table = table or (packets(count, count * 1024, sizes()),)
    return caf(COMPRESSED, cookie(), *table, data or chunk(b"data", bytes(4), *aac_frames()))


@kind("audio/x-caf")
def caf_as_it_should_be():
    """Of which the others differ."""
    return compressed()


RATES = {"zero": 0.0, "nan": NAN, "infinite": INFINITE, "negative": -16_000.0, "wild": 1e300, "tiny": 1e-300}


@each("audio/x-caf", "caf_rate", RATES, refused=True)
def caf_rate(rate):
    return caf(description(rate), SOUND)


SIZES = {"minus_one": -1, "minus_two": -2, "least": -(1 << 63), "greatest": (1 << 63) - 1, "2_62": 1 << 62}


@each("audio/x-caf", "caf_chunk_of", SIZES)
def caf_chunk_of(size):
    return caf(description(), chunk(b"free", bytes(20), size=size), SOUND)


@each("audio/x-caf", "caf_data_of", SIZES)
def caf_data_of(size):
    return caf(description(), chunk(b"data", bytes(4), b"\x10\0" * 16_000, size=size))


@each("audio/x-caf", "caf_description_of", SIZES, refused=True)
def caf_description_of(size):
    return caf(b"desc" + struct.pack(">q", size) + description()[12:], SOUND)


@each("audio/x-caf", "caf_cookie_of", {**SIZES, "2_31": (1 << 31) - 1, "2_32": 1 << 32})
def caf_cookie_of(size):
    return caf(COMPRESSED, cookie(size), packets(40, 40_960, sizes()), chunk(b"data", bytes(4), *aac_frames()))


@kind("audio/x-caf")
def caf_cookie_of_eight_mebibytes():
    settings = chunk(b"kuki", bytes(4) + b"\x03\x80\x80\x80" * (2 << 20))
    return caf(COMPRESSED, settings, packets(40, 40_960, sizes()), chunk(b"data", bytes(4), *aac_frames()))


@each("audio/x-caf", "caf_packets", {"2_40": 1 << 40, "2_62": 1 << 62, "negative": -5, "2_31": 1 << 31})
def caf_packets(count):
    return compressed(packets(count, count * 1024 % (1 << 63), sizes()))


@kind("audio/x-caf")
def caf_packets_whose_sizes_never_end():
    return compressed(packets(1_000, 1_024_000, b"\xff" * 50_000))


@kind("audio/x-caf")
def caf_packets_by_the_million():
    return compressed(packets(4_000_000, 4_000_000_000, bytes(4_000_000)))


@kind("audio/x-caf")
def caf_packets_larger_than_the_data():
    return compressed(packets(100, 102_400, b"\x8f\xff\xff\xff\x7f" * 100))


@kind("audio/x-caf")
def caf_table_after_the_data_of_unknown_size():
    return compressed(chunk(b"data", bytes(4), *aac_frames(), size=-1), data=packets(40, 40_960, sizes()))


@kind("audio/x-caf")
def caf_claims_hours_over_a_packet():
    return compressed(packets(1, 44_100 * 14_000, b"\x10"), data=chunk(b"data", bytes(20)))


@each("audio/x-caf", "caf_channels", {"none": 0, "thousand": 1_000, "wild": 0xFFFFFFFF}, refused=True)
def caf_channels(channels):
    return caf(description(channels=channels, packet=min(2 * channels, 0xFFFFFFFF)), SOUND)


SHAPES = {
    "packets_of_nothing": {"packet": 0, "frames": 0},
    "packets_of_2_31_bytes": {"packet": 1 << 31},
    "packets_of_2_32_frames": {"frames": 0xFFFFFFFF},
    "packets_of_no_frames": {"frames": 0},
    "samples_of_4096_bits": {"bits": 4_096},
    "samples_of_no_bits": {"bits": 0},
    "samples_of_half_a_byte": {"bits": 4},
    "floats_of_24_bits": {"bits": 24, "flags": 1},
    "all_flags": {"flags": 0xFFFFFFFF},
}


@each("audio/x-caf", "caf", SHAPES)
def caf_shape(shape):
    return caf(description(**shape), SOUND)


@each("audio/x-caf", "caf_codec", {"film": b"mp4v", "qdm": b"QDM2", "none": bytes(4), "gsm": b"agsm"}, refused=True)
def caf_codec(codec):
    return caf(description(codec=codec, packet=33, frames=160, bits=0), chunk(b"kuki", bytes(80)), SOUND)


@kind("audio/x-caf")
def caf_information_that_names_files():
    texts = b"".join(name.encode() + b"\0" for value in references() for name in ("source", value))
    return caf(description(), chunk(b"info", struct.pack(">I", 0xFFFFFFFF), texts), SOUND)


@kind("audio/x-caf")
def caf_chunks_over_each_other():
    """Each chunk ends within the one after it."""
    inner = chunk(b"free", bytes(6), size=30)
    return caf(description(), inner * 50, SOUND)


@kind("audio/x-caf")
def caf_chunks_by_the_hundred_thousand():
    return caf(description(), chunk(b"free") * 300_000, SOUND)


@kind("audio/x-caf", refused=True)
def caf_without_a_description():
    return caf(SOUND)


@kind("audio/x-caf")
def caf_with_a_description_twice():
    return caf(description(), description(8_000.0, channels=7), SOUND)


@kind("audio/x-caf", refused=True)
def caf_without_data():
    return caf(description(), packets(5, 5, b"\1" * 5))
