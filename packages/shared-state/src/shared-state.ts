import type { ExpiringValues } from './expiring-values.ts';
import type { Places } from './places.ts';

/** What the hosts of one deployment share and may lose. Nothing that authorises anybody stands here. Its opener disposes of it. */
export interface SharedState extends AsyncDisposable {
  readonly places: Places;
  readonly values: ExpiringValues;
  /** Resolves while places can be taken, rejects otherwise. */
  check(): Promise<void>;
}
