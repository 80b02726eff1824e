import { DEMO_PASSWORD } from './accounts.ts';

export interface Addresses {
  readonly api: string;
  readonly stream: string;
  /** The development identity provider's issuer. */
  readonly identityProvider: string;
}

const DEMO_SQL =
  'SELECT origin, count(*) AS flights, round(avg(delay), 1) AS delay FROM demo.vega.flights GROUP BY origin ORDER BY flights DESC LIMIT 5';

/** For an engine whose tables nobody here knows. */
const ANY_SQL = 'SELECT current_user AS person, current_timestamp AS time';

/** What stands at the end of a start: the addresses, and a command that works as it is pasted into a shell. */
export function readyLines({ api, stream, identityProvider }: Addresses, hasDemoTables: boolean): readonly string[] {
  const curl = [
    'curl -sSN',
    `-u analyst@acme.example:${DEMO_PASSWORD}`,
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify({ sql: hasDemoTables ? DEMO_SQL : ANY_SQL })}'`,
    `${stream}/query`,
  ].join(' ');
  return [
    `People log in at ${api}/auth/login/acme by the development identity provider, ${identityProvider}.`,
    `Sluice is ready: API ${api}, queries ${stream}. Try this in another terminal; Ctrl-C here stops it.`,
    curl,
  ];
}
