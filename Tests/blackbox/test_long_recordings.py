"""A11 (Must 2): recordings over an engine's limits are heard in parts, and no part is asked for twice. `DIARY_TIMES=1` takes two hours of sound.

That words stay in order and within 0.3 s of where they are said is held in PartedSpeechEngineTests, by beeps that say where they are."""

import json
import pathlib
import re
import subprocess

import pytest

import openai_description
from fake_openai import FakeOpenAI
from processes import wait_for
from repetitions import repetitions
from rig import Rig

SECONDS, LIMIT = repetitions((7_200, 1_400), (60, 20))
WORDS = re.compile(r"um scripted words for ([0-9a-f]{16})")


def recording(folder, seconds):
    """Beeps of half a second, with pauses between them; each second sounds otherwise."""
    path = folder / "beeps.wav"
    source = f"aevalsrc='0.5*sin(2*PI*(300+floor(t/2))*t)*between(mod(t,1),0.3,0.8)':s=8000:d={seconds}"
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", source, "-c:a", "pcm_s16le", path]
    subprocess.run(command, check=True, timeout=300)
    return path.read_bytes()


def peak_mib(process):
    """The most memory that the process has held."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0


@pytest.mark.long
def test_a11_a_killed_worker_asks_for_no_part_that_was_stored(own_rig):
    rig = own_rig
    user = rig.user()
    (rig.scripts / "limits.json").write_text(json.dumps({"max_bytes": 26_214_400, "max_seconds": LIMIT}))
    calls, once = rig.folder / "calls", rig.folder / "once"
    rig.script("speech", calls_log=str(calls))
    rig.stop("work")
    rig.start("work", DIARY_PROBE="ffmpeg", DIARY_FAIL="S02:2:kill", DIARY_FAIL_ONCE=str(once))
    audio = recording(rig.folder, SECONDS)
    made = user.create_voice(audio, content_type="audio/wav")
    user.put(made["upload"], audio)
    user.complete(made["entry_id"])

    wait_for(lambda: rig.processes["work"].poll() is not None, repetitions(600, 60), "the death after the second part")
    kept = rig.postgres.sql("diary", "select part, from_ms, to_ms, sealed from speech_parts order by part")
    assert [row[:2] for row in kept] == [(0, 0), (1, kept[0][2])] and len(calls.read_text().split()) == 2
    assert not any(b"scripted" in bytes(row[3]) for row in kept)
    rig.supervise("work", DIARY_PROBE="ffmpeg")
    peak = 0

    def done():
        nonlocal peak
        peak = max(peak, peak_mib(rig.processes["work"]))
        entry = user.entry(made["entry_id"])
        assert entry["status"] != "failed", entry
        return entry if entry["status"] == "transcribed" else None

    entry = wait_for(done, repetitions(900, 60), "transcribed")

    asked = calls.read_text().split()
    print(f"A11: {SECONDS} s in {len(asked)} parts, worker {peak:.0f} MiB at most, 2 parts kept over the kill")
    assert len(asked) == len(set(asked)) >= SECONDS // LIMIT
    assert WORDS.findall(entry["transcript_raw"]) == asked
    assert entry["transcription"] == {"state": "heard", "engine": "scripted", "model": None, "coverage": None, "gaps": []}
    segments = user.call("GET", f"/v1/entries/{made['entry_id']}/transcript", 200).json()["segments"]
    starts = [word["start"] for segment in segments for word in segment["words"]]
    assert starts == sorted(starts) and starts[0] == 0 and SECONDS - LIMIT <= starts[-5] < SECONDS
    assert [segment["marks"] for segment in segments] == [[]] * len(asked)
    assert rig.postgres.sql("diary", "select count(*) from speech_parts") == [(0,)]
    assert not [p for p in (rig.folder / "tmp").rglob("*") if p.name.startswith("recording")]
    assert peak < 300


@pytest.mark.long
def test_the_voices_heard_go_with_the_next_part_and_no_two_speakers_have_one_label(tmp_path):
    rig = Rig(DIARY_PROBE="ffmpeg", DIARY_ENGINES_PRIVATE="1")

    def hears(request):
        """The first voice that was sent, and a new speaker, whom the model calls A."""
        number, known = len(fake.requests), request.fields.get("known_speaker_names", [])
        speakers = [known[0], "A"] if known else ["A", "B"]
        turns = [(speaker, f"Part {number}, turn {turn}.", turn * 3.0) for turn, speaker in enumerate(speakers)]
        segments = [{"text": text, "start": start, "end": start + 3.0, "speaker": speaker} for speaker, text, start in turns]
        return {"text": " ".join(text for _, text, _ in turns), "segments": segments, "duration": 6.0}

    try:
        with FakeOpenAI() as fake:
            fake.hears = hears
            engine = ["--kind", "openai", "--url", fake.url, "--model", "gpt-4o-transcribe-diarize", "--max-seconds", "10"]
            rig.diary("tenant", "engine", "set", "my-day", "speech", "two", *engine)
            rig.wait_for_app("my-day")
            user = rig.user()
            id = user.record(recording(tmp_path, 30), content_type="audio/wav")
            user.wait_done(id, seconds=60)
            transcript = user.call("GET", f"/v1/entries/{id}/transcript", 200).json()
            sent = [request.fields for request in fake.requests]
            assert [openai_description.faults_of_request(request) for request in fake.requests] == [[]] * len(sent)
    finally:
        rig.end()

    assert [segment["speaker"] for segment in transcript["segments"]][:6] == ["A", "B", "A", "C", "A", "D"]
    assert [speaker["id"] for speaker in transcript["speakers"]][:4] == ["A", "B", "C", "D"]
    assert "known_speaker_names" not in sent[0] and len(sent) >= 3
    assert [fields["known_speaker_names"] for fields in sent[1:3]] == [["known_1", "known_2"], ["known_1", "known_2", "known_3"]]
    for fields in sent[1:]:
        assert len(fields["known_speaker_names"]) == len(fields["known_speaker_references"]) <= 4
        # `OggS`, with which each such file begins.
        assert all(voice.startswith("data:audio/ogg;base64,T2dnU") for voice in fields["known_speaker_references"])


@pytest.mark.long
def test_a_recording_that_failed_in_its_last_part_needs_room_for_the_rest_only(tmp_path):
    rig = Rig(DIARY_PROBE="ffmpeg", DIARY_ENGINES_PRIVATE="1")
    try:
        with FakeOpenAI() as fake:
            # Two parts use 24 of the minute's 60 seconds: the rest fits, all 50 seconds once more do not.
            fake.hears = lambda _: {"text": f"Part {len(fake.requests)}.", "duration": 12.0}
            engine = ["--kind", "openai", "--url", fake.url, "--model", "whisper-1", "--max-seconds", "20"]
            rig.diary("tenant", "engine", "set", "my-day", "speech", "whisper", *engine)
            rig.diary("tenant", "set", "my-day", "limits.engine_minutes_per_day=1")
            rig.stop("work")
            rig.start("work")
            rig.wait_for_app("my-day")
            fake.next(None, None, "503")
            user = rig.user()
            entry = user.wait_done(user.record(recording(tmp_path, 50), content_type="audio/wav"), seconds=60)
            asked = len(fake.requests)
    finally:
        rig.end()

    parts = [int(number) for number in re.findall(r"Part (\d+)", entry["transcript_raw"])]
    assert parts == [number for number in range(1, asked + 1) if number != 3] and asked >= 4


def test_a_silent_recording_says_that_nothing_was_heard(rig):
    user = rig.user()
    rig.script("speech", says="")
    entry = user.wait_done(user.record())
    assert entry["text"] == entry["transcript_raw"] == "" and entry["transcript_clean"] is None
    assert entry["transcription"] == {"state": "no_speech", "engine": "scripted", "model": None, "coverage": None, "gaps": []}
    transcript = user.call("GET", f"/v1/entries/{entry['id']}/transcript", 200).json()
    assert transcript["transcription"] == entry["transcription"] and transcript["segments"] == []
    assert "transcription" not in user.call("GET", "/v1/entries?view=summary", 200).json()["items"][0]
    assert "transcription" not in user.create_text("typed")["entry"]
