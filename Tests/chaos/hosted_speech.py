"""A speech server beside a rig, and recordings that are too long for it, so that it is asked for parts."""

import io
import itertools
import re
import wave

from client import fingerprint
from fake_openai import FakeOpenAI

PARTS = 3
SECONDS = 3
"""What the server counts for each request."""


class HostedSpeech:
    """For a while the only engine of the rig's app. Workers that start meanwhile ask it."""

    def __init__(self, rig):
        self.rig, self.fake = rig, FakeOpenAI()
        self.fake.seconds = SECONDS

    def __enter__(self):
        server = ("--kind", "openai", "--url", self.fake.url, "--model", "whisper-1", "--max-seconds", "10")
        self.rig.diary("tenant", "engine", "set", "my-day", "speech", "far", *server)
        return self

    def __exit__(self, failure, *_):
        if failure is None:
            self.rig.diary("tenant", "engine", "unset", "my-day", "speech", "far")
            # A worker knows of it a moment later.
            self.rig.stop("work")
            self.rig.start("work")
        self.fake.end()

    def asked(self):
        return len(self.fake.requests)

    def hear(self, client, random, dropped):
        """One recording in parts. `dropped`: the number of the answer that a worker takes to its grave; None when it is stored first."""
        audio = long_recording(random)
        numbers, mark = itertools.count(1), fingerprint(audio)
        self.fake.hears = lambda request: f"Part {next(numbers)} of {mark}."
        seen = client.wait_done(client.voice(audio, content_type="audio/wav"))

        heard = [int(number) for number in re.findall(r"Part (\d+) of", seen["transcript_raw"])]
        answers = range(1, PARTS + 1 + (dropped is not None))
        assert heard == [number for number in answers if number != dropped], f"{heard} of {len(answers)} answers, without {dropped}"
        assert self.asked() == len(answers), f"{self.asked()} requests for {PARTS} parts"
        assert len({request.file.body for request in self.fake.requests}) == PARTS, "a part was cut anew"
        left = self.rig.postgres.sql("diary", "select count(*) from speech_parts where user_id = %s", client.id)
        assert left == [(0,)], f"{left} parts are kept beside the whole text"
        return seen


def long_recording(random):
    """24 s of noise with two pauses, at which it is cut. A byte is a sample, as the scripted probe counts them."""
    pause = b"\x80" * 6_400
    sound = random.randbytes(56_000) + pause + random.randbytes(59_200) + pause + random.randbytes(64_000)
    file = io.BytesIO()
    with wave.open(file, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(1)
        made.setframerate(8_000)
        made.writeframes(sound)
    return file.getvalue()
