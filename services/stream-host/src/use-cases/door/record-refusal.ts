import { randomUUID } from 'node:crypto';
import { auditOf, type Caller } from '@sluice/contract';
import type { QueryStore } from '@sluice/store/queries';
import type { ClientSession, TrinoError } from '@sluice/trino-protocol';
import type { StatementBudget } from '../../queries/statement-budget.ts';
import type { OutcomeKeeper } from '../queries/outcome-keeper.ts';
import { clientMetadata } from './client-metadata.ts';

interface RecordRefusalDependencies {
  readonly hostId: string;
  readonly queries: Pick<QueryStore, 'begin'>;
  readonly outcomes: Pick<OutcomeKeeper, 'record'>;
  readonly statementBudget: Pick<StatementBudget, 'admit' | 'begins' | 'isRefused'>;
}

interface RefusedStatement {
  readonly sql: string;
  /** Undefined: it is what was refused. */
  readonly session: ClientSession | undefined;
  readonly error: TrinoError;
}

/**
 * Records a statement that is refused before any engine has it, as one that an engine refuses: with a record, an outcome and a receipt. Returns
 * its id. Throws `too_many_requests` and `audit_unavailable`.
 */
export type RecordRefusal = (caller: Caller, refused: RefusedStatement) => Promise<string>;

export function createRecordRefusal(dependencies: RecordRefusalDependencies): RecordRefusal {
  const { hostId, queries, outcomes, statementBudget } = dependencies;
  return async (caller, { sql, session, error }) => {
    const { tenant, kind, id, secretId } = caller.principal;
    await statementBudget.admit(caller);
    const queryId = randomUUID();
    const beganMs = performance.now();
    const metadata = { format: 'trino', tables_read: null, ...(session && clientMetadata(session)) };
    const record = auditOf(caller, { action: 'RUN_QUERY', target: queryId, metadata });
    await queries.begin({ ...record, queryId, accountKind: kind, accountId: id, secretId, hostId, sql });
    statementBudget.begins(caller, { sql });
    statementBudget.isRefused(caller, { sql });
    const failure = { code: error.errorName, message: error.message };
    await outcomes.record(
      {
        ...{ tenantId: tenant.id, queryId, state: 'FAILED', rows: 0, bytes: 0 },
        ...{ sha256: null, limited: false, error: failure },
      },
      { bytesSent: 0, beganMs },
    );
    return queryId;
  };
}
