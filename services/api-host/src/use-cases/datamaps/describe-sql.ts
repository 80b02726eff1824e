import { auditOf, type Caller, type Column, ProblemError } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { TenantEngines } from '@sluice/tenant-engines';

export type DescribingCaller = Caller & { readonly signal: AbortSignal };

export interface DescribeSqlInput {
  readonly sql: string;
  /** Name of the datamap whose SQL it is. */
  readonly target: string;
  /** Absent for a datamap that does not exist yet. */
  readonly datamapId?: string | undefined;
}

export type DescribeSql = (caller: DescribingCaller, input: DescribeSqlInput) => Promise<readonly Column[]>;

export interface DescribeSqlDependencies {
  readonly engines: Pick<TenantEngines, 'describe'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

/**
 * Asks the engine for the columns of SQL, once that is on record: no record, no question. It needs `query:run`, since an engine
 * computes constants when it plans, and Trino runs what it describes, without its rows. Throws `access_denied`,
 * `audit_unavailable`, and what `TenantEngines.describe` throws.
 */
export const createDescribeSql =
  ({ engines, audit }: DescribeSqlDependencies): DescribeSql =>
  async (caller, { sql, target, datamapId }) => {
    if (!caller.principal.permissions.has('query:run')) {
      throw new ProblemError(
        'access_denied',
        'The engine is asked about new SQL, which needs the permission query:run, which you do not have.',
      );
    }
    const metadata = { sql, ...(datamapId === undefined ? {} : { datamap_id: datamapId }) };
    await audit.append(auditOf(caller, { action: 'DESCRIBE_QUERY', target, metadata }));
    return engines.describe({ sql, signal: caller.signal }, caller.principal);
  };
