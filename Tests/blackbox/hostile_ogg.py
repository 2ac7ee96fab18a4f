"""Hostile recordings in Ogg (RFC 3533) with Opus (RFC 7845) or Vorbis."""

import base64
import struct

from costly_streams import OPUS_HEAD, OPUS_TAGS, SILENCE, crc_table, ogg, page
from hostile_flac import picture
from hostile_kinds import each, kind, references

CRC = crc_table()


def raw_page(lacing, payload, granule=0, number=2, flags=0):
    """Lacing values as they are given."""
    head = b"OggS\0" + bytes([flags]) + struct.pack("<qII", granule, 1, number)
    value = 0
    for byte in head + bytes(4) + bytes([len(lacing)]) + lacing + payload:
        value = (value << 8 ^ CRC[value >> 24 ^ byte]) & 0xFFFFFFFF
    return head + struct.pack("<I", value) + bytes([len(lacing)]) + lacing + payload


def opus(head=OPUS_HEAD, tags=OPUS_TAGS, granule=57_600):
    """Ten packets of silence, under other headers."""
    pages, number, flags, left = [page([head], 0, 0, 1, 2)], 1, 0, tags
    while len(left) >= 255:
        count = min(255, len(left) // 255)
        pages.append(raw_page(b"\xff" * count, left[: 255 * count], -1, number, flags))
        left, number, flags = left[255 * count :], number + 1, 1
    pages.append(raw_page(bytes([len(left)]), left, 0, number, flags))
    return b"".join([*pages, page([SILENCE] * 10, granule, number + 1, 1, 4)])


@each("audio/ogg", "ogg_granule", {"negative": -5, "minus_one": -1, "least": -(1 << 63), "greatest": (1 << 63) - 1})
def ogg_granule(granule):
    return opus(granule=granule)


@kind("audio/ogg", refused=True)
def ogg_of_one_packet_without_an_end():
    full_page = bytes(255 * 255)
    return page([OPUS_HEAD], 0, 0, 1, 2) + b"".join(raw_page(b"\xff" * 255, full_page, -1, n + 1, n > 0) for n in range(8))


def tags(vendor=0, count=0, rest=b""):
    return b"OpusTags" + struct.pack("<I", vendor) + struct.pack("<I", count) + rest


COMMENTS = {
    "vendor_of_4_gib": tags(vendor=0xFFFFFFFF),
    "count_of_2_32": tags(count=0xFFFFFFFF),
    "comment_of_4_gib": tags(count=1, rest=struct.pack("<I", 0xFFFFFFFF) + b"TITLE=x"),
    "empty_comments": tags(count=20_000, rest=bytes(80_000)),
    "nothing": b"OpusTags",
}


@each("audio/ogg", "ogg_tags_with", COMMENTS)
def ogg_tags_with(comment):
    return opus(tags=comment)


@kind("audio/ogg")
def ogg_tags_that_name_files():
    texts = [
        f"{name}={value}".encode()
        for value in references()
        for name in ("FILENAME", "COVERART", "CHAPTER001NAME", "WAVEFORMATEXTENSIBLE_CHANNEL_MASK")
    ]
    texts += [b"METADATA_BLOCK_PICTURE=" + base64.b64encode(picture(value.encode())) for value in references()]
    return opus(tags=tags(count=len(texts), rest=b"".join(struct.pack("<I", len(text)) + text for text in texts)))


HEADS = {
    "no_channels": b"\1\0" + bytes(9),
    "255_channels": b"\1\xff" + struct.pack("<HIh", 0, 48_000, 0) + b"\xff\xff\xff" + bytes(200),
    "all_skipped": b"\1\1" + struct.pack("<HIhB", 0xFFFF, 48_000, 0, 0),
    "wild_gain": b"\1\1" + struct.pack("<HIhB", 0, 0xFFFFFFFF, -32_768, 0),
    "version_15": b"\x0f\1" + bytes(9),
    "half": b"\1",
}


@each("audio/ogg", "ogg_head_with", HEADS)
def ogg_head_with(rest):
    return opus(head=b"OpusHead" + rest)


@kind("audio/ogg")
def ogg_with_wrong_checksums():
    data = bytearray(ogg([page([SILENCE] * 10, 57_600, 2, 1, 4)]))
    data[22:26] = b"\xff" * 4
    return bytes(data)


@kind("audio/ogg")
def ogg_pages_out_of_order():
    return ogg([page([SILENCE], n * 5_760, n) for n in range(300, 2, -1)])


@kind("audio/ogg")
def ogg_of_packets_of_no_bytes():
    return ogg([raw_page(bytes(255), b"", 5_760 * n, n + 2) for n in range(200)])


CODECS = {
    "theora": b"\x80theora\3\2\1" + b"\xff" * 40,
    "speex": b"Speex   1.2" + b"\xff" * 70,
    "vorbis": b"\1vorbis" + struct.pack("<IBIiiiBB", 0, 255, 0xFFFFFFFF, -1, -1, -1, 0x11, 1),
    "skeleton": b"fishead\0\3\0\0\0" + b"\xff" * 52,
    "flac": b"\x7fFLAC\1\0\xff\xff" + b"fLaC" + b"\0\0\0\x22" + b"\xff" * 34,
}


@each("audio/ogg", "ogg_of", CODECS, refused=True)
def ogg_of(head):
    return page([head], 0, 0, 1, 2) + page([b"\3" + head[1:7] + b"\xff" * 30, b"\5" + head[1:7] + b"\xff" * 90], 0, 1)
