import type { AuditRecord, TenantLimits, TenantSettings } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';

/** Limits that admins of a tenant set for it. */
export interface TenantLimitStore {
  /** Returns the present settings of a tenant. */
  find(tenantId: string): Promise<TenantSettings>;
  /**
   * Replaces the limits that a tenant sets for itself and writes the audit record in one transaction. `check` gets the present settings,
   * and throws to change nothing.
   */
  replace(change: {
    readonly tenantId: string;
    readonly ownLimits: TenantLimits;
    check(settings: TenantSettings): void;
    record(before: TenantLimits): AuditRecord;
  }): Promise<TenantSettings>;
}

const FIND = 'select settings from tenants where id = $1';
const LOCK = `${FIND} for no key update`;
const REPLACE = `
  update tenants set settings = settings || jsonb_build_object('ownLimits', $2::jsonb) where id = $1 returning settings`;

interface Row {
  readonly settings: TenantSettings;
}

export const createTenantLimitStore = (database: TenantDatabase): TenantLimitStore => ({
  find: async (tenantId) => {
    const [row] = await database.withTenant(tenantId, (transaction) => transaction.query<Row>(FIND, [tenantId]));
    return row?.settings ?? {};
  },
  replace: ({ tenantId, ownLimits, check, record }) =>
    database.withTenant(tenantId, async (transaction) => {
      const [before] = await transaction.query<Row>(LOCK, [tenantId]);
      check(before?.settings ?? {});
      const [after] = await transaction.query<Row>(REPLACE, [tenantId, JSON.stringify(ownLimits)]);
      await appendAudit(transaction, record(before?.settings.ownLimits ?? {}));
      return after?.settings ?? {};
    }),
});
