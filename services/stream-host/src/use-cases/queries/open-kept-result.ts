import { type Caller, ProblemError } from '@sluice/contract';
import { ResultStoreError } from '@sluice/result-store';
import { ResultKeyMismatchError, type ResultReader, rowsOfList } from '@sluice/result-store/form';
import type { KeptResults, OpenedKeptResult } from '../../queries/kept-results.ts';

/**
 * Opens a kept result that the caller may view. Throws `not_found` for a result that is unknown, of another account and not shared with the
 * caller, not complete or expired; `gone` if it was kept under another key than that of this deployment; `access_denied` if the engine denies
 * its statement to another viewer than the one that ran it; `storage_unavailable` if the store fails; and the problems of an engine that does
 * not answer.
 */
export async function openKeptResult(
  keptResults: KeptResults | undefined,
  caller: Caller,
  queryId: string,
  options?: { readonly withStatement?: boolean },
): Promise<OpenedKeptResult> {
  const opened = await keptResults?.open(caller, queryId.toLowerCase(), options).catch((cause: unknown) => {
    throw problemOf(cause);
  });
  if (opened === undefined) throw noSuchResult();
  return opened;
}

function problemOf(cause: unknown): unknown {
  if (cause instanceof ResultKeyMismatchError) return new ProblemError('gone', OTHER_KEY, { cause });
  return cause instanceof ResultStoreError ? storeUnavailable(cause) : cause;
}

const OTHER_KEY = 'The result was kept under another key and can no longer be read: run the statement again.';

/** Returns the problem of a store that failed. */
export const storeUnavailable = (cause: ResultStoreError): ProblemError =>
  new ProblemError('storage_unavailable', 'The store of kept results does not respond. Try again later.', { cause });

export const noSuchResult = (): ProblemError =>
  new ProblemError('not_found', 'You have no kept result of a query with this id. It may have expired.');

/** Closes a result after its body. A generator that is closed before its start runs none of its code, so this does not rely on it. */
export function disposing(body: AsyncGenerator<Uint8Array>, opened: AsyncDisposable): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      try {
        const result = await body.next();
        if (result.done === true) await opened[Symbol.asyncDispose]();
        return result;
      } catch (thrown) {
        await opened[Symbol.asyncDispose]();
        throw thrown;
      }
    },
    return: async () => {
      const result = await body.return(undefined);
      await opened[Symbol.asyncDispose]();
      return result;
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Yields rows as lists in JSON, from `from` to `to`, exclusive, a chunk at a time. */
export async function* listsOf(
  reader: ResultReader,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<Uint8Array> {
  for await (const { firstRow, rows, list } of reader.chunks({ from, to })) {
    const part = rowsOfList(list, Math.max(0, from - firstRow), Math.min(rows, to - firstRow));
    yield Buffer.concat([OPEN, part, CLOSE]);
  }
}

const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];
