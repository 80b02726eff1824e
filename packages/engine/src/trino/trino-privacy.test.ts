import { describe, expect, it } from '@jest/globals';
import { numberedResult } from '../../testing/fake-result.ts';
import type { FakeTrinoOptions } from '../../testing/fake-trino.ts';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';

const ROWS = 1_000;
const RESULT = numberedResult(ROWS, 100);

const start = (options: Partial<FakeTrinoOptions> = {}): Promise<FakeTrinoEngine> =>
  FakeTrinoEngine.start({ result: RESULT, ...options });

describe('keeps private', () => {
  it('what the caller must not see, in every message', async () => {
    const error = { message: 'Connection to db.internal refused', errorName: 'JDBC_ERROR', errorType: 'EXTERNAL' };
    await using trino = await start({ result: { ...RESULT, pages: [{ error }] } });
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'A data source of Trino failed (JDBC_ERROR).',
    });
  });

  it('the sessions of others: settings that Trino requests are not sent with the next statement', async () => {
    const headers = {
      'X-Trino-Set-Session': 'a=b',
      'X-Trino-Set-Catalog': 'globex',
      'X-Trino-Set-Role': 'x=ROLE{admin}',
    };
    await using trino = await start({ headers });
    await trino.read();
    await trino.read();
    const [, second] = trino.fake.requests.filter(({ kind }) => kind === 'submit');
    expect(second?.headers['x-trino-catalog']).toBe('shop');
    expect(
      Object.keys(second?.headers ?? {})
        .filter((name) => name.startsWith('x-trino-'))
        .sort(),
    ).toEqual([
      'x-trino-catalog',
      'x-trino-client-capabilities',
      'x-trino-query-data-encoding',
      'x-trino-schema',
      'x-trino-source',
      'x-trino-time-zone',
      'x-trino-trace-token',
      'x-trino-user',
    ]);
    expect(second?.headers['x-trino-user']).toBe('reader@acme.example');
  });

  it('a user whose name a header cannot contain', async () => {
    await using trino = await start();
    const statement = { sql: 'SELECT 1', queryId: 'q', user: 'a\r\nX-Trino-User: admin', timeZone: 'UTC' };
    const events = trino.engine.run(
      statement,
      () => ({ separator: '', parts: [], style: { notation: 'json', bigNumbers: 'number', formulas: 'keep' } }),
      new AbortController().signal,
    );
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'permission_denied' });
    expect(trino.fake.requests).toEqual([]);
  });

  it.each([
    ['CALL system.runtime.kill_query()', 'read_only'],
    ['SELECT 1; SELECT 2', 'read_only'],
    ['EXPLAIN ANALYZE DELETE FROM items', 'read_only'],
    ['SELECT * FROM globex.main.items', 'permission_denied'],
    ["SELECT 'a", 'syntax_error'],
  ])('the text of a rejected statement, if it is run, described or asked for its tables: %s', async (sql, code) => {
    await using trino = await start();
    const statement = { sql, queryId: 'q', user: 'u', timeZone: 'UTC' };
    const never = new AbortController().signal;
    await expect(trino.read({ sql })).rejects.toMatchObject({ code });
    await expect(trino.engine.describe(statement, never)).rejects.toMatchObject({ code });
    await expect(trino.engine.tables(statement, never)).rejects.toMatchObject({ code });
    expect(trino.fake.requests).toEqual([]);
  });
});

describe('an unsuitable Trino', () => {
  it.each([
    [{ version: '399' }, 'too old'],
    [{ version: '0.280' }, 'too old'],
    [{ isStarting: true }, 'is starting'],
  ])('is reported: %j', async (options, sentence) => {
    await using trino = await start(options);
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining(sentence),
    });
    expect(trino.fake.count('submit')).toBe(0);
  });

  it.each(['418', '476-SNAPSHOT', 'testversion'])('does not include one of version %s', async (version) => {
    await using trino = await start({ version });
    expect((await trino.read()).rows).toBe(ROWS);
  });

  it('is asked for its version again after a failed attempt', async () => {
    await using trino = await start({
      fault: ({ kind, attempt }) => (kind === 'info' && attempt === 1 ? { kind: 'status', status: 500 } : undefined),
    });
    await expect(trino.read()).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect((await trino.read()).rows).toBe(ROWS);
    await trino.read();
    expect(trino.fake.count('info')).toBe(2);
  });
});
