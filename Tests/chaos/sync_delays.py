"""SQL of the sync act, run as the schema's owner: commits that come late, and the mistake that the change number avoids."""

# Late between taking the number and writing, and late at the commit itself (a deferred trigger runs inside it).
# Shares and seconds: (number share, seconds, commit share, seconds, rare share, seconds).
LATE = """
create function late_number() returns trigger language plpgsql as $$
begin
    if random() < {0} then perform pg_sleep(random() * {1}); end if;
    return null;
end $$;
create function late_commit() returns trigger language plpgsql as $$
begin
    if random() < {2} then perform pg_sleep(random() * {3}); end if;
    if random() < {4} then perform pg_sleep(random() * {5}); end if;
    return null;
end $$;
create trigger late_number after update on user_sync for each row when (new.change_number <> old.change_number) execute function late_number();
create constraint trigger late_commit after insert or update on entries deferrable initially deferred for each row execute function late_commit();
"""

# The classic mistake: numbers from a sequence, no lock. A number taken early may commit late, behind a poller's position.
# The counter that the feed reads becomes the sequence's.
NO_LOCK = """
create sequence loose_numbers;
select setval('loose_numbers', (select greatest(1, max(change_number)) from user_sync));
alter table user_sync rename to user_sync_rows;
create view user_sync with (security_invoker) as
    select tenant_id, user_id, (select last_value from loose_numbers) as change_number, purged_through, key_id, stored_bytes from user_sync_rows;
grant select on user_sync to diary_api, diary_worker;
grant select, usage on loose_numbers to diary_api, diary_worker;
drop index entries_by_change;
create index entries_by_change on entries (tenant_id, user_id, change_number);
create or replace function bump_change(tenant uuid, member uuid, live_key uuid) returns bigint language sql volatile as $$ select nextval('loose_numbers') $$;
create or replace function bump_change_within(tenant uuid, member uuid, live_key uuid, entry uuid, size bigint, most bigint) returns bigint
    language sql volatile as $$ select nextval('loose_numbers') $$;
create or replace function touch_owner(tenant uuid, member uuid) returns bigint language sql volatile as $$ select nextval('loose_numbers') $$;
drop trigger entries_stored on entries;
drop trigger entries_stored_again on entries;
"""

# Makes a share of one user's tombstones as old as those that the sweeper takes.
AGE = """
update entries set deleted_at = deleted_at - interval '91 days', updated_at = updated_at - interval '91 days'
    where user_id = %s and deleted_at > clock_timestamp() - interval '90 days' and random() < %s
"""
