"""The list of costly recordings (costly_media.py), and the sound that some begin with."""

import functools
import os
import subprocess
import tempfile
from collections.abc import Callable
from typing import NamedTuple

HOURS = 3.9  # below the service's limit of 4


class Kind(NamedTuple):
    content_type: str
    make: Callable[[], bytes]


KINDS: dict[str, Kind] = {}


def kind(content_type):
    def register(make):
        KINDS[make.__name__] = Kind(content_type, make)
        return make

    return register


def make(name):
    return KINDS[name].make()


@functools.cache
def sound(suffix, *options, seconds=1, source="anoisesrc=a=0.5:seed=1:r=44100"):
    """Noise, encoded by ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sound." + suffix)
        command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-t", str(seconds), "-i", source]
        subprocess.run([*command, "-bitexact", *options, path], check=True)
        with open(path, "rb") as file:
            return file.read()
