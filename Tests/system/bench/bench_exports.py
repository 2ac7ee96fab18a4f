"""Measures how fast exports are built, in parts and whole, and beside it, in the same run, `cp` and `zip -0` of the same files; has other programs read the zips."""

import argparse
import hashlib
import json
import os
import pathlib
import secrets
import shutil
import subprocess
import time
import uuid
import zipfile

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import http_client
from many_recordings import data_key, derived, sealed
from processes import wait_for
from rig import AS_SHIPPED, Rig
from user import SAMPLE

MIB = 1 << 20
PATIENCE = 3_600
WHOLE = 1 << 40
WORDS = "Today we walked along the shore until the rain came, and then sat in the old boathouse and talked. "
INSERT = """
insert into entries
select (jsonb_populate_record(null::entries, to_jsonb(e) || jsonb_build_object('id', n.id, 'object_id', n.object, 'change_number', -n.number,
    'size_bytes', n.size, 'sha256', '\\x' || n.digest, 'personal', '\\x' || n.personal, 'personal_version', 1, 'machine', null,
    'recorded_at', e.recorded_at + n.number * interval '1 minute', 'recorded_local', e.recorded_local + n.number * interval '1 minute'))).*
from entries e, unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::bigint[], %s::text[], %s::text[]) as n (id, object, number, size, digest, personal)
where e.id = %s
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=2_000)
    parser.add_argument("--mebibytes", type=int, default=500, help="of all recordings together")
    parser.add_argument("--part-mebibytes", type=int, default=0, help="of a part; 0: a fifth")
    parser.add_argument("--json")
    return parser.parse_args()


class Diary:
    """An account with so many recordings, and the same files in a folder."""

    def __init__(self, rig, folder, entries, size):
        self.user, self.folder = rig.user(), folder
        self.template = self.user.record(SAMPLE.read_bytes(), recorded_at="2026-03-01T12:00:00Z")
        self.user.wait_done(self.template)
        folder.mkdir()
        self.fill(rig, entries, size)
        # The template has words; the others have its day.
        self.bytes = sum(file.stat().st_size for file in folder.iterdir())

    def fill(self, rig, entries, size):
        key_id, key = data_key(rig, self.user)
        audio_key = derived(key, key_id.bytes, b"diary/v1/audio")
        content_key = derived(key, key_id.bytes, b"diary/v1/content")
        objects = rig.folder / "objects/audio" / rig.tenants["my-day"] / self.user.id
        rows = []
        for number in range(entries):
            object_id, plain = uuid.uuid4(), os.urandom(size)
            (objects / str(object_id)).write_bytes(sealed(plain, key_id, audio_key, object_id))
            (self.folder / f"2026-03-01_13-00-00_{number:08}.m4a").write_bytes(plain)
            entry, words = uuid.uuid4(), f"{number} {WORDS * (1 + number % 10)}".encode()
            (self.folder / f"2026-03-01_13-00-00_{number:08}.txt").write_bytes(words)
            personal = self.personal(words, rig.tenants["my-day"], entry, key_id, content_key)
            rows.append((str(entry), str(object_id), 1 + number, size, hashlib.sha256(plain).hexdigest(), personal.hex()))
        for start in range(0, len(rows), 1_000):
            rig.postgres.sql("diary", INSERT, *(list(column) for column in zip(*rows[start : start + 1_000], strict=True)), self.template)

    def personal(self, words, tenant, entry, key_id, content_key):
        """The sealed part of an entry that was edited (docs/sealed-format.md)."""

        def text(value):
            return len(value).to_bytes(4, "big") + value

        place = uuid.UUID(tenant).bytes + uuid.UUID(self.user.id).bytes + entry.bytes + (1).to_bytes(8, "big")
        nonce = secrets.token_bytes(12)
        additional = b"\x01" + text(b"entries") + text(b"personal") + place
        return b"\x01" + key_id.bytes + nonce + AESGCM(content_key).encrypt(nonce, b"\x01\x02" + text(words), additional)

    def export(self):
        """(seconds, export)"""
        begin = time.monotonic()
        asked = self.user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31", "mail": False}).json()
        shown = {}

        def ready():
            nonlocal shown
            shown = self.user.call("GET", f"/v1/exports/{asked['id']}", 200).json()
            assert shown["status"] != "failed", shown
            return shown["status"] == "ready"

        wait_for(ready, PATIENCE, "the export")
        return time.monotonic() - begin, shown

    def download(self, export, folder):
        """The parts as files."""
        files = []
        for part in export["parts"]:
            url = self.user.call("GET", f"/v1/exports/{export['id']}/url?part={part['number']}", 200).json()["url"]
            file = folder / part["filename"]
            with http_client.get(url, stream=True, timeout=600) as answer, file.open("wb") as out:
                shutil.copyfileobj(answer.raw, out, MIB)
            assert file.stat().st_size == part["size_bytes"]
            files.append(file)
        return files


def timed(line):
    begin = time.monotonic()
    subprocess.run(line, shell=True, check=True)
    return time.monotonic() - begin


def peak(process):
    """Highest resident size, in MiB."""
    line = next(line for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def readers(file):
    """Which programs take a zip as whole."""
    lines = {"unzip": ["unzip", "-tqq"], "bsdtar": ["bsdtar", "-xOf"], "7z": ["7z", "t", "-bso0", "-bsp0"]}
    taken = {}
    for name, line in lines.items():
        if shutil.which(line[0]):
            taken[name] = subprocess.run([*line, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    with zipfile.ZipFile(file) as archive:
        taken["python"] = archive.testzip() is None and not any(member.flag_bits & 8 for member in archive.infolist())
    return taken


def measure(rig, diary, part_bytes, folder):
    # A worker of its own for each: the highest size of a process is never forgotten.
    rig.stop("work")
    rig.start("work", DIARY_EXPORT_PART_BYTES=str(part_bytes))
    subprocess.run(["sync"], check=True)
    seconds, export = diary.export()
    memory = peak(rig.processes["work"])
    out = folder / "out"
    out.mkdir()
    copied = timed(f"cp -r {diary.folder} {out}/copy")
    shutil.rmtree(out / "copy")
    zipped = timed(f"cd {diary.folder} && zip -0 -q -r {out}/plain.zip .")
    synced = timed(f"sync {out}/plain.zip")
    (out / "plain.zip").unlink()
    files = diary.download(export, out)
    taken = [readers(file) for file in files]
    shutil.rmtree(out)
    diary.user.call("DELETE", f"/v1/exports/{export['id']}", 204)
    mib = diary.bytes / MIB
    figures = {
        "entries": export["entry_count"],
        "mebibytes": mib,
        "parts": len(files),
        "seconds": {"export": seconds, "cp": copied, "zip -0": zipped, "zip -0 and sync": zipped + synced},
        "ratio": zipped / seconds,
        "ratio_synced": (zipped + synced) / seconds,
        "worker_mib": memory,
        "readers": {name: all(one.get(name) for one in taken) for name in taken[0]},
    }
    speeds = ", ".join(f"{name} {mib / used:.0f}" for name, used in figures["seconds"].items())
    print(f"{export['entry_count']} entries, {mib:.0f} MiB in {len(files)} zips, MiB/s: {speeds}", flush=True)
    print(
        f"  {figures['ratio']:.2f} x zip -0 ({figures['ratio_synced']:.2f} x zip -0 on the disk); worker at most {memory:.0f} MiB; "
        f"read by {', '.join(name for name, good in figures['readers'].items() if good)}",
        flush=True,
    )
    if refused := [name for name, good in figures["readers"].items() if not good]:
        raise SystemExit(f"a zip was refused by {', '.join(refused)}")
    return figures


def main():
    options = arguments()
    rig = Rig(DIARY_LOG_LEVEL="error", DIARY_RATE_FACTOR="1000000", **AS_SHIPPED)
    try:
        size = options.mebibytes * MIB // options.entries
        print(f"filling: {options.entries} recordings of {size} bytes", flush=True)
        diary = Diary(rig, rig.folder / "plain", options.entries, size)
        part = (options.part_mebibytes or -(-options.mebibytes // 5)) * MIB
        results = [measure(rig, diary, bytes_, rig.folder) for bytes_ in (part, WHOLE)]
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
    finally:
        rig.end()


if __name__ == "__main__":
    main()
