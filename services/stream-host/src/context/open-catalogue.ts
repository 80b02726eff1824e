import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { ProblemError } from '@sluice/contract';
import { type ResourceStack, startPeriodicTask } from '@sluice/host-runtime';
import type { Logger } from '@sluice/observability';
import { Admission, TempFolders, type WorkerSource } from '@sluice/query-worker';
import { createInProcessState } from '@sluice/shared-state';
import type { AuditStore } from '@sluice/store/audit';
import { createCatalogueStore } from '@sluice/store/catalog';
import type { Database } from '@sluice/store/database';
import {
  type CatalogueEngine,
  createCatalogueEngine,
  createWorkerPool,
  type TenantEngineSettings,
} from '@sluice/tenant-engines';
import { CatalogueDatabases, type MakeDatabase } from '../door/catalogue-databases.ts';
import { CatalogueReads } from '../door/catalogue-reads.ts';
import type { StatementBudget } from '../queries/statement-budget.ts';
import { type AnswerCatalogue, createAnswerCatalogue } from '../use-cases/door/answer-catalogue.ts';

export interface OpenCatalogueOptions {
  readonly settings: TenantEngineSettings;
  readonly database: Database;
  readonly audit: AuditStore;
  readonly statementBudget: StatementBudget;
  readonly log: Logger;
  readonly resources: ResourceStack;
}

interface OpenedCatalogue {
  readonly answerCatalogue: AnswerCatalogue;
  readonly catalogueReads: CatalogueReads;
}

/** Workers start when they are needed. One serves one tenant, as those of queries do. */
const WORKERS_MAX = 4;
const TENANT_SHARE = 0.5;
const QUEUED_MAX = 100;
const QUEUE_TIMEOUT_MS = 10_000;
const MAKE_TIME_MS = 120_000;
const COUNTS_MS = 5_000;
const IDLE_MS = 60_000;

/**
 * Opens what answers statements about the mirrored catalogs, with workers of its own: a client that lists many tables waits for no query, and no
 * query waits for it. `resources` closes everything.
 */
export function openCatalogue(options: OpenCatalogueOptions): OpenedCatalogue {
  const { settings, database, audit, statementBudget, log, resources } = options;
  const engineOf = createCatalogueEngine(settings);
  const workers = openWorkers(options);
  const databases = resources.add(
    new CatalogueDatabases({
      store: createCatalogueStore(database),
      makeDatabase: makeDatabaseOn(workers, engineOf),
      folders: new TempFolders(tmpdir()),
    }),
  );
  const reads = new CatalogueReads({ audit });
  resources.add({
    [Symbol.asyncDispose]: () =>
      reads[Symbol.asyncDispose]().catch((err: unknown) =>
        log.warn({ err }, 'some reads of the catalog were not counted'),
      ),
  });
  const work = [
    { name: 'count reads of the catalog', everyMs: COUNTS_MS, run: () => reads.writeCounts() },
    { name: 'remove unused catalogs', everyMs: IDLE_MS, run: () => databases.removeIdle() },
  ];
  for (const each of work) resources.add(startPeriodicTask(each, log));
  return {
    answerCatalogue: createAnswerCatalogue({ databases, reads, audit, statementBudget, workers, engineOf }),
    catalogueReads: reads,
  };
}

function openWorkers({ settings, log, resources }: OpenCatalogueOptions): WorkerSource {
  const onWarning = (message: string): void => log.warn({ event: 'query_worker_failed' }, message);
  const workers = resources.add(createWorkerPool({ settings, workersMax: WORKERS_MAX, workersWarm: 0, onWarning }));
  const limits = {
    slots: WORKERS_MAX,
    backgroundSlots: 0,
    tenantShare: TENANT_SHARE,
    queriesPerUser: WORKERS_MAX,
    queriesPerTenant: WORKERS_MAX,
    queuedPerUser: QUEUED_MAX,
    queuedPerTenant: QUEUED_MAX,
    queueTimeoutMs: QUEUE_TIMEOUT_MS,
  };
  const admission = new Admission(limits, { slots: createInProcessState().slots, workers });
  resources.add({ [Symbol.asyncDispose]: async () => admission[Symbol.dispose]() });
  return admission;
}

const timeout = (): ProblemError =>
  new ProblemError('time_limit', `Preparing the mirrored catalog took longer than ${MAKE_TIME_MS / 1000} s.`);

const makeDatabaseOn =
  (workers: WorkerSource, engineOf: CatalogueEngine): MakeDatabase =>
  async (tenantId, files, signal) => {
    const engine = engineOf(tenantId, files.database);
    const requester = { tenantId, accountId: 'catalogue', engineKey: engine.key, purpose: 'background' } as const;
    using lease = await workers.acquire(requester, signal);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAKE_TIME_MS)]);
    const statement = { sql: '', queryId: randomUUID(), user: '', timeZone: 'UTC' };
    const format = { name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' } as const;
    let isComplete = false;
    try {
      for await (const event of lease.run({ engine, statement, format, catalogue: files }, limited))
        if (event.kind === 'end') isComplete = true;
    } catch (thrown) {
      throw limited.aborted && !signal.aborted ? timeout() : thrown;
    }
    if (!isComplete) throw new ProblemError('internal', 'The database of the mirrored catalog is not complete.');
  };
