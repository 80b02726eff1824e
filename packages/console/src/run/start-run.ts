import { type Client, IncompleteResultError, type ParameterValue, type Query, SluiceError } from '@sluice/client';
import { createFrameBudget, createPageClock, type FrameClock } from '../result/frame-clock.ts';
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
}

/** One execution of a statement. */
export interface Run {
  readonly input: RunInput;
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
  const query = client.query(input.sql, {
    rows: 'text',
    ...(input.parameters === undefined ? {} : { parameters: input.parameters }),
    ...(input.size === undefined ? {} : { size: input.size }),
    ...(input.timeZone === undefined ? {} : { timeZone: input.timeZone }),
    onProgress: ({ splitsDone, splitsTotal }) => store.receiveProgress({ splitsDone, splitsTotal }),
  });
  const waited = setTimeout(() => store.apply('waited'), QUEUED_AFTER_MS);
  void readAll(query, store, clock)
    .catch((error: unknown) => endWith(error, store, query))
    .finally(() => clearTimeout(waited));
  return { input, store, cancel: () => void cancelRun(client, query, store) };
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
