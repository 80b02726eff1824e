import { auditOf, type Caller, ProblemError } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import { ResultStoreError } from '@sluice/result-store';
import { rowsOfList } from '@sluice/result-store/form';
import type { AuditStore } from '@sluice/store/audit';
import type { KeptResults, OpenedKeptResult } from '../../queries/kept-results.ts';

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
    const opened = await openKept(keptResults, caller, queryId);
    try {
      const { from, size } = page;
      await audit.append({
        ...auditOf(caller, { action: 'READ_RESULT', target: queryId, metadata: { from, size } }),
        queryId,
      });
      return disposing(pageBody(opened, queryId, page), opened);
    } catch (thrown) {
      await opened[Symbol.asyncDispose]();
      throw thrown;
    }
  };
}

async function openKept(
  keptResults: KeptResults | undefined,
  caller: Caller,
  queryId: string,
): Promise<OpenedKeptResult> {
  const opened = await keptResults?.open(caller, queryId.toLowerCase()).catch((cause: unknown) => {
    if (!(cause instanceof ResultStoreError)) throw cause;
    throw new ProblemError('storage_unavailable', 'The store of kept results does not respond. Try again later.', {
      cause,
    });
  });
  if (opened === undefined)
    throw new ProblemError('not_found', 'You have no kept result of a query with this id. It may have expired.');
  return opened;
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
  const events = writeStoredRows(listsOf(opened, { from, to: from + size }), {
    columns,
    template: format.row(columns),
    usesModule: false,
  });
  for await (const { bytes } of events) yield bytes;
  yield Buffer.from('\n]}');
}

/** A generator that is closed before its start runs none of its code, so the result is closed here. */
function disposing(body: AsyncGenerator<Uint8Array>, opened: OpenedKeptResult): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => body.next(),
    return: async () => {
      const result = await body.return(undefined);
      await opened[Symbol.asyncDispose]();
      return result;
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* listsOf(
  { reader }: OpenedKeptResult,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<Uint8Array> {
  for await (const { firstRow, rows, list } of reader.chunks({ from, to })) {
    const part = rowsOfList(list, Math.max(0, from - firstRow), Math.min(rows, to - firstRow));
    yield Buffer.concat([OPEN, part, CLOSE]);
  }
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];
