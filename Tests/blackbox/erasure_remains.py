"""Erasing an account, and what is left of it in databases, files and Redis."""

import os
import pathlib

import http_client
from processes import wait_for


def erase(user, **more):
    body = {"json": {"password": user.password}} if not more else more
    return user.call("DELETE", "/v1/me", 202, **body).json()


def deletion(rig, receipt):
    answer = http_client.get(f"{rig.url}/v1/deletions/{receipt}", timeout=10)
    assert answer.status_code == 200, answer.text
    return answer.json()


def wait_erased(rig, receipt, seconds=60):
    def erased():
        seen = deletion(rig, receipt)
        return seen if seen["status"] == "erased" else None

    return wait_for(erased, seconds, "the erasure")


def rows_naming(rig, *needles):
    """Every uuid, text and bytea column of both databases that holds one of the ids, as text or as its bytes."""
    found, columns = [], 0
    texts = "|".join(form for needle in needles for form in (needle, needle.replace("-", "")))
    for database in ("diary", "diary_keys"):
        wanted = rig.postgres.sql(
            database,
            """
            select c.table_name, c.column_name, c.data_type from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
            where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('uuid', 'text', 'bytea', 'character varying', 'jsonb', 'json', 'ARRAY')""",
        )
        parts = []
        for table, column, kind in wanted:
            columns += 1
            conditions = [f"lower({column}::text) ~ '{texts}'"]
            if kind == "bytea":
                conditions = [
                    f"position(decode('{needle.replace('-', '')}', 'hex') in {column}) > 0 or position(convert_to('{needle}', 'UTF8') in {column}) > 0"
                    for needle in needles
                ]
            parts.append(f"select '{table}', '{column}', count(*) from {table} where {' or '.join(conditions)}")
        # All columns in one statement: a connection and a statement for each cost more than the look itself.
        found += [(database, *row) for row in rig.postgres.sql(database, " union all ".join(parts)) if row[2]]
    assert columns > 60
    return found


def files_of(rig, user):
    return [p for p in files_below(rig.folder / "objects") if user.id in str(p)]


def files_below(folder):
    """Without those in folders that go meanwhile."""
    return [pathlib.Path(place) / name for place, _, names in os.walk(folder) for name in names]


def redis_holding(rig, *needles):
    """Keys that name one of them, or whose value does."""
    look = """
        local found = {}
        for _, key in ipairs(redis.call('keys', '*')) do
            local kind = redis.call('type', key).ok
            local value
            if kind == 'string' then value = redis.call('get', key)
            elseif kind == 'stream' then value = redis.call('xrange', key, '-', '+')
            else return {'unknown type', kind, key} end
            local text = key .. ' ' .. (type(value) == 'table' and cjson.encode(value) or value)
            for _, needle in ipairs(ARGV) do
                if string.find(text, needle, 1, true) then found[#found + 1] = key end
            end
        end
        return found"""
    return rig.redis.cli("eval", look, "0", *needles).split()


def rate_keys(rig):
    return {k for k in rig.redis.cli("--scan", "--pattern", "rl:*").splitlines() if k}


def nothing_left(rig, *users):
    ids = [user.id for user in users]
    assert rows_naming(rig, *ids) == []
    assert [p for user in users for p in files_of(rig, user)] == []
    assert redis_holding(rig, *ids) == []
