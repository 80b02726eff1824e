import type { ExpiringValues } from './expiring-values.ts';
import type { OneTimeValues } from './one-time-values.ts';
import type { QuerySlots } from './query-slots.ts';

/** State that the hosts of one deployment share and may lose. It authorizes nothing. The caller that opens it disposes of it. */
export interface SharedState extends AsyncDisposable {
  readonly slots: QuerySlots;
  readonly values: ExpiringValues;
  /** Callers seal them, so that a program that writes to Redis cannot create one. */
  readonly oneTimeValues: OneTimeValues;
  /** Resolves while slots can be acquired, rejects otherwise. */
  check(): Promise<void>;
}
