import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '@sluice/client';
import { NO_AUDIT_SEARCH } from '../router/audit-address.ts';
import { AUDIT_PAGE_RECORDS, type AuditRecordPage, positionBeside, readAuditPage } from './read-audit-page.ts';

const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

type Api = Parameters<typeof readAuditPage>[0]['api'];

/** A log in memory with the rules of the interface: whole milliseconds, pages of the size, tokens. */
function logOf(timestamps: readonly number[]): Api {
  const log = timestamps.map((timestamp, index) => ({ timestamp, id: idOf(index) }) as AuditEntry);
  const pages = new Map<string, readonly AuditEntry[]>();
  const pageOf = (found: readonly AuditEntry[], size: number, total: number) => {
    const token = `token-${pages.size}`;
    pages.set(token, found.slice(size));
    return { total, data: found.slice(0, size), ...(found.length > size ? { next_page_token: token } : {}) };
  };
  return {
    searchAuditLogs: async ({ body }: { readonly body: { readonly [name: string]: unknown } }) => {
      const { start = 0, end = Number.MAX_SAFE_INTEGER, size, sort_value: order } = body as Record<string, number>;
      const found = log.filter(({ timestamp }) => timestamp >= start && timestamp < end);
      return pageOf(String(order) === 'asc' ? found : found.toReversed(), size ?? 0, found.length);
    },
    nextAuditPage: async ({ query }: { readonly query: { readonly page_token: string } }) =>
      pageOf(pages.get(query.page_token) ?? [], AUDIT_PAGE_RECORDS + 1, 0),
  } as unknown as Api;
}

const read = (api: Api, page?: AuditRecordPage, direction: 'older' | 'newer' = 'older') =>
  readAuditPage(
    { api },
    { ...NO_AUDIT_SEARCH, position: page === undefined ? undefined : positionBeside(page, direction) },
    new AbortController().signal,
  );

const indexesOf = ({ records }: AuditRecordPage): number[] => records.map(({ id }) => Number(id.slice(-12)));

/** A log whose windows have nothing that matches. */
function emptyLog(windows: number): { readonly api: Api; readonly asked: () => number } {
  let asked = 0;
  const page = () => {
    asked += 1;
    const isLast = asked === windows;
    return {
      total: 0,
      at_least: true,
      data: [],
      ...(isLast ? {} : { searched_to: 9_000 - asked, next_page_token: `${asked}` }),
    };
  };
  return {
    api: { searchAuditLogs: async () => page(), nextAuditPage: async () => page() } as unknown as Api,
    asked: () => asked,
  };
}

describe('pages of the audit log', () => {
  it('stop after some parts of a large log without a match, and continue there', async () => {
    const { api, asked } = emptyLog(22);
    const stopped = await read(api);
    expect(stopped).toMatchObject({ records: [], hasOlder: true, hasNewer: false, isAtLeast: true });
    expect(asked()).toBe(20);
    expect(positionBeside(stopped, 'older')).toMatchObject({ direction: 'older', timestamp: 8_980 });
    expect(positionBeside(stopped, 'newer')).toBeUndefined();
    expect(await read(api, stopped)).toMatchObject({
      records: [],
      hasOlder: false,
      hasNewer: true,
      stoppedAt: undefined,
    });
    expect(asked()).toBe(22);
  });

  it.each([
    ['one record a millisecond', (index: number) => index],
    ['three records a millisecond', (index: number) => Math.floor(index / 3)],
    ['all records in one millisecond', () => 7],
  ])('show each record once and in order, there and back, with %s', async (_name, timeOf) => {
    const api = logOf(Array.from({ length: 175 }, (_, index) => timeOf(index)));
    const pages = [await read(api)];
    while (pages.at(-1)?.hasOlder === true) pages.push(await read(api, pages.at(-1)));
    expect(pages.flatMap(indexesOf)).toEqual(Array.from({ length: 175 }, (_, index) => 174 - index));
    expect(pages.map(({ total }) => total)).toEqual([175, 125, 75, 25]);
    const back = await read(api, pages.at(-1), 'newer');
    expect(indexesOf(back)).toEqual(indexesOf(pages[2] as AuditRecordPage));
    expect([back.hasNewer, back.hasOlder]).toEqual([true, true]);
  });

  it('skip nothing if the record of the position is no longer there', async () => {
    const api = logOf([1, 2, 3]);
    const search = { ...NO_AUDIT_SEARCH, position: { direction: 'older', timestamp: 2, id: idOf(99) } } as const;
    const page = await readAuditPage({ api }, search, new AbortController().signal);
    expect(indexesOf(page)).toEqual([1, 0]);
  });
});
