import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RunEvent, RunState } from './run-state.ts';
import { isFinal, nextState, RUN_TRANSITIONS } from './run-transitions.ts';

const STATES = Object.keys(RUN_TRANSITIONS) as RunState[];
const EVENTS = Object.keys(RUN_TRANSITIONS.submitted) as RunEvent[];
const LAST_EVENTS: readonly RunEvent[] = ['complete', 'completeLimited', 'error'];

/** Begins like a run in most cases, because a random sequence hardly ever reaches the rows. */
const events = fc
  .tuple(
    fc.constantFrom<RunEvent[]>([], ['waited'], ['headers'], ['headers', 'columns'], ['headers', 'cancel'], ['cancel']),
    fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }),
  )
  .map((parts) => parts.flat());

/** States before the first event and after each. */
function statesOf(sequence: readonly RunEvent[]): RunState[] {
  const states: RunState[] = ['submitted'];
  for (const event of sequence) states.push(nextState(states.at(-1) ?? 'submitted', event));
  return states;
}

const forAllRuns = (check: (sequence: readonly RunEvent[], states: readonly RunState[]) => void) =>
  fc.assert(fc.property(events, (sequence) => check(sequence, statesOf(sequence))));

describe('the state of a run', () => {
  it('has a transition for every event', () => {
    for (const state of STATES) expect(Object.keys(RUN_TRANSITIONS[state]).sort()).toEqual([...EVENTS].sort());
    expect(STATES.filter(isFinal)).toEqual(['complete', 'limited', 'failed', 'cancelled', 'cut']);
  });

  it('never changes once it is final', () => {
    forAllRuns((_sequence, states) => {
      const end = states.findIndex(isFinal);
      if (end !== -1) expect(new Set(states.slice(end)).size).toBe(1);
    });
  });

  it('is complete or limited only after the event that says so', () => {
    forAllRuns((sequence, states) => {
      for (const [state, event] of [
        ['complete', 'complete'],
        ['limited', 'completeLimited'],
      ] as const)
        if (states.includes(state)) expect(sequence[states.indexOf(state) - 1]).toBe(event);
    });
  });

  it('is cut if and only if headers came, the stream ended without its last event, and no stop was confirmed', () => {
    forAllRuns((sequence, states) => {
      const end = states.findIndex(isFinal);
      const seen = end === -1 ? sequence : sequence.slice(0, end);
      const afterHeaders = seen.slice(seen.indexOf('headers') + 1);
      const isCut =
        seen.includes('headers') &&
        afterHeaders.some((event) => event === 'streamEnded' || event === 'connectionLost') &&
        !seen.some((event) => LAST_EVENTS.includes(event)) &&
        !afterHeaders.includes('stopped');
      expect(states.at(-1) === 'cut').toBe(isCut);
    });
  });

  it('is cancelled only after the user has cancelled or the host has stopped the statement', () => {
    forAllRuns((sequence, states) => {
      if (states.at(-1) !== 'cancelled') return;
      expect(sequence.includes('cancel') || sequence.includes('stopped')).toBe(true);
    });
  });

  it('ends after an error, whatever came before', () => {
    forAllRuns((_sequence, states) => expect(isFinal(nextState(states.at(-1) ?? 'submitted', 'error'))).toBe(true));
  });

  it('ends after a lost connection, whatever came before', () => {
    forAllRuns((_sequence, states) =>
      expect(isFinal(nextState(states.at(-1) ?? 'submitted', 'connectionLost'))).toBe(true),
    );
  });
});
