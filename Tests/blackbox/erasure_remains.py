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
        return seen if seen["state"] == "erased" else None

    return wait_for(erased, seconds, "the erasure")


def rows_naming(rig, needle):
    """Every uuid, text and bytea column of both databases that holds the id, as text or as its bytes."""
    found, columns = [], 0
    for database in ("diary", "diary_keys"):
        wanted = rig.postgres.sql(
            database,
            """
            select c.table_name, c.column_name, c.data_type from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
            where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('uuid', 'text', 'bytea', 'character varying', 'jsonb', 'json', 'ARRAY')""",
        )
        for table, column, kind in wanted:
            columns += 1
            plain = needle.replace("-", "")
            condition = (
                f"position(decode('{plain}', 'hex') in {column}) > 0 or position(convert_to('{needle}', 'UTF8') in {column}) > 0"
                if kind == "bytea"
                else f"lower({column}::text) like '%%{needle}%%' or lower({column}::text) like '%%{plain}%%'"
            )
            count = rig.postgres.sql(database, f"select count(*) from {table} where {condition}")[0][0]
            if count:
                found.append((database, table, column, count))
    assert columns > 60
    return found


def files_of(rig, user):
    return [p for p in files_below(rig.folder / "objects") if user.id in str(p)]


def files_below(folder):
    """Without those in folders that go meanwhile."""
    return [pathlib.Path(place) / name for place, _, names in os.walk(folder) for name in names]


def redis_holding(rig, needle):
    """Keys that name it, or whose value does."""
    read = {"string": ("get",), "stream": ("xrange", "-", "+")}
    found = []
    for key in (k for k in rig.redis.cli("--scan").splitlines() if k):
        kind = rig.redis.cli("type", key).strip()
        if kind == "none":
            continue
        command, *rest = read[kind]
        if needle in key or needle in rig.redis.cli(command, key, *rest):
            found.append(key)
    return found


def rate_keys(rig):
    return {k for k in rig.redis.cli("--scan", "--pattern", "rl:*").splitlines() if k}


def nothing_left(rig, user):
    assert rows_naming(rig, user.id) == []
    assert files_of(rig, user) == []
    assert redis_holding(rig, user.id) == []
