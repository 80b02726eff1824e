import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditRecord, ProblemError, type Tenant } from '@sluice/contract';
import {
  REFUSALS_OF_ADDRESS_MAX,
  REFUSALS_OF_TENANT_MAX,
  REFUSALS_WINDOW_MS,
  RefusalRecords,
} from './refusal-records.ts';

const tenantOf = (name: string): Tenant => ({ id: `id of ${name}`, name, state: 'active', settings: {} });
const ACT = { user: 'unknown', action: 'LOGIN_FAILED', target: 'x', metadata: { method: 'token' } } as const;
const FIRST = '192.0.2.1';

let nowMs: number;
let written: AuditRecord[];
let isDown: boolean;
let records: RefusalRecords;
beforeEach(() => {
  [nowMs, written, isDown] = [1_000_000, [], false];
  const append = async (record: AuditRecord): Promise<void> => {
    if (isDown) throw new ProblemError('audit_unavailable', 'down');
    written.push(record);
  };
  records = new RefusalRecords({ audit: { append }, now: () => nowMs });
});

const refuse = (address: string, tenant = 'acme') =>
  records.append({ tenant: tenantOf(tenant), origin: { address, requestId: 'r' } }, ACT);
async function refuseOften(count: number, addressOf: (index: number) => string): Promise<void> {
  for (let index = 0; index < count; index += 1) await refuse(addressOf(index));
}
const leftOut = () => written.filter(({ metadata }) => metadata?.['left_out'] !== undefined);

describe('RefusalRecords', () => {
  it('writes a record for each request while there are few', async () => {
    await refuse(FIRST);
    expect(written).toEqual([{ tenantId: 'id of acme', ...ACT, address: FIRST, requestId: 'r' }]);
    nowMs += REFUSALS_WINDOW_MS;
    await records.flush();
    expect(written).toHaveLength(1);
  });

  it('counts what one address sends beyond its limit, and records the number when the minute is over', async () => {
    await refuseOften(REFUSALS_OF_ADDRESS_MAX + 70, () => FIRST);
    expect(written).toHaveLength(REFUSALS_OF_ADDRESS_MAX);
    await refuse('198.51.100.1');
    await refuse(FIRST, 'globex');
    expect(written).toHaveLength(REFUSALS_OF_ADDRESS_MAX + 2);
    await records.flush();
    expect(leftOut()).toEqual([]);
    nowMs += REFUSALS_WINDOW_MS;
    await records.flush();
    const expected = { tenantId: 'id of acme', user: 'unknown', action: 'LOGIN_FAILED', target: 'unknown' };
    const metadata = { left_out: 70, reason: expect.any(String) };
    expect(leftOut()).toEqual([{ ...expected, address: FIRST, metadata }]);
    await records.flush();
    expect(leftOut()).toHaveLength(1);
  });

  it('counts the addresses of one /64 of IPv6 together', async () => {
    await refuseOften(REFUSALS_OF_ADDRESS_MAX + 5, (index) => `2001:db8::${index + 1}`);
    expect(written).toHaveLength(REFUSALS_OF_ADDRESS_MAX);
  });

  it('counts what many addresses send beyond the limit of the tenant, in one record without an address', async () => {
    await refuseOften(REFUSALS_OF_TENANT_MAX + 50, (index) => `10.0.${index >> 8}.${index & 255}`);
    expect(written).toHaveLength(REFUSALS_OF_TENANT_MAX);
    nowMs += REFUSALS_WINDOW_MS;
    await records.flush();
    expect(leftOut()).toMatchObject([{ metadata: { left_out: 50 } }]);
    expect(leftOut()[0]).not.toHaveProperty('address');
  });

  it('begins anew after a minute, also without a flush, and records the number then', async () => {
    await refuseOften(REFUSALS_OF_ADDRESS_MAX + 1, () => FIRST);
    nowMs += REFUSALS_WINDOW_MS;
    await refuse(FIRST);
    expect(written).toHaveLength(REFUSALS_OF_ADDRESS_MAX + 1);
    await records.flush();
    expect(leftOut()).toMatchObject([{ metadata: { left_out: 1 } }]);
  });

  it('records the numbers of a minute that is not over when the host ends', async () => {
    await refuseOften(REFUSALS_OF_ADDRESS_MAX + 3, () => FIRST);
    await records.close();
    expect(leftOut()).toMatchObject([{ metadata: { left_out: 3 } }]);
  });

  it('rejects a request whose record cannot be written, and keeps the numbers for the next flush', async () => {
    await refuseOften(REFUSALS_OF_ADDRESS_MAX + 3, () => FIRST);
    isDown = true;
    await expect(refuse('198.51.100.1')).rejects.toMatchObject({ code: 'audit_unavailable' });
    nowMs += REFUSALS_WINDOW_MS;
    await expect(records.flush()).rejects.toMatchObject({ code: 'audit_unavailable' });
    isDown = false;
    await records.flush();
    expect(leftOut()).toMatchObject([{ metadata: { left_out: 3 } }]);
  });
});
