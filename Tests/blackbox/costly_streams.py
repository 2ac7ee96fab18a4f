"""Costly recordings in Ogg and Matroska."""

import struct

from costly_kinds import HOURS, kind, sound

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
