"""Costly recordings in MP4: boxes of ISO 14496-12."""

import functools
import struct

from costly_kinds import HOURS, kind, sound


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
