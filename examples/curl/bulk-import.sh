#!/bin/sh
# Describes two tables. One call takes at most 50 objects. The key makes a retry of the same call safe.
set -eu
api_url=${SLUICE_API_URL:-http://127.0.0.1:8080}
tenant=${SLUICE_TENANT:-acme}
email=${SLUICE_EMAIL:-steward@acme.example}
password=${SLUICE_PASSWORD:-sluice-demo}

id_token=$(curl -sS --fail-with-body -H 'content-type: application/json' -d "{\"email\": \"$email\", \"password\": \"$password\"}" \
  "$api_url/auth/login/$tenant" | sed 's/.*"id_token":"\([^"]*\)".*/\1/')
result=$(curl -sS --fail-with-body -H "idtoken: $id_token" -H 'content-type: application/json' \
  -H "idempotency-key: example-$(date +%s)" "$api_url/metadata/import" -d '{"metadata_objects": [
    {"type": "TABLE", "id": "demo.vega.flights", "description": "One row per flight.", "add_tags": ["aviation"]},
    {"type": "TABLE", "id": "demo.vega.airports", "fields": [{"name": "iata", "description": "Three-letter code of the airport"}]}]}')
printf '%s\n' "$result"
case $result in *'"failure_count":0'*) ;; *) exit 1 ;; esac
