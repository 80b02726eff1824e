import { type Client, IncompleteResultError, type ParameterValue, type Query, SluiceError } from '@sluice/client';
import { createFrameBudget, createPageClock, type FrameClock } from '../result/frame-clock.ts';
import { createPages } from './create-pages.ts';
import { failureOf } from './failure-of.ts';
import { QUEUED_AFTER_MS } from './run-state.ts';
import { RunStore } from './run-store.ts';
import { isFinal } from './run-transitions.ts';

/** Statement to run, with its parameters, row limit and time zone. */
export interface RunInput {
  /** One statement, as it is sent. */
  readonly sql: string;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** Maximum number of rows. Undefined: all. */
  readonly size?: number | undefined;
  /** IANA name of the session's time zone. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** Time for which the host keeps the result, such as `24h`. Undefined: it keeps nothing. */
  readonly keep?: string | undefined;
}

/** One execution of a statement, or the kept result of one. */
export interface Run {
  /** Statement with its options. That of a kept result is empty until the host has sent it, and has no parameters. */
  readonly input: RunInput;
  /** Whether the rows are those of an earlier execution. Default: false. */
  readonly isReopened?: boolean;
  readonly store: RunStore;
  /** Stops the statement on the engine. The state is `cancelled` when the host has confirmed it. Does nothing if the run is over. */
  cancel(): void;
}

/** Time of a frame that is spent on reading, in milliseconds. The rest of 16 ms is left to input and painting. */
const READING_MS = 8;
/** Rows arrive as the JSON of their values, by position. */
type TextQuery = Query<readonly string[]>;

/**
 * Sends a statement and reads its rows into a store. Reading waits for the next frame when it has taken its share of one, so the
 * connection fills and the host slows down. It goes on in a hidden page and after the memory is full, because the host cancels a client
 * that takes nothing for a minute.
 */
export function startRun(client: Client, input: RunInput, clock: FrameClock = createPageClock()): Run {
  const store = new RunStore(clock);
  const create = (keep: string | undefined): TextQuery =>
    client.query(input.sql, {
      rows: 'text',
      ...(input.parameters === undefined ? {} : { parameters: input.parameters }),
      ...(input.size === undefined ? {} : { size: input.size }),
      ...(input.timeZone === undefined ? {} : { timeZone: input.timeZone }),
      ...(keep === undefined ? {} : { keep, onResume: () => store.receiveResumption() }),
      onProgress: ({ splitsDone, splitsTotal }) => store.receiveProgress({ splitsDone, splitsTotal }),
    });
  let query = create(input.keep);
  const waited = setTimeout(() => store.apply('waited'), QUEUED_AFTER_MS);
  const readKept = async (): Promise<void> => {
    const notKept = await whyNotKept(query, input.keep);
    if (notKept !== undefined && !isFinal(store.state) && !isCancelling(store)) {
      query = create(undefined);
      store.receiveKeeping({ notKept });
    }
    await readAll(query, store, clock);
    attachKeptRows(client, query, store);
  };
  void readKept()
    .catch((error: unknown) => endWith(error, store, query))
    .finally(() => clearTimeout(waited));
  return { input, store, cancel: () => void cancelRun(client, query, store) };
}

/**
 * Returns why the host rejects a query that would run without `keep`: the limits of the tenant have changed since this page read them.
 * Undefined: it was not rejected for that.
 */
async function whyNotKept(query: TextQuery, keep: string | undefined): Promise<string | undefined> {
  if (keep === undefined) return undefined;
  try {
    await query.id;
    return undefined;
  } catch (error) {
    const isOfKeep = error instanceof SluiceError && error.code === 'invalid_request' && /\bkeep\b/.test(error.message);
    return isOfKeep ? error.message : undefined;
  }
}

/** Outcome of keeping a result, as the end of a query reports it. */
interface QueryKeeping {
  readonly queryId?: string;
  /** Epoch milliseconds. */
  readonly keptUntil?: number | undefined;
  readonly notKept?: string | undefined;
}

const readKeeping = ({ summary = {} as QueryKeeping }: { readonly summary: QueryKeeping | undefined }): QueryKeeping =>
  summary;

/** Notes whether the host keeps the result of a query that has ended, and makes its rows reachable. */
function attachKeptRows(client: Client, query: TextQuery, store: RunStore): void {
  const { keptUntil, notKept, queryId = '' } = readKeeping(query);
  if (notKept !== undefined) store.receiveKeeping({ notKept });
  if (keptUntil === undefined) return;
  store.receiveKeeping({ keptUntil, asOf: Date.now() });
  const { columns, receivedRows: rows, loadedRows } = store.createResultView();
  const bytes = loadedRows === 0 ? 0 : (store.textBytes / loadedRows) * rows;
  store.attachPages(createPages(client, { queryId, columns, rows, bytes, onChange: () => store.notify() }));
}

async function readAll(query: TextQuery, store: RunStore, clock: FrameClock): Promise<void> {
  store.receiveHeaders(await query.id);
  store.receiveColumns(await query.columns);
  const pause = createFrameBudget(clock, READING_MS);
  let hasRows = false;
  for await (const batch of query.batches()) {
    store.receiveRows(batch);
    if (hasRows || batch.length === 0) await pause();
    else {
      hasRows = true;
      await untilShown(clock);
    }
  }
  store.apply(query.summary?.limited === true ? 'completeLimited' : 'complete');
}

/** Resolves when what the store has now is on the screen: its listeners are called in the next frame, and the one after begins later. */
async function untilShown(clock: FrameClock): Promise<void> {
  await clock.nextFrame();
  await clock.nextFrame();
}

const isCancelling = ({ state }: RunStore): boolean => state === 'cancelling' || state === 'withdrawing';

/** Ends a run that did not end with its last event. */
function endWith(error: unknown, store: RunStore, query: TextQuery): void {
  // Reading fails because of the cancellation, which ends the run when it is confirmed.
  if (isFinal(store.state) || isCancelling(store)) return;
  const failure = failureOf(error);
  if (error instanceof IncompleteResultError) {
    const isConnection = error.reason === 'cut' || error.reason === 'stalled';
    store.fail(isConnection ? 'connectionLost' : 'streamEnded', failure);
  } else if (error instanceof SluiceError && error.code === 'connection_failed') store.fail('connectionLost', failure);
  else {
    store.fail('error', failure);
    // A fault of this page leaves the statement running.
    void query.cancel();
  }
}

async function cancelRun(client: Client, query: TextQuery, store: RunStore): Promise<void> {
  if (isFinal(store.state) || isCancelling(store)) return;
  store.apply('cancel');
  await query.cancel();
  const queryId = await query.id.catch(() => undefined);
  // Without headers there is no id to ask for: the host drops a waiting request whose connection is closed.
  if (queryId === undefined) return store.apply('stopped');
  try {
    // An engine that does not stop immediately is asked again for as long as the host answers.
    await client.awaitReceipt(queryId);
    store.apply('stopped');
  } catch (error) {
    store.fail('connectionLost', failureOf(error));
  }
}
