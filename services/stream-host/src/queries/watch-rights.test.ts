import { expect, it } from '@jest/globals';
import type { RevalidateCaller } from '@sluice/auth';
import type { Principal } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { watchRights } from './watch-rights.ts';

const caller = buildCaller('ann');
const withRight: Principal = { ...caller.principal, permissions: new Set(['query:run']) };
const check = (present: Principal | undefined): Promise<boolean> => watchRights(async () => present, caller, 0)();

it('the right to a stream ends with the session, the permission, the tenant or the network', async () => {
  expect(await check(withRight)).toBe(true);
  expect(await check(undefined)).toBe(false);
  expect(await check({ ...withRight, permissions: new Set() })).toBe(false);
  expect(await check({ ...withRight, tenant: { ...withRight.tenant, state: 'suspended' } })).toBe(false);
  expect(await check({ ...withRight, refusedAddress: '192.0.2.1' })).toBe(false);
});

it('the right to a stream is read again after some time only, and an outage does not end it', async () => {
  let reads = 0;
  const lost: RevalidateCaller = async () => {
    reads += 1;
    return undefined;
  };
  expect(await watchRights(lost, caller)()).toBe(true);
  expect(reads).toBe(0);
  expect(await watchRights(() => Promise.reject(new Error('no database')), caller, 0)()).toBe(true);
});
