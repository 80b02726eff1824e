import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Quotes a string for POSIX shells. */
const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command line that the build makes. */
const COMMAND_LINE = fileURLToPath(new URL('../../../packages/cli/dist/sluice.js', import.meta.url));

/** Returns the lines that run a statement with the command line of this clone, as an analyst of the demo. */
function commandLines({ api, stream }: Addresses, sql: string): readonly string[] {
  const variables = {
    API_URL: api,
    STREAM_URL: stream,
    TENANT: 'acme',
    EMAIL: 'analyst@acme.example',
    PASSWORD: DEMO_PASSWORD,
  };
  const exported = Object.entries(variables).map(([name, value]) => `SLUICE_${name}=${value}`);
  const path = relative(process.cwd(), COMMAND_LINE);
  return [
    `export ${exported.join(' ')}`,
    `node ${/^[\w./-]+$/.test(path) ? path : shellText(path)} query ${shellText(sql)}`,
  ];
}

/** Returns the last lines of a start: the addresses, and two commands to paste into a shell. */
export function readyLines({ api, stream, identityProvider }: Addresses, sql: string): readonly string[] {
  const curl = [
    'curl -sSN',
    `-u analyst@acme.example:${DEMO_PASSWORD}`,
    `-H 'content-type: application/json'`,
    `-d ${shellText(JSON.stringify({ sql }))}`,
    `${stream}/query`,
  ].join(' ');
  return [
    `Open the console at ${api}/console/ and log in as analyst@acme.example with the password ${DEMO_PASSWORD}.`,
    `Log in at ${api}/auth/login/acme through the development identity provider, ${identityProvider}.`,
    `Sluice is ready: API ${api}, queries ${stream}. Try this in another terminal; Ctrl-C stops Sluice.`,
    curl,
    'Or with the command line (docs/cli.md):',
    ...commandLines({ api, stream, identityProvider }, sql),
  ];
}
