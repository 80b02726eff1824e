import type { SharedState } from '../shared-state.ts';
import { InProcessOneTimeValues } from './in-process-one-time-values.ts';
import { InProcessSlots } from './in-process-slots.ts';
import { InProcessValues } from './in-process-values.ts';

/** Creates the state of a deployment with one process. It is always available. */
export const createInProcessState = (): SharedState => ({
  slots: new InProcessSlots(),
  values: new InProcessValues(),
  oneTimeValues: new InProcessOneTimeValues(),
  check: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
