import { expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import { auditAccessRecord } from './audit-access-record.ts';

it('a read of the audit log is recorded by its caller, with the log as its target', () => {
  expect(auditAccessRecord(buildCaller('ann'), 'SEARCH_AUDIT_LOGS', { size: 5 })).toMatchObject({
    tenantId: 't',
    user: 'ann@example.com',
    action: 'SEARCH_AUDIT_LOGS',
    target: 'audit_log',
    metadata: { size: 5 },
  });
});
