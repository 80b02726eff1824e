import { tablesReadMetadata } from '@sluice/contract';
import type { TableName } from '@sluice/engine';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';
import type { QueryInput } from './query-input.ts';

interface NamedTables {
  /** Members of the record's metadata. */
  readonly metadata: ReturnType<typeof tablesReadMetadata>;
  /** Runs the query. Throws what the statements failed with when their tables were asked for: the engine has rejected them already. */
  readonly lease: WorkerLease;
}

/**
 * Finds the tables that the statements of a query name, before its record is written. Nothing of them runs. The record of a statement that
 * the engine rejects says that it could not tell, and the query then fails like any other one.
 */
export async function nameTables(
  lease: WorkerLease,
  { job, input, signal }: { readonly job: QueryJob; readonly input: QueryInput; readonly signal: AbortSignal },
): Promise<NamedTables> {
  const tables: TableName[] = [];
  let isKnown = true;
  try {
    for (const { sql, parameters } of input.bundle?.statements ?? [input]) {
      const named: QueryJob = { ...job, statement: { ...job.statement, sql, parameters }, wants: 'tables' };
      for await (const event of lease.run(named, signal)) {
        if (event.kind !== 'columns') continue;
        if (event.tables === undefined) isKnown = false;
        else tables.push(...event.tables);
      }
    }
  } catch (thrown) {
    return { metadata: tablesReadMetadata(undefined), lease: rejectingLease(lease, thrown) };
  }
  return { metadata: tablesReadMetadata(isKnown ? tables : undefined), lease };
}

const rejectingLease = (lease: WorkerLease, thrown: unknown): WorkerLease => ({
  run: (_job, signal) => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(signal.aborted ? signal.reason : thrown) }),
  }),
  [Symbol.dispose]: () => lease[Symbol.dispose](),
});
