#!/bin/sh
# Run by the PostgreSQL image when its volume is empty: the role and its database, with the settings that PgBouncer cannot pass on
# (docs/operations.md, "Behind a pooler").
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/database_password)" -U postgres <<'SQL'
create role shelfwire login password :'password';
alter role shelfwire set enable_seqscan = off;
alter role shelfwire set statement_timeout = '60s';
alter role shelfwire set idle_in_transaction_session_timeout = '60s';
create database shelfwire owner shelfwire;
SQL
