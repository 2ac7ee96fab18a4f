"""Hostile recordings in AMR (RFC 4867 section 5)."""

import random

from hostile_kinds import each, kind

NARROW, WIDE = b"#!AMR\n", b"#!AMR-WB\n"


def frames(kind, size, count):
    noise = random.Random(4867)
    return b"".join(bytes([kind << 3 | 4]) + noise.randbytes(size) for _ in range(count))


# Bytes after the header of a frame in the lowest mode.
NARROW_FRAMES, WIDE_FRAMES = frames(0, 12, 50), frames(0, 17, 50)


@each("audio/amr", "amr_of_type", {str(number): number for number in range(9, 15)})
def amr_of_type(number):
    """Reserved types of frames, and frames of other codecs."""
    return NARROW + frames(number, 5, 200)


@kind("audio/amr")
def amr_of_all_types():
    return NARROW + b"".join(frames(number % 16, 12, 1) for number in range(500))


@kind("audio/amr")
def amr_with_all_bits_of_padding():
    return NARROW + b"".join(bytes([0x83 | number % 8 << 3]) + bytes(12) for number in range(500))


@kind("audio/amr")
def amr_cut_in_a_frame():
    return NARROW + NARROW_FRAMES[:-7]


@kind("audio/amr", refused=True)
def amr_of_half_a_frame():
    return NARROW + b"\x3c" + bytes(3)


@kind("audio/amr")
def amr_wide_header_over_narrow_frames():
    return WIDE + NARROW_FRAMES


@kind("audio/amr")
def amr_narrow_header_over_wide_frames():
    return NARROW + WIDE_FRAMES


@kind("audio/amr-wb")
def amr_narrow_declared_as_wide():
    return NARROW + NARROW_FRAMES


@kind("audio/amr-wb")
def amr_lost_frames():
    return WIDE + bytes([14 << 3 | 4]) * 2_000


@kind("audio/amr")
def amr_ten_mebibytes_without_data():
    """58 hours."""
    return NARROW + b"\x7c" * (10 << 20)


@kind("audio/amr")
def amr_three_hours_without_data():
    return NARROW + b"\x7c" * 540_000


@each("audio/amr", "amr_of_channels", {"none": bytes(4), "two": b"\0\0\0\2", "wild": b"\xff" * 4}, refused=True)
def amr_of_channels(count):
    """The form for several channels."""
    return b"#!AMR_MC1.0\n" + count + NARROW_FRAMES


@each("audio/amr", "amr_magic", {"carriage_return": b"#!AMR\r\n", "other": b"#!AMR+\n", "late": bytes(10) + NARROW})
def amr_magic(magic):
    return magic + NARROW_FRAMES


@each("audio/amr", "amr_of_bytes", {"zero": 0, "255": 255, "124": 124})
def amr_of_bytes(byte):
    return NARROW + bytes([byte]) * 5_000
