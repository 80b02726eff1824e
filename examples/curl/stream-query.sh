#!/bin/sh
# Streams a query and fails unless the last event is `complete`.
set -eu
stream_url=${SLUICE_STREAM_URL:-http://127.0.0.1:8081}
account=${SLUICE_EMAIL:-analyst@acme.example}:${SLUICE_PASSWORD:-sluice-demo}
sql='SELECT origin, count(*) AS flights FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3'

curl -sSN --fail-with-body -u "$account" -H 'content-type: application/json' -d "{\"sql\": \"$sql\"}" "$stream_url/query" |
  awk '/^data: / { print substr($0, 7); last = $0 }
       END { if (last !~ /^data: {"type":"complete"/) { print "The result is incomplete." > "/dev/stderr"; exit 1 } }'
