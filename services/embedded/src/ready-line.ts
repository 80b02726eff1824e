import { DEMO_PASSWORD } from './accounts.ts';

export interface Addresses {
  readonly api: string;
  readonly stream: string;
  /** Issuer URL of the development identity provider. */
  readonly identityProvider: string;
}

const DEMO_SQL =
  'SELECT origin, count(*) AS flights, round(avg(delay), 1) AS delay FROM demo.vega.flights GROUP BY origin ORDER BY flights DESC LIMIT 5';

/** Runs on any engine, whatever its tables. */
const ANY_SQL = 'SELECT current_user AS person, current_timestamp AS time';

/** Returns the last lines of a start: the addresses, and a command to paste into a shell. */
export function readyLines({ api, stream, identityProvider }: Addresses, hasDemoTables: boolean): readonly string[] {
  const curl = [
    'curl -sSN',
    `-u analyst@acme.example:${DEMO_PASSWORD}`,
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify({ sql: hasDemoTables ? DEMO_SQL : ANY_SQL })}'`,
    `${stream}/query`,
  ].join(' ');
  return [
    `Log in at ${api}/auth/login/acme through the development identity provider, ${identityProvider}.`,
    `Sluice is ready: API ${api}, queries ${stream}. Try this in another terminal; Ctrl-C stops Sluice.`,
    curl,
  ];
}
