import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createByteCipher } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { createInProcessState, type OneTimeValues } from '@sluice/shared-state';
import type { QueryEnd } from '@sluice/store/queries';
import { buildCaller } from '@sluice/testkit';
import { type ClientSession, type DoorStatement, TrinoError } from '@sluice/trino-protocol';
import { OpenResults } from '../../door/open-results.ts';
import { PreparedAnswers } from '../../door/prepared-answers.ts';
import { StatementBudget } from '../../queries/statement-budget.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';
import { type BegunStatement, createBeginStatement } from './begin-statement.ts';
import { createCancelStatement } from './cancel-statement.ts';
import { createReadPage } from './read-page.ts';
import { createRecordRefusal } from './record-refusal.ts';

const caller = buildCaller('ann');
const { signal } = new AbortController();
const SESSION = {
  capabilities: { parametricDatetime: true, number: true },
  ...{ clientTags: [], properties: new Map(), prepared: new Map(), source: 'a tool' },
} as unknown as ClientSession;

interface Given {
  readonly statement: DoorStatement | TrinoError;
  readonly answerCatalogue?: () => Promise<{ columns: []; rows: Uint8Array; rowCount: number }>;
  /** State that it shares with another host. */
  readonly values?: OneTimeValues;
}

const KEY = randomBytes(32);
const newValues = (): OneTimeValues => createInProcessState().oneTimeValues;

/** A host whose statements are read as given. The database is replaced. */
function fixture({ statement, answerCatalogue, values = newValues() }: Given) {
  const began: object[] = [];
  const ended: QueryEnd[] = [];
  const cancelled: string[] = [];
  const recorded: string[] = [];
  const appended: object[] = [];
  const hostId = 'host';
  const openResults = new OpenResults({ hostId, records: { listAsked: async () => [] }, waitMs: 60_000 });
  const preparedAnswers = new PreparedAnswers({ values, cipher: createByteCipher(async () => KEY, 'answers') });
  const cancelQuery: CancelQuery = async (_caller, queryId) => {
    if (queryId !== 'q') throw new ProblemError('not_found', 'You have no query with this id.');
    cancelled.push(queryId);
    return {} as never;
  };
  const beginStatement = createBeginStatement({
    ...{ openResults, preparedAnswers, keepsResults: false, keepDefaults: { keepTimeMaxMs: undefined } },
    async readStatement() {
      if (statement instanceof TrinoError) throw statement;
      return statement;
    },
    startQuery: () => Promise.reject(new Error('no statement of this test is for an engine')),
    cancelQuery,
    recordRefusal: createRecordRefusal({
      hostId,
      queries: { begin: async (query) => void began.push(query) },
      outcomes: { record: async (end) => void ended.push(end) },
      statementBudget: new StatementBudget({} as never),
    }),
    answerCatalogue: answerCatalogue as never,
    describeOutput: async () => [{ name: 'n', type: 'bigint' }],
    catalogueReads: { record: async (_caller, sql) => void recorded.push(sql) },
    audit: { append: async (record) => void appended.push(record) },
  });
  const queries = { find: async () => undefined };
  const readPage = createReadPage({ openResults, preparedAnswers, queries, keptResults: undefined } as never);
  const cancelStatement = createCancelStatement({ cancelQuery, openResults, preparedAnswers });
  const begin = () => beginStatement(caller, { sql: 'THE SQL', readSession: () => SESSION, signal });
  /** Begins a statement and reads its first page. */
  const run = async () => {
    const begun = await begin();
    return { id: begun.id, ...(await read(begun)) };
  };
  const read = async ({ id, position }: BegunStatement) => {
    const page = await readPage(caller, { id, position, signal });
    return { ...page, rows: Buffer.concat(page.rows).toString() };
  };
  return { began, ended, cancelled, recorded, appended, openResults, begin, read, run, cancelStatement };
}

describe('a statement without an engine', () => {
  it('changes the session of its client by the headers of its page', async () => {
    const headers = { 'x-trino-set-catalog': 'shop' };
    const { run, began, recorded } = fixture({ statement: { kind: 'session', updateType: 'USE', headers } });
    expect(await run()).toMatchObject({ columns: [], rows: '', nextRow: undefined, updateType: 'USE', headers });
    expect(began).toEqual([]);
    expect(recorded).toEqual(['THE SQL']);
  });

  it('is recorded with what its EXECUTE runs', async () => {
    const statement = { kind: 'session', updateType: 'USE', headers: {}, executed: 'USE a.b' } as const;
    const { run, recorded } = fixture({ statement });
    await run();
    expect(recorded).toEqual(['USE a.b']);
  });

  it('does not change the session to a schema that does not exist', async () => {
    const namespace = { catalog: 'shop', schema: 'none' };
    const { run } = fixture({
      statement: { kind: 'session', updateType: 'USE', headers: { 'x-trino-set-catalog': 'shop' }, namespace },
      answerCatalogue: () => Promise.reject(new TrinoError('SCHEMA_NOT_FOUND', 'no')),
    });
    const page = await run();
    expect(page).toMatchObject({ error: { errorName: 'SCHEMA_NOT_FOUND' } });
    expect(page.headers).toBeUndefined();
  });

  it('has rows in its page', async () => {
    const result = { columns: [{ name: 'n', type: 'bigint' }], rows: [[1], [null]] };
    const { run } = fixture({ statement: { kind: 'session', updateType: undefined, headers: {}, result } });
    expect(await run()).toMatchObject({ ...result, rows: '[1],[null]', progress: { state: 'FINISHED', rows: 2 } });
  });

  it('is described by its engine, and recorded in every tenant', async () => {
    const { run, appended } = fixture({
      statement: { kind: 'describe output', sql: 'SELECT 1' },
    });
    expect(await run()).toMatchObject({ rows: '["n","","","","bigint",8,false]', updateType: undefined });
    expect(appended).toMatchObject([{ action: 'READ_CATALOG', metadata: { sql: 'THE SQL' } }]);
  });

  it('cancels a query of the caller, and says if there is none', async () => {
    const own = fixture({ statement: { kind: 'kill', queryId: 'Q', message: undefined } });
    expect(await own.run()).toMatchObject({ columns: [], updateType: 'CALL', error: undefined });
    expect(own.cancelled).toEqual(['q']);
    const other = fixture({ statement: { kind: 'kill', queryId: 'other', message: undefined } });
    expect(await other.run()).toMatchObject({ error: { errorName: 'NOT_FOUND' }, progress: { state: 'FAILED' } });
  });

  it('is recorded with its error if it is refused', async () => {
    const { run, began, ended } = fixture({
      statement: new TrinoError('NOT_SUPPORTED', 'no', { lineNumber: 1, columnNumber: 2 }),
    });
    const { id, error } = await run();
    expect(error).toMatchObject({
      errorName: 'NOT_SUPPORTED',
      message: 'line 1:2: no',
      errorLocation: { columnNumber: 2 },
    });
    expect(began).toMatchObject([
      {
        ...{ queryId: id, target: id, action: 'RUN_QUERY', sql: 'THE SQL', hostId: 'host' },
        metadata: { format: 'trino', source: 'a tool', tables_read: null },
      },
    ]);
    expect(ended).toMatchObject([{ queryId: id, state: 'FAILED', error: { code: 'NOT_SUPPORTED', message: 'no' } }]);
  });

  it('does not begin while an account has too many', async () => {
    const { begin } = fixture({ statement: { kind: 'session', updateType: 'USE', headers: {} } });
    for (let count = 0; count < 1_000; count += 1) await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('a statement about the catalog', () => {
  const statement: DoorStatement = { kind: 'catalogue', sql: 'SELECT 1', requires: [], spellings: [] };

  it('has the rows of its answer', async () => {
    const rows = Buffer.from('["a"],\n["b"]');
    const { run } = fixture({ statement, answerCatalogue: async () => ({ columns: [], rows, rowCount: 2 }) });
    const progress = { state: 'FINISHED', rows: 2, bytes: rows.length };
    expect(await run()).toMatchObject({ rows: '["a"],\n["b"]', nextRow: undefined, progress });
  });

  /** Two hosts with the same state, and a statement of the first one whose rows compress to this many bytes. */
  const twoHosts = async (bytes: number, values = newValues()) => {
    const rows = Buffer.from(`["${randomBytes(bytes).toString('base64')}"]`);
    const given = { statement, answerCatalogue: async () => ({ columns: [] as [], rows, rowCount: 1 }), values };
    const [first, second] = [fixture(given), fixture(given)];
    return { rows: rows.toString(), first, second, begun: await first.begin() };
  };

  it.each([
    ['a short list', 10],
    ['a long list', 200_000],
  ])('has its rows on every host, again too: %s', async (_, bytes) => {
    const { rows, first, second, begun } = await twoHosts(bytes);
    for (const host of [second, first, second]) expect((await host.read(begun)).rows).toBe(rows);
    expect(first.openResults.size).toBe(0);
    await second.cancelStatement(caller, begun.id);
    await expect(first.read(begun)).rejects.toMatchObject({ code: 'gone' });
  });

  it('has rows that are too large for all hosts on its own host, and others have their clients ask again', async () => {
    const { rows, first, second, begun } = await twoHosts(1_000_000);
    await expect(second.read(begun)).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 1 });
    expect((await first.read(begun)).rows).toBe(rows);
    await second.cancelStatement(caller, begun.id);
    await expect(second.cancelStatement(caller, begun.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(second.read(begun)).rejects.toMatchObject({ code: 'not_found' });
    await first.cancelStatement(caller, begun.id);
    expect(first.openResults.size).toBe(0);
  });

  it('has long lists beyond eight on its own host', async () => {
    const { first, second, begun } = await twoHosts(200_000);
    for (let count = 1; count < 8; count += 1) await second.read(await first.begin());
    expect(first.openResults.size).toBe(0);
    const ninth = await first.begin();
    await expect(second.read(ninth)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await first.read(ninth)).rows).toBe((await second.read(begun)).rows);
  });

  it('has its rows while the state of all hosts is unavailable', async () => {
    const unavailable = () => Promise.reject(new ProblemError('service_unavailable', 'no'));
    const { rows, first, begun } = await twoHosts(10, { put: unavailable, read: unavailable, take: unavailable });
    expect((await first.read(begun)).rows).toBe(rows);
  });

  it('is not cancelled by another account', async () => {
    const { rows, first, second, begun } = await twoHosts(10);
    for (const host of [first, second])
      await expect(host.cancelStatement(buildCaller('bob'), begun.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await first.read(begun)).rows).toBe(rows);
  });

  it('has what is wrong with it in its page, and what is wrong with the service as a status', async () => {
    const refused = (thrown: Error) => fixture({ statement, answerCatalogue: () => Promise.reject(thrown) });
    const unknown = refused(new TrinoError('TABLE_NOT_FOUND', 'no'));
    expect(await unknown.run()).toMatchObject({ error: { errorName: 'TABLE_NOT_FOUND', errorCode: 46 } });
    expect(unknown.began).toEqual([]);
    const wrong = refused(new ProblemError('syntax_error', 'no', { location: { line: 1, column: 3 } }));
    expect(await wrong.run()).toMatchObject({
      error: { errorName: 'SYNTAX_ERROR', errorLocation: { columnNumber: 3 } },
    });
    for (const code of ['access_denied', 'audit_unavailable', 'too_many_requests'] as const)
      await expect(refused(new ProblemError(code, 'no')).run()).rejects.toMatchObject({ code });
  });
});
