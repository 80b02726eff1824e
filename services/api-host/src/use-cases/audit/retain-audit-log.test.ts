import { expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import type { Database } from '@sluice/store/database';
import { createRetainAuditLog } from './retain-audit-log.ts';

it('while no month is due, one statement says so, no connection is opened and nothing is dropped', async () => {
  const statements: unknown[] = [];
  const dropped: unknown[] = [];
  const retain = createRetainAuditLog({
    database: {
      run: async (...statement: unknown[]) => {
        statements.push(statement);
        return [];
      },
    } as unknown as Database,
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    signer: createAuditSigner(Buffer.alloc(32, 1)),
    retentionMs: 1_000,
    onDropped: (months) => dropped.push(months),
  });
  await retain();
  expect(statements).toMatchObject([['every-tenant', {}, [1_000]]]);
  expect(dropped).toEqual([]);
});
