import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFinal, QUERY_TRANSITIONS, type QueryEvent, QueryProgression, type QueryState } from './query-state.ts';

const STATES = Object.keys(QUERY_TRANSITIONS) as QueryState[];
const EVENTS = Object.keys(QUERY_TRANSITIONS.created) as QueryEvent[];
/** Begins like a result in most runs, because a random sequence hardly ever reaches the rows. */
const events = fc
  .tuple(
    fc.constantFrom<QueryEvent[]>([], ['send'], ['send', 'headers'], ['send', 'headers', 'columns']),
    fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }),
  )
  .map((parts) => parts.flat());

/** States before the first event and after each. */
function run(sequence: readonly QueryEvent[]): QueryState[] {
  const query = new QueryProgression();
  return [query.state, ...sequence.map((event) => query.apply(event))];
}

describe('the state of a query', () => {
  it('has a transition for every event', () => {
    for (const state of STATES) expect(Object.keys(QUERY_TRANSITIONS[state]).sort()).toEqual([...EVENTS].sort());
    expect(STATES.filter(isFinal)).toEqual(['complete', 'failed', 'cancelled', 'incomplete']);
  });

  it('never changes once it is final, so a query has exactly one end', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const states = run(sequence);
        const end = states.findIndex(isFinal);
        if (end !== -1) expect(new Set(states.slice(end)).size).toBe(1);
      }),
    );
  });

  it('becomes complete only by the event `complete`, after the columns', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const states = run(sequence);
        const end = states.indexOf('complete');
        if (end === -1) return;
        expect(sequence[end - 1]).toBe('complete');
        expect(states.slice(0, end)).toContain('streaming');
      }),
    );
  });

  it('is cancelled only by the caller, and failed only by the host', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const states = run(sequence);
        const at = (state: QueryState) => sequence[states.indexOf(state) - 1];
        if (states.includes('cancelled')) expect(at('cancelled')).toBe('cancel');
        if (states.includes('failed')) expect(['rejected', 'error']).toContain(at('failed'));
      }),
    );
  });

  it('is final after the end of any stream, a rejection, or a cancellation', () => {
    fc.assert(
      fc.property(
        events,
        fc.constantFrom<QueryEvent>('ended', 'cancel', 'complete', 'miscounted', 'error'),
        (sequence, last) => {
          expect(isFinal(run([...sequence, last]).at(-1) ?? 'created')).toBe(true);
        },
      ),
    );
  });

  it('follows the events of a result', () => {
    expect(run(['send', 'headers', 'progress', 'columns', 'rows', 'progress', 'rows', 'complete'])).toEqual([
      'created',
      'sent',
      'admitted',
      'admitted',
      'streaming',
      'streaming',
      'streaming',
      'streaming',
      'complete',
    ]);
  });
});
