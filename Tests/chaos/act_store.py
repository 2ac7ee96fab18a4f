"""A8, A16: the object folder full and read-only. Refused clearly, nothing half-written, well again afterwards."""

import pathlib
import subprocess
import tempfile

from client import Client, recording
from rig import sha256
from stage import Skipped, mounted


def play(run):
    rounds, megabytes, size = *run.pick((3, 4), (30, 32)), 200_000
    random = run.random("store")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-disk-", dir="/tmp"))
    if not mounted(folder, megabytes):
        folder.rmdir()
        raise Skipped("a small disk cannot be mounted here (needs root)")
    try:
        with run.stage(DIARY_OBJECTS=str(folder)) as (rig, history, oracle):
            client = Client(rig, history)
            refused = {"full": {}, "read-only": {}}
            wrote = 0
            for number in range(rounds):
                for how in refused:
                    made = client.start_voice(audio := recording(random, size), key=f"{how}-{number}")
                    break_disk(folder, how)
                    try:
                        # Words and new entries need no disk.
                        client.text(f"{how} {number}", key=f"{how}-text-{number}")
                        wrote += 1
                        client.start_voice(recording(random, size), key=f"{how}-signed-{number}")
                        headers = {"Authorization": None, "Diary-App": None, **made["upload"]["headers"]}
                        answer = client.ask("PUT", made["upload"]["url"], "put", body=sha256(audio), allowed=(507,), headers=headers, data=audio)
                        status = answer.status_code if answer is not None else None
                        refused[how][status] = refused[how].get(status, 0) + 1
                        assert status in ((507,) if how == "full" else (503, 507)), f"{how}: {status}"
                        left = [p for p in (folder / "tmp").rglob("*") if p.is_file()] if how == "full" else []
                        assert not left, "a half-written file stayed"
                    finally:
                        mend_disk(folder, how)
                    client.put(made["upload"], audio)
                    client.complete(made["entry_id"], audio)
                    client.user.wait_done(made["entry_id"], 30)
                    assert client.download(made["entry_id"]) == audio
                if number % 10 == 9:
                    run.say("store", f"{number + 1} rounds")
            counts = oracle.judge([client], 30)
            return {**counts, "refused": {how: {str(k): v for k, v in found.items()} for how, found in refused.items()}}, (
                f"{rounds} × full: {named(refused['full'])}; {rounds} × read-only: {named(refused['read-only'])}; {wrote} texts written meanwhile; "
                f"{2 * rounds} of {2 * rounds} uploads good afterwards, 0 files left")
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)
        folder.rmdir()


def break_disk(folder, how):
    if how == "full":
        fill(folder / "ballast")
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def mend_disk(folder, how):
    if how == "full":
        (folder / "ballast").unlink()
    else:
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)


def fill(path):
    with open(path, "wb", buffering=0) as file:
        for step in (65536, 4096):
            try:
                while file.write(b"\0" * step):
                    pass
            except OSError:
                continue


def named(statuses):
    return ", ".join(f"{n} × {status}" for status, n in sorted(statuses.items(), key=str))
