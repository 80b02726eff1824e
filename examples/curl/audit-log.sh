#!/bin/sh
# Prints user and action of every record of the last hour, page by page.
set -eu
api_url=${SLUICE_API_URL:-http://127.0.0.1:8080}
tenant=${SLUICE_TENANT:-acme}
email=${SLUICE_EMAIL:-auditor@acme.example}
password=${SLUICE_PASSWORD:-sluice-demo}

id_token=$(curl -sS --fail-with-body -H 'content-type: application/json' -d "{\"email\": \"$email\", \"password\": \"$password\"}" \
  "$api_url/auth/login/$tenant" | sed 's/.*"id_token":"\([^"]*\)".*/\1/')
start=$((($(date +%s) - 3600) * 1000))

page=$(curl -sS --fail-with-body -H "idtoken: $id_token" -H 'content-type: application/json' \
  -d "{\"size\": 20, \"start\": $start}" "$api_url/audits/logs/search")
while :; do
  printf '%s\n' "$page" | grep -o '"user":"[^"]*","action":"[^"]*"' | sed 's/"user":"\(.*\)","action":"\(.*\)"/\1 \2/'
  token=$(printf %s "$page" | sed -n 's/.*"next_page_token":"\([^"]*\)".*/\1/p')
  [ -n "$token" ] || break
  page=$(curl -sS --fail-with-body -H "idtoken: $id_token" "$api_url/audits/logs/search?page_token=$token")
done
