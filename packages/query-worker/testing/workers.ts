import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FormatSpec } from '@sluice/encoders';
import { EMPTY_DUCKDB, formatSpec } from '@sluice/engine/testing';
import { createInProcessState } from '@sluice/shared-state';
import { Admission, type AdmissionLimits } from '../src/pool/admission/admission.ts';
import { WorkerPool, type WorkerPoolOptions } from '../src/pool/worker-pool.ts';
import type { WorkerLease } from '../src/pool/worker-source.ts';
import type { QueryJob } from '../src/protocol/query-job.ts';

const GIB = 1024 ** 3;

/** A pool of real processes with a temporary folder. */
export interface TestPool extends AsyncDisposable {
  readonly pool: WorkerPool;
  /** Waits in the queue for a worker, by default as a new account. */
  acquire(engineKey: string, signal: AbortSignal, accountId?: string): Promise<WorkerLease>;
  /** Messages for the operator. */
  readonly warnings: readonly string[];
}

export interface TestPoolOptions extends Partial<WorkerPoolOptions> {
  readonly queueTimeoutMs?: number;
}

/** Limits above the number of workers of any test pool, so that only the workers limit. */
const LIMITS: AdmissionLimits = {
  slots: 64,
  backgroundSlots: 0,
  tenantShare: 1,
  queriesPerUser: 64,
  queriesPerTenant: 64,
  queuedPerUser: 100,
  queuedPerTenant: 100,
  queueTimeoutMs: 20_000,
};

export async function openPool({ queueTimeoutMs = 20_000, ...options }: TestPoolOptions = {}): Promise<TestPool> {
  const tempParentFolder = await mkdtemp(join(tmpdir(), 'sluice-pool-'));
  const warnings: string[] = [];
  const pool = new WorkerPool({
    workersMax: 2,
    workersWarm: 0,
    addressSpaceBytesMax: 2 * GIB,
    tempParentFolder,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  const { slots } = createInProcessState();
  const admission = new Admission({ ...LIMITS, queueTimeoutMs }, { slots, workers: pool });
  return {
    pool,
    acquire: (engineKey, signal, accountId = randomUUID()) =>
      admission.acquire({ tenantId: engineKey, accountId, engineKey }, signal),
    warnings,
    [Symbol.asyncDispose]: async () => {
      admission[Symbol.dispose]();
      await pool[Symbol.asyncDispose]();
      await rm(tempParentFolder, { recursive: true, force: true });
    },
  };
}

export const jobOf = (sql: string, key = 'acme', format: FormatSpec = formatSpec({ name: 'json' })): QueryJob => ({
  engine: { kind: 'duckdb', key, profile: EMPTY_DUCKDB },
  statement: { sql, queryId: '00000000-0000-4000-8000-000000000002', user: 'a@b.example', timeZone: 'UTC' },
  format,
});

export const never = (): AbortSignal => new AbortController().signal;

/** Runs a job to its end and returns its rows as text. */
export async function runOn(lease: WorkerLease, job: QueryJob, signal: AbortSignal = never()): Promise<string> {
  const chunks: Uint8Array[] = [];
  let ended = false;
  for await (const event of lease.run(job, signal)) {
    if (event.kind === 'rows') chunks.push(event.bytes);
    if (event.kind === 'end') ended = true;
  }
  if (!ended) throw new Error('The result ended without an end event.');
  return Buffer.concat(chunks).toString('utf8');
}

/** Acquires a worker, runs a job on it, and releases the worker. */
export async function runIn(
  test: Pick<TestPool, 'acquire'>,
  job: QueryJob,
  signal: AbortSignal = never(),
): Promise<string> {
  const lease = await test.acquire(job.engine.key, signal);
  try {
    return await runOn(lease, job, signal);
  } finally {
    lease[Symbol.dispose]();
  }
}

export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Returns a line of /proc/<pid>/status, such as `VmRSS`, in bytes. */
export function memoryOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const match = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

/** Returns the processor time of a process in clock ticks, or 0 when it has ended. */
export function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** Waits until a condition holds. Throws after the time limit, which a busy machine must not reach: workers have a low priority. */
export async function until(holds: () => boolean, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Not true within ${timeoutMs} ms: ${holds.toString()}`);
    await sleep(10);
  }
}
