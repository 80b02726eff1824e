import { access } from 'node:fs/promises';
import { ProblemError } from '@sluice/contract';
import type { Logger } from '@sluice/observability';

/** Resolves while the back end answers, rejects otherwise. */
export type HealthCheck = () => Promise<void>;
export type CheckResult = 'ok' | 'down';

export interface HealthChecks {
  /** Every check by name. Results are kept for a moment, so that probes do not hammer the back ends. */
  results(): Promise<Readonly<Record<string, CheckResult>>>;
  /** Resolves when the process can still do work; rejects with `service_unavailable` after 3 s. */
  touchThreadPool(): Promise<void>;
}

const CHECK_MS = 2000;
const KEPT_MS = 1000;
const THREAD_POOL_MS = 3000;

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** One back end, of which the log is told why it is down, when that changes: probes ask every few seconds, and say nothing themselves. */
function watch(name: string, check: HealthCheck, log: Logger): () => Promise<CheckResult> {
  let known: string | undefined;
  return async () => {
    try {
      await within(CHECK_MS, check());
      if (known !== undefined) log.info({ event: 'back_end_up', check: name }, 'a back end answers again');
      known = undefined;
      return 'ok';
    } catch (err) {
      if (known !== reasonOf(err)) log.warn({ event: 'back_end_down', check: name, err }, 'a back end cannot be used');
      known = reasonOf(err);
      return 'down';
    }
  };
}

async function runChecks(checks: readonly (readonly [string, () => Promise<CheckResult>])[]) {
  const results = await Promise.all(checks.map(async ([name, look]) => [name, await look()] as const));
  return Object.fromEntries(results);
}

/** Why a back end is down goes to the log alone, once for each reason. */
export function createHealthChecks(checks: Readonly<Record<string, HealthCheck>>, log: Logger): HealthChecks {
  const watched = Object.entries(checks).map(([name, check]) => [name, watch(name, check, log)] as const);
  let kept: { readonly at: number; readonly results: Promise<Record<string, CheckResult>> } | undefined;
  return {
    results() {
      const now = performance.now();
      if (kept === undefined || now - kept.at > KEPT_MS) kept = { at: now, results: runChecks(watched) };
      return kept.results;
    },
    async touchThreadPool() {
      try {
        // A timer fires while all four threads of the pool are stuck, and with them JWT verification, DNS and files.
        await within(THREAD_POOL_MS, access('/'));
      } catch (cause) {
        throw new ProblemError('service_unavailable', 'This process cannot do work at the moment.', { cause });
      }
    },
  };
}
