import type { AppOptions } from '@sluice/http';

interface AccountShareSettings {
  readonly databaseConnectionsMax: number;
  readonly databaseTimeoutMs: number;
}

/**
 * Returns the share of an account in the requests of a host: half of the connections to PostgreSQL, so that one account never uses all of
 * them. A place is free again after the time limit of a statement at the latest.
 */
export const accountShare = ({
  databaseConnectionsMax,
  databaseTimeoutMs,
}: AccountShareSettings): NonNullable<AppOptions['accountRequests']> => ({
  runningMax: Math.max(1, Math.floor(databaseConnectionsMax / 2)),
  placeMs: databaseTimeoutMs,
  waitMs: 2 * databaseTimeoutMs,
});
