/** Expression of a shell for the id of the caller's last kept result, for examples. */
export const LAST_RESULT = `$(sluice result list --json --limit 1 | sed 's/.*"query_id":"\\([^"]*\\)".*/\\1/')`;
