/**
 * State of a query, as its client knows it.
 * - `created`: nothing was sent.
 * - `sent`: no response has arrived.
 * - `admitted`: the host has accepted the query and recorded it.
 * - `streaming`: the columns have arrived.
 *
 * The others are final. `incomplete`: the result ended without proof that it is complete, or contradicts itself.
 */
export type QueryState = 'created' | 'sent' | 'admitted' | 'streaming' | FinalState;
type FinalState = 'complete' | 'failed' | 'cancelled' | 'incomplete';

/**
 * Event that may change the state of a query.
 * - `rejected`: an error response, or no response.
 * - `complete`: the last event of a complete result, whose number of rows is that of the rows received.
 * - `miscounted`: the same event with another number of rows.
 * - `error`: the event of a statement that failed.
 * - `ended`: the stream was cut, stalled, or is not valid.
 * - `cancel`: the caller has left the loop, aborted, or called `cancel`.
 */
export type QueryEvent =
  | 'send'
  | 'rejected'
  | 'headers'
  | 'columns'
  | 'rows'
  | 'progress'
  | 'complete'
  | 'miscounted'
  | 'error'
  | 'ended'
  | 'cancel';

type Transitions = Readonly<Record<QueryEvent, QueryState | 'ignore'>>;

/** Transitions of a result that has ended: it never changes. */
const FINAL: Transitions = {
  send: 'ignore',
  rejected: 'ignore',
  headers: 'ignore',
  columns: 'ignore',
  rows: 'ignore',
  progress: 'ignore',
  complete: 'ignore',
  miscounted: 'ignore',
  error: 'ignore',
  ended: 'ignore',
  cancel: 'ignore',
};

/** An event in a state in which it cannot happen makes the result `incomplete`: what arrived is not what the host sent. */
export const QUERY_TRANSITIONS: Readonly<Record<QueryState, Transitions>> = {
  created: {
    send: 'sent',
    rejected: 'incomplete',
    headers: 'incomplete',
    columns: 'incomplete',
    rows: 'incomplete',
    progress: 'incomplete',
    complete: 'incomplete',
    miscounted: 'incomplete',
    error: 'incomplete',
    ended: 'incomplete',
    cancel: 'cancelled',
  },
  sent: {
    send: 'ignore',
    rejected: 'failed',
    headers: 'admitted',
    columns: 'incomplete',
    rows: 'incomplete',
    progress: 'incomplete',
    complete: 'incomplete',
    miscounted: 'incomplete',
    error: 'incomplete',
    ended: 'incomplete',
    cancel: 'cancelled',
  },
  admitted: {
    send: 'ignore',
    rejected: 'incomplete',
    headers: 'incomplete',
    columns: 'streaming',
    rows: 'incomplete',
    progress: 'ignore',
    complete: 'incomplete',
    miscounted: 'incomplete',
    error: 'failed',
    ended: 'incomplete',
    cancel: 'cancelled',
  },
  streaming: {
    send: 'ignore',
    rejected: 'incomplete',
    headers: 'incomplete',
    columns: 'incomplete',
    rows: 'ignore',
    progress: 'ignore',
    complete: 'complete',
    miscounted: 'incomplete',
    error: 'failed',
    ended: 'incomplete',
    cancel: 'cancelled',
  },
  complete: FINAL,
  failed: FINAL,
  cancelled: FINAL,
  incomplete: FINAL,
};

/** Returns whether nothing can change a state. */
export const isFinal = (state: QueryState): state is FinalState => QUERY_TRANSITIONS[state] === FINAL;

/** The state of one query. */
export class QueryProgression {
  #state: QueryState = 'created';

  get state(): QueryState {
    return this.#state;
  }

  /** Applies an event and returns the state after it. */
  apply(event: QueryEvent): QueryState {
    const next = QUERY_TRANSITIONS[this.#state][event];
    if (next !== 'ignore') this.#state = next;
    return this.#state;
  }
}
