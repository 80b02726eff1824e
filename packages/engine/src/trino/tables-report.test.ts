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

/** Starts an engine whose account of a query is this response. */
async function start(info: FakeFault, result = RESULT) {
  const reports: (readonly TableName[])[] = [];
  const trino = await FakeTrinoEngine.start(
    { result, fault: ({ path }) => (path.startsWith('/v1/query/') ? info : undefined) },
    { limits: { answerTimeoutMs: 300 } },
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
    const { trino, reports } = await start(info);
    await using _ = trino;
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
    expect(reports).toEqual([]);
  });

  it('are reported for a statement that fails once they are known, and not for one that fails before', async () => {
    const planned = await start(INFO, FAILED);
    await using _ = planned.trino;
    await expect(planned.trino.read()).rejects.toMatchObject({ code: 'syntax_error' });
    expect(planned.reports).toEqual([[NATION]]);
    const unplanned = await start(NO_TABLES, FAILED);
    await using __ = unplanned.trino;
    await expect(unplanned.trino.read()).rejects.toMatchObject({ code: 'syntax_error' });
    expect(unplanned.reports).toEqual([]);
  });
});
