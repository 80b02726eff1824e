import type { Client, StreamOperationTypes } from '@sluice/client';
import { createFrameBudget, createPageClock, type FrameClock } from '../result/frame-clock.ts';
import { createPages, rowsPerRead } from './create-pages.ts';
import { failureOf } from './failure-of.ts';
import { readRows } from './read-rows.ts';
import { RunStore } from './run-store.ts';
import { isFinal } from './run-transitions.ts';
import type { Run, RunInput } from './start-run.ts';

/** Facts about a kept result, as `GET /query/{id}/result` returns them. */
type KeptResult = StreamOperationTypes['getResult']['result'];

/** Rows that are read at once when a kept result is opened. Search, order and charts use them; the others are read when they are shown. */
const LOADED_ROWS_MAX = 10_000;
/** Size in the store of the rows that are read at once, and of those of one request. Their JSON has several times as much. */
const [LOADED_BYTES_MAX, READ_BYTES] = [4 * 1024 * 1024, 1024 * 1024];
/** Time of a frame that is spent on reading, in milliseconds. */
const READING_MS = 8;

/**
 * Shows a kept result without a run: its first rows are read into a store, and the others when they are shown. A failure, such as
 * `not_found` for a result that has expired, ends it as it ends a run.
 * @param known - its facts, if they were read already
 */
export function openKeptResult(client: Client, queryId: string, known?: KeptResult): Run {
  const clock = createPageClock();
  const store = new RunStore(clock);
  const abort = new AbortController();
  let input: RunInput = { sql: '' };
  const open = async (): Promise<void> => {
    const kept = known ?? (await client.stream.getResult({ params: { id: queryId }, signal: abort.signal }));
    input = { sql: kept.sql ?? '', timeZone: kept.time_zone };
    store.receiveHeaders(queryId);
    store.receiveKeeping({ asOf: kept.as_of, keptUntil: kept.expires_ts });
    store.receiveColumns(kept.columns);
    await readFirstRows(client, kept, { store, clock, signal: abort.signal });
    store.attachPages(createPages(client, { ...kept, queryId, onChange: () => store.notify() }));
    store.apply(kept.limited ? 'completeLimited' : 'complete');
  };
  void open().catch((error: unknown) => {
    if (!abort.signal.aborted) store.fail('error', failureOf(error));
  });
  return {
    get input() {
      return input;
    },
    isReopened: true,
    store,
    cancel() {
      if (isFinal(store.state)) return;
      store.apply('cancel');
      abort.abort();
      store.apply('stopped');
    },
  };
}

interface Reading {
  readonly store: RunStore;
  readonly clock: FrameClock;
  readonly signal: AbortSignal;
}

async function readFirstRows(client: Client, kept: KeptResult, { store, clock, signal }: Reading): Promise<void> {
  const { query_id: queryId, columns, rows } = kept;
  const size = rowsPerRead(kept, { readBytes: READ_BYTES, max: LOADED_ROWS_MAX });
  const end = Math.min(rows, rowsPerRead(kept, { readBytes: LOADED_BYTES_MAX, max: LOADED_ROWS_MAX }));
  const pause = createFrameBudget(clock, READING_MS);
  for (let from = 0; from < end; from += size) {
    store.receiveRows(await readRows(client, { queryId, columns, from, size: Math.min(size, end - from) }, signal));
    await pause();
  }
  if (end < rows) store.skipRows(rows - end);
}
