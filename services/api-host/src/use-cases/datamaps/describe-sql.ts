import {
  type AuditRecord,
  auditOf,
  type Caller,
  formatTableName,
  type ParameterDeclaration,
  ProblemError,
  presentParameters,
  sampleParameters,
  tablesReadMetadata,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { DescribedSql } from '@sluice/store/datamaps';
import type { TenantEngines } from '@sluice/tenant-engines';

export interface DescribeSqlInput {
  readonly sql: string;
  /** Declared parameters of the SQL. The engine gets a value of each type. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Name of the datamap that has the SQL. */
  readonly target: string;
  /** Missing for a datamap that does not exist yet. */
  readonly datamapId?: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Asks the engine for the columns of SQL and the tables that it reads, after this is recorded. Requires `query:run`, because an engine
 * computes constants while it plans, and Trino runs the statement without its rows. Throws `access_denied`, `audit_unavailable`, and the
 * errors of `TenantEngines.describe`.
 */
export type DescribeSql = (caller: Caller, input: DescribeSqlInput) => Promise<DescribedSql>;

interface DescribeSqlDependencies {
  readonly engines: Pick<TenantEngines, 'describe'>;
  readonly audit: Pick<AuditStore, 'append' | 'appendOpen' | 'appendOutcome'>;
}

type ReportedTables = Awaited<ReturnType<TenantEngines['describe']>>['reported'];

export const createDescribeSql =
  ({ engines, audit }: DescribeSqlDependencies): DescribeSql =>
  async (caller, { sql, parameters: declared, target, datamapId, signal }) => {
    if (!caller.principal.permissions.has('query:run')) {
      throw new ProblemError(
        'access_denied',
        'The engine has to describe new SQL, which requires the permission query:run. You do not have it.',
      );
    }
    const parameters = sampleParameters(declared);
    const values = parameters.length === 0 ? {} : { parameters: presentParameters(parameters) };
    const metadata = { sql, ...values, ...(datamapId === undefined ? {} : { datamap_id: datamapId }) };
    const recordWith = (members: Readonly<Record<string, unknown>>): AuditRecord =>
      auditOf(caller, { action: 'DESCRIBE_QUERY', target, metadata: members });
    /** Id of a record that gets the tables as its outcome, because the engine cannot name them before. */
    let openId: string | undefined;
    const input: Parameters<typeof engines.describe>[0] = {
      sql,
      parameters,
      async onNamed(named) {
        if (named === undefined) openId = await audit.appendOpen(recordWith(metadata));
        else await audit.append(recordWith({ ...metadata, ...tablesReadMetadata(named ?? undefined) }));
      },
      signal,
    };
    let reported: ReportedTables;
    try {
      const described = await engines.describe(input, caller.principal);
      reported = described.reported;
      return { columns: described.columns, reads: described.tables.map(formatTableName) };
    } finally {
      if (openId !== undefined) await audit.appendOutcome(openId, recordWith(tablesReadMetadata(reported)));
    }
  };
