"""The oracle itself: each kind of damage, done by hand, must be seen."""

import uuid

from client import Client, recording
from leases import LEASE_SECONDS
from processes import wait_for


def play(run):
    random = run.random("oracle")
    with run.stage() as (rig, history, oracle):
        client, other = Client(rig, history), Client(rig, history)
        voices = [client.voice(recording(random)) for _ in range(4)]
        texts = [client.text(f"words {number}") for number in range(3)]
        client.export()
        clients = [client, other]
        oracle.judge(clients, 20, collect=False)
        oracle.patience = 1
        sql = oracle.sql
        seen, kinds = [], [0]

        def damage(invariant, what):
            """What was done must show as a fault of that invariant which was not there before."""
            _, faults = oracle.look(clients, collect=False)
            found = [fault for fault in faults if fault not in seen]
            assert any(fault.startswith(invariant + ":") for fault in found), f"not seen: {what}; found: {found}"
            seen.extend(found)
            kinds[0] += 1

        sql("update entry_segments set version = version where entry_id = %s", voices[0])
        damage("I4", "a transcript that another transaction wrote")
        sql(
            "insert into jobs (id, tenant_id, user_id, kind, subject, state, attempt, finished_at) select gen_random_uuid(), tenant_id, user_id, kind, subject, state, 1, "
            "clock_timestamp() from jobs where subject = %s and kind = 'transcribe'",
            voices[1],
        )
        damage("I4", "a second recognition that ended")
        sql("update entries set status = 'failed', stage = 'transcribe', stage_code = 'speech_unavailable' where id = %s", voices[1])
        damage("I3", "a failure that was not due")
        object = sql("select object_id::text from entries where id = %s", voices[2])[0][0]
        store, name = rig.store, ("audio", rig.tenants["my-day"], client.id, object)
        flip(store, name)
        damage("I2", "a flipped bit in a recording")
        flip(store, name)
        sql("update exports set entry_count = entry_count + 1")
        damage("I5", "an entry too few in a zip")
        mail = next(path for path in (rig.folder / "mail").glob("*.eml") if b"/exports/" in path.read_bytes())
        mail.with_name(f"{uuid.uuid4()}.eml").write_bytes(mail.read_bytes())
        damage("I5", "a mail sent twice")
        sql("update entries set updated_at = clock_timestamp() where user_id = %s", oracle.bystander.id)
        damage("I7", "a bystander's row")
        rig.stop("work")
        sql(
            "update jobs set state = 'leased', lease_until = clock_timestamp() - make_interval(secs => %s), leased_by = 'no-such-worker/0' where id = (select id from jobs limit 1)",
            LEASE_SECONDS + 0.5,
        )
        wait_for(lambda: rig.leases.old, 5, "a sample")
        damage("I8", "a lease that is not taken up")
        sql("update jobs set state = 'done', lease_until = null, leased_by = null where state = 'leased'")
        store.leave_half(("staging", *name[1:3], str(uuid.uuid4())))
        orphan = (*name[:3], str(uuid.uuid4()))
        store.write(orphan, b"x")
        faults = oracle.remains.faults(True)
        assert len(faults) == 2 and all(fault.startswith("I6:") for fault in faults), f"leftovers not seen: {faults}"
        collected = oracle.remains.collect()
        if collected is not None:
            names, left = store.names(), oracle.remains.faults(True)
            assert orphan not in names and name in names and not left, f"the collection left something or took too much: {left}"
        sql(
            "insert into entries select (e).* from (select jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'change_number', 1000000, 'personal', null)) e "
            "from entries e where id = %s) copies",
            texts[0],
        )
        damage("I1", "an entry that is there twice")
        sql("delete from entries where id = %s", texts[1])
        damage("I1", "a lost entry")
        assert any("lost" in fault for fault in seen) and any("twice" in fault for fault in seen)
        return {"faults_seen": len(seen), "collected": collected}, f"{kinds[0] + 2} kinds of damage done by hand, all seen" + (
            "" if collected is not None else "; no C compiler: the sweeper's collection was not played"
        )


def flip(store, name):
    data = bytearray(store.read(name))
    data[-20] ^= 1
    store.write(name, bytes(data))
