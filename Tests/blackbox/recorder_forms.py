"""Speech of flite in the forms in which recorders and browsers write it."""

import ctypes
import ctypes.util
import subprocess
from typing import NamedTuple

SPEAK = ["flite", "-voice", "rms"]
QUIET = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"]


class Form(NamedTuple):
    name: str
    file: str
    content_type: str
    encoding: list
    is_copied: bool = True
    """Whether it plays from a copy in AAC; the others play as they are."""
    heard: float = 0.5
    """More than this share of its words is recognised."""


FORMS = [
    Form("AAC in m4a", "phone.m4a", "audio/mp4", ["-c:a", "aac", "-f", "ipod"], is_copied=False),
    Form("AAC in fragmented MP4", "browser.mp4", "audio/mp4", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
    Form("Apple lossless in m4a", "lossless.m4a", "audio/x-m4a", ["-c:a", "alac", "-f", "ipod"]),
    Form("MP3", "voice.mp3", "audio/mpeg", ["-c:a", "libmp3lame"]),
    Form("PCM in WAV", "voice.wav", "audio/wav", ["-c:a", "pcm_s16le"]),
    Form("Opus in Ogg", "voice.ogg", "audio/ogg; codecs=opus", ["-c:a", "libopus"]),
    Form("Vorbis in Ogg", "vorbis.ogg", "audio/ogg", ["-c:a", "libvorbis"]),
    Form("Opus in WebM without a length", "live.webm", "audio/webm;codecs=opus", ["-c:a", "libopus", "-live", "1"]),
    Form("Apple lossless in CAF", "phone.caf", "audio/x-caf", ["-c:a", "alac"]),
    Form("FLAC", "voice.flac", "audio/flac", ["-c:a", "flac"]),
    Form("AAC in 3GP", "phone.3gp", "audio/3gpp", ["-c:a", "aac"]),
    Form("AAC in ADTS", "voice.aac", "audio/aac", ["-c:a", "aac"]),
]
"""The 12 that Debian's ffmpeg encodes. Of what the service takes it has no encoder for AMR, narrow or wide, in its own file or in 3GP."""

# The recogniser's model is of speech at 16 kHz, of which this has the lower half: 44 % of the words were heard.
AMR = Form("AMR, narrow band", "phone.amr", "audio/amr", [], heard=0.25)


def spoken(text, path, rate=48_000):
    """The recording of the text that all forms hold, with half a second of silence before it and after it, and its samples."""
    raw = path.with_suffix(".flite.wav")
    subprocess.run([*SPEAK, "-t", text, "-o", raw], check=True, timeout=60)
    around = ["-af", "adelay=500:all=1,apad=pad_dur=0.5", "-ac", "1", "-ar", str(rate), "-c:a", "pcm_s16le"]
    subprocess.run([*QUIET, "-i", raw, *around, path], check=True, timeout=60)


def encoded(speech, form):
    path = speech.with_name(form.file)
    if form is AMR:
        path.write_bytes(amr(decoded(speech, 8_000)))
    else:
        subprocess.run([*QUIET, "-i", speech, *form.encoding, path], check=True, timeout=60)
    return path.read_bytes()


def decoded(path, rate):
    """Its samples, as bytes: 16 bits, little-endian, one channel. Fails where it does not decode to its end."""
    raw = ["-f", "s16le", "-ac", "1", "-ar", str(rate), "-"]
    return subprocess.run([*QUIET, "-xerror", "-i", path, *raw], check=True, capture_output=True, timeout=60).stdout


def amr_encoder():
    """Debian's libopencore-amrnb0, which its ffmpeg does not use; None without it."""
    name = ctypes.util.find_library("opencore-amrnb") or "libopencore-amrnb.so.0"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return None
    library.Encoder_Interface_init.restype = ctypes.c_void_p
    library.Encoder_Interface_exit.argtypes = [ctypes.c_void_p]
    library.Encoder_Interface_Encode.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
    return library


def amr(samples, mode=7):
    """RFC 4867 section 5 of samples at 8 kHz, 160 in a frame; mode 7 is 12.2 kbit/s."""
    library = amr_encoder()
    state, frame = library.Encoder_Interface_init(0), ctypes.create_string_buffer(64)
    made = [b"#!AMR\n"]
    for at in range(0, len(samples), 320):
        size = library.Encoder_Interface_Encode(state, mode, samples[at : at + 320].ljust(320, b"\0"), frame, 0)
        made.append(frame.raw[:size])
    library.Encoder_Interface_exit(state)
    return b"".join(made)
