import type { SharedState } from '../shared-state.ts';
import { InProcessSlots } from './in-process-slots.ts';
import { InProcessValues } from './in-process-values.ts';

/** For a deployment of one process: it shares with nobody, and is never away. */
export const createInProcessState = (): SharedState => ({
  slots: new InProcessSlots(),
  values: new InProcessValues(),
  check: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
