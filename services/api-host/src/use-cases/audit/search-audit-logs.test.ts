import { expect, it } from '@jest/globals';
import type { AuditSearch } from '@sluice/contract';
import type { AuditSearchStore } from '@sluice/store/audit';
import { buildCaller } from '@sluice/testkit';
import { createSearchAuditLogs } from './search-audit-logs.ts';

const NOW_MS = 1_700_000_000_000;

it('a search of the audit log is limited to what its tenant keeps, and its record says what was asked', async () => {
  const opened: unknown[] = [];
  const pages: Record<string, unknown>[] = [];
  const auditSearch = {
    open: async (_tenantId: string, filter: unknown) => {
      opened.push(filter);
      return { total: 1, snapshot: 's' };
    },
    page: async (state: object, record: (count: number) => { readonly metadata: unknown }) => {
      pages.push({ ...state, recorded: record(1).metadata });
      return { records: Buffer.from('{}'), next: undefined };
    },
  } as unknown as AuditSearchStore;
  const search = createSearchAuditLogs({
    auditSearch,
    pageStates: { put: async () => 'token' },
    retentionMs: 3_600_000,
    nameDigest: () => 'digest' as never,
    now: () => NOW_MS,
  });
  const asked = { size: 10, sort_value: 'desc', user: 'bob@example.com' } as unknown as AuditSearch;
  const page = await search(buildCaller('ann', ['audit:read']), asked);
  expect(page.toString()).toBe('{"total":1,"data":[{}]}');
  // To the hour.
  expect(opened).toEqual([{ start: 1_699_995_600_000 }]);
  expect(pages).toMatchObject([
    {
      tenantId: 't',
      accountId: 'ann',
      order: 'desc',
      size: 10,
      total: 1,
      snapshot: 's',
      page: 1,
      recorded: { size: 10, sort_value: 'desc', page: 1, records: 1, total: 1 },
    },
  ]);
});
