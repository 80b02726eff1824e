import { describe, expect, it } from '@jest/globals';
import type { FakeFault } from '../../testing/fake-request.ts';
import { numberedResult, numberedText } from '../../testing/fake-result.ts';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';
import type { TableName } from '../table-name.ts';

const ROWS = 100;
const RESULT = numberedResult(ROWS, 50);
const ERROR = { message: 'no', errorName: 'SYNTAX_ERROR', errorType: 'USER_ERROR' };
const FAILED = { ...RESULT, pages: [{ error: ERROR, isWithoutColumns: true }] };
const NATION = { catalog: 'tpch', schema: 'tiny', name: 'nation' };
const json = (body: object): FakeFault => ({
  kind: 'answer',
  contentType: 'application/json',
  body: JSON.stringify(body),
});
const INFO = json({ inputs: [{ catalogName: 'tpch', schema: 'tiny', table: 'nation' }] });
const NO_TABLES = json({ inputs: [], referencedTables: [] });

/** Starts an engine whose accounts of queries are these responses, one after the other, the last one for all others. */
async function start(
  info: FakeFault | readonly [FakeFault, FakeFault],
  { result = RESULT, answerTimeoutMs = 30_000 } = {},
) {
  const reports: (readonly TableName[])[] = [];
  const [first, others] = 'kind' in info ? [info, info] : info;
  let asked = 0;
  const accountOf = (): FakeFault => {
    asked += 1;
    return asked === 1 ? first : others;
  };
  const trino = await FakeTrinoEngine.start(
    { result, fault: ({ path }) => (path.startsWith('/v1/query/') ? accountOf() : undefined) },
    { limits: { answerTimeoutMs } },
    { onTables: (tables) => reports.push(tables) },
  );
  return { trino, reports };
}

describe('the tables of a statement on Trino', () => {
  it('are reported once, before its end, from the account of the same user', async () => {
    const { trino, reports } = await start(INFO);
    await using _ = trino;
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
    expect(reports).toEqual([[NATION]]);
    const [info, ...more] = trino.fake.requests.filter(({ path }) => path.startsWith('/v1/query/'));
    expect(more).toEqual([]);
    expect(info?.path).toMatch(/^\/v1\/query\/20260101_000000_00000_fake\d+\?pruned=true$/);
    const submitted = trino.fake.requests.find(({ kind }) => kind === 'submit');
    expect(info?.headers['x-trino-user']).toBe(submitted?.headers['x-trino-user']);
  });

  it('of EXPLAIN are those of its query, which the same user plans once more, without rows', async () => {
    const { trino, reports } = await start([NO_TABLES, INFO]);
    await using _ = trino;
    await trino.read({ sql: 'EXPLAIN (TYPE LOGICAL) SELECT * FROM nation -- all' });
    expect(reports).toEqual([[NATION]]);
    const [explain, query, ...more] = trino.fake.requests.filter(({ kind }) => kind === 'submit');
    expect(more).toEqual([]);
    expect(query?.body).toBe('SELECT * FROM (\nSELECT * FROM nation\n) LIMIT 0');
    expect(query?.headers['x-trino-user']).toBe(explain?.headers['x-trino-user']);
  });

  it('of EXPLAIN are not reported if the account of its query is refused', async () => {
    const { trino, reports } = await start([NO_TABLES, { kind: 'status', status: 403 }]);
    await using _ = trino;
    await trino.read({ sql: 'EXPLAIN SELECT * FROM nation' });
    expect(reports).toEqual([]);
  });

  it('of SHOW and DESCRIBE have the table that they name', async () => {
    const { trino, reports } = await start(NO_TABLES);
    await using _ = trino;
    await trino.read({ sql: 'SHOW STATS FOR shop.main.Nation' });
    expect(reports).toEqual([[{ catalog: 'shop', schema: 'main', name: 'nation' }]]);
    expect(trino.fake.requests.filter(({ kind }) => kind === 'submit')).toHaveLength(1);
  });

  it('are reported for a described statement only if the caller wants them', async () => {
    const { trino, reports } = await start(INFO);
    await using _ = trino;
    const statement = { sql: 'SELECT 1', queryId: 'q', user: 'u', timeZone: 'UTC' };
    const never = new AbortController().signal;
    await trino.engine.describe(statement, never);
    expect(reports).toEqual([]);
    await trino.engine.describe(statement, never, { reportsTables: true });
    expect(reports).toEqual([[NATION]]);
  });

  it('are an empty list for a statement that reads no table', async () => {
    const { trino, reports } = await start(NO_TABLES);
    await using _ = trino;
    await trino.read();
    expect(reports).toEqual([[]]);
  });

  it.each<readonly [string, FakeFault]>([
    ['hangs', { kind: 'hang' }],
    ['is refused', { kind: 'status', status: 403 }],
    ['is gone', { kind: 'status', status: 410 }],
    ['is cut', { kind: 'reset' }],
    ['is not JSON', { kind: 'answer', contentType: 'text/html', body: '<html>' }],
    ['is not an account', { kind: 'answer', contentType: 'application/json', body: '{"inputs":1}' }],
  ])('are not reported if the account %s, and the result is complete', async (_what, info) => {
    const { trino, reports } = await start(info, { answerTimeoutMs: 300 });
    await using _ = trino;
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
    expect(reports).toEqual([]);
  });

  it('are reported for a statement that fails once they are known, and not for one that fails before', async () => {
    const planned = await start(INFO, { result: FAILED });
    await using _ = planned.trino;
    await expect(planned.trino.read()).rejects.toMatchObject({ code: 'syntax_error' });
    expect(planned.reports).toEqual([[NATION]]);
    const unplanned = await start(NO_TABLES, { result: FAILED });
    await using __ = unplanned.trino;
    await expect(unplanned.trino.read()).rejects.toMatchObject({ code: 'syntax_error' });
    expect(unplanned.reports).toEqual([]);
  });
});
