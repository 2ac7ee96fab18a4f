"""Measures how fast recordings are transcribed, and beside it, in the same run, faster-whisper called directly on the same files."""

import argparse
import json
import random
import subprocess
import time

from bench_jobs import cpu_seconds
from processes import wait_for
from rig import AS_SHIPPED, Rig
from servers import ROOT
from speech_server import HOME, VOICES, SpeechServer

DIRECT = """
import json, sys, time
from faster_whisper import WhisperModel
from faster_whisper.audio import decode_audio
model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=2, local_files_only=True)
def hear(path):
    segments, _ = model.transcribe(decode_audio(path), vad_filter=True, word_timestamps=True, condition_on_previous_text=False)
    return "".join(segment.text for segment in segments)
hear(sys.argv[2])
began = time.monotonic(), time.process_time()
texts = [hear(path) for path in sys.argv[2:]]
print(json.dumps({"seconds": time.monotonic() - began[0], "cpu": time.process_time() - began[1], "words": sum(len(t.split()) for t in texts)}))
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=40)
    parser.add_argument("--json")
    return parser.parse_args()


def recordings(folder, count):
    """Speech of people, 5 to 60 seconds of it, as phones record it."""
    chance, made = random.Random(7), []
    sources = [(VOICES / "two_cities.wav", 44.3), (VOICES / "endgame_nagg_nell.wav", 28.2), (ROOT / "Tests/Samples/walk.m4a", 37.3)]
    for number in range(count):
        seconds, path = chance.uniform(5, 60), folder / f"{number}.m4a"
        source, length = sources[number % len(sources)]
        start = chance.uniform(0, max(0, length - seconds))
        command = ["ffmpeg", "-loglevel", "error", "-stream_loop", "-1", "-ss", str(start), "-t", str(seconds), "-i", source]
        subprocess.run([*command, "-ac", "1", "-ar", "44100", "-c:a", "aac", path], check=True, timeout=60)
        made.append((path, seconds))
    return made


def direct(files):
    command = [HOME / "venv/bin/python", "-c", DIRECT, HOME / "base", *[path for path, _ in files]]
    return json.loads(subprocess.run(command, check=True, capture_output=True, timeout=3600).stdout)


def served(rig, server, files):
    user = rig.user()
    roots = [rig.processes["work"].pid, server.process.pid]
    user.wait_done(user.record(files[0][0].read_bytes()), seconds=600)
    before, began = sum(map(cpu_seconds, roots)), time.monotonic()
    entries = [user.record(path.read_bytes()) for path, _ in files]
    left = "select count(*) from jobs where state <> 'done' and kind in ('verify', 'transcribe', 'clean')"
    wait_for(lambda: rig.postgres.sql("diary", left)[0][0] == 0, 3600, "the end of the jobs")
    seconds, cpu = time.monotonic() - began, sum(map(cpu_seconds, roots)) - before
    texts = [user.entry(entry)["transcript_raw"] or "" for entry in entries]
    return {"seconds": seconds, "cpu": cpu, "words": sum(len(text.split()) for text in texts)}


def main():
    options = arguments()
    server = SpeechServer("base")
    rig = Rig(**{**AS_SHIPPED, **server.settings})
    try:
        files = recordings(rig.folder, options.entries)
        total = sum(seconds for _, seconds in files)
        # In turns: the machine's pace changes.
        rounds = [(direct(files), served(rig, server, files)) for _ in range(2)]
        alone, service = (min((pair[number] for pair in rounds), key=lambda run: run["seconds"]) for number in (0, 1))
        figures = {
            "audio_seconds": total,
            "faster_whisper": alone,
            "service": service,
            "ratio": alone["seconds"] / service["seconds"],
            "times_real_time": total / service["seconds"],
            "cpu_seconds_a_minute": service["cpu"] / total * 60,
            "speech_server_mib": server.memory[1] >> 20,
        }
        print(f"{len(files)} recordings of 5 to 60 s, {total:.0f} s of speech, the better of two runs each:")
        for name, run in (("faster-whisper directly", alone), ("the service", service)):
            pace = f"{run['seconds']:7.1f} s, {total / run['seconds']:5.1f} times real time"
            print(f"  {name:24} {pace}, {run['cpu'] / total * 60:5.1f} s of processor time a minute, {run['words']} words")
        print(f"  ratio {figures['ratio']:.2f}; speech server {figures['speech_server_mib']} MiB at most")
        if options.json:
            with open(options.json, "w") as out:
                json.dump(figures, out, indent=2)
    finally:
        rig.end()
        server.end()


if __name__ == "__main__":
    main()
