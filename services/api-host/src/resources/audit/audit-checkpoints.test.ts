import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { listAuditCheckpoints } from './audit-checkpoints.ts';

it('checkpoints are listed with the keys that verify them, and the read is recorded', async () => {
  const asked: unknown[] = [];
  const records: AuditRecord[] = [];
  const context = {
    auditChain: {
      checkpoints: async (_tenantId: string, page: unknown) => {
        asked.push(page);
        return [{ number: 8, sequence: 80, payload: '{"n":8}', keyId: 'k', signature: Buffer.of(1, 2) }];
      },
      keys: async () => [{ keyId: 'k', publicKey: Buffer.of(3) }],
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
  };
  const caller = buildCaller('ann');
  expect(await listAuditCheckpoints(context, caller, { after: '7', size: 1 })).toEqual({
    data: [{ payload: '{"n":8}', key_id: 'k', signature: 'AQI=' }],
    keys: [{ key_id: 'k', public_key: 'Aw==' }],
  });
  await listAuditCheckpoints(context, caller, {});
  expect(asked).toEqual([
    { after: 7, size: 1 },
    { after: 0, size: 100 },
  ]);
  expect(records[0]).toMatchObject({
    action: 'READ_AUDIT_CHECKPOINTS',
    metadata: { after: 7, size: 1, checkpoints: 1 },
  });
});
