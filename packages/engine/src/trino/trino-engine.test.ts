import { afterEach, describe, expect, it } from '@jest/globals';
import type { FakeFault, FakeRequest } from '../../testing/fake-request.ts';
import { numberedResult, numberedRows, numberedText } from '../../testing/fake-result.ts';
import type { FakeTrinoOptions } from '../../testing/fake-trino.ts';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';

const ROWS = 1_000;
const PAGES = 10;
const RESULT = numberedResult(ROWS, ROWS / PAGES);
const UNAVAILABLE: FakeFault = { kind: 'status', status: 503 };

const onPage =
  (page: number, fault: FakeFault, attemptsMax = Number.POSITIVE_INFINITY) =>
  (request: FakeRequest): FakeFault | undefined =>
    request.kind === 'page' && request.page === page && request.attempt <= attemptsMax ? fault : undefined;

const start = (options: Partial<FakeTrinoOptions> = {}): Promise<FakeTrinoEngine> =>
  FakeTrinoEngine.start({ result: RESULT, ...options });

describe('every row once', () => {
  it('of pages without failures', async () => {
    await using trino = await start();
    const result = await trino.read();
    expect([result.rowsText, result.rows, result.limited]).toEqual([numberedText(ROWS), ROWS, false]);
    expect([trino.fake.count('submit'), trino.fake.count('cancel')]).toEqual([1, 0]);
  });

  it.each<readonly [string, FakeFault]>([
    ['502', { kind: 'status', status: 502 }],
    ['503', UNAVAILABLE],
    ['504', { kind: 'status', status: 504 }],
    ['429', { kind: 'status', status: 429 }],
    ['reset', { kind: 'reset' }],
    ['cut in its head', { kind: 'cut', bytes: 50 }],
    ['late', { kind: 'late', ms: 200 }],
  ])('if requests for pages fail once or twice: %s', async (_, fault) => {
    const failing = new Set([1, 2, 5, 10, 11]);
    await using trino = await start({
      fault: (request) =>
        request.kind === 'page' && failing.has(request.page) && request.attempt <= 2 ? fault : undefined,
    });
    const result = await trino.read();
    expect(result.rowsText).toBe(numberedText(ROWS));
    expect([trino.fake.count('submit'), trino.fake.count('cancel')]).toEqual([1, 0]);
  });

  it('if the submission itself fails at first', async () => {
    await using trino = await start({
      fault: ({ kind, attempt }) => (kind === 'submit' && attempt <= 3 ? UNAVAILABLE : undefined),
    });
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
    expect(trino.fake.count('submit')).toBe(4);
  });

  it('between pages that are empty or only have statistics', async () => {
    const [first = {}, ...others] = RESULT.pages;
    const pages = [
      { isWithoutColumns: true },
      {},
      { rows: '[]' },
      first,
      { rows: ' [ ] ' },
      {},
      {},
      { rows: 'null' },
      ...others,
    ];
    await using trino = await start({ result: { ...RESULT, pages } });
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
  });

  it('that are not ready yet, however often Trino says so', async () => {
    await using trino = await start({ fault: onPage(1, { kind: 'repeat' }, 20) });
    expect((await trino.read()).rowsText).toBe(numberedText(ROWS));
  });

  it('if the last rows are on the last page, or all on the only one', async () => {
    await using last = await start({ result: { ...RESULT, pages: RESULT.pages.slice(0, -1) } });
    expect((await last.read()).rowsText).toBe(numberedText(ROWS));
    await using only = await start({ result: { ...RESULT, pages: [{ rows: numberedRows(0, 5) }] } });
    expect((await only.read()).rowsText).toBe(numberedText(5));
  });

  it('if the response to the submission has them all, and there is no page to request', async () => {
    await using trino = await start({ result: { ...RESULT, submission: { rows: numberedRows(0, 5) }, pages: [] } });
    const result = await trino.read();
    expect([result.rowsText, result.rows, result.limited]).toEqual([numberedText(5), 5, false]);
    expect([trino.fake.count('submit'), trino.fake.count('page'), trino.fake.count('cancel')]).toEqual([1, 0, 0]);
  });

  it('and none of an empty result, whose columns are reported', async () => {
    await using trino = await start({ result: { ...RESULT, pages: [{}] } });
    const result = await trino.read();
    expect([result.rowsText, result.rows, result.columns.length]).toEqual(['', 0, 2]);
  });

  it.each([
    [1, true],
    [99, true],
    [100, true],
    [101, true],
    [999, true],
    [1_000, false],
    [1_001, false],
  ])('up to %i, and reports whether there were more: %s', async (rowsMax, limited) => {
    await using trino = await start();
    const result = await trino.read({ rowsMax });
    expect([result.rowsText, result.limited]).toEqual([numberedText(Math.min(rowsMax, ROWS)), limited]);
    expect(trino.fake.count('cancel')).toBe(limited ? 1 : 0);
  });
});

describe('the row writer', () => {
  const { Memory } = WebAssembly;
  afterEach(() => {
    WebAssembly.Memory = Memory;
  });

  it('needs WebAssembly', async () => {
    WebAssembly.Memory = class {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    } as unknown as typeof Memory;
    await using trino = await start();
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringMatching(/^The row writer \(WebAssembly\) cannot start\. .* could not allocate memory$/),
    });
  });
});

describe('never treats a cut result as complete, and never runs it again', () => {
  const syntaxError = {
    message: "line 1:8: Column 'nope' cannot be resolved",
    errorName: 'COLUMN_NOT_FOUND',
    errorType: 'USER_ERROR',
    errorLocation: { lineNumber: 1, columnNumber: 8 },
  };

  const problem = {
    code: 'column_not_found',
    message: "Column 'nope' cannot be resolved",
    location: { line: 1, column: 8 },
  };

  it.each([0, 1, 5, 9])('with an error after %i pages of rows', async (place) => {
    const pages = [...RESULT.pages.slice(0, place), { error: syntaxError }];
    await using trino = await start({ result: { ...RESULT, pages } });
    await expect(trino.read()).rejects.toMatchObject(problem);
    expect(trino.fake.count('submit')).toBe(1);
  });

  it.each([
    ['no columns', { isWithoutColumns: true }],
    ['columns', {}],
    ['rows', { rows: numberedRows(0, 5) }],
  ])('with an error in the response to the submission itself, which has %s', async (_, others) => {
    await using trino = await start({
      result: { ...RESULT, submission: { ...others, error: syntaxError }, pages: [] },
    });
    await expect(trino.read()).rejects.toMatchObject(problem);
    expect([trino.fake.count('submit'), trino.fake.count('page'), trino.fake.count('cancel')]).toEqual([1, 0, 0]);
  });

  it('with an error on a page that has rows too', async () => {
    await using trino = await start({
      result: { ...RESULT, pages: [{ rows: numberedRows(0, 5), error: syntaxError }] },
    });
    await expect(trino.read()).rejects.toMatchObject({ code: 'column_not_found' });
  });

  it.each<readonly [string, FakeFault, string]>([
    ['503 for ever', UNAVAILABLE, 'cannot take requests now (HTTP 503)'],
    ['500', { kind: 'status', status: 500, body: 'at io.trino.Secret' }, 'Trino failed (HTTP 500)'],
    ['410', { kind: 'status', status: 410 }, 'does not hold this part'],
    ['404', { kind: 'status', status: 404 }, 'does not know this query any more'],
    ['401', { kind: 'status', status: 401 }, 'does not accept the credentials'],
    ['reset for ever', { kind: 'reset' }, 'connection to Trino was lost'],
    ['cut for ever', { kind: 'cut', bytes: 500 }, 'connection to Trino was lost'],
    ['HTML', { kind: 'answer', contentType: 'text/html', body: '<html>' }, 'is not Trino'],
    ['no JSON', { kind: 'answer', contentType: 'application/json', body: 'oops' }, 'cannot be read'],
    [
      'half a page',
      { kind: 'answer', contentType: 'application/json', body: '{"columns":[],"data":[[1,' },
      'cannot be read',
    ],
    ['an empty body', { kind: 'answer', contentType: 'application/json', body: '' }, 'cannot be read'],
    [
      'a page that ends it unfinished',
      { kind: 'answer', contentType: 'application/json', body: '{"stats":{"state":"RUNNING"}}' },
      'not finished',
    ],
    ['a page that says nothing', { kind: 'answer', contentType: 'application/json', body: '{}' }, 'not finished'],
    [
      'a redirect',
      { kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      'redirects to another address',
    ],
  ])('if a page is %s', async (_, fault, sentence) => {
    for (const page of [1, 4]) {
      await using trino = await start({ fault: onPage(page, fault) });
      await expect(trino.read()).rejects.toMatchObject({
        code: 'engine_unavailable',
        message: expect.stringContaining(sentence),
      });
      expect(trino.fake.count('submit')).toBe(1);
      if (!sentence.startsWith('not finished')) await trino.fake.until('cancel'); // otherwise Trino itself reported that it is over
    }
  });

  it('if a page is the previous one again', async () => {
    await using trino = await start({ fault: onPage(4, { kind: 'repeat' }) });
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('leads back'),
    });
    await trino.fake.until('cancel');
  });

  it('if Trino stops responding', async () => {
    await using trino = await FakeTrinoEngine.start(
      { result: RESULT, fault: onPage(4, { kind: 'hang' }) },
      { limits: { answerTimeoutMs: 200, retryForMs: 100 } },
    );
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'Trino does not respond.',
    });
    expect(trino.fake.count('submit')).toBe(1);
  });

  it('if a row has fewer or more values than there are columns', async () => {
    for (const rows of ['[[1]]', '[[1,"a",2]]', '[[]]', '[1]', '[[1,"a"] [2,"b"]]', '[[1,2]]', '[["a","b"]]']) {
      await using trino = await start({ result: { ...RESULT, pages: [{ rows }, {}] } });
      await expect(trino.read()).rejects.toMatchObject({
        code: 'engine_unavailable',
        message: expect.stringContaining('cannot be read'),
      });
    }
  });

  it('if the rest is at an address other than the configured one', async () => {
    const body = '{"nextUri":"http://169.254.169.254/v1/statement/executing/a/b/1","stats":{"state":"QUEUED"}}';
    await using trino = await start({
      fault: ({ kind }) => (kind === 'submit' ? { kind: 'answer', contentType: 'application/json', body } : undefined),
    });
    await expect(trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('an address other than its configured one'),
    });
  });

  it('if a row exceeds the memory limit', async () => {
    const rows = JSON.stringify([[1, 'x'.repeat(3_000_000)]]);
    const result = { ...RESULT, pages: [...RESULT.pages.slice(0, 2), { rows }, {}] };
    await using trino = await FakeTrinoEngine.start({ result }, { limits: { pageBytesMax: 1_000_000 } });
    await expect(trino.read()).rejects.toMatchObject({ code: 'resource_limit' });
    await trino.fake.until('cancel');
  });
});
