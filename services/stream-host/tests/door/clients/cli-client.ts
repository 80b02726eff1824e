import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientCheck, checkOf, type ProgramEnd, runProgram } from './client-check.ts';
import { countLines, type ReadOutcome, readBy } from './client-reads.ts';
import type { ClientTarget } from './client-target.ts';

/** Java and its programs. */
export interface JavaTools {
  readonly java: string;
  /** Path of a jar by its name in `TRINO_CLIENT_JARS`. */
  jar(name: string): string;
  /** Folder for files of one run. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Options of a JVM that runs for a second. */
export const SHORT_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx256m', '-Duser.timezone=UTC'] as const;

interface CliRun {
  readonly options?: readonly string[];
  readonly sql?: string;
  /** Statements on stdin instead. */
  readonly input?: string;
}

const FORMATS = [
  'CSV',
  'CSV_HEADER',
  'CSV_UNQUOTED',
  'TSV',
  'TSV_HEADER',
  'JSON',
  'ALIGNED',
  'VERTICAL',
  'MARKDOWN',
  'NULL',
];
const VALUES = `SELECT n_nationkey, n_name, n_comment, CAST('1.50' AS decimal(5,2)) AS d, DATE '2026-03-29' AS day FROM nation WHERE n_nationkey < 3 ORDER BY 1`;

const runsOf = ({ catalog, schema }: ClientTarget, file: string): Readonly<Record<string, CliRun>> => ({
  ...Object.fromEntries(
    FORMATS.map((format): [string, CliRun] => [
      `format: ${format}`,
      { options: ['--output-format', format], sql: VALUES },
    ]),
  ),
  'format: nested values': {
    sql: "SELECT ARRAY[1, NULL] AS a, MAP(ARRAY['x'], ARRAY[1]) AS b, CAST(ROW(1, 'y') AS ROW(i integer, s varchar)) AS c, to_utf8('ab') AS d",
  },
  'statements: several': { sql: 'SELECT 1; SELECT 2;' },
  'statements: on stdin': { input: "SELECT 1;\nSELECT 'a;b';\n" },
  'statements: in a file': { options: ['--file', file] },
  'statements: use': {
    sql: `USE ${catalog}.information_schema; SELECT count(*) FROM tables WHERE table_schema = '${schema}'`,
  },
  'statements: session': {
    sql: "SET SESSION query_max_run_time = '2h'; SHOW SESSION LIKE 'query_max_run_time'; RESET SESSION query_max_run_time",
  },
  'statements: prepared': {
    sql: 'PREPARE own FROM SELECT n_name FROM nation WHERE n_nationkey = ?; EXECUTE own USING 3; DESCRIBE INPUT own; DESCRIBE OUTPUT own; DEALLOCATE PREPARE own',
  },
  'statements: immediate': { sql: "EXECUTE IMMEDIATE 'SELECT n_name FROM nation WHERE n_nationkey = ?' USING 4" },
  'statements: transaction': {
    sql: 'START TRANSACTION; SELECT count(*) FROM nation; COMMIT; START TRANSACTION READ ONLY; SELECT 1; ROLLBACK',
  },
  'statements: time zone': { options: ['--timezone', 'Asia/Tokyo'], sql: 'SELECT current_timezone()' },
  'statements: property of the command': {
    options: ['--session', 'query_max_run_time=3h'],
    sql: "SHOW SESSION LIKE 'query_max_run_time'",
  },
  'statements: progress': { options: ['--progress'], sql: 'SELECT count(*) FROM numbers' },
  'lists: catalogs': { sql: `SHOW CATALOGS LIKE '${catalog}'` },
  'lists: schemas': { sql: `SHOW SCHEMAS LIKE '${schema}'` },
  'lists: tables': { sql: 'SHOW TABLES' },
  'lists: columns': { sql: 'SHOW COLUMNS FROM orders; DESCRIBE nation' },
  'lists: completion': {
    sql: `SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}' ORDER BY 1; SHOW FUNCTIONS LIKE 'date_trunc'`,
  },
  'errors: syntax': { sql: 'SELECT FROM WHERE' },
  'errors: table': { sql: 'SELECT * FROM no_such_table' },
  'errors: end the command': { sql: 'SELECT * FROM no_such_table; SELECT 1' },
  'errors: are ignored': { options: ['--ignore-errors'], sql: 'SELECT * FROM no_such_table; SELECT 1' },
  'errors: in the middle of a result': { sql: 'SELECT CAST(n_name AS integer) FROM nation' },
  'errors: time limit': {
    options: ['--session', 'query_max_run_time=1s'],
    sql: 'SELECT sum((a.n * b.n + c.n) % 7) FROM numbers a CROSS JOIN numbers b CROSS JOIN numbers c',
  },
});

/** Longer output becomes its number of lines and the sum of their numbers. */
const LINES_MAX = 1_000;

function describeOutput(stdout: string): unknown {
  const lines = stdout.split('\n').slice(0, -1);
  if (lines.length <= LINES_MAX) return lines;
  return { lines: lines.length, sum: lines.reduce((sum, line) => sum + Number(line.replaceAll('"', '')), 0) };
}

/** The client for a target, and its environment. Statements are further options. */
function commandFor(target: ClientTarget, tools: JavaTools) {
  const command = [
    ...[tools.java, ...SHORT_JVM, '-jar', tools.jar('cli'), '--server', target.url, '--user', target.user],
    ...['--catalog', target.catalog, '--schema', target.schema],
    ...(target.password === undefined ? [] : ['--password']),
    ...(target.authority === undefined ? [] : ['--truststore-path', target.authority]),
  ];
  const password = target.password === undefined ? {} : { TRINO_PASSWORD: target.password };
  return { command, environment: { ...tools.environment, HOME: tools.scratch, ...password } };
}

/** Reads a whole result as CSV. */
export function readWithCli(target: ClientTarget, tools: JavaTools, sql: string): Promise<ReadOutcome> {
  const { command, environment } = commandFor(target, tools);
  const options = ['--output-format', 'CSV', '--execute', sql];
  return readBy({ command: [...command, ...options], environment, count: countLines });
}

/** Runs a statement after a login in a browser, whose address it prints. */
export function logInWithCli(
  target: ClientTarget,
  tools: JavaTools,
  { sql, onOutput }: { readonly sql: string; readonly onOutput: (text: string) => void },
): Promise<ProgramEnd> {
  const { command, environment } = commandFor(target, tools);
  const login = ['--external-authentication', '--external-authentication-redirect-handler', 'PRINT'];
  return runProgram([...command, ...login, '--execute', sql], environment, { onOutput });
}

/** Runs Trino’s command line client, each check in a process of its own. */
export async function runCli(target: ClientTarget, tools: JavaTools): Promise<readonly ClientCheck[]> {
  const file = join(tools.scratch, 'statements.sql');
  await writeFile(file, "-- A comment.\nSELECT n_name FROM nation WHERE n_nationkey = 3;\nSELECT 'second';\n");
  const { command, environment } = commandFor(target, tools);
  const runs = { ...runsOf(target, file), 'result: 200,000 rows': { sql: 'SELECT n FROM numbers' } };
  const checks: ClientCheck[] = [];
  for (const [name, { options: more = [], sql, input }] of Object.entries<CliRun>(runs)) {
    const execute = sql === undefined ? [] : ['--execute', sql];
    const work = async (): Promise<unknown> => {
      const { code, stdout, stderr } = await runProgram([...command, ...more, ...execute], environment, { input });
      return { code, output: describeOutput(stdout), fails: / failed:/.test(stderr) };
    };
    checks.push(await checkOf(name, work));
  }
  return checks;
}
