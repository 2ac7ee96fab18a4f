-- A feed that begins at a time says 410 when deletions since then may have been purged, by the age that the app has set.
grant execute on function tombstone_age(jsonb) to diary_api;
