"""D4: hostile and mutated recordings through the worker, with the real ffmpeg: each ends, and the worker stays.

`DIARY_TIMES=1` sends every kind of hostile_media.py and 200 mutants instead of a few of both."""

import pytest

import hostile_media
import mutated_media
from attack import Alive
from processes import wait_for
from repetitions import repetitions
from rig import Rig

# Codes of a recording that is refused for good.
REFUSED = {"media_unreadable", "media_unsupported", "media_too_long", "media_limits"}


@pytest.fixture(scope="module")
def real():
    made = Rig()
    made.stop("work")
    made.start("work", DIARY_PROBE="ffmpeg")
    yield made
    made.end()


def test_d4_hostile_recordings_end_for_good_and_no_worker_dies(real):
    user, alive = real.user(), Alive(real)
    recordings = {name: (kind.content_type, kind.make()) for name, kind in hostile_media.chosen(repetitions(1, 41)).items()}
    recordings |= {f"mutant {number}": mutated_media.mutant(number) for number in range(repetitions(200, 4))}
    entries = {name: user.record(audio, content_type=kind, allow_duplicate=True) for name, (kind, audio) in recordings.items()}

    def ended():
        """Those of `entries` that have ended, by their names. Costly ones run one at a time, so that any may wait for all others."""
        found = {name: user.entry(entry) for name, entry in entries.items()}
        return {name: entry for name, entry in found.items() if entry["status"] in ("failed", "transcribed")}

    while entries:
        for name, found in wait_for(ended, 120, f"the end of one of {list(entries)[:5]}").items():
            del entries[name]
            if found["status"] == "failed":
                assert found["processing"]["code"] in REFUSED and found["processing"]["action"] in ("none", "upload_again"), (
                    name,
                    found["processing"],
                )
    assert "canary" not in real.log_text()
    alive.check()
