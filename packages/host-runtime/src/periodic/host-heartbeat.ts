import type { PeriodicTask } from './periodic-task.ts';

/** Rows and bytes of a query that this host has sent. */
interface QueryProgress {
  readonly tenantId: string;
  readonly queryId: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Store of hosts, as far as the heartbeat uses it. */
interface HostRegistry {
  sendHeartbeat(host: { readonly id: string; readonly service: string }): Promise<void>;
  /** Saves the progress of the host's running queries. */
  saveProgress?(hostId: string, progress: readonly QueryProgress[]): Promise<void>;
  /** Closes the queries of hosts without a heartbeat for `silentMs`. Returns their number. */
  reapSilent(silentMs: number): Promise<number>;
}

interface HostHeartbeatOptions {
  readonly id: string;
  readonly service: string;
  readonly hosts: HostRegistry;
  /** Time without a heartbeat after which a host counts as dead; the setting HOST_SILENCE. */
  readonly silenceMs: number;
  /** Progress of running queries, saved with each heartbeat, so that it is known if the host dies. */
  readonly progress?: () => readonly QueryProgress[];
  /** Monotonic clock in milliseconds. Tests replace it. */
  readonly now?: () => number;
}

const HEARTBEATS_PER_SILENCE = 4;

/**
 * Creates the task that sends this host's heartbeat and closes the queries of dead hosts. After an outage of the database every host
 * looks dead, so a host closes others' queries only after it has sent heartbeats without a gap for the same time: by then all live
 * hosts have sent one too.
 */
export function hostHeartbeat({
  id,
  service,
  hosts,
  silenceMs,
  progress,
  now = () => performance.now(),
}: HostHeartbeatOptions): PeriodicTask {
  const everyMs = silenceMs / HEARTBEATS_PER_SILENCE;
  let steadySince: number | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'send heartbeat and close queries of dead hosts',
    everyMs,
    run: async () => {
      await hosts.sendHeartbeat({ id, service });
      const time = now();
      if (steadySince === undefined || time - sentAt > 2 * everyMs) steadySince = time;
      sentAt = time;
      if (progress !== undefined) await hosts.saveProgress?.(id, progress());
      if (time - steadySince >= silenceMs) await hosts.reapSilent(silenceMs);
    },
  };
}
