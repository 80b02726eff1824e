import { createHash } from 'node:crypto';
import { type Column, ProblemError, type TenantSettings } from '@sluice/contract';
import type { SentEvent } from '@sluice/engine';
import { formatSpec } from '@sluice/engine/testing';
import { SILENT_TRACER } from '@sluice/observability';
import type { JobProgress, QueryJob, WorkerLease } from '@sluice/query-worker';
import type { QueryEnd } from '@sluice/store/queries';
import { buildCaller } from '@sluice/testkit';
import type { DetachedQueries } from '../../src/queries/detached-queries.ts';
import type { Keeping } from '../../src/queries/kept-results.ts';
import { QueryTrace } from '../../src/queries/query-trace.ts';
import { ReaderPace } from '../../src/queries/reader-pace.ts';
import { RunningQueries, type RunningQuery } from '../../src/queries/running-queries.ts';
import { StatementBudget } from '../../src/queries/statement-budget.ts';
import type { OutcomeKeeper } from '../../src/use-cases/queries/outcome-keeper.ts';
import type { QueryRequest } from '../../src/use-cases/queries/query-input.ts';
import { QueryRun } from '../../src/use-cases/queries/query-run.ts';

const COLUMN: Column = { name: 'n', type: 'integer' };
export const COLUMNS: SentEvent = { kind: 'columns', columns: [COLUMN] };
export const rows = (text: string, count = 1): SentEvent => ({ kind: 'rows', rows: count, bytes: Buffer.from(text) });
export const END: SentEvent = { kind: 'end', limited: false };
export const CANCELLED = new ProblemError('query_cancelled', 'The query was cancelled by its caller.');
export const FAILURE = new ProblemError('data_error', 'A cast failed.');

/** An event, a failure, a wait, or work of a test between two events. */
type Step = SentEvent | Error | Promise<void> | (() => void);

interface Given {
  readonly format?: 'sse' | 'csv' | 'json' | 'ndjson' | 'trino';
  readonly steps: readonly Step[];
  readonly progress?: 'shown' | 'hidden';
  readonly sseHeartbeatMs?: number;
  readonly limits?: TenantSettings;
  /** Fails the receipt. */
  readonly recordFails?: Error;
  /** Set with `detached` for a query whose result is kept, and that runs on without its client. */
  readonly keeping?: Keeping;
  readonly detached?: DetachedQueries;
}

/** A worker that takes these steps. `progress` reports what an engine reports. */
function leaseWith(steps: readonly Step[], calls: string[]) {
  let onProgress: ((reported: JobProgress) => void) | undefined;
  const lease: WorkerLease = {
    async *run(_job, signal, progress) {
      onProgress = progress;
      try {
        for (const step of steps) {
          signal.throwIfAborted();
          if (step instanceof Error) throw step;
          if (step instanceof Promise) await step;
          else if (typeof step === 'function') step();
          else yield step;
        }
      } finally {
        calls.push('close');
      }
    },
    [Symbol.dispose]: () => void calls.push('release worker'),
  };
  return { lease, progress: (reported: JobProgress) => onProgress?.(reported) };
}

/** A query whose worker takes these steps. Everything else is real, apart from the store of outcomes. */
export function createRun(given: Given) {
  const calls: string[] = [];
  const recorded: QueryEnd[] = [];
  const stop = new AbortController();
  const client = new AbortController();
  const caller = buildCaller('ann');
  const principal = { ...caller.principal, tenant: { ...caller.principal.tenant, settings: given.limits ?? {} } };
  const { lease, progress } = leaseWith(given.steps, calls);
  const live: RunningQuery = {
    ...{ queryId: 'q', tenantId: 't', accountId: 'ann', address: '127.0.0.1', state: 'RUNNING', rows: 0, bytes: 0 },
    ...{ holdsWorker: true, splitsDone: null, splitsTotal: null },
    pace: new ReaderPace({ takenBytes: 0, isBehind: true }, { bytesPerSecond: 1024, windowMs: 60_000 }),
    get isStopped() {
      return stop.signal.aborted;
    },
    stop: (reason) => stop.abort(reason),
  };
  const running = new RunningQueries();
  running.add(live);
  const outcomes = {
    async record(end: QueryEnd) {
      calls.push('record');
      if (given.recordFails !== undefined) throw given.recordFails;
      recorded.push(end);
    },
  } as unknown as OutcomeKeeper;
  const events = { queryStarted: () => undefined, queryEnded: () => undefined, auditFailed: () => undefined };
  const format = formatSpec({ name: given.format ?? 'csv', progress: given.progress ?? 'hidden' });
  const run = new QueryRun(
    {
      running,
      outcomes,
      events: events as never,
      statementBudget: new StatementBudget({} as never),
      sseHeartbeatMs: given.sseHeartbeatMs ?? 60_000,
    },
    {
      request: {
        caller: { ...caller, principal },
        format,
        action: 'RUN_QUERY',
        sql: 'SELECT 1',
        signal: client.signal,
      } as QueryRequest,
      job: {} as QueryJob,
      lease,
      live,
      trace: new QueryTrace(SILENT_TRACER, caller, { queryId: 'q', format: format.name, engine: 'duckdb' }),
      signal: stop.signal,
      keeping: given.keeping,
      detached: given.detached,
      clearDeadline: () => void calls.push('clear deadline'),
    },
  );
  return { run, calls, recorded, stop, client, live, running, progress };
}

/** Reads a body to its end. Returns its text and what it threw. */
export async function readBody(body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let thrown: unknown;
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    thrown = error;
  }
  const bytes = Buffer.concat(chunks);
  return { text: bytes.toString(), thrown, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export const eventTypes = (text: string): readonly string[] =>
  [...text.matchAll(/"type":"(metadata|row|progress|complete|error)"|^: keep-alive/gm)].map(
    (match) => match[1] ?? 'heartbeat',
  );
export const hexOf = (end: QueryEnd | undefined): string => Buffer.from(end?.sha256 ?? '', 'hex').toString('hex');
export const RELEASED = ['clear deadline', 'close', 'release worker'];
