"""A1: jobs on texts that begin and end in one transaction, while their worker is killed: each is done once."""

import collections
from concurrent.futures import ThreadPoolExecutor

import pytest

from processes import wait_for
from user import SAMPLE

PEOPLE, RECORDINGS = 6, 20
KILLED_AT = (0.25, 0.6)
"""Shares of the jobs that are done when the worker is killed: one time less than makes a job fail (`crashed`)."""


def count(rig, condition):
    return rig.postgres.sql("diary", f"select count(*) from jobs where kind = 'clean' and attempt > 0 and {condition}")[0][0]


@pytest.mark.long
def test_a1_texts_that_are_cleaned_together_survive_kills_and_are_written_once(own_rig):
    rig = own_rig
    rig.script("speech", segments=[{"text": "um we swam to the island"}])
    people = [rig.user() for _ in range(PEOPLE)]
    with ThreadPoolExecutor(8) as pool:
        owners = [person for person in people for _ in range(RECORDINGS)]
        ids = list(pool.map(lambda n: owners[n].record(SAMPLE.read_bytes() + n.to_bytes(4, "big")), range(len(owners))))
        before = list(pool.map(lambda n: owners[n].wait_done(ids[n], 60), range(len(owners))))
    rig.stop("work")
    first = count(rig, "state = 'done'")
    for person, entry_id in zip(owners, ids):
        person.call("POST", f"/v1/entries/{entry_id}/reprocess", 202, json={"stage": "clean"})

    rig.start("work")
    for share in KILLED_AT:
        wait_for(lambda share=share: count(rig, "state = 'done'") - first >= share * len(ids), 60, "a part of the jobs")
        rig.processes.pop("work").kill()
        rig.start("work")
    wait_for(lambda: count(rig, "state = 'done'") - first == len(ids), 60, "the end of the jobs")

    versions = "select id::text, machine_version, change_number, user_id::text, xmin::text from entries where id::text = any(%s)"
    rows = rig.postgres.sql("diary", versions, ids)
    # Recognised, cleaned, cleaned again.
    assert {row[1] for row in rows} == {3} and len(rows) == len(ids)
    assert len({(row[3], row[2]) for row in rows}) == len(ids), "entries of one account have change numbers of their own"
    assert max(collections.Counter(row[4] for row in rows).values()) > 1, "none ended together"
    for person, entry_id, was in zip(owners, ids, before):
        entry = person.entry(entry_id)
        assert entry["status"] == "transcribed" and "processing" not in entry
        assert (entry["text"], entry["transcript_raw"], entry["transcript_clean"]) == shown(was)
    for person in people:
        assert feed(person) == {entry_id for owner, entry_id in zip(owners, ids) if owner is person}


def shown(entry):
    return entry["text"], entry["transcript_raw"], entry["transcript_clean"]


def feed(person):
    """The ids that the account's feed has, read in small pages."""
    seen, since = [], "0"
    while True:
        page = person.call("GET", f"/v1/changes?limit=7&since={since}", 200).json()
        seen += [entry["id"] for entry in page["items"]]
        since = page["next_since"]
        if not page["has_more"]:
            assert len(seen) == len(set(seen))
            return set(seen)
