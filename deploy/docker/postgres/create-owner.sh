#!/bin/sh
# The PostgreSQL image runs this once, when its volume is empty. The owner creates the roles of the two hosts when it migrates.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set password="$SLUICE_OWNER_PASSWORD" <<'SQL'
create role sluice_owner login createrole password :'password';
create database sluice owner sluice_owner;
\connect sluice
alter schema public owner to sluice_owner;
SQL
