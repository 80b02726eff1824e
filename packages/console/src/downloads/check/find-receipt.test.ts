import { describe, expect, it } from '@jest/globals';
import { type Client, type Receipt, ResponseError } from '@sluice/client';
import type { DownloadSnapshot } from '../download-state.ts';
import { compareFile } from './compare-file.ts';
import { findByContent, findById, queryIdIn, unnumberedName } from './find-receipt.ts';

const ID = '6fa459ea-ee8a-3ca4-894e-db77e160355e';
const FILE = { name: 'flights (1).csv', bytes: 10, sha256: 'aa' };

const receiptOf = (fields: Partial<Receipt>): Receipt => ({
  query_id: ID,
  state: 'FINISHED',
  rows: 1,
  bytes: 10,
  sha256: 'aa',
  limited: false,
  started_ts: 1,
  ended_ts: 2,
  error: null,
  ...fields,
});

const listed = (fields: Partial<DownloadSnapshot>): DownloadSnapshot => ({
  id: '1',
  fileName: 'flights.csv',
  state: 'complete',
  isComparing: false,
  isCompared: false,
  startedAtMs: 1,
  endedAtMs: 2,
  queryId: ID,
  receipt: undefined,
  failure: undefined,
  isUnreachable: false,
  ...fields,
});

/** History of a user whose downloads have these receipts; the newest page first. */
function historyOf(pages: readonly (readonly Receipt[])[]) {
  const asked: string[] = [];
  const stream = {
    listQueryHistory: async ({ query }: { query: { kind: string; page_token?: string } }) => {
      const page = query.kind === 'DOWNLOAD' ? Number(query.page_token ?? 0) : pages.length;
      const next = page + 1 < pages.length ? { next_page_token: String(page + 1) } : {};
      return { data: pages[page] ?? [], ...next };
    },
    getQuery: async ({ params: { id } }: { params: { id: string } }) => {
      asked.push(id);
      const found = pages.flat().find(({ query_id: queryId }) => queryId === id);
      if (found === undefined) throw new ResponseError('not_found', 'There is no such query.', { status: 404 });
      return found;
    },
  };
  return { client: { stream } as unknown as Client, asked };
}

const options = (...downloads: readonly DownloadSnapshot[]) => ({
  listed: downloads,
  signal: new AbortController().signal,
});

describe('the receipt of a file', () => {
  it('is found by its hash in the history, among downloads of its size, on later pages too', async () => {
    const { client, asked } = historyOf([
      [receiptOf({ query_id: 'larger', bytes: 11, sha256: 'bb' }), receiptOf({ query_id: 'other', sha256: 'cc' })],
      [receiptOf({ query_id: 'failed', state: 'FAILED' }), receiptOf({ query_id: 'right' })],
    ]);
    const found = await findByContent(client, FILE, options());
    expect(found).toMatchObject({ kind: 'found', download: { receipt: { query_id: 'right' } } });
    expect(asked).toEqual(['other', 'right']);
  });

  it('is found in this tab without a request, also for a file that the page has saved itself', async () => {
    const { client, asked } = historyOf([]);
    const saved = { rows: 1, bytes: 10, sha256: 'aa' };
    expect(await findByContent(client, FILE, options(listed({ saved })))).toMatchObject({
      kind: 'found',
      download: { kind: 'saved', saved },
    });
    expect(await findByContent(client, FILE, options(listed({ receipt: receiptOf({}) })))).toMatchObject({
      kind: 'found',
      download: { kind: 'receipt' },
    });
    expect(asked).toEqual([]);
  });

  it('is otherwise the expected one, or the one of this tab with the name of the file', async () => {
    const { client } = historyOf([[receiptOf({ query_id: 'other', sha256: 'cc' })]]);
    const named = listed({ receipt: receiptOf({ sha256: 'dd', bytes: 12 }) });
    const expected = listed({ fileName: 'x.csv', receipt: receiptOf({ sha256: 'ee', bytes: 13 }) });
    expect(await findByContent(client, FILE, options(named))).toMatchObject({ download: { receipt: { bytes: 12 } } });
    expect(await findByContent(client, FILE, { ...options(named), expected })).toMatchObject({
      download: { receipt: { bytes: 13 } },
    });
    expect(await findByContent(client, { ...FILE, name: 'y.csv' }, options(named))).toEqual({
      kind: 'none',
      looked: 1,
    });
  });

  it('is not that of the stream of a query that showed its rows on a page', async () => {
    const { client } = historyOf([[receiptOf({ started_ts: 1_700_000_000_000 })]]);
    const asked: unknown[] = [];
    Object.assign(client.stream, {
      listQueryHistory: async ({ query }: { query: unknown }) => {
        asked.push(query);
        return { data: [{ query_id: ID }] };
      },
    });
    expect(await findById(client, ID, options())).toEqual({ kind: 'not-a-file', id: ID });
    expect(asked).toEqual([{ kind: 'QUERY', since: 1_700_000_000_000, until: 1_700_000_000_001, size: 200 }]);
  });

  it('is read by its id, and is unknown for any other', async () => {
    const { client } = historyOf([[receiptOf({})]]);
    expect(await findById(client, ID, options())).toMatchObject({ kind: 'found' });
    expect(await findById(client, 'other', options())).toEqual({ kind: 'unknown-id', id: 'other' });
  });
});

describe('queryIdIn', () => {
  it('finds the id in what a user pastes', () => {
    expect(queryIdIn(` ${ID.toUpperCase()}\n`)).toBe(ID);
    expect(queryIdIn(`{"query_id":"${ID}","state":"FINISHED"}`)).toBe(ID);
    expect(queryIdIn('flights.csv')).toBeUndefined();
  });
});

describe('unnumberedName', () => {
  it.each([
    ['Flights (1).CSV', 'flights.csv'],
    ['flights(12).csv', 'flights.csv'],
    ['a (1) b.csv', 'a (1) b.csv'],
    ['flights (2)', 'flights'],
  ])('of %s is %s', (name, expected) => expect(unnumberedName(name)).toBe(expected));
});

describe('compareFile', () => {
  it.each([
    [receiptOf({}), { kind: 'whole', isLimited: false }],
    [receiptOf({ limited: true }), { kind: 'whole', isLimited: true }],
    [receiptOf({ bytes: 9 }), { kind: 'differs', expectedBytes: 9 }],
    [receiptOf({ sha256: 'bb' }), { kind: 'differs', expectedBytes: 10 }],
    [receiptOf({ state: 'RUNNING', sha256: null }), { kind: 'running' }],
    [receiptOf({ state: 'CANCELLED', sha256: null }), { kind: 'unfinished', state: 'CANCELLED' }],
    // The body says that it failed, and has a hash.
    [receiptOf({ state: 'FAILED' }), { kind: 'unfinished', state: 'FAILED' }],
  ] as const)('returns what a file is worth', (receipt, expected) => {
    expect(compareFile(FILE, { kind: 'receipt', receipt })).toEqual(expected);
  });
});
