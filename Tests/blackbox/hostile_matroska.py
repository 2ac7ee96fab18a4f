"""Hostile recordings in Matroska (RFC 9559, RFC 8794)."""

import bz2
import struct
import zlib

from costly_streams import OPUS_HEAD, SILENCE, UNKNOWN_SIZE, cluster, element
from hostile_kinds import each, kind, references

NAN, INFINITE = float("nan"), float("inf")


def sized(number, size, *parts):
    """An element that states another size than it has."""
    return bytes.fromhex(number) + struct.pack(">Q", 1 << 56 | size) + b"".join(parts)


def unknown(number, *parts):
    return bytes.fromhex(number) + UNKNOWN_SIZE + b"".join(parts)


def number(value):
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def double(value):
    return struct.pack(">d", value)


HEAD = element("1A45DFA3", element("4282", b"webm"), element("4287", b"\2"), element("4285", b"\2"))
SOUND = cluster(0, range(0, 2_400, 120))


def track(codec=b"A_OPUS", private=OPUS_HEAD, rate=48_000.0, channels=1, *more):
    audio = element("E1", element("B5", double(rate)), element("9F", number(channels)))
    return element(
        "AE",
        element("D7", b"\1"),
        element("73C5", b"\1"),
        element("83", b"\2"),
        element("86", codec),
        element("63A2", private),
        audio,
        *more,
    )


def film(*rest, tracks=None, info=b"", scale=1_000_000):
    described = element("1549A966", element("2AD7B1", number(scale)), info)
    return HEAD + unknown("18538067", described, element("1654AE6B", track() if tracks is None else tracks), *rest)


def block(payload, time=0, flags=0x80):
    return element("A3", b"\x81" + struct.pack(">h", time) + bytes([flags]) + payload)


def blocks(*found, time=0):
    return element("1F43B675", element("E7", number(time)), *found)


@kind("audio/webm", refused=True)
def webm_endless_head():
    return unknown("1A45DFA3", element("4282", b"webm")) * 2_000


@kind("audio/webm", refused=True)
def webm_sizes_in_all_of_a_head():
    """Each number and size of the head in eight bytes, which is longer than it may be."""
    return sized("1A45DFA3", 1 << 40, sized("42F2", 1 << 30, b"\xff" * 8), sized("42F3", 1 << 30, b"\xff" * 8)) + bytes(4_000)


@kind("audio/webm")
def webm_unknown_sizes_nested():
    return HEAD + unknown("18538067") * 2_000 + film(SOUND)[len(HEAD) :]


@kind("audio/webm")
def webm_groups_of_unknown_size_nested():
    return film(unknown("1F43B675", element("E7", b"\0"), unknown("A0") * 5_000), SOUND)


@kind("audio/webm")
def webm_chapters_nested():
    atom = b""
    for _ in range(2_000):
        atom = element("B6", element("73C4", b"\1"), element("91", b"\0"), element("6E67", bytes(16)), atom)
    return film(element("1043A770", element("45B9", atom)), SOUND)


@kind("audio/webm")
def webm_tracks_of_an_exabyte():
    return HEAD + unknown("18538067", sized("1654AE6B", (1 << 56) - 2, track())) + SOUND


@kind("audio/webm")
def webm_child_larger_than_its_parent():
    return film(tracks=element("AE", element("D7", b"\1"), sized("63A2", 1 << 32, OPUS_HEAD))) + SOUND


@kind("audio/webm")
def webm_cluster_of_a_terabyte():
    return film(sized("1F43B675", 1 << 40, element("E7", b"\0"), block(SILENCE)))


@kind("audio/webm")
def webm_void_of_a_terabyte():
    return film(sized("EC", 1 << 40), SOUND)


LACES = {
    "xiph_beyond_the_block": (0x82, b"\xff" + b"\xff" * 600),
    "xiph_without_an_end": (0x82, b"\xff" * 255),
    "ebml_negative": (0x86, b"\x08\x5f\xff" + b"\x80" * 7 + SILENCE * 8),
    "ebml_beyond_the_block": (0x86, b"\x08" + b"\x01" + b"\xff" * 7 + SILENCE),
    "fixed_and_not_divisible": (0x84, b"\x06" + SILENCE * 5 + b"\0"),
    "of_nothing": (0x84, b"\xff"),
    "without_its_count": (0x86, b""),
}


@each("audio/webm", "webm_laces", LACES)
def webm_laces(lace):
    flags, payload = lace
    return film(blocks(*[block(payload, time, flags) for time in range(0, 2_000, 20)]))


@each("audio/webm", "webm_laces_of", {"minutes": (1, 30_720), "days": (20, 13_824_000)})
def webm_laces_of(case):
    """256 packets of 120 ms in each block of some hundred bytes."""
    clusters, apart = case
    full = b"\xff" + SILENCE * 256
    return film(*(blocks(*(block(full, 0, 0x84) for _ in range(8)), time=n * apart) for n in range(clusters)))


DURATIONS = {"nan": NAN, "infinite": INFINITE, "negative": -1e9, "wild": 1e300, "least": 5e-324}


@each("audio/webm", "webm_duration", DURATIONS)
def webm_duration(value):
    return film(SOUND, info=element("4489", double(value)))


@each("audio/webm", "webm_scale", {"zero": 0, "wild": 1 << 63, "one": 1})
def webm_scale(value):
    return film(SOUND, scale=value, info=element("4489", double(1e9)))


RATES = {"nan": NAN, "infinite": INFINITE, "negative": -48_000.0, "zero": 0.0, "wild": 1e300, "tiny": 1e-300}


@each("audio/webm", "webm_rate", RATES)
def webm_rate(value):
    return film(SOUND, tracks=track(rate=value))


@each("audio/webm", "webm_rate_of_pcm", RATES)
def webm_rate_of_pcm(value):
    """The rate of PCM is the container's."""
    return film(blocks(block(bytes(9_600))), tracks=track(b"A_PCM/INT/LIT", b"", value, 1))


@each("audio/webm", "webm_channels", {"none": 0, "thousands": 65_535, "wild": 1 << 62})
def webm_channels(value):
    return film(blocks(block(bytes(9_600))), tracks=track(b"A_PCM/INT/LIT", b"", 48_000.0, value))


@each(
    "audio/webm",
    "webm_opus_head",
    {"channels": b"\xff" * 9, "mapping": b"\1\xff" + bytes(6) + b"\xff", "version": b"\xff\1" + bytes(7), "short": b"\1"},
)
def webm_opus_head(rest):
    return film(SOUND, tracks=track(private=b"OpusHead" + rest))


@kind("audio/webm")
def webm_times_before_zero():
    return film(blocks(*(block(SILENCE, time) for time in range(-32_768, 0, 120))))


@kind("audio/webm")
def webm_times_backwards():
    return film(*(blocks(block(SILENCE), time=time) for time in range(2_000, 0, -1)))


@each("audio/webm", "webm_cluster_at", {"2_63": 1 << 63, "2_64": (1 << 64) - 1, "a_century": 3_155_760_000_000})
def webm_cluster_at(time):
    return film(SOUND, blocks(block(SILENCE), time=time))


def packed(algorithm, settings=b""):
    compression = element("5034", element("4254", number(algorithm)), element("4255", settings))
    return element("6D80", element("6240", element("5031", b"\0"), element("5032", b"\1"), element("5033", b"\0"), compression))


BOMBS = {
    "zlib": lambda: (0, zlib.compress(bytes(64 << 20), 9)),
    "bzip": lambda: (1, bz2.compress(bytes(64 << 20))),
    "lzo": (2, b"\x00" + b"\x00" * 4_000 + b"\x11\x00\x00"),
    "unknown": (77, SILENCE),
}


@each("audio/webm", "webm_bomb_of", BOMBS)
def webm_bomb_of(bomb):
    algorithm, payload = bomb
    return film(blocks(*(block(payload) for _ in range(3))), tracks=track(b"A_OPUS", OPUS_HEAD, 48_000.0, 1, packed(algorithm)))


@kind("audio/webm")
def webm_header_of_a_mebibyte_in_each_packet():
    """Header stripping: each of 2,000 packets of some bytes grows by what the track states."""
    return film(
        blocks(*(block(SILENCE, time) for time in range(2_000))),
        tracks=track(b"A_OPUS", OPUS_HEAD, 48_000.0, 1, packed(3, bytes(1 << 20))),
    )


@kind("audio/webm")
def webm_encrypted():
    encryption = element("5035", element("47E1", b"\5"), element("47E2", b"k" * 16))
    encoding = element("6D80", element("6240", element("5031", b"\0"), element("5032", b"\1"), element("5033", b"\1"), encryption))
    return film(SOUND, tracks=track(b"A_OPUS", OPUS_HEAD, 48_000.0, 1, encoding))


@kind("audio/webm")
def webm_attachments():
    files = [
        element(
            "61A7",
            element("466E", name.encode()),
            element("4660", b"font/ttf"),
            element("465C", name.encode() * 100),
            element("46AE", b"\1"),
        )
        for name in references() * 50
    ]
    return film(element("1941A469", *files), SOUND)


@kind("audio/webm")
def webm_tags_that_name_files():
    tags = [
        element("7373", element("63C0"), element("67C8", element("45A3", name.encode()), element("4487", value.encode())))
        for value in references()
        for name in ("FILENAME", "URL", "ENCODER", "LYRICS", "TITLE")
    ]
    return film(element("1254C367", *tags), SOUND)


@kind("audio/webm")
def webm_linked_segments():
    """The segments before and after are other files."""
    names = [element(number, name.encode()) for name in references() for number in ("7384", "3C83AB", "3E83BB")]
    links = [element(number, b"\1" * 16) for number in ("73A4", "3CB923", "3EB923", "4444")]
    return film(SOUND, info=b"".join(names + links))


@kind("audio/webm")
def webm_index_that_points_to_itself():
    seeks = b"".join(
        element("4DBB", element("53AB", bytes.fromhex(number)), element("53AC", struct.pack(">Q", at)))
        for number in ("114D9B74", "1C53BB6B", "1254C367", "1549A966")
        for at in (0, 1, 1 << 62, (1 << 64) - 1)
    )
    cues = element(
        "1C53BB6B", element("BB", element("B3", b"\0"), element("B7", element("F7", b"\1"), element("F1", struct.pack(">Q", 1 << 62))))
    )
    return HEAD + unknown("18538067", element("114D9B74", seeks), film(cues, SOUND)[len(HEAD) + 12 :])


@each(
    "audio/webm",
    "webm_codec",
    {"acm": b"A_MS/ACM", "quicktime": b"A_QUICKTIME", "real": b"A_REAL/COOK", "picture": b"V_MJPEG", "path": b"../../etc/passwd"},
    refused=True,
)
def webm_codec(codec):
    return film(SOUND, tracks=track(codec, bytes(200)))


@kind("audio/webm")
def webm_tracks_of_one_number():
    return film(SOUND, tracks=track() * 500)


@kind("audio/webm")
def webm_clusters_by_the_hundred_thousand():
    return film(SOUND, (bytes.fromhex("1F43B675") + b"\x80") * 300_000)
