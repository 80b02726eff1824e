import { access } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@sluice/observability';

/** Asks a back end for a reply. Rejects, with a reason for the log, if there is none. */
export type HealthCheck = () => Promise<void>;
type CheckResult = 'ok' | 'down';

interface HealthMonitorOptions {
  /** Checks by the name of the back end, such as `postgres`. Each may take 2 s. */
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** Logs why a back end is down. No response contains it. */
  readonly log: Logger;
  /** Time between two rounds of checks. Default: 1 s. Tests shorten it. */
  readonly everyMs?: number;
  /** Age from which a result counts as `down`. Default: 10 s. Tests shorten it. */
  readonly staleAfterMs?: number;
}

/** Last known state of a process and its back ends. Probes read it and never wait for a back end. */
export interface HealthMonitor extends AsyncDisposable {
  /** Result of every check by name. A result older than `staleAfterMs` counts as `down`. */
  results(): Readonly<Record<string, CheckResult>>;
  /** False if the thread pool did not finish a trivial task within 3 s. The process then has to be restarted. */
  isWorking(): boolean;
}

const EVERY_MS = 1000;
const CHECK_TIMEOUT_MS = 2000;
const STALE_AFTER_MS = 10_000;
const STUCK_AFTER_MS = 3000;

async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Last result of one back end. Logs a line when the result or its reason changes. */
class CheckedBackEnd {
  #checkedAt = performance.now();
  #result: CheckResult = 'down';
  #reason: string | undefined;

  readonly #name: string;
  readonly #check: HealthCheck;
  readonly #log: Logger;
  readonly #staleAfterMs: number;

  constructor(name: string, check: HealthCheck, { log, staleAfterMs }: HealthMonitorOptions) {
    this.#name = name;
    this.#check = check;
    this.#log = log;
    this.#staleAfterMs = staleAfterMs ?? STALE_AFTER_MS;
  }

  get result(): CheckResult {
    return performance.now() - this.#checkedAt > this.#staleAfterMs ? 'down' : this.#result;
  }

  async run(): Promise<void> {
    const check = this.#name;
    try {
      await withTimeout(CHECK_TIMEOUT_MS, this.#check());
      if (this.#reason !== undefined) this.#log.info({ event: 'back_end_up', check }, 'a back end responds again');
      this.#reason = undefined;
      this.#result = 'ok';
    } catch (err) {
      const reason = reasonOf(err);
      if (this.#reason !== reason) this.#log.warn({ event: 'back_end_down', check, err }, 'a back end is down');
      this.#reason = reason;
      this.#result = 'down';
    }
    this.#checkedAt = performance.now();
  }
}

/** Detects that all threads of the libuv pool are blocked, and with them JWT verification, DNS and file access. Timers still run then. */
class ThreadPoolCheck {
  #isStuck = false;

  get isStuck(): boolean {
    return this.#isStuck;
  }

  async run(): Promise<void> {
    let isPending = true;
    // After a pause of the event loop, timers run before completed work is processed, so the check waits for one turn.
    const report = () => setImmediate(() => (this.#isStuck = isPending));
    const timer = setTimeout(report, STUCK_AFTER_MS).unref();
    await access('/'); // runs on a thread of the pool
    isPending = false;
    clearTimeout(timer);
    this.#isStuck = false;
  }
}

/**
 * Starts a loop per back end and resolves after the first round (at most 2 s). Disposing stops the loops; a check that hangs ends by
 * its own timeout.
 */
export async function startHealthMonitor(options: HealthMonitorOptions): Promise<HealthMonitor> {
  const everyMs = options.everyMs ?? EVERY_MS;
  const stopped = new AbortController();
  // The pause does not keep the process alive.
  const repeat = async (run: () => Promise<void>): Promise<void> => {
    while (!stopped.signal.aborted) {
      await wait(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
      if (!stopped.signal.aborted) await run();
    }
  };
  const threadPool = new ThreadPoolCheck();
  const backEnds = new Map(
    Object.entries(options.checks).map(([name, check]) => [name, new CheckedBackEnd(name, check, options)] as const),
  );
  const checks = [threadPool, ...backEnds.values()];
  await Promise.all(checks.map((check) => check.run()));
  for (const check of checks) void repeat(() => check.run());
  return {
    results: () => Object.fromEntries([...backEnds].map(([name, { result }]) => [name, result])),
    isWorking: () => !threadPool.isStuck,
    async [Symbol.asyncDispose]() {
      stopped.abort();
    },
  };
}
