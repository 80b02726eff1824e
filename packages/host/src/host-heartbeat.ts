import type { PeriodicTask } from './periodic-task.ts';

/** What of a query has left this host. */
export interface QueryProgress {
  readonly tenantId: string;
  readonly queryId: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What this needs of the store of hosts. */
export interface HostRegistry {
  sendHeartbeat(host: { readonly id: string; readonly service: string }): Promise<void>;
  /** Writes how far the host's open work is. */
  saveProgress?(hostId: string, progress: readonly QueryProgress[]): Promise<void>;
  /** Closes what hosts left open that have been silent for so long. */
  reapSilent(silentMs: number): Promise<number>;
}

export interface HostHeartbeatOptions {
  readonly id: string;
  readonly service: string;
  readonly hosts: HostRegistry;
  /** Written with each beat, so that less than this is lost of what is known when the host dies. */
  readonly progress?: () => readonly QueryProgress[];
  /** Milliseconds of a clock that never goes back; tests give their own. */
  readonly now?: () => number;
}

const BEAT_MS = 5_000;
const SILENT_MS = 20_000;

/**
 * Beats this host's row, and closes what dead hosts left open. After an outage of the database every host looks silent, so only
 * one that has itself beaten without a gap for as long may judge: by then the living have beaten too.
 */
export function hostHeartbeat({
  id,
  service,
  hosts,
  progress,
  now = () => performance.now(),
}: HostHeartbeatOptions): PeriodicTask {
  let steadySince: number | undefined;
  let beatenAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'beat and reap',
    everyMs: BEAT_MS,
    run: async () => {
      await hosts.sendHeartbeat({ id, service });
      const time = now();
      if (steadySince === undefined || time - beatenAt > 2 * BEAT_MS) steadySince = time;
      beatenAt = time;
      if (progress !== undefined) await hosts.saveProgress?.(id, progress());
      if (time - steadySince >= SILENT_MS) await hosts.reapSilent(SILENT_MS);
    },
  };
}
