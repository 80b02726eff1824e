import type { RequestOrigin } from '@sluice/auth';
import { ProblemError, type TenantRecord } from '@sluice/contract';
import type { OperatorStore } from '@sluice/store/administration';
import type { AuditStore } from '@sluice/store/audit';
import { OPERATOR } from './operator-name.ts';

/** So many records at a time: no more than leaves connections for everybody else. */
const RECORDS_AT_ONCE = 4;

/** What the operator reads. Each tenant that an answer tells of has it in its own log; no record, no answer. */
export interface FindTenants {
  all(origin: Partial<RequestOrigin>): Promise<readonly TenantRecord[]>;
  /** Throws `not_found`. */
  one(name: string, origin: Partial<RequestOrigin>): Promise<TenantRecord>;
}

export interface FindTenantsStores {
  readonly operator: Pick<OperatorStore, 'list' | 'find'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

export const createFindTenants = ({ operator, audit }: FindTenantsStores): FindTenants => {
  const record = ({ id, name }: TenantRecord, origin: Partial<RequestOrigin>): Promise<void> =>
    audit.append({ tenantId: id, user: OPERATOR, action: 'READ_TENANT', target: name, ...origin });

  return {
    async all(origin) {
      const tenants = await operator.list();
      for (let from = 0; from < tenants.length; from += RECORDS_AT_ONCE) {
        await Promise.all(tenants.slice(from, from + RECORDS_AT_ONCE).map((tenant) => record(tenant, origin)));
      }
      return tenants;
    },
    async one(name, origin) {
      const tenant = await operator.find(name);
      if (tenant === undefined) throw new ProblemError('not_found', 'There is no such tenant.');
      await record(tenant, origin);
      return tenant;
    },
  };
};
