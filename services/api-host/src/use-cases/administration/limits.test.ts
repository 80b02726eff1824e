import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, LimitsRequest, TenantLimits, TenantSettings } from '@sluice/contract';
import type { TenantLimitStore } from '@sluice/store/identity';
import { buildCaller } from '@sluice/testkit';
import { createFindLimits, createPutLimits } from './limits.ts';

const caller = buildCaller('me', ['admin']);

/** Limits of one tenant in memory. */
function fixture(initial: TenantSettings = {}) {
  let settings = initial;
  const records: AuditRecord[] = [];
  const tenantLimits: TenantLimitStore = {
    find: async () => settings,
    async replace({ ownLimits, check, record }) {
      check(settings);
      records.push(record(settings.ownLimits ?? {}));
      settings = { ...settings, ownLimits };
      return settings;
    },
  };
  const dependencies = {
    tenantLimits,
    audit: { append: async (record: AuditRecord) => void records.push(record) },
    limitDefaults: { queriesPerUser: 4, queriesPerTenant: 20, queryTimeLimitMs: 60_000 } as never,
  };
  return {
    records,
    own: (): TenantLimits | undefined => settings.ownLimits,
    find: createFindLimits(dependencies),
    put: (limits: LimitsRequest, isCurrent = true) =>
      createPutLimits(dependencies)(caller, { limits, isCurrent: () => isCurrent }),
  };
}

describe('limits of a tenant', () => {
  it('are those of the operator unless the tenant has lower ones', async () => {
    const { put, find, records } = fixture();
    const first = await find(caller);
    expect(first.own).toEqual({
      query_time_ms: null,
      queries_per_user: null,
      queries_per_tenant: null,
      rows_max: null,
      bytes_max: null,
    });
    expect(first.effective).toEqual(first.operator);
    const after = await put({ queries_per_user: 2, rows_max: 10 } as LimitsRequest);
    expect(after.effective).toMatchObject({ queries_per_user: 2, queries_per_tenant: 20, rows_max: 10 });
    expect(after.operator).toEqual(first.operator);
    expect(records).toMatchObject([
      { action: 'READ_LIMITS', target: 'acme' },
      { action: 'UPDATE_LIMITS', target: 'acme', metadata: { before: first.own, after: after.own } },
    ]);
  });

  it('are replaced as a whole: a missing or null one is not limited by the tenant any more', async () => {
    const { put, own } = fixture({ ownLimits: { rowsMax: 10, bytesMax: 20 } });
    await put({ bytes_max: null, queries_per_user: 1 } as LimitsRequest);
    expect(own()).toEqual({ queriesPerUser: 1 });
  });

  it('above those of the operator are rejected, all of them in one error', async () => {
    const { put, own, records } = fixture();
    await expect(
      put({ queries_per_user: 5, query_time_ms: 60_001, queries_per_tenant: 20 } as LimitsRequest),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { path: 'body.query_time_ms', message: 'must be at most 60000, the limit of the operator' },
        { path: 'body.queries_per_user', message: 'must be at most 4, the limit of the operator' },
      ],
    });
    expect([own(), records]).toEqual([undefined, []]);
  });

  it('that were changed meanwhile are not overwritten', async () => {
    const { put, own } = fixture({ ownLimits: { rowsMax: 10 } });
    await expect(put({} as LimitsRequest, false)).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(own()).toEqual({ rowsMax: 10 });
  });
});
