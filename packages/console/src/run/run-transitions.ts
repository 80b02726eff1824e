import type { FinalRunState, RunEvent, RunState } from './run-state.ts';

type Transitions = Readonly<Record<RunEvent, RunState | 'ignore'>>;

/** Transitions of an execution that has ended: it never changes. */
const FINAL: Transitions = {
  run: 'ignore',
  waited: 'ignore',
  headers: 'ignore',
  columns: 'ignore',
  rows: 'ignore',
  progress: 'ignore',
  complete: 'ignore',
  completeLimited: 'ignore',
  error: 'ignore',
  streamEnded: 'ignore',
  connectionLost: 'ignore',
  cancel: 'ignore',
  stopped: 'ignore',
};

/** Transitions before the headers. The statement may not have run, so a lost connection is a failure and not a cut result. */
const BEFORE_HEADERS: Transitions = {
  ...FINAL,
  waited: 'queued',
  headers: 'planning',
  error: 'failed',
  streamEnded: 'failed',
  connectionLost: 'failed',
  cancel: 'withdrawing',
};

export const RUN_TRANSITIONS: Readonly<Record<RunState, Transitions>> = {
  submitted: BEFORE_HEADERS,
  queued: { ...BEFORE_HEADERS, waited: 'ignore' },
  withdrawing: {
    ...FINAL,
    headers: 'cancelling',
    error: 'failed',
    // The host drops a request whose connection is closed while it waits.
    streamEnded: 'cancelled',
    connectionLost: 'cancelled',
    stopped: 'cancelled',
  },
  planning: {
    ...FINAL,
    columns: 'streaming',
    complete: 'complete',
    completeLimited: 'limited',
    error: 'failed',
    streamEnded: 'cut',
    connectionLost: 'cut',
    cancel: 'cancelling',
    stopped: 'cancelled',
  },
  streaming: {
    ...FINAL,
    complete: 'complete',
    completeLimited: 'limited',
    error: 'failed',
    streamEnded: 'cut',
    connectionLost: 'cut',
    cancel: 'cancelling',
    stopped: 'cancelled',
  },
  cancelling: {
    ...FINAL,
    // The last event was on its way when the user cancelled: all rows are here.
    complete: 'complete',
    completeLimited: 'limited',
    error: 'failed',
    // The host did not confirm that the statement has stopped.
    streamEnded: 'cut',
    connectionLost: 'cut',
    stopped: 'cancelled',
  },
  complete: FINAL,
  limited: FINAL,
  failed: FINAL,
  cancelled: FINAL,
  cut: FINAL,
};

/** Returns whether nothing can change a state. */
export const isFinal = (state: RunState): state is FinalRunState => RUN_TRANSITIONS[state] === FINAL;

/** Returns the state after an event. */
export function nextState(state: RunState, event: RunEvent): RunState {
  const next = RUN_TRANSITIONS[state][event];
  return next === 'ignore' ? state : next;
}
