import type { AuditRecord } from '@sluice/contract';
import { createAuditSearchStore } from '@sluice/store/audit';
import { createDatabase } from '@sluice/store/database';
import pg from 'pg';
import type { Finding } from '../report.ts';
import { median } from '../statistics.ts';
import { type AuditDatabase, BUSY_TABLE, BUSY_USER, DAYS, READER } from './audit-database.ts';

const SIZE = 3000;
const DAY_MS = 86_400_000;

export interface AuditHttp {
  /** Returns the token of the next page, the total, and the time until the body was read, without parsing it. */
  search(body: object): Promise<{ readonly token: string; readonly total: number; readonly ms: number }>;
  next(token: string): Promise<number>;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

const BARE = {
  name: 'bare_page',
  text: `select id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address, user_agent
    from audit_log where tenant_id = $1 and record_id is null and (occurred, id) < ($2, $3)
    order by occurred desc, id desc limit ${SIZE}`,
};
/** Prefix of every table that the records name. */
const BUSY_SCHEMA = BUSY_TABLE.replace(/[^.]*$/, '');
/** Prefix within the name of the busy table alone. */
const BUSY_PREFIX = `${BUSY_TABLE.slice(0, -1)}*`;
/** Actions of all statements, each of which has an outcome. */
const STATEMENT_ACTIONS = ['RUN_QUERY', 'DOWNLOAD_QUERY'];
/** Words that no record has: a page reads as many records as it may, and the outcome of each statement. */
const RARE_WORDS = 'glacier marmot';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface PageTimes {
  readonly bare: number[];
  readonly http: number[];
  readonly first: number[];
  readonly deepest: number[];
  readonly userTotal: number[];
  readonly userNext: number[];
  readonly readerTotal: number[];
  readonly readerNext: number[];
  readonly readsTotal: number[];
  readonly readsNext: number[];
  readonly schemaNext: number[];
  readonly prefixNext: number[];
  readonly actionsNext: number[];
  readonly wordsNext: number[];
  readonly wholeTotal: number[];
}

const noTimes = (): PageTimes => ({
  bare: [],
  http: [],
  first: [],
  deepest: [],
  userTotal: [],
  userNext: [],
  readerTotal: [],
  readerNext: [],
  readsTotal: [],
  readsNext: [],
  schemaNext: [],
  prefixNext: [],
  actionsNext: [],
  wordsNext: [],
  wholeTotal: [],
});

/** Position of a search that has read all but the last two days, in microseconds of the epoch. */
const deepMicroseconds = (): string => String((Date.now() - (DAYS - 2) * DAY_MS) * 1000);

/** Returns a page size that leaves a next page in a small log too: at most half of the busy user's records of ten days. */
const sizeOfUser = ({ records }: AuditDatabase): number => Math.min(SIZE, Math.floor(records / DAYS / 2));

/** Returns a page size that leaves a next page: at most half of the records of the reader in ten days. */
const sizeOfReader = ({ records }: AuditDatabase): number => Math.min(SIZE, Math.floor((records / DAYS) * 0.2));

async function measureRound(database: AuditDatabase, http: AuditHttp, times: PageTimes): Promise<void> {
  await using ours = createDatabase({ url: database.apiUrl, poolMax: 1, queryTimeoutMs: 30_000 });
  const store = createAuditSearchStore(ours);
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const { snapshot } = await store.open(database.tenantId, { start: 0 });
    const firstPage = {
      tenantId: database.tenantId,
      filter: { start: 0 },
      snapshot,
      order: 'desc',
      size: SIZE,
    } as const;
    const reading = (records: number): AuditRecord => ({
      tenantId: database.tenantId,
      user: 'bench',
      action: 'SEARCH_AUDIT_LOGS',
      target: 'audit_log',
      metadata: { records },
    });
    const range = { start: Date.now() - 40 * DAY_MS - 1234, end: Date.now() - 30 * DAY_MS - 4321 };
    const user = { size: sizeOfUser(database), advance_options: { user_name: BUSY_USER }, ...range };
    const { token } = await http.search({ size: SIZE });
    const moment = new Date(Date.now() - 5 * DAY_MS);
    for (let sample = 0; sample < 5; sample += 1) {
      times.bare.push(await timed(() => client.query({ ...BARE, values: [database.tenantId, moment, LAST_ID] })));
      times.http.push(await http.next(token));
      times.first.push(await timed(() => store.page(firstPage, reading)));
      times.deepest.push(
        await timed(() => store.page({ ...firstPage, from: { occurred: deepMicroseconds(), id: LAST_ID } }, reading)),
      );
      const searched = await http.search(user);
      times.userTotal.push(searched.ms);
      times.userNext.push(await http.next(searched.token));
      const size = sizeOfReader(database);
      const ofReader = await http.search({ ...range, size, advance_options: { user_name: READER } });
      times.readerTotal.push(ofReader.ms);
      times.readerNext.push(await http.next(ofReader.token));
      const read = await http.search({ ...range, size, advance_options: { reads: BUSY_TABLE } });
      times.readsTotal.push(read.ms);
      times.readsNext.push(await http.next(read.token));
      const nextPage = async (advance_options: object, more: object = range): Promise<number> =>
        await http.next((await http.search({ ...more, size, advance_options })).token);
      times.schemaNext.push(await nextPage({ reads: BUSY_SCHEMA }));
      times.prefixNext.push(await nextPage({ reads: BUSY_PREFIX }));
      times.actionsNext.push(await nextPage({ actions: STATEMENT_ACTIONS }));
      times.wordsNext.push(await nextPage({ text: RARE_WORDS }, {}));
      times.wholeTotal.push(await timed(() => store.open(database.tenantId, { start: 0 })));
    }
  } finally {
    await client.end();
  }
}

/** Measures pages of 3,000 records: by depth, against the bare query, and with a total. */
export async function measurePages(
  database: AuditDatabase,
  http: AuditHttp,
  rounds: number,
): Promise<readonly Finding[]> {
  const times = noTimes();
  await measureRound(database, http, noTimes());
  for (let round = 0; round < rounds; round += 1) await measureRound(database, http, times);
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  const scanMs = await timed(() =>
    client.query('select count(*) from audit_log where tenant_id = $1 and record_id is null', [database.tenantId]),
  ).finally(() => client.end());
  const of = (name: keyof PageTimes): number => median(times[name]);
  const ms = (name: keyof PageTimes): string => `${of(name).toFixed(1)} ms`;
  const byReader = `${ms('readerNext')} by a user with statements only, pages of ${sizeOfReader(database)}`;
  const finding = (name: string, measured: number, floor: number, detail: string): Finding => ({
    name,
    measured,
    unit: '×',
    floor,
    goal: floor,
    better: 'lower',
    detail,
  });
  return [
    finding(
      'page of 3,000, deepest to first',
      of('deepest') / of('first'),
      1.3,
      `${ms('deepest')}, first ${ms('first')}`,
    ),
    finding(
      'page of 3,000 over HTTP, × of the bare query',
      of('http') / of('bare'),
      1.5,
      `${ms('http')}, bare ${ms('bare')}`,
    ),
    finding(
      'first page with total of a user and ten days, × of a page without',
      of('userTotal') / of('userNext'),
      3,
      `${ms('userTotal')}, without ${ms('userNext')}`,
    ),
    finding(
      'page by a table that was read, × of a page by a user of statements',
      of('readsNext') / of('readerNext'),
      1.5,
      `${ms('readsNext')}, ${byReader}`,
    ),
    finding(
      'page by a schema that was read, × of a page by a user of statements',
      of('schemaNext') / of('readerNext'),
      1.5,
      `${ms('schemaNext')}, ${byReader}`,
    ),
    finding(
      'page by a prefix of one table (fl*), × of a page by a user of statements',
      of('prefixNext') / of('readerNext'),
      1.5,
      `${ms('prefixNext')}, ${byReader}`,
    ),
    finding(
      'page by two actions, × of a page by a user of statements',
      of('actionsNext') / of('readerNext'),
      2,
      `${ms('actionsNext')}, ${byReader}`,
    ),
    {
      name: 'page by words that no record has: 20,000 records and the outcomes of 4,000 statements among them',
      measured: of('wordsNext'),
      unit: 'ms',
      floor: 1000,
      goal: 500,
      better: 'lower',
      detail: `bare query for 3,000 records ${ms('bare')}`,
    },
    finding(
      'first page with total by a table that was read, × of one by a user of statements',
      of('readsTotal') / of('readerTotal'),
      1.5,
      `${ms('readsTotal')}, by user ${ms('readerTotal')}`,
    ),
    finding(
      'total of the whole tenant, × of counting its rows',
      of('wholeTotal') / scanMs,
      0.05,
      `${ms('wholeTotal')}, counting ${scanMs.toFixed(0)} ms`,
    ),
  ];
}
