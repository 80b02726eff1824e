import { LISTED_SQL_CHARACTERS_MAX } from '@sluice/contract';

interface ListedSql {
  readonly sql: string;
  readonly sql_truncated?: true;
}

/** Returns the SQL of an entry of a list of queries, truncated if it is long. A list may have hundreds of entries with 256 KiB each. */
export function listedSql(sql: string): ListedSql {
  if (sql.length <= LISTED_SQL_CHARACTERS_MAX) return { sql };
  const start = sql.slice(0, LISTED_SQL_CHARACTERS_MAX);
  // Half of a character at the end is dropped too.
  return { sql: start.isWellFormed() ? start : start.slice(0, -1), sql_truncated: true };
}
