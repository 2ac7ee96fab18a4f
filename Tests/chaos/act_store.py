"""A8, A16: the object folder full and read-only. Refused clearly, nothing half-written, well again afterwards."""

import contextlib
import pathlib
import subprocess
import tempfile

from client import Client, recording
from processes import wait_for
from stage import Skipped, mounted, worked
from user import sha256


def play(run):
    run.needs_folder("a small disk under the folder of objects is filled and made read-only; a bucket has none")
    rounds, megabytes, size = *run.pick((3, 4), (30, 32)), 200_000
    random = run.random("store")
    with contextlib.ExitStack() as disks:
        folder, plain = (disks.enter_context(disk(megabytes)) for _ in range(2))
        # The sweeper would complete an upload before the disk is broken, on a busy machine.
        with run.stage(DIARY_OBJECTS=str(folder), DIARY_TEMPORARY=str(plain), DIARY_SWEEP_SECONDS="30") as (rig, history, oracle):
            client = Client(rig, history)
            refused = {"full": {}, "read-only": {}}
            wrote = 0
            for number in range(rounds):
                for how in refused:
                    made = client.start_voice(audio := recording(random, size), key=f"{how}-{number}")
                    # Another has arrived already: workers will find no space, or no permission, for their plain copy.
                    ready = client.start_voice(stored := recording(random, size), key=f"{how}-stored-{number}")
                    client.put(ready["upload"], stored)
                    break_disk(folder, plain, how)
                    try:
                        # Words and new entries need no disk.
                        client.text(f"{how} {number}", key=f"{how}-text-{number}")
                        wrote += 1
                        client.start_voice(recording(random, size), key=f"{how}-signed-{number}")
                        headers = {"Authorization": None, "Diary-App": None, **made["upload"]["headers"]}
                        answer = client.ask(
                            "PUT", made["upload"]["url"], "put", body=sha256(audio), allowed=(507,), headers=headers, data=audio
                        )
                        status = answer.status_code if answer is not None else None
                        refused[how][status] = refused[how].get(status, 0) + 1
                        assert status in ((507,) if how == "full" else (503, 507)), f"{how}: {status}"
                        client.complete(ready["entry_id"], stored)
                        wait_for(
                            lambda: rig.postgres.sql(
                                "diary", "select 1 from jobs where subject = %s and code is not null", ready["entry_id"]
                            ),
                            20,
                            "a try without a disk",
                        )
                        left = [
                            # The sweeper's mark is written in each round.
                            p
                            for p in (folder / "tmp").rglob("*")
                            if p.is_file() and not p.name.startswith("sweep-mark-") and how == "full"
                        ]
                        assert not left, "a half-written file stayed"
                    finally:
                        mend_disk(folder, plain, how)
                    client.put(made["upload"], audio)
                    client.complete(made["entry_id"], audio)
                    for entry, sent in ((made, audio), (ready, stored)):
                        client.wait_done(entry["entry_id"])
                        assert client.download(entry["entry_id"]) == sent
                if number % 10 == 9:
                    run.say("store", f"{number + 1} rounds")
            counts = oracle.judge([client], 30)
            errors, crashes = worked(rig)
            assert crashes == 0, f"{crashes} crashes were counted"
            return {
                **counts,
                "tries_repeated": errors,
                "refused": {how: {str(k): v for k, v in found.items()} for how, found in refused.items()},
            }, (
                f"{rounds} × full: {named(refused['full'])}; {rounds} × read-only: {named(refused['read-only'])}; {wrote} texts written meanwhile; "
                f"{4 * rounds} of {4 * rounds} uploads good afterwards, {errors} tries of workers repeated, 0 files left"
            )


@contextlib.contextmanager
def disk(megabytes):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-disk-", dir="/tmp"))
    try:
        if not mounted(folder, megabytes):
            raise Skipped("a small disk cannot be mounted here (needs root)")
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)
        folder.rmdir()


def break_disk(folder, plain, how):
    if how == "full":
        fill(folder / "ballast")
        fill(plain / "ballast")
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)


def mend_disk(folder, plain, how):
    if how == "full":
        (folder / "ballast").unlink()
        (plain / "ballast").unlink()
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
