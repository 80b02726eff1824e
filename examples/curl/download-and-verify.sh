#!/bin/sh
# Downloads a CSV file and compares its SHA-256 with the receipt. The file gets its name only when both are equal.
set -eu
stream_url=${SLUICE_STREAM_URL:-http://127.0.0.1:8081}
account=${SLUICE_EMAIL:-analyst@acme.example}:${SLUICE_PASSWORD:-sluice-demo}
file=${1:-flights.csv}

curl -sS --fail-with-body -u "$account" -H 'content-type: application/json' -D "$file.headers" -o "$file.part" \
  -d '{"sql": "SELECT * FROM flights ORDER BY date, origin, destination, distance, delay LIMIT 100000"}' "$stream_url/query/download/csv"
query_id=$(tr -d '\r' <"$file.headers" | sed -n 's/^[Xx]-[Qq]uery-[Ii]d: //p')
rm "$file.headers"

receipt=$(curl -sS --fail-with-body -u "$account" "$stream_url/query/$query_id")
expected=$(printf %s "$receipt" | sed -n 's/.*"sha256":"\([0-9a-f]*\)".*/\1/p')
echo "$expected  $file.part" | sha256sum --check --quiet
mv "$file.part" "$file"
echo "$file is complete: $(wc -c <"$file") bytes, SHA-256 $expected"
