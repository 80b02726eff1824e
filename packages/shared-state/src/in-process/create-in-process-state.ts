import type { SharedState } from '../shared-state.ts';
import { InProcessPlaces } from './in-process-places.ts';
import { InProcessValues } from './in-process-values.ts';

/** For a deployment of one process: it shares with nobody, and is never away. */
export const createInProcessState = (): SharedState => ({
  places: new InProcessPlaces(),
  values: new InProcessValues(),
  check: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
