import { ProblemError, type TenantRecord } from '@sluice/contract';
import type { OperatorStore } from '@sluice/store/administration';
import type { AuditStore } from '@sluice/store/audit';
import { OPERATOR, type OperatorCaller } from './operator.ts';

/** Returns all tenants. The read is recorded in the audit log of each; fails if it cannot be recorded. */
type FindTenants = (caller: OperatorCaller) => Promise<readonly TenantRecord[]>;
/** Returns one tenant. Throws `not_found`; fails if the read cannot be recorded. */
type FindTenant = (caller: OperatorCaller, name: string) => Promise<TenantRecord>;

/** Records written at once, so that connections are left for other requests. */
const RECORDS_AT_ONCE = 4;

const recordRead = (
  audit: Pick<AuditStore, 'append'>,
  caller: OperatorCaller,
  { id, name }: TenantRecord,
): Promise<void> => audit.append({ tenantId: id, user: OPERATOR, action: 'READ_TENANT', target: name, ...caller });

interface FindTenantsDependencies {
  readonly operator: Pick<OperatorStore, 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

export const createFindTenants =
  ({ operator, audit }: FindTenantsDependencies): FindTenants =>
  async (caller) => {
    const tenants = await operator.list();
    for (let from = 0; from < tenants.length; from += RECORDS_AT_ONCE) {
      const next = tenants.slice(from, from + RECORDS_AT_ONCE);
      await Promise.all(next.map((tenant) => recordRead(audit, caller, tenant)));
    }
    return tenants;
  };

interface FindTenantDependencies {
  readonly operator: Pick<OperatorStore, 'find'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

export const createFindTenant =
  ({ operator, audit }: FindTenantDependencies): FindTenant =>
  async (caller, name) => {
    const tenant = await operator.find(name);
    if (tenant === undefined) throw new ProblemError('not_found', 'There is no such tenant.');
    await recordRead(audit, caller, tenant);
    return tenant;
  };
