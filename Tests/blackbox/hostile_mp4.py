"""Hostile recordings in MP4, whole and in fragments, and in 3GP (ISO/IEC 14496-12, 3GPP TS 26.244)."""

import struct

from costly_mp4 import FTYP, START, aac_frames, box, full, movie, one_frame_tables, table
from hostile_amr import NARROW_FRAMES
from hostile_kinds import each, kind, references

COUNT = 44
TICKS = COUNT * 1024


def plain():
    return movie(one_frame_tables(COUNT), TICKS)


def patched(name, offset, value, data=None):
    """Other bytes at an offset from the start of a box, its size and name included."""
    data = bytearray(plain() if data is None else data)
    at = data.index(name) - 4 + offset
    data[at : at + len(value)] = value
    return bytes(data)


def with_tables(**changed):
    """Tables of samples, of which some are replaced by name."""
    names = ("stts", "stsc", "stsz", "stco")
    return movie([changed.get(name, old) for name, old in zip(names, one_frame_tables(COUNT))], TICKS)


SIZES = {"zero": 0, "one": 1, "four": 4, "2_31": 1 << 31, "2_32": 0xFFFFFFFF}
BOXES = (b"moov", b"trak", b"stsd", b"esds", b"stsz")


@each("audio/mp4", "mp4_box_size", {f"{size}_{name.decode()}": (name, SIZES[size]) for size in SIZES for name in BOXES})
def mp4_box_size(case):
    name, size = case
    return patched(name, 0, struct.pack(">I", size))


@each("audio/mp4", "mp4_large_size", {"2_63": 1 << 63, "2_64": (1 << 64) - 1, "zero": 0})
def mp4_large_size(size):
    return FTYP + struct.pack(">I4sQ", 1, b"free", size) + plain()[len(FTYP) :]


TABLES = {
    "sizes": {"stsz": full(b"stsz", struct.pack(">II", 0, 0xFFFFFFFF), bytes(400))},
    "size_of_each": {"stsz": full(b"stsz", struct.pack(">II", 0xFFFFFFFF, COUNT))},
    "times": {"stts": full(b"stts", struct.pack(">III", 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF))},
    "time_of_each": {"stts": full(b"stts", struct.pack(">III", 1, COUNT, 0xFFFFFFFF))},
    "no_time": {"stts": full(b"stts", struct.pack(">III", 1, COUNT, 0))},
    "chunks": {"stco": full(b"stco", struct.pack(">I", 0xFFFFFFFF), bytes(400))},
    "chunks_beyond": {"stco": table(b"stco", COUNT, struct.pack(">I", 0xFFFFFFF0))},
    "chunks_in_the_header": {"stco": table(b"stco", COUNT, struct.pack(">I", 4))},
    "large_chunks": {"stco": table(b"co64", COUNT, struct.pack(">Q", (1 << 63) - 1))},
    "samples_of_a_chunk": {"stsc": full(b"stsc", struct.pack(">IIII", 1, 1, 0xFFFFFFFF, 1))},
    "first_chunk_zero": {"stsc": full(b"stsc", struct.pack(">IIII", 1, 0, 1, 0))},
    "descriptions": {"stsc": full(b"stsc", struct.pack(">IIII", 1, 1, 1, 0xFFFFFFFF))},
}


@each("audio/mp4", "mp4_table_of", TABLES)
def mp4_table_of(changed):
    return with_tables(**changed)


@each("audio/mp4", "mp4_scale", {"zero": 0, "2_32": 0xFFFFFFFF, "one": 1})
def mp4_scale(scale):
    return patched(b"mdhd", 20, struct.pack(">I", scale))


@each("audio/mp4", "mp4_edit", {"before": (-5, 0), "far": (0x7FFFFFFF, 0x7FFFFFFF), "wild_rate": (0, -1), "empty": (-1, -1)})
def mp4_edit(case):
    time, rate = case
    edits = box(b"edts", table(b"elst", 3, struct.pack(">iii", 0x7FFFFFFF, time, rate)))
    return movie(one_frame_tables(COUNT), TICKS, edits=edits)


@kind("audio/mp4")
def mp4_lengths_of_descriptors_that_never_end():
    return patched(b"esds", 12, b"\x03" + b"\x80" * 20)


@kind("audio/mp4")
def mp4_decoder_settings_of_zeros():
    return patched(b"esds", 12, bytes(30))


@kind("audio/mp4")
def mp4_channels_by_the_thousand():
    return patched(b"mp4a", 24, b"\xff\xff\xff\xff")


@kind("audio/mp4")
def mp4_codec_of_a_film():
    return patched(b"mp4a", 4, b"avc1")


@kind("audio/mp4")
def mp4_encrypted():
    return patched(b"mp4a", 4, b"enca")


@kind("audio/mp4")
def mp4_two_headers():
    data = plain()
    return data + data[data.index(b"moov") - 4 :]


@kind("audio/mp4", refused=True)
def mp4_header_in_header():
    data = plain()
    header = data[data.index(b"moov") - 4 :]
    for _ in range(200):
        header = box(b"udta", header)
    return data[: data.index(b"moov") - 4] + header


@kind("audio/mp4")
def mp4_brands_by_the_hundred_thousand():
    """The sound has moved, so that its table points to the brands."""
    return box(b"ftyp", b"M4A \0\0\2\0" + b"M4A " * 200_000) + plain()[len(FTYP) :]


@each("audio/mp4", "mp4_reference", {str(number): number for number in range(len(references()))})
def mp4_reference(number):
    """A data reference to another file, marked as outside."""
    name = references()[number].encode()
    entry = full(b"url ", name + b"\0")
    others = full(b"urn ", name + b"\0" + name + b"\0")
    data = plain()
    at = data.index(b"dref") - 4
    size = struct.unpack(">I", data[at : at + 4])[0]
    new = full(b"dref", struct.pack(">I", 2), entry, others)
    changed = bytearray(data[:at] + new + data[at + size :])
    for parent in (b"moov", b"trak", b"mdia", b"minf", b"dinf"):
        where = changed.index(parent) - 4
        changed[where : where + 4] = struct.pack(">I", struct.unpack(">I", changed[where : where + 4])[0] + len(new) - size)
    return bytes(changed)


@kind("audio/mp4")
def mp4_metadata_that_names_files():
    items = [
        box(name, box(b"data", struct.pack(">II", 1, 0), value.encode()))
        for value in references()
        for name in (b"\xa9nam", b"\xa9too", b"covr", b"purl", b"egid")
    ]
    meta = full(b"meta", full(b"hdlr", bytes(4), b"mdirappl", bytes(9)), box(b"ilst", *items))
    return movie(one_frame_tables(COUNT), TICKS, box(b"udta", meta))


@kind("audio/mp4")
def mp4_picture_of_a_gigabyte():
    cover = struct.pack(">I4s", 0x40000000, b"covr") + struct.pack(">I4sII", 0x3FFFFFF8, b"data", 13, 0)
    meta = full(b"meta", full(b"hdlr", bytes(4), b"mdirappl", bytes(9)), struct.pack(">I4s", 0x40000008, b"ilst") + cover)
    return movie(one_frame_tables(COUNT), TICKS, box(b"udta", meta))


# In fragments

EMPTY = [full(name, struct.pack(">I", 0)) for name in (b"stts", b"stsc", b"stco")] + [full(b"stsz", struct.pack(">II", 0, 0))]


def fragmented(*rest, default=1024):
    mvex = box(b"mvex", full(b"trex", struct.pack(">5I", 1, 1, default, 100, 0)))
    return movie(EMPTY, 0, mvex, data=b"") + b"".join(rest)


def fragment(tfhd=None, trun=None, tfdt=b"", number=1):
    frame = aac_frames()[10]
    trun = full(b"trun", struct.pack(">IiI", 1, 200, len(frame)), flags=0x201) if trun is None else trun
    head = full(b"tfhd", struct.pack(">I", 1), flags=0x20000) if tfhd is None else tfhd
    return box(b"moof", full(b"mfhd", struct.pack(">I", number)), box(b"traf", head, tfdt, trun)) + box(b"mdat", frame * 4)


RUNS = {
    "2_32_samples": struct.pack(">Ii", 0xFFFFFFFF, 100),
    "samples_of_a_gigabyte": struct.pack(">IiI", 1, 100, 0x40000000),
    "before_the_file": struct.pack(">Ii", 1, -0x80000000),
    "after_the_file": struct.pack(">Ii", 1, 0x7FFFFFFF),
}


@each("audio/mp4", "fragment_of", RUNS)
def fragment_of(run):
    return fragmented(*(fragment(trun=full(b"trun", run, flags=0x201 if len(run) == 12 else 1), number=n) for n in range(20)))


@each("audio/mp4", "fragment_at", {"2_63": 1 << 63, "2_64": (1 << 64) - 1, "2_62": 1 << 62})
def fragment_at(time):
    return fragmented(*(fragment(tfdt=full(b"tfdt", struct.pack(">Q", time), version=1), number=n) for n in range(20)))


@each("audio/mp4", "fragment_base", {"beyond": 1 << 62, "negative": 1 << 63})
def fragment_base(offset):
    return fragmented(fragment(tfhd=full(b"tfhd", struct.pack(">IQ", 1, offset), flags=1)))


@kind("audio/mp4")
def fragment_of_a_track_that_is_missing():
    return fragmented(*(fragment(tfhd=full(b"tfhd", struct.pack(">I", n), flags=0x20000)) for n in range(2, 2_000)))


@kind("audio/mp4")
def fragments_of_nothing():
    return fragmented(box(b"moof") * 50_000)


@kind("audio/mp4")
def fragments_of_hours():
    """Each fragment of one frame states an hour."""
    return fragmented(*(fragment(number=n) for n in range(1, 20)), default=44_100 * 3_600)


@kind("audio/mp4")
def fragment_index_that_points_to_itself():
    index = full(b"sidx", struct.pack(">IIIIHH", 1, 44_100, 0, 0, 0, 0xFFFF), struct.pack(">III", 1 << 31, 0, 0) * 0xFFFF)
    return fragmented(index, index, fragment())


@kind("audio/mp4")
def fragment_table_that_points_to_itself():
    entry = struct.pack(">QQBBB", 1 << 62, 0, 1, 1, 1)
    access = full(b"tfra", struct.pack(">III", 1, 0, 0xFFFFFFFF), entry * 500, version=1)
    return fragmented(fragment(), box(b"mfra", access, full(b"mfro", struct.pack(">I", 0xFFFFFFFF))))


# 3GP


def speech(name=b"samr", rate=8_000, settings=None, frames=NARROW_FRAMES):
    """AMR in 3GP: frames of 13 bytes."""
    settings = box(b"damr", b"FFMP\0\x81\xff\0\1") if settings is None else settings
    entry = box(name, bytes(6) + b"\0\1", bytes(8), struct.pack(">HHIHH", 1, 16, 0, rate, 0), settings)
    size, count = 13, len(frames) // 13
    tables = (
        full(b"stts", struct.pack(">III", 1, count, 160)),
        full(b"stsc", struct.pack(">IIII", 1, 1, count, 1)),
        full(b"stsz", struct.pack(">II", size, count)),
        table(b"stco", 1, struct.pack(">I", START)),
    )
    data = bytearray(movie(tables, count * 160, data=frames))
    at = data.index(b"stsd") - 4
    old = struct.unpack(">I", data[at : at + 4])[0]
    new = full(b"stsd", struct.pack(">I", 1), entry)
    data[at : at + old] = new
    for parent in (b"moov", b"trak", b"mdia", b"minf", b"stbl"):
        where = data.index(parent) - 4
        data[where : where + 4] = struct.pack(">I", struct.unpack(">I", data[where : where + 4])[0] + len(new) - old)
    data[4:20] = b"ftyp3gp4\0\0\2\x003gp4"
    return bytes(data)


SPEECH = {
    "as_it_should_be": {},
    "with_wide_frames_announced": {"name": b"sawb"},
    "at_no_rate": {"rate": 0},
    "with_frames_of_no_type": {"frames": b"\x4c" + NARROW_FRAMES[1:]},
    "with_evrc": {"name": b"sevc"},
    "with_settings_of_2_31": {"settings": struct.pack(">I4s", 0x7FFFFFFF, b"damr")},
}


@each("audio/3gpp", "threegp", SPEECH)
def threegp(case):
    return speech(**case)
