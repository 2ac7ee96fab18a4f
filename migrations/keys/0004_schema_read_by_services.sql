-- API and worker compare the applied migrations with those they were built with, and refuse an older schema.
grant select on schema_migrations to diary_api, diary_worker;
