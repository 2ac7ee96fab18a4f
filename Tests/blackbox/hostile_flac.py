"""Hostile recordings in FLAC (RFC 9639)."""

import struct

from costly_files import flac
from hostile_kinds import each, kind, references


def picture(url, size=0):
    """A link in place of a picture, by its media type."""
    kind_of_picture, kind_of_media = struct.pack(">I", 3), b"-->"
    texts = struct.pack(">I", len(kind_of_media)) + kind_of_media + struct.pack(">I", 0)
    return kind_of_picture + texts + struct.pack(">IIIII", 0xFFFFFFFF, 0xFFFFFFFF, 32, 0, size or len(url)) + url


AFTER_INFO = 42


def noise():
    """A second with its true header."""
    return flac(44_100)


@each("audio/flac", "flac_states", {"2_36_samples": (1 << 36) - 1, "one_sample": 1})
def flac_states(total):
    return flac(total)


BLOCKS = {
    "picture_of_8_mib": (6, picture(bytes(8 << 20))),
    "picture_of_4_gib": (6, picture(b"", 0xFFFFFFFF)),
    "comments_of_4_gib": (4, struct.pack("<II", 0xFFFFFFFF, 0xFFFFFFFF)),
    "comments_without_an_end": (4, struct.pack("<II", 0, 0xFFFFFFFF) + struct.pack("<I", 2) + b"A="),
    "cue_sheet": (5, bytes(128) + b"\xff" * 268),
    "application": (2, b"\xff" * 200),
    "forbidden_kind": (127, bytes(20)),
    "second_stream_info": (0, b"\xff" * 34),
    "seek_points_beyond": (3, struct.pack(">QQH", 1 << 63, 1 << 63, 0xFFFF) * 100),
}


@each("audio/flac", "flac_with", BLOCKS)
def flac_with(block):
    return flac(44_100, block)


@kind("audio/flac")
def flac_pictures_that_name_files():
    return flac(44_100, *((6, picture(name.encode())) for name in references()))


@kind("audio/flac", refused=True)
def flac_of_blocks_alone():
    """None says that it is the last."""
    return noise()[:AFTER_INFO] + b"\1\0\0\0" * 200_000


@kind("audio/flac", refused=True)
def flac_block_beyond_the_file():
    return noise()[:AFTER_INFO] + b"\x81\xff\xff\xff" + bytes(100)


@kind("audio/flac")
def flac_information_of_zeros():
    return noise()[:8] + bytes(34) + noise()[AFTER_INFO:]


@kind("audio/flac")
def flac_information_of_ones():
    return noise()[:8] + b"\xff" * 34 + noise()[AFTER_INFO:]


@kind("audio/flac")
def flac_information_of_half_its_size():
    return noise()[:7] + b"\x10" + noise()[8:]


@kind("audio/flac")
def flac_after_megabytes_of_tags():
    size = bytes(2 << 20 >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\4\0\0" + size + bytes(2 << 20) + noise()
