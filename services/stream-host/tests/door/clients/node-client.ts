import { readFileSync } from 'node:fs';
import { BasicAuth, type ConnectionOptions, type QueryError, type QueryResult, Trino } from 'trino-client';
import { type ClientCheck, checkOf } from './client-check.ts';
import { NUMBERS } from './client-tables.ts';
import type { ClientTarget } from './client-target.ts';

/** Result of a statement: its pages after the first, whose rows the client drops. */
interface Answer {
  columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: unknown[][];
  error: QueryError | undefined;
  last: QueryResult | undefined;
}

async function read(trino: Trino, sql: string): Promise<Answer> {
  const answer: Answer = { columns: [], rows: [], error: undefined, last: undefined };
  for await (const page of await trino.query(sql)) {
    answer.columns = page.columns ?? answer.columns;
    answer.rows.push(...((page.data ?? []) as unknown[][]));
    answer.error ??= page.error;
    answer.last = page;
  }
  return answer;
}

/** Columns with rows, or what identifies an error on every server. */
export async function answerOf(trino: Trino, sql: string): Promise<unknown> {
  const { columns, rows, error } = await read(trino, sql);
  if (error !== undefined)
    return { errorName: error.errorName, errorType: error.errorType, errorCode: error.errorCode };
  return { columns: columns.map(({ name, type }) => `${name} ${type}`), rows };
}

/** Types whose text depends on the capabilities of a client. This one has none. */
const VALUES: Readonly<Record<string, string>> = {
  integers: 'SELECT CAST(1 AS tinyint) AS a, CAST(2 AS smallint) AS b, 3 AS c, CAST(9007199254740991 AS bigint) AS d',
  floats: "SELECT CAST(0.1 AS double) AS a, CAST(1.5 AS real) AS b, CAST('NaN' AS double) AS c",
  decimals:
    "SELECT CAST('-1.50' AS decimal(5,2)) AS a, CAST('99999999999999999999999999999999999999' AS decimal(38,0)) AS b",
  text: "SELECT CAST('é 😀 \\ \" '' ' AS varchar) AS a, CAST(NULL AS varchar) AS b",
  'timestamp(6)': "SELECT TIMESTAMP '2026-03-29 12:30:00.123456' AS a",
  'timestamp(0)': "SELECT CAST(TIMESTAMP '2026-03-29 12:30:00' AS timestamp(0)) AS a",
  'time(6)': "SELECT TIME '12:34:56.789123' AS a",
  'timestamp with time zone': "SELECT TIMESTAMP '2026-03-29 12:30:00.123456 UTC' AS a",
  dates: "SELECT DATE '2026-03-29' AS a, INTERVAL '14' MONTH AS b, INTERVAL '2' DAY AS c",
  nested:
    "SELECT ARRAY[1, NULL] AS a, MAP(ARRAY['x'], ARRAY[1]) AS b, CAST(ROW(1, 'y') AS ROW(i integer, s varchar)) AS c",
  'timestamps of a table': 'SELECT o_orderkey, o_at, o_total FROM orders WHERE o_orderkey < 3 ORDER BY 1',
  'no rows': 'SELECT n_name FROM nation WHERE false',
};

const FAILURES: Readonly<Record<string, string>> = {
  syntax: 'SELECT FROM WHERE',
  table: 'SELECT * FROM no_such_table',
  cast: "SELECT CAST('abc' AS integer)",
  'cast of a column': 'SELECT CAST(n_name AS integer) FROM nation',
};

const LONG = 'SELECT a.n FROM numbers a CROSS JOIN numbers b';

async function readWhole(trino: Trino): Promise<unknown> {
  const { rows, last } = await read(trino, 'SELECT n FROM numbers');
  const sum = rows.reduce((total, [n]) => total + Number(n), 0);
  return { rows: rows.length === NUMBERS, sum, state: last?.stats?.state, hasNext: last?.nextUri !== undefined };
}

/** Returns the state of a query after the client has cancelled it by its id. */
async function cancelHalf(trino: Trino): Promise<unknown> {
  const pages = await trino.query(LONG);
  const { value } = await pages.next();
  await trino.cancel((value as QueryResult).id);
  for (;;) {
    const page = await pages.next().catch((error: unknown) => ({ done: true, value: { error: String(error) } }));
    const result = page.value as QueryResult;
    if (result.error !== undefined) return { ends: 'with an error' };
    if (page.done === true) return { ends: 'without an error' };
  }
}

async function infoOf(trino: Trino): Promise<unknown> {
  const { last } = await read(trino, 'SELECT 1 AS one');
  const { queryId, state } = await trino.queryInfo(last?.id ?? '');
  return { isSame: queryId === last?.id, state };
}

/** The client keeps what the headers of an answer change. */
async function changeSession(target: ConnectionOptions): Promise<unknown> {
  const trino = Trino.create({ ...target, schema: 'information_schema' });
  await read(trino, `USE ${target.catalog}.${target.schema}`);
  await read(trino, "SET SESSION query_max_run_time = '2h'");
  const { rows } = await read(trino, "SHOW SESSION LIKE 'query_max_run_time'");
  await read(trino, 'PREPARE own FROM SELECT n_name FROM nation WHERE n_nationkey = ?');
  return { property: rows[0]?.slice(0, 2), prepared: await answerOf(trino, 'EXECUTE own USING 3') };
}

const optionsOf = (target: ClientTarget): ConnectionOptions => ({
  server: target.url,
  catalog: target.catalog,
  schema: target.schema,
  auth: new BasicAuth(target.user, target.password),
  ...(target.authority === undefined ? {} : { ssl: { ca: readFileSync(target.authority) } }),
});

/** A client of npm. It names no capabilities and repeats no request. */
export const createNodeClient = (target: ClientTarget): Trino => Trino.create(optionsOf(target));

/** Runs npm's `trino-client`. */
export async function runNodeClient(target: ClientTarget): Promise<readonly ClientCheck[]> {
  const trino = createNodeClient(target);
  const checks: ClientCheck[] = [];
  const add = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    checks.push(await checkOf(name, work));
  };
  for (const [name, sql] of Object.entries(VALUES)) await add(`value: ${name}`, () => answerOf(trino, sql));
  for (const [name, sql] of Object.entries(FAILURES)) await add(`error: ${name}`, () => answerOf(trino, sql));
  await add('read: 200,000 rows', () => readWhole(trino));
  await add('cancel: by id', () => cancelHalf(trino));
  await add('info: of a query that has ended', () => infoOf(trino));
  await add('session: changed by answers', () => changeSession(optionsOf(target)));
  await add('session: current user', async () => {
    const { rows } = await read(trino, 'SELECT current_user');
    return rows[0]?.[0] === target.user;
  });
  return checks;
}
