import { access } from 'node:fs/promises';
import { ProblemError } from '@sluice/contract';

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

async function runChecks(checks: Readonly<Record<string, HealthCheck>>): Promise<Record<string, CheckResult>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => {
      try {
        await within(CHECK_MS, check());
        return [name, 'ok'];
      } catch {
        return [name, 'down'];
      }
    }),
  );
  return Object.fromEntries(results);
}

export function createHealthChecks(checks: Readonly<Record<string, HealthCheck>>): HealthChecks {
  let kept: { readonly at: number; readonly results: Promise<Record<string, CheckResult>> } | undefined;
  return {
    results() {
      const now = performance.now();
      if (kept === undefined || now - kept.at > KEPT_MS) kept = { at: now, results: runChecks(checks) };
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
