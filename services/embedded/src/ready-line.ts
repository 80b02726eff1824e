import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_PASSWORD } from './accounts.ts';

export interface Addresses {
  readonly api: string;
  readonly stream: string;
  /** Issuer URL of the development identity provider. */
  readonly identityProvider: string;
  /** Port with TLS for Trino clients, and the file with its certificate. Undefined: there is none. */
  readonly trino: { readonly port: number; readonly certificatePath: string } | undefined;
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

/** The Python package of this clone. */
const PYTHON_PACKAGE = fileURLToPath(new URL('../../../packages/python', import.meta.url));

/** Returns the lines that install the Python package of this clone, and make a dataframe of a statement. */
function pythonLines({ api, stream }: Addresses, sql: string): readonly string[] {
  const options = [
    JSON.stringify(api),
    `stream_url=${JSON.stringify(stream)}`,
    'tenant="acme"',
    'email="analyst@acme.example"',
    `password="${DEMO_PASSWORD}"`,
  ].join(', ');
  const python = [
    'import sluice_client',
    `sluice = sluice_client.connect(${options})`,
    `print(sluice.query(${JSON.stringify(sql)}).to_pandas())`,
  ].join('; ');
  const path = relative(process.cwd(), PYTHON_PACKAGE);
  return [
    'Or in Python, as a dataframe of pandas (docs/python.md):',
    `python3 -m pip install ${shellText(`${path.startsWith('.') ? path : `./${path}`}[pandas]`)}`,
    `python3 -c ${shellText(python)}`,
  ];
}

/** Returns an address for JDBC, and a command with the Python driver: both verify the certificate of this home. */
function trinoLines({ trino }: Addresses, sql: string): readonly string[] {
  if (trino === undefined) return [];
  const { port, certificatePath } = trino;
  const [user, password] = ['analyst@acme.example', DEMO_PASSWORD];
  const query = `SSL=true&SSLTrustStorePath=${encodeURI(certificatePath)}&user=${user}&password=${password}`;
  const python = [
    `import trino`,
    `c = trino.dbapi.connect(host="localhost", port=${port}, http_scheme="https", auth=trino.auth.BasicAuthentication("${user}", "${password}"))`,
    `print(c.cursor().execute(${JSON.stringify(sql)}).fetchall())`,
  ].join('; ');
  return [
    'Or with any Trino client (docs/trino-door.md), by JDBC and in Python:',
    `jdbc:trino://localhost:${port}?${query}`,
    // The variable and not `verify`: one that a company sets wins over the argument.
    `REQUESTS_CA_BUNDLE=${shellText(certificatePath)} python3 -c ${shellText(python)}`,
  ];
}

/** Returns the last lines of a start: the addresses, and commands to paste into a shell. */
export function readyLines(addresses: Addresses, sql: string): readonly string[] {
  const { api, stream, identityProvider } = addresses;
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
    ...commandLines(addresses, sql),
    ...pythonLines(addresses, sql),
    ...trinoLines(addresses, sql),
  ];
}
