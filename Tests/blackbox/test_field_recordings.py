"""Recordings of the field whose sound is known: a format that changes in the middle (G), files joined to one (H), headers that are
wrong (I), channels that erase each other (J), tracks of which one is the right one (K).

Whatever is `transcribed` is as long as its sound, and its copy, its waveform and what the engine was sent follow that sound from end to
end. That it cannot be read may be said of those with `refusals` alone, by one of these codes. `DIARY_TIMES=1` takes all of each table
instead of the first five.
"""

import array
import functools
import hashlib
import math
import operator
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pytest

import http_client
from fake_openai import FakeOpenAI
from field_recordings import (
    DECOY,
    LEVELS,
    ONE,
    STAMP,
    STEP,
    THREE,
    TOO_LONG,
    TWO,
    TYPES,
    UNREAD,
    Channel,
    Recording,
    alien,
    boxes,
    caf_lasting,
    caf_packets,
    cycle,
    encoded,
    ffmpeg,
    film,
    flac_lasting,
    fragments_from,
    lasting,
    long_memo,
    mp3_lasting,
    ogg_from,
    plain,
    put,
    replaced,
    slack,
    tracks,
    turned,
    two_descriptions,
    wav_lasting,
    webm_lasting,
    with_an_empty_track,
    with_numbers,
)
from hosted_engine import hosted_engine
from processes import wait_for
from recorder_forms import QUIET
from repetitions import repetitions
from rig import Rig

pytestmark = pytest.mark.any_store

LONGEST = 700
"""Seconds that a recording may have here."""


def joined(form, *formats, more=(), refusals=frozenset()):
    """Parts of these rates and numbers of channels."""
    passages = [ONE, TWO, THREE][: len(formats)]

    def make():
        return b"".join(plain(form, passage, *each, more) for passage, each in zip(passages, formats, strict=True))

    return Recording(TYPES[form], make, passages, max(slack(form, rate) for rate, _ in formats), refusals=refusals)


def edited(form, edit, rate=48_000, channels=1, step=STEP, passages=(ONE,)):
    """One passage under another header."""
    return Recording(TYPES[form], lambda: edit(plain(form, ONE, rate, channels, (), step)), list(passages), slack(form, rate), step=step)


def murmured(form, passage, *more):
    """AMR is made for voices: it changes a tone."""
    return encoded(form, (Channel(passage, kind="murmur"),), more=more)


CHANGING = {
    "ADTS: a headset connects": joined("adts", (48_000, 2), (16_000, 1)),
    "MP3: a dictation machine appends": joined("mp3", (44_100, 2), (16_000, 1)),
    "ADTS: a headset connects and goes": joined("adts", (48_000, 2), (16_000, 1), (48_000, 2)),
    "ADTS: another number of channels": joined("adts", (44_100, 1), (44_100, 2)),
    "Ogg: a voice on the right, one channel, the inverse": Recording(
        "audio/ogg",
        lambda: (
            encoded("opus", (Channel("0" * 8), Channel(ONE)))
            + plain("opus", TWO, channels=1)
            + encoded("opus", (Channel(THREE), Channel(THREE, gain=-0.8)))
        ),
        [ONE, TWO, THREE],
    ),
    "MP3: half the rate": joined("mp3", (48_000, 1), (24_000, 1)),
    "Ogg: Opus with two channels, then one": joined("opus", (48_000, 2), (48_000, 1)),
    "Ogg: Vorbis at another rate": joined("vorbis", (44_100, 2), (16_000, 1)),
    "FLAC: another rate": joined("flac", (48_000, 2), (16_000, 1), refusals=UNREAD),
    "AMR: the lowest of its rates from the middle on": Recording(
        "audio/amr", lambda: murmured("amr", ONE) + murmured("amr", TWO, 0)[6:], [ONE, TWO], kind="murmur"
    ),
    "MP4: a second description of samples": Recording("audio/mp4", two_descriptions, [ONE, TWO], slack("adts", 16_000)),
    "WebM: packets with two channels, then one": Recording(
        "audio/webm",
        lambda: ffmpeg([plain("opus", ONE), plain("opus", TWO, channels=1)], "-c", "copy", "-f", "webm", are_one=True),
        [ONE, TWO],
    ),
    "MP3: three formats": joined("mp3", (22_050, 1), (44_100, 2), (32_000, 1)),
    "ADTS: a headset goes": joined("adts", (16_000, 1), (48_000, 2)),
    "ADTS: another rate": joined("adts", (44_100, 1), (48_000, 1)),
    "MP3: better from the middle on": joined("mp3", (16_000, 1), (44_100, 2)),
    "MP3: another number of channels": joined("mp3", (48_000, 1), (48_000, 2)),
}


def hls(form):
    return Recording("audio/aac", lambda: b"".join(STAMP + plain(form, p, 48_000, 1) for p in (ONE, TWO)), [ONE, TWO], slack(form, 48_000))


def cut(form, size):
    """The recorder died in a frame and went on in the same file."""
    return Recording(TYPES[form], lambda: plain(form, ONE)[:-size] + plain(form, TWO), [ONE, TWO], slack(form, 48_000))


SAME = ((48_000, 1),) * 2
JOINED = {
    "WebM: as browsers write it": joined("live webm", *SAME),
    "WebM: another number of channels": joined("webm", (48_000, 2), (48_000, 1)),
    "Ogg: Opus": joined("opus", *SAME),
    "Ogg: two streams of the same number": joined("opus", *SAME, more=("-bitexact",)),
    "MP3: tags between": joined("mp3 with tags", *SAME),
    "ADTS: a stamp before each part": hls("adts"),
    "FLAC": joined("flac", *SAME),
    "AMR: a second header": Recording("audio/amr", lambda: murmured("amr", ONE) + murmured("amr", TWO), [ONE, TWO], kind="murmur"),
    "WAV": joined("wav", *SAME),
    "MP4": joined("m4a", *SAME, refusals=UNREAD),
    "WebM: three": joined("live webm", *SAME, (48_000, 1)),
    "ADTS: cut in a frame": cut("adts", 100),
    "WebM": joined("webm", *SAME),
    "Ogg: Vorbis": joined("vorbis", *SAME),
    "MP3: three with tags": joined("mp3 with tags", *SAME, (48_000, 1)),
    "ADTS": joined("adts", *SAME),
    "MP4: fragments": joined("fragments", *SAME, refusals=UNREAD),
}


HOURS = 36_000
WAV_BYTES = 4 * 32_000
CLAIMS = {
    "WAV: of no length": edited("wav", lambda data: wav_lasting(data, 0), 16_000),
    "WAV: a quarter": edited("wav", lambda data: wav_lasting(data, WAV_BYTES // 4), 16_000),
    "WAV: ten hours": edited("wav", lambda data: wav_lasting(data, HOURS * 32_000), 16_000),
    "WebM: ten hours": edited("webm", lambda data: webm_lasting(data, HOURS)),
    "WebM: a second before two minutes": edited("webm", lambda data: webm_lasting(data, 1), step=15),
    "FLAC: ten hours": edited("flac", lambda data: flac_lasting(data, HOURS * 48_000)),
    "MP3: half a second": edited("mp3 with tags", lambda data: mp3_lasting(data, 20)),
    "CAF: of no length": edited("caf", lambda data: caf_lasting(data, -1), 16_000),
    "MP4: a second before ten minutes": Recording("audio/mp4", lambda: long_memo(74.88, 1), [ONE], 0.2, step=74.88),
    "MP4: a second before more than is taken": Recording("audio/mp4", lambda: long_memo(99.84, 1), None, refusals=TOO_LONG),
    "WAV: of an endless stream": edited("wav", lambda data: wav_lasting(data, 0xFFFFFFFF, 0xFFFFFFFF), 16_000),
    "Ogg: times from an hour on": edited("opus", lambda data: ogg_from(data, 3_600)),
    "WAV: of no length, nor any in its form": edited("wav", lambda data: wav_lasting(data, 0, 0), 16_000),
    "WAV: twice as long": edited("wav", lambda data: wav_lasting(data, WAV_BYTES * 2), 16_000),
    "WAV: other bytes a second": edited("wav", lambda data: put(data, 28, b"\1\0\0\0"), 16_000),
    "WAV: a second before two minutes": edited("wav", lambda data: wav_lasting(data, 32_000), 16_000, step=15),
    "WebM: half a second": edited("webm", lambda data: webm_lasting(data, 0.5)),
    "WebM: another rate than that of Opus": edited("webm", lambda data: put(data, data.index(b"\xb5\x88") + 2, struct.pack(">d", 8_000))),
    "WebM: times from an hour on": edited("webm", lambda data: ffmpeg([data], "-c", "copy", "-output_ts_offset", "3600", "-f", "webm")),
    "FLAC: of no length": edited("flac", lambda data: flac_lasting(data, 0)),
    "FLAC: a second": edited("flac", lambda data: flac_lasting(data, 48_000)),
    "FLAC: a second before two minutes": edited("flac", lambda data: flac_lasting(data, 16_000), 16_000, step=15),
    "MP3: ten hours": edited("mp3 with tags", lambda data: mp3_lasting(data, HOURS * 48_000 // 1_152)),
    "MP3: a second before two minutes": edited("mp3 with tags", lambda data: mp3_lasting(data, 40), step=15),
    "CAF: ten hours": edited("caf", lambda data: caf_lasting(data, HOURS * 32_000), 16_000),
    "CAF: ten hours of packets": edited("lossless caf", lambda data: caf_packets(data, HOURS * 48_000)),
    "MP4: ten hours": edited("m4a", lambda data: lasting(data, HOURS)),
    "MP4: half a second": edited("m4a", lambda data: lasting(data, 0.5)),
    "MP4: another rate than that of AAC": edited(
        "m4a", lambda data: put(data, data.index(b"mp4a", data.index(b"stsd")) + 28, b"\x1f\x40\0\0")
    ),
    "MP4: fragments from an hour on": edited("fragments", lambda data: fragments_from(data, 3_600)),
    "3GP: ten hours": edited("3gp", lambda data: lasting(data, HOURS)),
}


def channels(form, *each, passages=(ONE,), **more):
    return Recording(TYPES[form], lambda: encoded(form, each), list(passages), slack(form, 48_000), **more)


VOICE, SILENT = Channel(ONE), Channel("0" * len(ONE))
INVERSE = Channel(ONE, turn=0.5)
MURMUR = Channel(ONE, kind="murmur")
SURROUND = ("front left", "front right", "front centre", "low tones", "back left", "back right")


def surround(form, name):
    return channels(form, *(VOICE if place == name else SILENT for place in SURROUND), quiet_elsewhere=12)


CHANNELS = {
    "WAV: the inverse": channels("wav", VOICE, INVERSE),
    "FLAC: the inverse": channels("flac", VOICE, INVERSE),
    "Ogg: the inverse": channels("opus", VOICE, INVERSE),
    "M4A: the inverse": channels("m4a", VOICE, INVERSE),
    "M4A: the inverse from the middle on": channels("m4a", (VOICE, Channel(TWO)), (VOICE, Channel(TWO, turn=0.5)), passages=(ONE, TWO)),
    "WAV: two people, each at a microphone": channels("wav", (VOICE, Channel("0" * 8)), (SILENT, Channel(TWO)), passages=(ONE, TWO)),
    "M4A: 5.1, behind": surround("m4a", "back right"),
    "WAV: one is far louder": channels("wav", VOICE, Channel(ONE, gain=0.05)),
    "WebM: microphones 12 ms apart": channels("webm", MURMUR._replace(late=0.012), MURMUR, kind="murmur"),
    "WAV: a voice on the right, stored as middle and side": channels(
        "wav", Channel(ONE, gain=0.5), Channel(ONE, gain=0.5, turn=0.5), quiet=13
    ),
    "FLAC: a quarter of a period": channels("flac", VOICE, Channel(ONE, turn=0.25)),
    "M4A: one is silent": channels("m4a", SILENT, VOICE),
    "WebM: the inverse": channels("live webm", VOICE, INVERSE),
    "MP3: the inverse": channels("mp3", VOICE, INVERSE),
    "ADTS: the inverse": channels("adts", VOICE, INVERSE),
    "CAF: the inverse": channels("lossless caf", VOICE, INVERSE),
    "WAV: the inverse, somewhat weaker": channels("wav", VOICE, INVERSE._replace(gain=0.8)),
    "WAV: nearly the inverse": channels("wav", VOICE, Channel(ONE, turn=0.45)),
    "Ogg: one is silent": channels("opus", VOICE, SILENT),
    "WAV: one is far louder, the other its inverse": channels("wav", Channel(ONE, gain=0.05, turn=0.5), VOICE),
    "WAV: microphones 5 ms apart": channels("wav", MURMUR, MURMUR._replace(late=0.005), kind="murmur"),
    "M4A: microphones 20 ms apart": channels("m4a", MURMUR, MURMUR._replace(late=0.02), kind="murmur"),
    "FLAC: microphones apart by half a period": channels("flac", VOICE, Channel(ONE, late=0.01125)),
    "FLAC: a voice in the middle, stored as middle and side": channels("flac", VOICE, Channel(ONE, gain=0.02)),
    "WAV: 5.1, in the centre": surround("wav", "front centre"),
    "FLAC: 5.1, on the left": surround("flac", "front left"),
    "Ogg: 5.1, in the centre": surround("opus", "front centre"),
}


def track(content_type, make, **more):
    return Recording(content_type, make, [ONE], **more)


TRACKS = {
    "M4A: an unknown codec first": track("audio/mp4", lambda: alien(tracks("m4a", DECOY, ONE))),
    "MOV: as phones write it": track("video/mp4", lambda: alien(tracks("mov", ONE, DECOY), 1)),
    "MOV: the order reversed": track("video/mp4", lambda: alien(tracks("mov", DECOY, ONE))),
    "M4A: silence first": track("audio/mp4", lambda: tracks("m4a", "0" * 8, ONE)),
    "MOV: a picture, one that is turned off, the sound": track(
        "video/mp4", lambda: turned(film("mov", DECOY, ONE, codec="libx264"), True, False, True)
    ),
    "M4A: an empty track first": track("audio/mp4", lambda: with_an_empty_track(1, 2), slack=0.05),
    "M4A: one that is turned off first": track("audio/mp4", lambda: turned(tracks("m4a", DECOY, ONE), False, True)),
    "M4A: three, the third is known": track("audio/mp4", lambda: alien(alien(tracks("m4a", DECOY, DECOY, ONE)), 1, b"zv9a")),
    "MP4: a picture, an unknown codec, the sound": track("video/mp4", lambda: alien(film("m4a", DECOY, ONE, codec="libx264"), 1)),
    "MP4: fragments, an unknown codec first": track("audio/mp4", lambda: alien(tracks("fragments", DECOY, ONE))),
    "WebM: an unknown codec first": track("audio/webm", lambda: replaced(tracks("webm", DECOY, ONE), b"A_OPUS", b"A_APAC")),
    "WebM: a picture first": track("video/webm", lambda: film("webm", ONE, codec="libvpx")),
    "M4A: none is known": Recording("audio/mp4", lambda: alien(alien(tracks("m4a", ONE, TWO)), 1), None, refusals=UNREAD),
    "M4A: a codec of a maker first": track("audio/x-m4a", lambda: alien(tracks("m4a", DECOY, ONE), name=b"zv9a")),
    "M4A: the order reversed, the numbers too": track("audio/mp4", lambda: with_numbers(alien(tracks("m4a", DECOY, ONE)), 2, 1)),
    "M4A: an empty track first, of the second number": track("audio/mp4", lambda: with_an_empty_track(2, 1), slack=0.05),
    "M4A: the only one is turned off": track("audio/mp4", lambda: turned(tracks("m4a", ONE), False)),
    "M4A: an unknown codec first, the known one is turned off": track(
        "audio/mp4", lambda: alien(turned(tracks("m4a", DECOY, ONE), True, False))
    ),
    "M4A: three, the second is known": track("audio/mp4", lambda: alien(alien(tracks("m4a", DECOY, ONE, DECOY)), 2)),
    "MP4: a picture first": track("video/mp4", lambda: film("m4a", ONE, codec="libx264")),
    "3GP: an unknown codec first": track("audio/3gpp", lambda: alien(tracks("3gp", DECOY, ONE))),
    "WebM: a picture, an unknown codec, the sound": track(
        "video/webm", lambda: replaced(film("webm", DECOY, ONE, codec="libvpx"), b"A_OPUS", b"A_APAC")
    ),
}


DAILY = 5
KINDS = {"G": CHANGING, "H": JOINED, "I": CLAIMS, "J": CHANNELS, "K": TRACKS}
CHOSEN = {f"{kind} {name}": recording for kind, each in KINDS.items() for name, recording in list(each.items())[: repetitions(None, DAILY)]}


# What was heard

WINDOW = 0.02
HEARD_AT = 4_000
"""Samples a second: the tones are below half of it."""


def decoded(*audios):
    """Of each recording, with options, the loudness of each hundredth of a second or two in its loudest channel, and the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        read, written = [], []
        for number, (audio, track, *options) in enumerate(audios):
            pathlib.Path(folder, f"{number}").write_bytes(audio)
            read += ["-i", f"{folder}/{number}"]
            form = ["-ar", str(HEARD_AT), "-c:a", "pcm_s16le", "-bitexact", "-f", "wav", f"{folder}/{number}.wav"]
            written += ["-map", f"{number}:a:{track}", *options, *form]
        is_read = subprocess.run([*QUIET, *read, *written], capture_output=True, timeout=60).returncode == 0
        if not is_read and len(audios) > 1:
            return [decoded(each)[0] for each in audios]
        return [curve(pathlib.Path(folder, f"{number}.wav")) for number in range(len(audios))]


def curve(path):
    made = path.read_bytes() if path.exists() else b""
    if len(made) < 46:
        return [], 0.0
    count, samples = int.from_bytes(made[22:24], "little"), array.array("h", made[made.index(b"data") + 8 :])
    if sys.byteorder == "big":
        samples.byteswap()
    size = round(WINDOW * HEARD_AT) * count
    windows = [samples[at : at + size] for at in range(0, len(samples), size)]
    return [max(loudness(window[channel::count]) for channel in range(count)) for window in windows], len(samples) / count / HEARD_AT


def played_track(copy):
    """The number of the sound track that players take: the first that is turned on."""
    is_sound = [copy[at + 8 : at + 12] == b"soun" for at in boxes(copy, "moov/trak/mdia/hdlr")]
    sounds = [copy[at + 3] & 1 for at, is_one in zip(boxes(copy, "moov/trak/tkhd"), is_sound, strict=True) if is_one]
    return sounds.index(1) if 1 in sounds else 0


def loudness(samples):
    return math.sqrt(sum(map(operator.mul, samples, samples)) / max(1, len(samples))) / 32768


@functools.cache
def measures(kind):
    """The energy and the peaks of the sound at full scale."""
    period = cycle(kind)
    peaks = [max(map(abs, period[at : at + 240])) for at in range(0, len(period), 240)]
    return math.sqrt(sum(value * value for value in period) / len(period)), statistics.median(peaks)


def decibels(value):
    return f"{20 * math.log10(value):.0f} dB" if value > 0.001 else "silence"


def faults_at(curve, width, begin, passage, recording, scale, quiet):
    """What is not as in the passage, if that begins there."""
    step = recording.step
    heard = []
    for number in range(len(passage)):
        first, last = begin + step * (number + 0.25), begin + step * (number + 0.75)
        values = curve[max(0, round(first / width)) : max(1, round(last / width))]
        heard.append(statistics.median(values) if values else 0.0)
    known = [LEVELS[int(level)] * scale for level in passage]
    gain = statistics.median(value / level for value, level in zip(heard, known, strict=True) if level)
    if not 10 ** (-quiet / 20) < gain < 10 ** (7 / 20):
        return [f"the passage at {begin:.1f} s is at {decibels(gain)}"] * len(passage)
    found = []
    for number, (value, level) in enumerate(zip(heard, known, strict=True)):
        is_right = gain * level / 1.6 < value < gain * level * 1.6 if level else value < 0.015
        if not is_right:
            found.append(f"{begin + step * number:.1f} s: {decibels(value)} in place of {decibels(gain * level)}")
    return found


def faults_of_length(seconds, recording):
    known = sum(recording.step * len(passage) for passage in recording.passages)
    is_right = known - 0.1 <= seconds <= known + 0.1 + recording.slack * len(recording.passages)
    return [] if is_right else [f"{seconds:.2f} s of {known:.2f} s"]


def faults(curve, seconds, recording, scale, quiet):
    """How a curve of loudness over this time departs from what is in the recording."""
    if not curve:
        return ["nothing"]
    begin, found = 0.0, faults_of_length(seconds, recording)
    for number, passage in enumerate(recording.passages):
        latest = 0.06 + recording.slack * (number + 1)
        shifts = [at * 0.03 - 0.06 for at in range(int((latest + 0.06) / 0.03) + 1)]
        tries = (faults_at(curve, seconds / len(curve), begin + shift, passage, recording, scale, quiet) for shift in shifts)
        found += min(tries, key=len)
        begin += recording.step * len(passage)
    return list(dict.fromkeys(found))


class Scene:
    """A service whose engine keeps what it was sent."""

    def __init__(self):
        self.fake = FakeOpenAI(key="sk-field")
        self.rig = Rig(
            DIARY_PROBE="ffmpeg", DIARY_MAX_AUDIO_SECONDS=str(LONGEST), **hosted_engine("SPEECH", self.fake.url, "whisper-1", "sk-field")
        )
        # One account has half of the slots at most.
        self.users = [self.rig.user() for _ in range(4)]
        self.entries = {}

    def end(self):
        self.rig.end()
        self.fake.end()

    def record(self, recordings):
        """Begins with all of them at once."""
        with ThreadPoolExecutor(2) as pool:
            audios = dict(zip(recordings, pool.map(lambda recording: recording.make(), recordings.values()), strict=True))
        for number, (name, audio) in enumerate(audios.items()):
            user = self.users[number % len(self.users)]
            self.entries[name] = user, user.record(audio, content_type=recordings[name].content_type, title=name[:200])

    def ended(self, name):
        user, id = self.entries[name]

        def look():
            entry = user.entry(id)
            return entry if entry["status"] in ("failed", "transcribed") else None

        return user, wait_for(look, 120, f"the end of {name}")

    def faults(self, name, recording):
        user, entry = self.ended(name)
        if entry["status"] == "failed":
            code = entry["processing"]["code"]
            return [] if code in recording.refusals else [f"refused: {code}"]
        if recording.passages is None:
            return [f"transcribed, {entry['duration_s']} s"]
        return [f"{where}: {fault}" for where, found in self.heard(user, entry, recording).items() for fault in found]

    def heard(self, user, entry, recording):
        energy, peak = measures(recording.kind)
        drawn = user.call("GET", f"/v1/entries/{entry['id']}/waveform", 200).json()
        peaks = [value / 255 for value in drawn["peaks"]]
        link = user.call("GET", f"/v1/entries/{entry['id']}/audio/url", 200).json()
        copy = http_client.get(link["url"], timeout=30).content
        digests = re.findall(r"heard in ([0-9a-f]{16})", entry["transcript_raw"])
        sent = {hashlib.sha256(request.file.body).hexdigest()[:16]: request.file.body for request in list(self.fake.requests)}
        # Engines of Whisper's kind hear the first track, mixed to one channel.
        (played, copied), *parts = decoded((copy, played_track(copy)), *((sent[digest], 0, "-ac", "1") for digest in digests))
        elsewhere = recording.quiet + recording.quiet_elsewhere
        hears, seconds = sum((curve for curve, _ in parts), []), sum(seconds for _, seconds in parts)
        return {
            "entry": faults_of_length(entry["duration_s"], recording),
            "waveform": faults(peaks, drawn["duration_s"], recording, peak, recording.quiet),
            "copy": faults(played, copied, recording, energy, elsewhere),
            "engine": faults(hears, seconds, recording, energy, elsewhere),
        }


@pytest.fixture(scope="module")
def scene():
    made = Scene()
    yield made
    made.end()


@pytest.mark.long
@pytest.mark.parametrize("name", CHOSEN)
def test_what_is_in_a_recording_is_heard_played_and_drawn(scene, name):
    scene.record({name: CHOSEN[name]})
    found = scene.faults(name, CHOSEN[name])
    assert not found, f"{name}: {found}"
