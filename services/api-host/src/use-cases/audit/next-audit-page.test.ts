import { expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import { createNextAuditPage } from './next-audit-page.ts';

it('the state of a page is looked up for the account that asks, and an unknown token reads nothing', async () => {
  const owners: unknown[] = [];
  const next = createNextAuditPage({
    auditSearch: { page: () => Promise.reject(new Error('read')) },
    pageStates: {
      get: async (owner: unknown) => {
        owners.push(owner);
        throw new Error('unknown token');
      },
    },
  } as never);
  await expect(next(buildCaller('ann'), 'token')).rejects.toThrow('unknown token');
  expect(owners).toEqual([{ tenantId: 't', accountId: 'ann' }]);
});
