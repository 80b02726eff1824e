import type { AppOptions } from '@sluice/http';

interface AccountShareSettings {
  readonly databaseConnectionsMax: number;
  readonly databaseTimeoutMs: number;
}

/**
 * Returns the share of an account in the requests of a host: half of the connections to PostgreSQL, so that one account never uses all of
 * them. Running requests end or fail within the time limit of their statements, so a longer wait than two of them is not worth it.
 */
export const accountShare = ({
  databaseConnectionsMax,
  databaseTimeoutMs,
}: AccountShareSettings): NonNullable<AppOptions['accountRequests']> => ({
  runningMax: Math.max(1, Math.floor(databaseConnectionsMax / 2)),
  waitMs: 2 * databaseTimeoutMs,
});
