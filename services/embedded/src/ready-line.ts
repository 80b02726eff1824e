import { DEMO_PASSWORD } from './accounts.ts';

export interface Addresses {
  readonly api: string;
  readonly stream: string;
  /** Issuer URL of the development identity provider. */
  readonly identityProvider: string;
}

/** Statement about the demo's tables. */
export const DEMO_SQL =
  'SELECT origin, count(*) AS flights, round(avg(delay), 1) AS delay FROM demo.vega.flights GROUP BY origin ORDER BY flights DESC LIMIT 5';

/** Quotes a text for POSIX shells. */
const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the last lines of a start: the addresses, and a command to paste into a shell. */
export function readyLines({ api, stream, identityProvider }: Addresses, sql: string): readonly string[] {
  const curl = [
    'curl -sSN',
    `-u analyst@acme.example:${DEMO_PASSWORD}`,
    `-H 'content-type: application/json'`,
    `-d ${shellText(JSON.stringify({ sql }))}`,
    `${stream}/query`,
  ].join(' ');
  return [
    `Log in at ${api}/auth/login/acme through the development identity provider, ${identityProvider}.`,
    `Sluice is ready: API ${api}, queries ${stream}. Try this in another terminal; Ctrl-C stops Sluice.`,
    curl,
  ];
}
