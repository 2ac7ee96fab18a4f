"""Recordings made at random of what is wrong with those of the field: each keeps the length and the loudness of its sound in its copy,
its waveform and what the engine hears, or is refused with a code that is true. `DIARY_RECORDINGS=300` takes so many, without it there
are six."""

import collections
import os

import pytest

from mutated_recordings import mutant
from test_field_recordings import Scene

pytestmark = pytest.mark.any_store

COUNT = int(os.environ.get("DIARY_RECORDINGS", "6"))
AT_ONCE = 24


@pytest.fixture(scope="module")
def scene():
    made = Scene()
    yield made
    made.end()


@pytest.mark.long
def test_recordings_made_at_random_keep_their_sound(scene):
    failed = collections.defaultdict(list)
    for first in range(0, COUNT, AT_ONCE):
        mutants = [mutant(number) for number in range(first, min(first + AT_ONCE, COUNT))]
        scene.record({each.name: each.recording for each in mutants})
        for each in mutants:
            if found := scene.faults(each.name, each.recording):
                failed[each.kinds].append(f"{each.name}: {found}")
        scene.fake.reset()
    for kinds, found in sorted(failed.items()):
        print(f"{kinds}: {len(found)}", *found, sep="\n  ")
    count = sum(map(len, failed.values()))
    assert not failed, f"{count} of {COUNT}: " + "; ".join(f"{kinds} {len(found)}" for kinds, found in sorted(failed.items()))
