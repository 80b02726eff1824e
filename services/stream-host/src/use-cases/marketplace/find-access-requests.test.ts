import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createFindAccessRequests } from './find-access-requests.ts';

it.each([
  ['her own by default', [], {}, { requesterId: 'ann', ownerId: undefined }],
  ['those for her items', [], { scope: 'inbox' }, { requesterId: undefined, ownerId: 'ann' }],
  ['those for all items as an admin', ['admin'], { scope: 'inbox' }, { requesterId: undefined, ownerId: undefined }],
  ['her own as an admin', ['admin'], { scope: 'own' }, { requesterId: 'ann', ownerId: undefined }],
] as const)('a user finds access requests: %s', async (_, permissions, query, asked) => {
  const lists: unknown[] = [];
  const records: AuditRecord[] = [];
  const find = createFindAccessRequests({
    marketplaceAccess: {
      list: async (tenantId, filter) => {
        lists.push({ tenantId, ...filter });
        return { total: 0, requests: [] };
      },
    },
    audit: { append: async (record) => void records.push(record) },
  });
  expect(await find(buildCaller('ann', permissions), { ...query, state: 'PENDING' })).toEqual({ total: 0, data: [] });
  expect(lists).toEqual([{ tenantId: 't', ...asked, state: 'PENDING', from: 0, size: 10 }]);
  expect(records).toMatchObject([
    { action: 'READ_MARKETPLACE', target: 'access-requests', metadata: { state: 'PENDING', from: 0, size: 10 } },
  ]);
});
