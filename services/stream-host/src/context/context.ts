import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  type Authenticator,
  type Clock,
  createPageTokens,
  createRevalidateCaller,
  createTicketSeal,
  createValueSeal,
  type PageTokens,
  type RevalidateCaller,
  type TicketSeal,
  type ValueSeal,
} from '@sluice/auth';
import type { LimitDefaults } from '@sluice/contract';
import {
  createAllowedOrigins,
  createDurableWriteCheck,
  type DurableWriteCheck,
  type OpenedSharedState,
  openHostTracer,
  openSharedState,
  type ResourceStack,
} from '@sluice/host-runtime';
import { type AllowedOrigins, createLifecycle, type Lifecycle, type SecurePort } from '@sluice/http';
import {
  createEvents,
  createLogger,
  createMetrics,
  type Events,
  type Logger,
  type Metrics,
  type Tracer,
} from '@sluice/observability';
import { Admission, type WorkerPool } from '@sluice/query-worker';
import { purgeResults, sweepResults } from '@sluice/result-store';
import type { SharedState } from '@sluice/shared-state';
import { createTenantQueryStore, type TenantQueryStore } from '@sluice/store/administration';
import { type AuditStore, createAuditStore } from '@sluice/store/audit';
import { createDatabase, type Database } from '@sluice/store/database';
import {
  createDatamapCounters,
  createPublishedDatamapStore,
  type DatamapCounters,
  type PublishedDatamapStore,
} from '@sluice/store/datamaps';
import {
  createAuthStatusStore,
  createTenantStore,
  createThrottleStore,
  type TenantStore,
} from '@sluice/store/identity';
import { createMarketplaceDownloads, type MarketplaceDownloads } from '@sluice/store/marketplace';
import {
  type CallerUseStore,
  createCallerUseStore,
  createHostStore,
  createKeptResultStore,
  createQueryHistoryStore,
  createQueryStore,
  createWaitingQueryStore,
  type HostStore,
  type KeptResultStore,
  type QueryHistoryStore,
  type QueryStore,
  type WaitingQueryStore,
} from '@sluice/store/queries';
import { createResourceDatabase, type ResourceDatabase } from '@sluice/store/resources';
import {
  createEngineCheck,
  createEngineResolver,
  createFileEngineResolver,
  createWorkerPool,
  type EngineResolver,
} from '@sluice/tenant-engines';
import type { StreamHostSettings } from '../config.ts';
import { createCheckView } from '../queries/check-view.ts';
import { DetachedQueries } from '../queries/detached-queries.ts';
import { EventReaders } from '../queries/event-readers.ts';
import { KeptResults } from '../queries/kept-results.ts';
import type { ReaderPaceLimits } from '../queries/reader-pace.ts';
import { RenderedFiles } from '../queries/rendered-files.ts';
import { RunningQueries } from '../queries/running-queries.ts';
import { StatementBudget } from '../queries/statement-budget.ts';
import { watchSuspension } from '../queries/suspension-watch.ts';
import { WaitingQueries } from '../queries/waiting-queries.ts';
import { OutcomeKeeper } from '../use-cases/queries/outcome-keeper.ts';
import { openAuthenticator } from './open-authenticator.ts';
import { type Door, openDoor } from './open-door.ts';
import { openResultStore } from './open-result-store.ts';
import { workerSlots } from './worker-slots.ts';

/** Replacements that a test or the embedded run passes instead of what the settings define. */
export interface StreamHostOverrides {
  readonly log?: Logger;
  /** Clock by which the key set of the API host ages. Default: that of the machine. */
  readonly keySetNow?: Clock;
  /** State that this host shares with others of its process, whose owner disposes of it. Default: that of the settings. */
  readonly sharedState?: SharedState;
  /** Second port with TLS. Default: none. */
  readonly secure?: SecurePort;
}

/** Removal from the store of kept results. */
interface ResultPurge {
  readonly purge: () => Promise<void>;
  readonly sweep: () => Promise<void>;
}

/** Collaborators of the use-cases and routes of this host. */
export interface StreamHostContext {
  readonly settings: StreamHostSettings;
  readonly hostId: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly tracer: Tracer;
  readonly lifecycle: Lifecycle;
  readonly database: Database;
  readonly tenants: TenantStore;
  readonly audit: AuditStore;
  readonly queries: QueryStore;
  readonly callerUses: CallerUseStore;
  readonly tenantQueries: TenantQueryStore;
  readonly history: QueryHistoryStore;
  readonly pageTokens: PageTokens;
  readonly ticketSeal: TicketSeal;
  /** Returns the seal of values that clients carry between hosts. */
  readonly seal: () => Promise<ValueSeal>;
  readonly revalidateCaller: RevalidateCaller;
  readonly hosts: HostStore;
  readonly durableWrites: DurableWriteCheck;
  readonly resources: ResourceDatabase;
  readonly marketplaceDownloads: MarketplaceDownloads;
  readonly datamapCounters: DatamapCounters;
  readonly publishedDatamaps: PublishedDatamapStore;
  readonly authenticator: Authenticator;
  readonly allowedOrigins: AllowedOrigins;
  readonly shared: OpenedSharedState;
  readonly admission: Admission;
  readonly workers: WorkerPool;
  readonly resolveEngine: EngineResolver;
  readonly running: RunningQueries;
  readonly waiting: WaitingQueries;
  readonly waitingQueries: WaitingQueryStore;
  readonly outcomes: OutcomeKeeper;
  readonly statementBudget: StatementBudget;
  readonly keptRecords: KeptResultStore;
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
  /** Queries that run on without their clients. Undefined: every query ends with its connection. */
  readonly detachedQueries: DetachedQueries | undefined;
  readonly eventReaders: EventReaders;
  /** Undefined: this deployment has no door for Trino clients. */
  readonly door: Door | undefined;
  /** Removes expired results, and results that nothing names. */
  readonly resultPurge: ResultPurge | undefined;
  /** Files of kept results. */
  readonly renderedFiles: RenderedFiles;
  /** Returns the engine that writes files from rows of a tenant's kept results. */
  readonly resolveFileEngine: EngineResolver;
  readonly limitDefaults: LimitDefaults;
  readonly slowReader: ReaderPaceLimits;
  readonly sseHeartbeatMs: number;
  readonly resumeWaitMs: number;
  /** Rejects while queries cannot run. */
  checkEngine(): Promise<void>;
}

/** Opens all collaborators; `resources` closes them in reverse order. */
export async function createContext(
  settings: StreamHostSettings,
  overrides: StreamHostOverrides,
  resources: ResourceStack,
): Promise<StreamHostContext> {
  const log = overrides.log ?? createLogger({ service: 'sluice-stream', level: settings.logLevel });
  const metrics = createMetrics('sluice-stream');
  const events = createEvents({ log, metrics });
  const tracer = resources.add(await openHostTracer({ settings, service: 'sluice-stream', log }));
  const database = resources.add(openDatabase(settings, metrics));
  const shared = openShared(settings, overrides, { log, resources });
  const workers = resources.add(startWorkers(settings, log));
  const admission = openAdmission(settings, { shared, workers });
  resources.add({ [Symbol.asyncDispose]: async () => admission[Symbol.dispose]() });
  const resolveEngine = createEngineResolver(settings);
  const queries = createQueryStore(database);
  const audit = createAuditStore(database);
  const throttles = createThrottleStore(database);
  const hosts = createHostStore(database, settings.hostSilenceMs);
  // This host has no master key; the key in the database is the same for all its replicas.
  const seal = async () => createValueSeal({ current: await throttles.hashKey() });
  const suspensions = watchSuspension({ suspendedFromMs: settings.hostSilenceMs / 2 });
  resources.add({ [Symbol.asyncDispose]: async () => suspensions[Symbol.dispose]() });
  const hostId = randomUUID();
  const results = await openResultStore(settings);
  if (results !== undefined) resources.add(results.store);
  const records = createKeptResultStore(database, settings.hostSilenceMs);
  const renderedFiles = resources.add(new RenderedFiles({ bytesMax: settings.resultFilesBytesMax }));
  const checkView = createCheckView({ resolveEngine, admission, limitDefaults: settings });
  const statementBudget = new StatementBudget({ audit, events });
  const onRemoved = (): void => metrics.resultsRemoved.inc();
  return {
    settings,
    hostId,
    log,
    metrics,
    events,
    tracer,
    lifecycle: createLifecycle(),
    database,
    tenants: createTenantStore(database),
    audit,
    queries,
    callerUses: createCallerUseStore(database, settings.hostSilenceMs),
    tenantQueries: createTenantQueryStore(database),
    history: createQueryHistoryStore(database),
    pageTokens: createPageTokens(seal),
    ticketSeal: createTicketSeal(seal),
    seal,
    revalidateCaller: createRevalidateCaller(createAuthStatusStore(database)),
    hosts,
    durableWrites: createDurableWriteCheck({ hosts, database }),
    resources: createResourceDatabase(database),
    marketplaceDownloads: createMarketplaceDownloads(database),
    datamapCounters: createDatamapCounters(database),
    publishedDatamaps: createPublishedDatamapStore(database),
    authenticator: openAuthenticator(settings, { database, throttles, audit, events, keySetNow: overrides.keySetNow }),
    allowedOrigins: createAllowedOrigins({
      tenantOrigins: settings.tenantOrigins ?? [],
      allowsLoopback: settings.allowsLoopbackOrigins,
    }),
    shared,
    admission,
    workers,
    resolveEngine,
    running: new RunningQueries(),
    waiting: new WaitingQueries(),
    waitingQueries: createWaitingQueryStore(database, settings.hostSilenceMs),
    outcomes: new OutcomeKeeper(queries, suspensions),
    statementBudget,
    keptRecords: records,
    keptResults:
      results && new KeptResults({ hostId, records, defaults: settings, checkView, metrics, log, ...results }),
    detachedQueries: openDetachedQueries(settings, { hostId, records }),
    eventReaders: new EventReaders(),
    door: openDoor({
      settings,
      hostId,
      records,
      database,
      audit,
      statementBudget,
      log,
      resources,
      hashKey: () => throttles.hashKey(),
      oneTimeValues: shared.state.oneTimeValues,
    }),
    resultPurge: results && {
      purge: () => purgeResults(records, results.store, onRemoved),
      sweep: () => sweepResults(records, results.store, onRemoved),
    },
    renderedFiles,
    resolveFileEngine: createFileEngineResolver(settings, resolveEngine),
    limitDefaults: settings,
    slowReader: { bytesPerSecond: settings.slowReaderBytes, windowMs: settings.slowReaderTimeMs },
    sseHeartbeatMs: settings.sseHeartbeatMs,
    resumeWaitMs: settings.resumeWaitMs,
    checkEngine: createEngineCheck(resolveEngine, workers),
  };
}

function openShared(
  settings: StreamHostSettings,
  { sharedState }: StreamHostOverrides,
  { log, resources }: { readonly log: Logger; readonly resources: ResourceStack },
): OpenedSharedState {
  if (sharedState !== undefined) return { state: sharedState, checks: {} };
  const shared = openSharedState({ settings, service: 'sluice-stream', log });
  resources.add(shared.state);
  return shared;
}

const openDetachedQueries = (
  { resumeWaitMs }: StreamHostSettings,
  { hostId, records }: { readonly hostId: string; readonly records: KeptResultStore },
): DetachedQueries | undefined =>
  resumeWaitMs === 0 ? undefined : new DetachedQueries({ hostId, records, waitMs: resumeWaitMs });

const openDatabase = (settings: StreamHostSettings, metrics: Metrics): Database =>
  createDatabase({
    url: settings.databaseUrl.reveal(),
    poolMax: settings.databaseConnectionsMax,
    queryTimeoutMs: settings.databaseTimeoutMs,
    applicationName: 'sluice-stream',
    onOperation: metrics.databaseOperationEnded,
  });

const startWorkers = (settings: StreamHostSettings, log: Logger): WorkerPool =>
  createWorkerPool({
    settings,
    workersMax: workerSlots(settings),
    workersWarm: settings.workersWarm,
    workersWarmPerTenant: settings.workersWarmPerTenant,
    onWarning: (message) => log.warn({ event: 'query_worker_failed' }, message),
  });

interface AdmissionDependencies {
  readonly shared: OpenedSharedState;
  readonly workers: WorkerPool;
}

/** Least number of statements that may start at once: one can start while another one waits for its disk. */
const STARTING_MIN = 2;

const openAdmission = (settings: StreamHostSettings, { shared, workers }: AdmissionDependencies): Admission =>
  new Admission(
    {
      slots: workerSlots(settings),
      backgroundSlots: 0,
      tenantShare: settings.tenantSlotsPercent / 100,
      queriesPerUser: settings.queriesPerUser,
      queriesPerTenant: settings.queriesPerTenant,
      queuedPerUser: settings.queuedPerUser,
      queuedPerTenant: settings.queuedPerTenant,
      queueTimeoutMs: settings.queueTimeoutMs,
      startingMax: Math.max(STARTING_MIN, availableParallelism()),
    },
    { slots: shared.state.slots, workers },
  );
