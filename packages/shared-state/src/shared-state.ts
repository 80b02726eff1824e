import type { ExpiringValues } from './expiring-values.ts';
import type { QuerySlots } from './query-slots.ts';

/** What the hosts of one deployment share and may lose. Nothing that authorises anybody stands here. Its opener disposes of it. */
export interface SharedState extends AsyncDisposable {
  readonly slots: QuerySlots;
  readonly values: ExpiringValues;
  /** Resolves while slots can be acquired, rejects otherwise. */
  check(): Promise<void>;
}
