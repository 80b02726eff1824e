import { expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createRecordFailedSignOn } from './record-failed-sign-on.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const failure = { user: 'ann@example.com', issuer: 'https://idp.example.com', reason: 'expired', subject: 's' };

it('a failed single sign-on is recorded with its reason and subject, and counted', async () => {
  const records: AuditRecord[] = [];
  const failed: string[] = [];
  const record = createRecordFailedSignOn({
    audit: { append: async (written) => void records.push(written) },
    onFailed: (_caller, user) => failed.push(user),
  });
  await record(caller, failure);
  const { user, ...rest } = failure;
  expect(failed).toEqual([user]);
  expect(records).toEqual([
    {
      tenantId: 't',
      user,
      action: 'LOGIN_FAILED',
      target: user,
      metadata: { method: 'single_sign_on', ...rest },
      ...caller.origin,
    },
  ]);
});

it('a failed single sign-on is counted even if it cannot be recorded', async () => {
  const failed: string[] = [];
  const record = createRecordFailedSignOn({
    audit: { append: () => Promise.reject(new Error('no audit')) },
    onFailed: (_caller, user) => failed.push(user),
  });
  await expect(record(caller, failure)).rejects.toThrow('no audit');
  expect(failed).toHaveLength(1);
});
