import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, TenantRecord } from '@sluice/contract';
import { createFindTenant, createFindTenants } from './find-tenants.ts';

const origin = { requestId: 'r', address: '192.0.2.1' };

function fixture(count: number, auditFails?: Error) {
  const tenants = Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `tenant-${index}` }));
  const records: AuditRecord[] = [];
  let open = 0;
  let most = 0;
  const dependencies = {
    operator: {
      list: async () => tenants as TenantRecord[],
      find: async (name: string) => tenants.find((tenant) => tenant.name === name) as TenantRecord | undefined,
    },
    audit: {
      async append(record: AuditRecord) {
        open += 1;
        most = Math.max(most, open);
        await Promise.resolve();
        open -= 1;
        if (auditFails !== undefined) throw auditFails;
        records.push(record);
      },
    },
  };
  return {
    records,
    most: () => most,
    findAll: createFindTenants(dependencies),
    find: createFindTenant(dependencies),
  };
}

describe('a list of tenants', () => {
  it('is recorded in the log of each tenant, by at most four writes at a time', async () => {
    const { findAll, records, most } = fixture(10);
    expect((await findAll(origin)).length).toBe(10);
    expect(records.map(({ tenantId }) => tenantId)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(records[9]).toMatchObject({ user: 'operator', action: 'READ_TENANT', target: 'tenant-9', ...origin });
    expect(most()).toBe(4);
  });

  it('is not returned if it cannot be recorded', async () => {
    await expect(fixture(2, new Error('no audit')).findAll(origin)).rejects.toThrow('no audit');
  });
});

describe('one tenant', () => {
  it('is returned after its read is recorded; an unknown one is not_found', async () => {
    const { find, records } = fixture(2);
    expect((await find({}, 'tenant-1')).id).toBe('1');
    await expect(find({}, 'tenant-2')).rejects.toMatchObject({ code: 'not_found' });
    expect(records).toEqual([{ tenantId: '1', user: 'operator', action: 'READ_TENANT', target: 'tenant-1' }]);
  });
});
