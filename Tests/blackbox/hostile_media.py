"""Recordings with headers that no recorder writes: `python hostile_media.py FOLDER CANARY EVERY` writes each EVERYth kind (1: all of them).

CANARY is the path of a file outside the folder, which some of them name. Prints name, content type and `refused` for each that has no sound. Most are made of bytes by the formats' specifications; a few are a
second of sound by ffmpeg with another header. Everything is the same on each run. Recordings that cost much are in costly_media.py.
"""

import os
import sys

import hostile_amr  # noqa: F401 (each module registers its kinds)
import hostile_caf  # noqa: F401
import hostile_flac  # noqa: F401
import hostile_matroska  # noqa: F401
import hostile_mp4  # noqa: F401
import hostile_ogg  # noqa: F401
import hostile_wav  # noqa: F401
from hostile_kinds import CANARY, KINDS


def chosen(every):
    """Each EVERYth kind; neighbours are of one format."""
    return dict(list(KINDS.items())[::every])


if __name__ == "__main__":
    folder, CANARY[0], every = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for name, kind in chosen(every).items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(kind.make())
        print(name, kind.content_type, "refused" if kind.is_refused else "any")
