#!/bin/bash
# Run once by the image of Postgres, on an empty volume: the service's roles with their passwords, and its two databases.
set -euo pipefail
psql() { command psql -v ON_ERROR_STOP=1 -q --username postgres --dbname "$1"; }
psql postgres < /roles.sql
for role in owner api auth worker admin backup; do
    echo "alter role diary_$role password '$(cat "/run/secrets/diary_$role-password")';"
done | psql postgres
for database in diary diary_keys; do
    echo "create database $database owner diary_owner;" | psql postgres
    echo "alter schema public owner to diary_owner;" | psql "$database"
done
