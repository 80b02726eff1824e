import type { Caller, Receipt } from '@sluice/contract';
import type { QueryHistoryStore, QueryStore } from '@sluice/store/queries';
import { presentStats, type StatementProgress, type StatementStats } from '@sluice/trino-protocol';
import { currentReceipt, type FindReceiptDependencies, isOwn, noSuchQuery } from '../queries/find-receipt.ts';

interface DescribeStatementDependencies extends FindReceiptDependencies {
  readonly queries: Pick<QueryStore, 'find' | 'listRunning'>;
  readonly history: Pick<QueryHistoryStore, 'page'>;
}

/** A statement, with the names of Trino's `QueryInfo`. */
interface StatementInfo {
  readonly queryId: string;
  readonly state: StatementProgress['state'];
  /** Empty if the text is not known any more. */
  readonly query: string;
  readonly queryStats: StatementStats;
}

/** Describes a query of the caller. Throws `not_found` for any other. */
export type DescribeStatement = (caller: Caller, queryId: string) => Promise<StatementInfo>;

export function createDescribeStatement(dependencies: DescribeStatementDependencies): DescribeStatement {
  return async (caller, queryId) => {
    const { principal } = caller;
    const stored = await dependencies.queries.find(principal.tenant.id, queryId);
    if (stored === undefined || !isOwn(stored, principal)) throw noSuchQuery();
    const receipt = await currentReceipt(stored.receipt, dependencies);
    const { rows, bytes, started_ts: started, ended_ts: ended } = receipt;
    const state = stateOf(receipt);
    const elapsedMs = (ended ?? Date.now()) - started;
    const queryStats = presentStats({ state, rows, bytes, elapsedMs, splitsDone: null, splitsTotal: null });
    return { queryId, state, query: await textOf(dependencies, caller, receipt), queryStats };
  };
}

const stateOf = ({ state, ended_ts: ended }: Receipt): StatementProgress['state'] => {
  if (ended === null) return state === 'QUEUED' ? 'QUEUED' : 'RUNNING';
  return state === 'FINISHED' ? 'FINISHED' : 'FAILED';
};

async function textOf(
  { queries, history }: DescribeStatementDependencies,
  { principal }: Caller,
  { query_id: queryId, started_ts: sinceMs, ended_ts: ended }: Receipt,
): Promise<string> {
  const account = { tenantId: principal.tenant.id, accountKind: principal.kind, accountId: principal.id };
  const listed =
    ended === null
      ? await queries.listRunning(account)
      : (await history.page({ ...account, sinceMs, untilMs: sinceMs + 1, sqlActions: [], size: HISTORY_SIZE })).entries;
  return listed.find(({ query_id }) => query_id === queryId)?.sql ?? '';
}

/** Queries of an account that may begin in one millisecond. */
const HISTORY_SIZE = 100;
