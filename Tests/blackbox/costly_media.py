"""Recordings that cost much to examine, decode or recognise for their size: `python costly_media.py FOLDER` writes one of each kind.

Most are made of bytes by the formats' specifications, so that making them costs little; a few begin with a second of sound by ffmpeg.
`KINDS` maps a name to its content type and its maker; `make(name)` returns the bytes. Everything is the same on each run.
"""

import os
import sys

import costly_files  # noqa: F401 (each module registers its kinds)
import costly_mp4  # noqa: F401
import costly_streams  # noqa: F401
from costly_kinds import KINDS, make

if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:] or KINDS:
        data = make(name)
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)
        print(f"{name:36} {KINDS[name].content_type:12} {len(data):>11,}")
