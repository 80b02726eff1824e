import { setTimeout as wait } from 'node:timers/promises';
import { type App, type ListeningServer, listen, type SecurePort } from '@sluice/http';
import { type Events, type Logger, type Metrics, startMetricsServer } from '@sluice/observability';
import { connectionBudget, connectionWarnings, openFilesMax } from './connection-budget.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { RunningHost } from './run-host.ts';

/** Settings for listening and draining. */
interface ListenSettings {
  readonly listenHost: string;
  readonly port: number;
  readonly connectionsMax: number;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  readonly drainDelayMs: number;
  readonly drainGraceMs: number;
}

interface OpenHostOptions {
  readonly app: App;
  readonly settings: ListenSettings;
  readonly events: Events;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Second port with TLS. Default: none, because proxies end TLS in deployments. */
  readonly secure?: SecurePort | undefined;
  /** Warnings about settings, for the log. */
  readonly warnings: readonly string[];
  /** Resources of the host, closed with it. */
  readonly resources: ResourceStack;
  /** Time after the drain delay and grace until everything is closed or abandoned; shorter only in tests. */
  readonly stopTimeoutMs?: number;
}

/**
 * Time after DRAIN_DELAY and DRAIN_GRACE in which the process of a host ends, whatever does not respond. docs/operations.md, the chart
 * and docker-compose.yml allow for it.
 */
export const STOP_TIMEOUT_MS = 10_000;
/** Time for the end of the process, which is part of that. */
const EXIT_MS = 1_000;

const LOG_DROPPED_EVERY_MS = 60_000;

/** Opens the ports of a host that is otherwise ready. Rejects if a port cannot be opened. */
export async function openHost(options: OpenHostOptions): Promise<RunningHost> {
  const { settings, resources, log, events } = options;
  const filesMax = openFilesMax();
  await openMetrics(options);
  const server: ListeningServer = resources.add(
    await listen({
      app: options.app,
      host: settings.listenHost,
      port: settings.port,
      connectionsMax: settings.connectionsMax,
      processConnectionsMax: connectionBudget(filesMax),
      secure: options.secure,
      onDropped: noteDropped(options),
    }),
  );
  const ofConnections = connectionWarnings(settings.connectionsMax, filesMax);
  for (const warning of [...options.warnings, ...ofConnections]) log.warn(warning);
  log.info({ url: server.url }, 'listening');
  const close = async (): Promise<void> => await resources[Symbol.asyncDispose]();
  return {
    url: server.url,
    port: server.port,
    securePort: server.securePort,
    async drain() {
      events.drainStarted();
      const { drainDelayMs: delayMs, drainGraceMs: graceMs } = settings;
      const { stopTimeoutMs = STOP_TIMEOUT_MS - EXIT_MS } = options;
      const stopped = server.drain({ delayMs, graceMs }).then(close);
      if (!(await settlesWithin(stopped, delayMs + graceMs + stopTimeoutMs)))
        log.warn({ event: 'stop_incomplete' }, 'some resources did not close in time and were abandoned');
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Returns whether the work has resolved in time. Throws its error if it rejects in time; a later one is ignored. */
async function settlesWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  const settled = new AbortController();
  work.catch(() => undefined);
  const late = wait(timeoutMs, false, { signal: settled.signal });
  late.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    settled.abort();
  }
}

/** Counts every dropped connection, and logs at most one line per minute. */
function noteDropped({ metrics, log, settings }: OpenHostOptions): () => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  return () => {
    metrics.connectionsDropped.inc();
    if (performance.now() - loggedMs < LOG_DROPPED_EVERY_MS) return;
    loggedMs = performance.now();
    const connectionsMax = Math.min(settings.connectionsMax, connectionBudget(openFilesMax()));
    log.warn({ event: 'connections_dropped', connectionsMax }, 'too many connections');
  };
}

async function openMetrics({ settings, resources, metrics }: OpenHostOptions): Promise<void> {
  const { metricsPort: port, metricsHost: host } = settings;
  if (port !== undefined) resources.add(await startMetricsServer({ registries: [metrics.registry], host, port }));
}
