import { shortOrLong } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf } from '@sluice/testkit/requests';
import { ENDLESS, LONG } from '@sluice/testkit/statements';
import type { CliHosts } from '../cli-hosts.ts';
import { runInProcess } from '../run-in-process.ts';
import type { FaultTarget } from './fault-case.ts';
import type { QueryTarget } from './query-faults.ts';
import type { LongTarget } from './signal-faults.ts';

const rowsOf = (count: number): string => `SELECT range AS n, md5(range::VARCHAR) AS t FROM range(${count})`;
const FEW = 1000;
/** More than 1 MB in every format, also compressed. */
const MANY = 80_000;
/** Files with times or compressed parts, whose size varies by a few bytes. */
const VARYING = new Set(['xlsx', 'parquet', 'zip']);

type WithoutBytes = Omit<FaultTarget, 'whole'>;

const statementTarget = (format: string, rows: number): WithoutBytes => ({
  name: `download ${format}`,
  words: () => ['download', format, rowsOf(rows)],
  path: '/query/download',
  isStable: !VARYING.has(format),
});

const itemTarget = (id: string, format: string, kind = format): WithoutBytes => ({
  name: `market download ${kind}`,
  words: () => ['market', 'download', id, '--format', format],
  path: '/marketplace/download',
  isStable: !VARYING.has(kind),
});

const STATEMENT_FORMATS = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'];
const ALL_ITEM_KINDS = [
  ['pack', 'csv', 'zip'],
  ['single', 'csv', 'csv'],
  ['single', 'json', 'json'],
  ['single', 'ndjson', 'ndjson'],
  ['single', 'xlsx', 'xlsx'],
] as const;
/** Items are saved by the code that saves statements, so `npm test` takes an archive only. */
const ITEM_KINDS = ALL_ITEM_KINDS.slice(0, shortOrLong(1, ALL_ITEM_KINDS.length));

/** Cases of each long item. */
const ITEM_COPIES = 3;

export interface FaultTargets {
  readonly small: readonly FaultTarget[];
  /** The same formats with more than 1 MB, in the same order. */
  readonly big: readonly WithoutBytes[];
  readonly longStatements: readonly LongTarget[];
  readonly longItems: readonly LongTarget[];
  readonly queries: readonly QueryTarget[];
  readonly longQueries: readonly LongTarget[];
  /** Sends no byte, ever. */
  readonly silent: LongTarget;
}

/** Downloads the whole body of a target. */
async function wholeOf(hosts: TestHosts, { words, path }: WithoutBytes): Promise<Buffer> {
  const [, second = '', third = '', , format = ''] = words('');
  const isItem = path.startsWith('/marketplace');
  const query = isItem ? `?id=${third}&format=${format}` : `/${second}`;
  const response = await fetch(`${hosts.url}${path}${query}`, {
    method: 'POST',
    headers: { ...basicOf(hosts.ann), 'accept-encoding': 'identity', 'content-type': 'application/json' },
    body: isItem ? '{}' : JSON.stringify({ sql: third }),
  });
  if (!response.ok) throw new Error(`${path}${query} returned ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

const QUERY_FORMATS = ['csv', 'ndjson', 'table', 'json'];

/** Reads the stream of a query, and the rows that the command prints for the whole of it. */
async function queryTargets(hosts: TestHosts, env: Readonly<Record<string, string>>): Promise<QueryTarget[]> {
  const sql = rowsOf(FEW);
  const response = await fetch(`${hosts.url}/query`, {
    method: 'POST',
    headers: { ...basicOf(hosts.ann), 'accept-encoding': 'identity', 'content-type': 'application/json' },
    body: JSON.stringify({ sql, progress: true, big_numbers: 'number' }),
  });
  const events = await response.text();
  return await Promise.all(
    QUERY_FORMATS.map(async (format) => {
      const { exitCode, stdout, stderr } = await runInProcess(['query', sql, '--format', format], env);
      if (exitCode !== 0) throw new Error(`query ${format} failed: ${stderr}`);
      return { format, sql, events, printed: format === 'table' ? undefined : Buffer.from(stdout) };
    }),
  );
}

const longQuery = (format: string): LongTarget => ({
  name: `query ${format}`,
  words: (marker) => ['query', `/* ${marker} */ ${LONG}`, '--format', format],
  search: (marker) => marker,
});

const longStatement = (format: string): LongTarget => ({
  name: `download ${format}`,
  words: (marker) => ['download', format, `/* ${marker} */ ${LONG}`],
  search: (marker) => marker,
});

/** Creates the items, and returns every command of the fault suite with its format. */
export async function createTargets({ hosts, analyst }: CliHosts): Promise<FaultTargets> {
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  const make = (id: string, queries: Readonly<Record<string, string>>) => createItem(hosts, admin, { id, queries });
  await make('single', { rows: rowsOf(FEW) });
  await make('pack', { rows: rowsOf(FEW), more: rowsOf(FEW) });
  await make('big-single', { rows: rowsOf(MANY) });
  await make('big-pack', { rows: rowsOf(MANY), more: rowsOf(MANY) });
  const withoutBytes = [
    ...STATEMENT_FORMATS.map((format) => statementTarget(format, FEW)),
    ...ITEM_KINDS.map(([id, format, kind]) => itemTarget(id, format, kind)),
  ];
  const small = await Promise.all(withoutBytes.map(async (each) => ({ ...each, whole: await wholeOf(hosts, each) })));
  const longItems: LongTarget[] = [];
  for (const [, format, kind] of ITEM_KINDS) {
    // An item of its own for each case, because the history finds its query by the item.
    const idOf = (marker: string): string => `long-${kind}-${Number(/\d+$/.exec(marker)?.[0]) % ITEM_COPIES}`;
    for (let copy = 0; copy < ITEM_COPIES; copy += 1)
      await make(`long-${kind}-${copy}`, kind === 'zip' ? { rows: LONG, more: LONG } : { rows: LONG });
    const words = (marker: string) => ['market', 'download', idOf(marker), '--format', format];
    longItems.push({ name: `market download ${kind}`, words, search: idOf });
  }
  return {
    small,
    big: [
      ...STATEMENT_FORMATS.map((format) => statementTarget(format, MANY)),
      ...ITEM_KINDS.map(([id, format, kind]) => itemTarget(`big-${id}`, format, kind)),
    ],
    longStatements: STATEMENT_FORMATS.map(longStatement),
    longItems,
    longQueries: QUERY_FORMATS.map(longQuery),
    queries: await queryTargets(hosts, analyst),
    silent: {
      name: 'download csv',
      words: (marker) => ['download', 'csv', `/* ${marker} */ ${ENDLESS}`],
      search: (marker) => marker,
    },
  };
}
