"""Envelopes of recordings: computed from samples, compared, and drawn to a picture."""

import array
import math
import struct
import sys
import zlib


def envelope(samples, points):
    """The energy (root of the mean square) of each of `points` equal stretches of 16-bit samples."""
    values = array.array("h", samples)
    if sys.byteorder == "big":
        values.byteswap()
    found = []
    for point in range(points):
        stretch = values[point * len(values) // points : (point + 1) * len(values) // points]
        found.append(math.sqrt(sum(value * value for value in stretch) / max(1, len(stretch))))
    return found


def correlation(one, other):
    """Pearson's."""
    means = sum(one) / len(one), sum(other) / len(other)
    pairs = [(a - means[0], b - means[1]) for a, b in zip(one, other, strict=True)]
    spread = math.sqrt(sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs))
    return sum(a * b for a, b in pairs) / spread if spread else 0.0


def draw(rows, path, height=64, gap=4):
    """A PNG: for each row of levels (0 … 255) one band, mirrored at its middle as players draw it; a column a level."""
    width = len(rows[0])
    lines = []
    for row in rows:
        for y in range(height):
            # Of 127 levels, how many are between the middle and this line.
            away = abs(2 * y - height + 1) * 127 // height
            lines.append(bytes(40 if level // 2 > away else 245 for level in row))
        lines += [bytes([255]) * width] * gap
    pixels = zlib.compress(b"".join(b"\0" + line for line in lines))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, len(lines), 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
