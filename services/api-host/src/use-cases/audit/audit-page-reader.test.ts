import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import type { AuditPosition, AuditSearchStore } from '@sluice/store/audit';
import { buildCaller } from '@sluice/testkit';
import { createAuditPageReader } from './audit-page-reader.ts';
import type { PageState } from './audit-page-states.ts';
import { createNextAuditPage } from './next-audit-page.ts';

const caller = buildCaller('ann', ['audit:read']);
const NEXT = { occurred: 'x' } as unknown as AuditPosition;
const STATE = { tenantId: 't', accountId: 'ann', asked: { size: 2 }, total: 3, page: 1 } as unknown as PageState;

/** A search of two pages. */
function fixture(auditFails?: Error) {
  const records: AuditRecord[] = [];
  const states: PageState[] = [];
  const auditSearch: Pick<AuditSearchStore, 'page'> = {
    async page(state, record) {
      const isFirst = state.from === undefined;
      const written = record(isFirst ? 2 : 1) as AuditRecord;
      if (auditFails !== undefined) throw auditFails;
      records.push(written);
      return { records: Buffer.from(isFirst ? '{"é":1},{}' : '{}'), next: isFirst ? NEXT : undefined } as never;
    },
  };
  const pageStates = {
    put: async (state: PageState) => `token-${states.push(state)}`,
    get: async (_owner: unknown, token: string) =>
      states[Number(token.slice(-1)) - 1] ?? Promise.reject(new Error(token)),
  };
  return {
    records,
    states,
    read: createAuditPageReader({ auditSearch, pageStates }),
    next: createNextAuditPage({ auditSearch, pageStates } as never),
  };
}

it('a page has the total and the token of the next one, and each page is recorded', async () => {
  const { read, next, records, states } = fixture();
  const first = JSON.parse((await read(caller, STATE)).toString('utf8')) as { next_page_token: string };
  expect(first).toEqual({ total: 3, data: [{ é: 1 }, {}], next_page_token: 'token-1' });
  expect(states).toEqual([{ ...STATE, page: 2, from: NEXT }]);
  const last: unknown = JSON.parse((await next(caller, first.next_page_token)).toString('utf8'));
  expect(last).toEqual({ total: 3, data: [{}] });
  expect(records.map(({ action, metadata }) => [action, metadata])).toEqual([
    ['SEARCH_AUDIT_LOGS', { size: 2, page: 1, records: 2, total: 3 }],
    ['SEARCH_AUDIT_LOGS', { size: 2, page: 2, records: 1, total: 3 }],
  ]);
});

it('a page that cannot be recorded is not returned, and has no next one', async () => {
  const { read, states } = fixture(new Error('no audit'));
  await expect(read(caller, STATE)).rejects.toThrow('no audit');
  expect(states).toEqual([]);
});
