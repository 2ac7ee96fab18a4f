"""Sends malformed requests, four at a time, and counts what comes back."""

import collections
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from attack import statuses
from exchange import exchange, faults, megabytes
from malformed import Malformed


def malformed(rig, options):
    user = rig.user()
    entry = user.create_text("words")["entry_id"]
    upload = "/" + user.create_voice()["upload"]["url"].split("/", 3)[3]
    source = Malformed(options.seed, user, entry, upload)
    if options.only is not None:
        what, message = source.make(options.only)
        answer = exchange(rig.port, message)
        print(f"{what}\n> {message[:3000]!r}\n< {answer!r}\nfaults: {faults(answer)}")
        return not faults(answer)
    for _ in range(200):
        user.http.get(rig.url + "/v1/entries", timeout=10)
    pid = rig.processes["serve"].pid
    before, began, lock = megabytes(pid), time.monotonic(), threading.Lock()
    codes, kinds, bad, done = collections.Counter(), collections.Counter(), [], 0

    def one(number):
        nonlocal done
        what, message = source.make(number)
        try:
            answer = exchange(rig.port, message)
            found = faults(answer)
        except OSError as error:
            answer, found = b"", [f"no connection: {error}"]
        with lock:
            done += 1
            kinds[what.split()[0]] += 1
            codes[(statuses(answer) or ["closed"])[0] if answer is not None else "left open"] += 1
            if found:
                bad.append((number, what, sorted(set(found)), message[:160]))
            if done % max(options.requests // 10, 100) == 0:
                print(f"  {done} requests, {len(bad)} faults, {megabytes(pid):.0f} MB, {time.monotonic() - began:.0f} s", flush=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(options.requests)))
    after = megabytes(pid)
    print(f"malformed requests, seed {options.seed}: {done} in {time.monotonic() - began:.0f} s; by kind {dict(kinds)}")
    print(
        f"  first answers {dict(sorted(codes.items(), key=str))}; memory {before:.1f} -> {after:.1f} MB ({(after / before - 1) * 100:+.0f} %)"
    )
    for number, what, found, message in sorted(bad)[:20]:
        print(f"  FAULT {', '.join(found)}: number {number}, {what}: {message!r}")
    if bad:
        print(f"{len(bad)} faults; scripts/fuzz --seed {options.seed} --only NUMBER shows one")
    user.http.close()
    return not bad
