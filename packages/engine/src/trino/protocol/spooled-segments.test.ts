import { describe, expect, it } from '@jest/globals';
import { numberedResult, numberedRows, numberedText } from '../../../testing/fake-result.ts';
import { FakeTrino, type FakeTrinoOptions } from '../../../testing/fake-trino.ts';
import { FakeTrinoEngine } from '../../../testing/fake-trino-engine.ts';
import type { TrinoProfile } from './profile.ts';

interface SegmentRange {
  readonly from: number;
  readonly end: number;
  readonly rowsCount?: number;
  readonly rowOffset?: number;
  readonly isOfUnknownSize?: boolean;
}

const metadata = ({ from, end, rowsCount, rowOffset, isOfUnknownSize }: SegmentRange): object => ({
  rowOffset: rowOffset ?? from,
  rowsCount: rowsCount ?? end - from,
  ...(isOfUnknownSize ? {} : { segmentSize: 1_000 }),
});

const inline = (range: SegmentRange): object => ({
  type: 'inline',
  data: Buffer.from(numberedRows(range.from, range.end)).toString('base64'),
  metadata: metadata(range),
});

const stored = (origin: string, number: number, range: SegmentRange): object => ({
  type: 'spooled',
  uri: `${origin}/segments/${number}`,
  ackUri: `${origin}/acks/${number}`,
  headers: { 'x-store-key': ['one'] },
  metadata: metadata(range),
});

const data = (...segments: readonly object[]): string => JSON.stringify({ encoding: 'json', metadata: {}, segments });

/** Starts an object store next to Trino, and Trino with pages of segments in that store. */
async function start(
  pages: (store: string) => readonly string[],
  options: { readonly store?: Partial<FakeTrinoOptions>; readonly profile?: Partial<TrinoProfile> } = {},
): Promise<{ readonly trino: FakeTrinoEngine; readonly store: FakeTrino } & AsyncDisposable> {
  const segments = [numberedRows(5, 300), numberedRows(300, 600), numberedRows(600, 1_000), numberedRows(1_000, 1_200)];
  const empty = numberedResult(0, 1);
  const store = await FakeTrino.start({ result: empty, segments, ...options.store });
  const result = { ...empty, pages: [...pages(store.url).map((rows) => ({ rows })), {}] };
  const trino = await FakeTrinoEngine.start({ result }, { segmentOrigins: [store.url], ...options.profile });
  return {
    trino,
    store,
    [Symbol.asyncDispose]: async () => {
      await trino[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const PAGES = (store: string): readonly string[] => [
  data(inline({ from: 0, end: 5 }), stored(store, 0, { from: 5, end: 300 }), stored(store, 1, { from: 300, end: 600 })),
  data(stored(store, 2, { from: 600, end: 1_000 })),
];

describe('the spooled protocol', () => {
  it('returns every row in order, and acknowledges segments to the store', async () => {
    await using fixture = await start(PAGES);
    expect((await fixture.trino.read()).rowsText).toBe(numberedText(1_000));
    while (fixture.store.count('ack') < 3) await fixture.store.tick();
    const [submitted] = fixture.trino.fake.requests.filter(({ kind }) => kind === 'submit');
    expect(submitted?.headers['x-trino-query-data-encoding']).toBe('json');
  });

  it('is not used if it is switched off', async () => {
    await using fixture = await start(() => [numberedRows(0, 5)], { profile: { spooling: 'off' } });
    expect((await fixture.trino.read()).rows).toBe(5);
    const [submitted] = fixture.trino.fake.requests.filter(({ kind }) => kind === 'submit');
    expect(submitted?.headers['x-trino-query-data-encoding']).toBeUndefined();
  });

  it('keeps credentials from the store, which gets its own headers', async () => {
    await using fixture = await start(PAGES, {
      profile: { credentials: { kind: 'password', user: 'svc', password: 'secret' } },
    });
    await fixture.trino.read();
    for (const { headers } of fixture.store.requests) {
      expect([headers.authorization, headers['x-trino-user'], headers['x-store-key']]).toEqual([
        undefined,
        undefined,
        'one',
      ]);
    }
    const [submitted] = fixture.trino.fake.requests.filter(({ kind }) => kind === 'submit');
    expect(submitted?.headers.authorization).toBe(`Basic ${Buffer.from('svc:secret').toString('base64')}`);
  });

  it('returns every row if segments fail once, are late or out of order', async () => {
    await using fixture = await start(PAGES, {
      store: {
        fault: ({ kind, page, attempt }) => {
          if (kind !== 'segment' || attempt > 1) return undefined;
          return page === 0 ? { kind: 'late', ms: 200 } : { kind: 'status', status: 503 };
        },
      },
    });
    expect((await fixture.trino.read()).rowsText).toBe(numberedText(1_000));
  });

  it.each([
    [false, { aheadBytesMax: 1_500 }],
    [true, { aheadBytesMax: 1_500, pageBytesMax: 1_000_000 }],
  ])('prefetches at most what fits the memory limit (sizes unknown: %s)', async (isOfUnknownSize, limits) => {
    const pages = (store: string): readonly string[] => [
      data(
        stored(store, 0, { from: 5, end: 300, rowOffset: 0, isOfUnknownSize }),
        stored(store, 1, { from: 295, end: 595, isOfUnknownSize }),
      ),
    ];
    await using fixture = await start(pages, {
      store: { fault: ({ kind, page }) => (kind === 'segment' && page === 0 ? { kind: 'late', ms: 200 } : undefined) },
      profile: { limits },
    });
    const reading = fixture.trino.read();
    await fixture.store.until('segment');
    await fixture.store.tick(100);
    expect(fixture.store.count('segment')).toBe(1);
    expect((await reading).rows).toBe(595);
  });

  it('stops after the requested rows', async () => {
    await using fixture = await start(PAGES);
    const result = await fixture.trino.read({ rowsMax: 100 });
    expect([result.rowsText, result.limited]).toEqual([numberedText(100), true]);
    await fixture.trino.fake.until('cancel');
  });

  it.each<readonly [string, (store: string) => readonly string[], string]>([
    [
      'a segment has too few rows',
      (store) => [data(stored(store, 0, { from: 5, end: 300, rowOffset: 0, rowsCount: 296 }))],
      'cannot be read',
    ],
    ['a segment is missing', (store) => [data(stored(store, 1, { from: 300, end: 600 }))], 'rows before a segment'],
    ['a segment comes twice', (store) => [...PAGES(store), PAGES(store)[1] ?? ''], 'rows before a segment'],
    [
      'a segment has another origin',
      () => [data(stored('http://169.254.169.254', 0, { from: 0, end: 5 }))],
      'not among the configured',
    ],
    ['a segment is of another kind', () => [data({ type: 'teleported' })], 'unknown kind'],
    [
      'segments are encoded in an unknown way',
      () => ['{"encoding":"arrow","segments":[]}'],
      'encoding that was not requested',
    ],
  ])('and a result is not complete if %s', async (_, pages, sentence) => {
    await using fixture = await start(pages);
    await expect(fixture.trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining(sentence),
    });
  });

  it.each([
    [{ kind: 'status', status: 404 }, 'HTTP 404'],
    [{ kind: 'status', status: 307, headers: { location: 'http://169.254.169.254/x' } }, 'not among the configured'],
    [{ kind: 'reset' }, 'connection to Trino was lost'],
  ] as const)('nor if the store returns %j', async (fault, sentence) => {
    await using fixture = await start(PAGES, {
      store: { fault: ({ kind, page }) => (kind === 'segment' && page === 1 ? fault : undefined) },
    });
    await expect(fixture.trino.read()).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining(sentence),
    });
  });
});
