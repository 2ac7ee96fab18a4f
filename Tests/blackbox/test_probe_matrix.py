"""C1: the isolation matrix of probes.py, run. `DIARY_PROBES=long` takes every variant; `DIARY_PROBES_SEED` repeats a run."""

import collections
import os
import statistics
import time

import pytest

import http_client
from attack import Alive
from contract import CONTRACT
from probe_scene import Scene, seen
from probes import Generator

LONG = os.environ.get("DIARY_PROBES") == "long"
SEED = int(os.environ.get("DIARY_PROBES_SEED", time.time_ns() % 2**32))


@pytest.fixture(scope="module")
def scene(shared_rig):
    return Scene(shared_rig)


def send(session, url, ask, actor):
    headers = {"Diary-App": actor.app, **({"Authorization": actor.authorization} if actor.authorization else {}), **ask.headers}
    began = time.perf_counter()
    answer = session.request(ask.method, url + ask.path, headers=headers, json=ask.json, data=ask.data, allow_redirects=False, timeout=20)
    elapsed = time.perf_counter() - began
    CONTRACT.check(answer)
    return answer, elapsed


@pytest.mark.long
def test_c1_every_operation_position_and_actor(scene, shared_rig):
    alive, session = Alive(shared_rig), http_client.Session()
    words = [word.lower() for word in scene.secrets_of_owner()]
    generator = Generator(scene, SEED, LONG)
    counts, by_actor, gaps, leaks = collections.Counter(), collections.Counter(), [], collections.defaultdict(list)
    began, operations, known = time.monotonic(), set(), {}

    for number, probe in enumerate(generator.probes()):
        # Who is first changes, so that what is warm then is no difference.
        order = [probe.foreign, probe.missing] if number % 2 else [probe.missing, probe.foreign]
        answers = {id(ask): known.get(id(ask)) or send(session, shared_rig.url, ask, probe.actor) for ask in order if ask}
        if probe.missing and probe.missing is generator.refused.get(probe.operation):
            known[id(probe.missing)] = answers[id(probe.missing)]
        foreign, took = answers[id(probe.foreign)]
        kind = (probe.operation, probe.position, probe.label)
        where = f"{probe.operation} {probe.position} by {probe.actor.name} ({probe.label}): {foreign.status_code} {foreign.text[:300]}"

        if probe.statuses and foreign.status_code not in probe.statuses:
            leaks[kind].append(f"status, expected {probe.statuses}: {where}")
        if probe.missing:
            missing, took_missing = answers[id(probe.missing)]
            one, other = seen(foreign, probe.foreign.named), seen(missing, probe.missing.named)
            if one != other:
                leaks[kind].append(f"differs from what does not exist: {where}\n    foreign {one}\n    missing {other}")
            if foreign.status_code == 404:
                gaps.append((took - took_missing) * 1000)
        sent = f"{probe.foreign.path} {probe.foreign.json} {probe.foreign.data} {probe.foreign.headers}".lower()
        text = (foreign.text + str(dict(foreign.headers))).lower()
        for word in words:
            if word in text and word not in sent:
                leaks[kind].append(f"holds something of the owner: {where}")
        counts[(probe.operation, probe.position)] += 1
        by_actor[probe.actor.name] += 1
        operations.add(probe.operation)

    total = sum(counts.values())
    gap = statistics.median(gaps)
    lines = [
        f"C1 seed {SEED}: {total} probes, {len(generator.rows)} operations ({len(operations)} of them can name something), {len(counts)} positions, {len(by_actor)} actors, {sum(map(len, leaks.values()))} leaks, "
        f"median time gap {gap:+.3f} ms over {len(gaps)} pairs of 404, {time.monotonic() - began:.0f} s"
    ]
    lines += [f"  {count:5d}  {operation} {position}" for (operation, position), count in sorted(counts.items())]
    lines += [f"  {count:5d}  by {actor}" for actor, count in by_actor.items()]
    print("\n".join(lines))
    assert not leaks, "\n".join(f"{len(found)} times, first: {found[0]}" for found in leaks.values())
    assert total >= (3000 if LONG else 1800)
    # It has no row: an operation that takes nothing but the token is probed with the token alone.
    assert {position for operation, position in counts if operation == "getProfile"} == {"bearer"}
    assert abs(gap) < 1, "a foreign id takes another time than one that does not exist"
    after = scene.everything()
    assert [strip(a) for a in after] == [strip(b) for b in scene.snapshot], "a probe changed something of the owner's"
    alive.check()


def strip(answer):
    """The owner's data without what the owner's own preparations add: tombstones of entries made and deleted for a key, exports of those keys."""
    answer = dict(answer)
    answer.pop("next_since", None)
    if "items" in answer:
        answer["items"] = [one for one in answer["items"] if one.get("to", "2026-12-31") == "2026-12-31"]
    answer.pop("deleted", None)
    return answer


def test_c1_the_owner_still_gets_everything(scene, shared_rig):
    """The probes were refused because of who asked: the same addresses work for whom they were made."""
    owner = scene.owner
    assert http_client.get(shared_rig.url + owner.play, timeout=10).status_code == 200
    assert http_client.get(f"{shared_rig.url}/exports/{owner.link}", timeout=10).status_code == 200
    assert http_client.get(shared_rig.url + owner.file, timeout=10).status_code == 200
    assert owner.put(owner.upload).status_code == 200
    owner.use(owner.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": owner.tokens["refresh_token"]}).json())


def test_c1_the_table_refuses_an_operation_it_does_not_know(scene):
    generator = Generator(scene, SEED, False)
    del generator.rows["listEvents"]
    with pytest.raises(AssertionError, match="listEvents .* has no row"):
        collections.deque(generator.probes(), maxlen=0)
    generator = Generator(scene, SEED, False)
    generator.rows["getEntry"].pop("path:id")
    with pytest.raises(AssertionError, match="the row of getEntry"):
        collections.deque(generator.probes(), maxlen=0)
