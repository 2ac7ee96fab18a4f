"""Measures how fast recordings go in, come out and are verified, and beside it, in the same run, nginx, cp, OpenSSL and ffmpeg on the same bytes."""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import time

from processes import free_port, wait_for
from proxies import program
from rig import AS_SHIPPED, Rig

ROUNDS = 5
PATIENCE = 900
MIB = 1 << 20

NGINX = """
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_max_body_size 0;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    sendfile on;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/files;
        location / {{ dav_methods PUT; create_full_put_path on; }}
    }}
}}
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mebibytes", type=int, default=256, help="size of the recording")
    parser.add_argument("--json")
    return parser.parse_args()


class PlainNginx:
    """nginx as a store of files: PUT by its DAV module, GET by sendfile."""

    def __init__(self, folder):
        self.folder, port = folder, free_port()
        (folder / "files").mkdir(parents=True)
        subprocess.run(["chmod", "-R", "a+rwX", str(folder)], check=True)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
        self.url = f"http://127.0.0.1:{port}"
        line = [program("nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log"), "-g", "daemon off; user root;"]
        self.process = subprocess.Popen(line)
        wait_for(lambda: subprocess.run(["curl", "-s", "-o", "/dev/null", self.url]).returncode == 0, 20, "nginx")

    def put(self, file):
        """Until the bytes are on the disk, as the API's 200 says of its own."""
        begin = time.monotonic()
        curl("-f", "-T", file, f"{self.url}/recording.m4a")
        descriptor = os.open(self.folder / "files/recording.m4a", os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        return time.monotonic() - begin

    def get(self):
        return timed(lambda: curl("-f", "-o", "/dev/null", f"{self.url}/recording.m4a"))

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def curl(*arguments):
    subprocess.run(["curl", "-sS", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def timed(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def recording(folder, mebibytes):
    """A film's sound track without the film: AAC at 320 kbit/s, cut at the size."""
    file = folder / f"recording-{mebibytes}.m4a"
    seconds = mebibytes * MIB * 8 // 320_000 + 60
    line = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"anoisesrc=d={min(seconds, 300)}:c=pink:r=48000:a=0.5", "-ac", "2"]
    subprocess.run([*line, "-c:a", "aac", "-b:a", "320k", str(folder / "tone.m4a")], check=True)
    loops = seconds // 300
    line = ["ffmpeg", "-v", "error", "-stream_loop", str(loops), "-i", str(folder / "tone.m4a"), "-c", "copy", "-fs", str(mebibytes * MIB)]
    subprocess.run([*line, str(file)], check=True)
    return file


def peak(process):
    """Highest resident size, in MiB."""
    line = next(line for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


class Bench:
    def __init__(self, rig, folder, file):
        self.rig, self.folder, self.file = rig, folder, file
        self.size, self.sha = file.stat().st_size, hashlib.sha256(file.read_bytes()).hexdigest()
        self.user, self.nginx = rig.user(), PlainNginx(folder / "nginx")
        self.database = rig.postgres.connect("diary")

    def sql(self, text, *values):
        with self.database.cursor() as cursor:
            cursor.execute(text, values or None)
            return cursor.fetchall() if cursor.description else []

    def put(self):
        """-> the entry and the seconds of its PUT."""
        body = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": self.size, "sha256": self.sha, "allow_duplicate": True}
        answer = self.user.http.post(self.rig.url + "/v1/entries", json=body)
        answer.raise_for_status()
        made = answer.json()
        headers = [part for name, value in made["upload"]["headers"].items() for part in ("-H", f"{name}: {value}")]
        return made["entry_id"], timed(lambda: curl("-f", "-T", self.file, made["upload"]["url"], *headers))

    def get(self, entry):
        answer = self.user.http.get(f"{self.rig.url}/v1/entries/{entry}/audio/url")
        answer.raise_for_status()
        url = answer.json()["url"]
        return timed(lambda: curl("-f", "-o", "/dev/null", url))

    def verify(self, entry):
        """Seconds of the job: reading, hash, probe, exact length and waveform, the final key."""
        self.user.http.post(f"{self.rig.url}/v1/uploads/{entry}/complete").raise_for_status()
        begin = time.monotonic()
        wait_for(
            lambda: self.sql("select 1 from jobs where subject = %s and kind = 'verify' and state = 'done'", entry),
            PATIENCE,
            "the check of the recording",
        )
        return time.monotonic() - begin

    def copy(self):
        return timed(lambda: subprocess.run(f"cp {self.file} {self.folder}/copy && sync {self.folder}/copy", shell=True, check=True))

    def encrypt(self):
        """`openssl enc` has no GCM: counter mode is its cipher without the tag."""
        line = ["openssl", "enc", "-aes-256-ctr", "-K", "00" * 32, "-iv", "00" * 16, "-in", self.file, "-out", self.folder / "copy"]
        return timed(lambda: subprocess.run([*map(str, line)], check=True))

    def decode(self):
        """What no check of a recording can do without: the hash, and ffmpeg that decodes it."""

        def run():
            subprocess.run(["sha256sum", str(self.file)], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", str(self.file), "-f", "null", "-"], check=True)

        return timed(run)

    def end(self):
        self.nginx.end()
        self.database.close()


def middle(values):
    return sorted(values)[len(values) // 2]


def measure(rig, folder, mebibytes):
    bench = Bench(rig, folder, recording(folder, mebibytes))
    try:
        rounds = []
        for _ in range(ROUNDS):
            entry, put = bench.put()
            one = {"put": put, "nginx_put": bench.nginx.put(bench.file), "cp": bench.copy(), "encrypt": bench.encrypt()}
            one |= {"verify": bench.verify(entry), "decode": bench.decode()}
            one |= {"get": bench.get(entry), "nginx_get": bench.nginx.get()}
            rounds.append(one)
            bench.user.http.delete(f"{rig.url}/v1/entries/{entry}").raise_for_status()
        figures = {
            "mebibytes": bench.size / MIB,
            "seconds": {name: middle([one[name] for one in rounds]) for name in rounds[0]},
            "put_ratio": middle([one["nginx_put"] / one["put"] for one in rounds]),
            "get_ratio": middle([one["nginx_get"] / one["get"] for one in rounds]),
            "verify_ratio": middle([one["decode"] / one["verify"] for one in rounds]),
            "api_mib": peak(rig.processes["serve"]),
            "worker_mib": peak(rig.processes["work"]),
        }
    finally:
        bench.end()
    print(
        f"{figures['mebibytes']:.0f} MiB, MiB/s: "
        + ", ".join(f"{name} {figures['mebibytes'] / seconds:.0f}" for name, seconds in figures["seconds"].items()),
        flush=True,
    )
    print(
        f"  PUT {figures['put_ratio']:.2f} x nginx with fsync, sealed GET {figures['get_ratio']:.2f} x nginx, "
        f"verify {figures['verify_ratio']:.2f} x sha256sum and ffmpeg; API at most {figures['api_mib']:.0f} MiB, worker {figures['worker_mib']:.0f} MiB",
        flush=True,
    )
    return figures


def main():
    options = arguments()
    rig = Rig(DIARY_LOG_LEVEL="error", DIARY_RATE_FACTOR="1000000", **AS_SHIPPED)
    try:
        # What is said in it is not asked for: the recogniser would take hours.
        rig.diary("jobs", "pause", "speech")
        results = []
        # The small one first: the highest size of a process is never forgotten.
        for mebibytes in sorted({max(1, options.mebibytes // 16), options.mebibytes}):
            folder = rig.folder / f"bench-{mebibytes}"
            folder.mkdir()
            results.append(measure(rig, folder, mebibytes))
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
    finally:
        rig.end()


if __name__ == "__main__":
    main()
