-- An entry's day: the date of its own wall clock less its owner's `day_ends_at` (decision D17). Lists, statistics and exports select by it.

-- Days end before noon, so the day is that of the wall clock or the one before.
create function diary_day(wall_clock timestamp, day_ends_minute int) returns date
    language sql immutable
    return (wall_clock - make_interval(mins => day_ends_minute))::date;

-- For the triggers, which run as the role that writes.
grant execute on function diary_day(timestamp, int) to diary_api;

alter table entries
    add column local_date date,
    -- When an entry last went to another day: a zip that was asked for before may hold it although its days do not.
    add column day_changed_at timestamptz;

-- First the days that clients have seen until now, so that the next statement finds the ones that differ.
update entries set local_date = diary_day(recorded_local, 0);

alter table entries alter column local_date set not null;

-- Without statistics the planner takes each account for one row, and would compare every entry with every other.
select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true);

-- Entries that belong to the day before by a setting that had no effect. They appear in the feed, so that clients move them too.
with moved as (
    select e.tenant_id, e.user_id, e.id, diary_day(e.recorded_local, u.day_ends_minute) as day,
        row_number() over (partition by e.tenant_id, e.user_id order by e.change_number) as place
    from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
    where u.day_ends_minute > 0 and e.deleted_at is null and e.local_date <> diary_day(e.recorded_local, u.day_ends_minute)),
counted as (select tenant_id, user_id, count(*) as entries from moved group by tenant_id, user_id),
bumped as (
    update user_sync s set change_number = s.change_number + c.entries
    from counted c where s.tenant_id = c.tenant_id and s.user_id = c.user_id
    returning s.tenant_id, s.user_id, s.change_number - c.entries as before)
update entries e
    set local_date = m.day, day_changed_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = b.before + m.place
from moved m join bumped b on b.tenant_id = m.tenant_id and b.user_id = m.user_id
where e.tenant_id = m.tenant_id and e.user_id = m.user_id and e.id = m.id;

select set_config('enable_nestloop', 'on', true), set_config('jit', 'on', true);

-- Keeps the day of a written wall clock, for processes of the version before too. It reads the setting after the account's lock (`bump_change`)
-- was taken: the statement's own snapshot may be older than a change of the setting that the lock waited for.
create function set_entry_day() returns trigger
    language plpgsql
    as $$
begin
    select public.diary_day(new.recorded_local, u.day_ends_minute) into new.local_date
        from public.users u where u.tenant_id = new.tenant_id and u.id = new.user_id;
    -- The account was erased during this request: the foreign key answers.
    new.local_date := coalesce(new.local_date, public.diary_day(new.recorded_local, 0));
    if tg_op = 'UPDATE' and new.local_date <> old.local_date then
        new.day_changed_at := clock_timestamp();
    end if;
    return new;
end $$;

create trigger entries_day before insert or update of recorded_local on entries for each row execute function set_entry_day();

-- A change of `day_ends_at`: the days of all the account's entries, in one statement, each changed one with the next number of the feed.
create function move_entry_days() returns trigger
    language plpgsql set enable_nestloop = off -- as above
    as $$
declare
    moved bigint;
    before bigint;
begin
    -- An entry that is created meanwhile waits here, or has been committed and is seen by the next statements.
    perform from public.user_sync s where s.tenant_id = new.tenant_id and s.user_id = new.id for update;
    select count(*) into moved from public.entries e
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.deleted_at is null
            and e.local_date <> public.diary_day(e.recorded_local, new.day_ends_minute);
    update public.user_sync s set change_number = s.change_number + moved
        where s.tenant_id = new.tenant_id and s.user_id = new.id and moved > 0
        returning s.change_number - moved into before;
    update public.entries e
        set local_date = m.day, day_changed_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = before + m.place
        from (
            select x.id, public.diary_day(x.recorded_local, new.day_ends_minute) as day,
                row_number() over (order by x.change_number) as place
            from public.entries x
            where x.tenant_id = new.tenant_id and x.user_id = new.id and x.deleted_at is null
                and x.local_date <> public.diary_day(x.recorded_local, new.day_ends_minute)) m
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.id = m.id;
    return null;
end $$;

create trigger users_day_ends after update of day_ends_minute on users
    for each row when (old.day_ends_minute <> new.day_ends_minute) execute function move_entry_days();
