import { auditOf, type Caller } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import type { AuditStore } from '@sluice/store/audit';
import type { KeptResults, OpenedKeptResult } from '../../queries/kept-results.ts';
import { disposing, listsOf, openKeptResult } from './open-kept-result.ts';

interface ReadKeptRowsDependencies {
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
  readonly audit: Pick<AuditStore, 'append'>;
}

interface RowsPage {
  readonly from: number;
  readonly size: number;
  readonly bigNumbers: 'number' | 'string';
}

/**
 * Returns rows of a kept result of the caller as JSON, when the read is recorded. Throws `not_found` for a result that is unknown, of
 * another account, not complete or expired; `storage_unavailable` if the store fails; and `audit_unavailable`.
 */
export type ReadKeptRows = (caller: Caller, queryId: string, page: RowsPage) => Promise<AsyncIterable<Uint8Array>>;

export function createReadKeptRows({ keptResults, audit }: ReadKeptRowsDependencies): ReadKeptRows {
  return async (caller, queryId, page) => {
    const opened = await openKeptResult(keptResults, caller, queryId);
    try {
      const { from, size } = page;
      await audit.append({
        ...auditOf(caller, {
          action: 'READ_RESULT',
          target: queryId,
          metadata: { from, size, ...opened.kept.tablesRead },
        }),
        queryId,
      });
      return disposing(pageBody(opened, queryId, page), opened);
    } catch (thrown) {
      await opened[Symbol.asyncDispose]();
      throw thrown;
    }
  };
}

/** Rows go through chunks of the result, so memory does not depend on the page. */
async function* pageBody(
  opened: OpenedKeptResult,
  queryId: string,
  { from, size, bigNumbers }: RowsPage,
): AsyncGenerator<Uint8Array> {
  const { reader, kept } = opened;
  const { header, end } = reader;
  const { columns, ranAtMs } = header;
  const format = createFormat({ name: 'json', bigNumbers, formulas: 'keep', progress: 'hidden' });
  const facts = {
    query_id: queryId.toLowerCase(),
    as_of: ranAtMs,
    expires_ts: kept.expires.getTime(),
    rows: end.rows,
    limited: end.limited,
    from,
  };
  const metadata = JSON.stringify({ columns, type: 'metadata' });
  yield Buffer.from(`{"metadata":${metadata},${JSON.stringify(facts).slice(1, -1)},"data":[\n`);
  const events = writeStoredRows(listsOf(opened.reader, { from, to: from + size }), {
    columns,
    template: format.row(columns),
    usesModule: false,
  });
  for await (const { bytes } of events) yield bytes;
  yield Buffer.from('\n]}');
}
