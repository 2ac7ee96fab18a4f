"""C1, C2: no person reaches another's diary, through the API or through SQL."""

import json
import re
import uuid

import psycopg2
import pytest

import http_client
from contract import CONTRACT
from servers import ROOT
from user import SAMPLE


@pytest.fixture(scope="module")
def people(shared_rig):
    rig = shared_rig
    if "toukan" not in rig.tenants:
        rig.tenant("toukan")
        rig.wait_for_app("toukan")
    owner, neighbour, foreigner = rig.user(), rig.user(), rig.user("toukan")
    for user in (owner, neighbour, foreigner):
        user.voice = user.record()
        user.wait_done(user.voice)
        user.text = user.create_text("words")["entry_id"]
        user.note = str(uuid.uuid4())
        for entry in (user.voice, user.text):
            user.call("POST", f"/v1/entries/{entry}/notes", 200, json={"id": user.note, "text": "mine"})
        user.exported = user.export()["id"]
        user.scheduled = user.call("POST", "/v1/export-schedules", 201, json={"every": "week", "paused": True}).json()["id"]
        user.speaking = user.call("POST", "/v1/speakers", 201, json={"name": "Anna"}).json()["id"]
        zip_file = {"size_bytes": 1_000}
        user.importing = user.call("POST", "/v1/imports", 201, json=zip_file).json()["import"]["id"]
    return owner, neighbour, foreigner


def members_operations():
    """Every operation of the contract with an id in its path, for members."""
    for method, template, _, operation in CONTRACT.operations:
        if "{id}" in template and template.startswith("/v1/"):
            yield method, template


BODIES = {"PATCH": {"title": "mine now"}}
BODIES_OF = {
    "/v1/export-schedules/{id}": {"paused": True},
    "/v1/entries/{id}/transcript": {"text": "mine now"},
    "/v1/entries/{id}/audio": {"content_type": "audio/mp4", "size_bytes": 1000},
    "/v1/entries/{id}/reprocess": {"stage": "clean"},
    "/v1/entries/{id}/suggestions": {"accept": {"title": "mine now"}},
    "/v1/entries/{id}/speakers": {"A": {"name": "mine now"}},
    "/v1/speakers/{id}": {"name": "mine now"},
    "/v1/entries/{id}/segments": {"segments": [{"id": 1, "text": "mine now"}]},
    "/v1/entries/{id}/segments/{segment}": {"text": "mine now"},
    "/v1/entries/{id}/notes": {"text": "mine now"},
    "/v1/entries/{id}/notes/{note}": {"text": "mine now"},
}
OTHERS = {"/exports/": "exported", "/export-schedules/": "scheduled", "/imports/": "importing", "/speakers/": "speaking"}
"""Ids that name no entry, by what is in the path."""
QUERIES = {"/v1/entries/{id}/revisions": "?layer=raw", "/v1/entries/{id}/transcript/file": "?format=txt"}


def test_c1_every_operation_with_anothers_id_is_not_found(people):
    owner, *others = people
    probes = 0
    for method, template in members_operations():
        of_kind = next((what for path, what in OTHERS.items() if path in template), None)
        targets = [getattr(owner, of_kind)] if of_kind else [owner.voice, owner.text]
        targets += [owner.importing] if "/uploads/" in template else []
        for target in targets:
            for other in others:

                def ask(identifier):
                    answer = other.call(
                        method,
                        template.replace("{id}", identifier).replace("{segment}", "1").replace("{note}", owner.note)
                        + QUERIES.get(template, ""),
                        json=None if method == "DELETE" else BODIES_OF.get(template, BODIES.get(method)),
                        headers={"If-Match": "*"} if method in ("PATCH", "PUT", "DELETE") else {},
                    )
                    body = answer.json()
                    body.pop("request_id")
                    return answer.status_code, body

                foreign, missing = ask(target), ask(str(uuid.uuid4()))
                assert foreign[0] == 404 and foreign == missing, (method, template, foreign)
                probes += 1
    assert probes >= 30
    print(f"C1: {probes} probes, 0 leaks")
    assert owner.entry(owner.voice)["title"] is None


def test_c1_lists_feeds_and_keys_show_only_ones_own(people):
    for user in people:
        ids = {e["id"] for e in user.call("GET", "/v1/changes", 200).json()["items"]}
        assert ids == {user.voice, user.text}
        assert {e["id"] for e in user.call("GET", "/v1/entries", 200).json()["items"]} == ids
        assert [e["id"] for e in user.call("GET", "/v1/exports", 200).json()["items"]] == [user.exported]


def test_c1_anonymous_and_wrong_tokens_get_one_401(people):
    owner = people[0]
    bodies = set()
    for token in (None, "Bearer x", "Bearer " + owner.tokens["refresh_token"], "Basic abc", "Bearer " + owner.tokens["access_token"] + "A"):
        headers = {"Authorization": token} if token else {"Authorization": ""}
        for method, template in members_operations():
            answer = owner.call(method, template.replace("{id}", owner.voice), 401, headers=headers)
            body = answer.json()
            body.pop("request_id")
            bodies.add(json.dumps(body, sort_keys=True))
    assert len(bodies) == 1


def test_c1_the_same_address_in_two_apps_is_two_people(people, shared_rig):
    owner = people[0]
    twin = shared_rig.user("toukan", address=owner.address)
    assert twin.id != owner.id
    assert twin.call("GET", "/v1/entries", 200).json()["items"] == []


def test_c1_an_upload_url_of_one_does_not_reach_anothers_key(people):
    owner, neighbour, _ = people
    upload = owner.create_voice()["upload"]
    stolen = upload["url"].replace(owner.id, neighbour.id)
    assert http_client.put(stolen, data=SAMPLE.read_bytes(), headers=upload["headers"]).status_code == 403


# Every table with a policy for the API's role; CatalogueTests compares policies with the catalogue.
TABLES = sorted(
    table
    for file in (ROOT / "migrations/main").glob("*.sql")
    for table in re.findall(r"create policy \w+ on (\w+) to diary_api\b", file.read_text())
)


def settings(connection, tenant, user):
    with connection.cursor() as cursor:
        cursor.execute("select set_config('app.tenant_id', %s, false), set_config('app.user_id', %s, false)", (tenant, user))


@pytest.mark.parametrize("table", TABLES)
def test_c2_sql_without_a_where_sees_only_ones_own(people, shared_rig, table):
    owner, neighbour, foreigner = people
    column = {"users": "id", "app_engines": "tenant_id"}.get(table, "user_id")
    ((may_read,),) = shared_rig.postgres.sql("diary", "select has_any_column_privilege('diary_api', %s, 'select')", table)
    connection = shared_rig.postgres.connect(user="diary_api")
    try:
        with connection.cursor() as cursor:
            if not may_read:
                with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                    cursor.execute(f"select count(*) from {table}")
                return
            cursor.execute(f"select count(*) from {table}")
            assert cursor.fetchone() == (0,), "unset settings must show nothing"
            for user in people:
                settings(connection, shared_rig.tenants[user.app], user.id)
                cursor.execute(f"select distinct {column}::text from {table}")
                own = shared_rig.tenants[user.app] if column == "tenant_id" else user.id
                assert {row[0] for row in cursor.fetchall()} <= {str(own)}
            # A member of one tenant under another tenant's setting.
            settings(connection, shared_rig.tenants["toukan"], owner.id)
            cursor.execute(f"select count(*) from {table}")
            assert cursor.fetchone() == (0,)
    finally:
        connection.close()


def test_c2_writes_to_anothers_rows_hit_nothing(people, shared_rig):
    owner, neighbour, _ = people
    connection = shared_rig.postgres.connect(user="diary_api")
    try:
        settings(connection, shared_rig.tenants["my-day"], neighbour.id)
        with connection.cursor() as cursor:
            cursor.execute("update entries set status = 'failed'")
            assert cursor.rowcount == 2
            cursor.execute("update entries set status = 'transcribed'")
            cursor.execute("update entries set deleted_at = now(), personal = null, machine = null where user_id = %s", (owner.id,))
            assert cursor.rowcount == 0
            for table in ("entries", "jobs", "exports", "sessions", "users", "user_keys", "mails", "tenants", "apple_grants"):
                with pytest.raises(Exception):
                    cursor.execute(f"delete from {table}")
            # Unlinking deletes one's own identities; another's are not there.
            cursor.execute("delete from identities where user_id = %s", (owner.id,))
            assert cursor.rowcount == 0
            with pytest.raises(Exception):
                cursor.execute(
                    "insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject) "
                    "values (%s, %s, 'entry', 'a', 'b', %s)",
                    (shared_rig.tenants["my-day"], owner.id, str(uuid.uuid4())),
                )
            with pytest.raises(Exception):
                cursor.execute("select * from mails")
            with pytest.raises(Exception):
                cursor.execute("select * from email_codes")
    finally:
        connection.close()


def test_c2_the_key_store_has_row_level_security_too(people, shared_rig):
    owner, neighbour, _ = people
    connection = shared_rig.postgres.connect("diary_keys", user="diary_api")
    try:
        settings(connection, shared_rig.tenants["my-day"], neighbour.id)
        with connection.cursor() as cursor:
            cursor.execute("select user_id::text from user_keys")
            assert cursor.fetchall() == [(neighbour.id,)]
    finally:
        connection.close()


def test_c3_catalogue_lint(shared_rig):
    """Every table that names a user: row-level security enabled and forced, with using and check for each granted role."""
    for database in ("diary", "diary_keys"):
        rows = shared_rig.postgres.sql(
            database,
            """
            select c.relname, c.relrowsecurity, c.relforcerowsecurity,
                (select count(*) from pg_policies p where p.tablename = c.relname and p.qual is not null and p.with_check is not null)
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'public' and c.relkind = 'r'
                and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('user_id') and not a.attisdropped)""",
        )
        assert rows
        for name, enabled, forced, policies in rows:
            assert enabled and forced and policies >= 1, name
        half = shared_rig.postgres.sql(database, "select tablename, policyname from pg_policies where qual is null or with_check is null")
        assert half == []
        roles = shared_rig.postgres.sql(
            database, "select rolname, rolbypassrls, rolsuper, rolcreaterole from pg_roles where rolname like 'diary_%%'"
        )
        assert all(not bypass and not superuser and not creates for name, bypass, superuser, creates in roles if name != "diary_backup"), (
            roles
        )
        owners = shared_rig.postgres.sql(
            database,
            "select distinct pg_get_userbyid(relowner) from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = 'public' and relkind in ('r', 'v', 'S')",
        )
        assert owners == [("diary_owner",)]
        creators = shared_rig.postgres.sql(
            database,
            "select rolname from pg_roles where rolname like 'diary_%%' and rolname <> 'diary_owner' "
            "and has_schema_privilege(rolname, 'public', 'create')",
        )
        assert creators == []
        definers = shared_rig.postgres.sql(
            database,
            "select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace "
            "where n.nspname = 'public' and prosecdef and not (coalesce(proconfig::text, '') like '%%search_path%%')",
        )
        assert definers == []
        public = shared_rig.postgres.sql(
            database,
            "select proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace "
            "where n.nspname = 'public' and has_function_privilege('public', p.oid, 'execute')",
        )
        assert public == []
