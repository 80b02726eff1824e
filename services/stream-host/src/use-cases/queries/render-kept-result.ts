import { type Caller, effectiveLimits, type LimitDefaults, ProblemError, resultLimits } from '@sluice/contract';
import { createFormat, type FormatSpec } from '@sluice/encoders';
import type { QueryJob, WorkerLease, WorkerSource } from '@sluice/query-worker';
import { ResultStoreError } from '@sluice/result-store';
import type { EngineResolver } from '@sluice/tenant-engines';
import type { OpenedKeptResult } from '../../queries/kept-results.ts';
import type { RenderFile } from '../../queries/rendered-files.ts';
import type { Bundle } from '../marketplace/bundle.ts';
import { storeUnavailable } from './open-kept-result.ts';

export interface RenderKeptResultDependencies {
  readonly admission: WorkerSource;
  readonly limitDefaults: LimitDefaults;
  /** Returns the engine that writes files from rows. */
  readonly resolveFileEngine: EngineResolver;
}

interface FileOfResult {
  readonly caller: Caller;
  /** Opens the result for the time in which it is rendered. */
  readonly open: () => Promise<OpenedKeptResult>;
  readonly format: FormatSpec;
  /** Makes the file from the rows, if they are not the file. */
  readonly bundle?: Bundle | undefined;
}

/** Timers of Node.js with a delay of more than 31 bits fire immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const encoder = new TextEncoder();

/**
 * Returns the rendering of a kept result to one file, with the bytes of a direct download of its execution. It runs on a query worker, within the
 * limits of the account and its tenant. Throws what `WorkerSource.acquire` throws, `time_limit`, `resource_limit`, `storage_unavailable`, and
 * `data_error` for a value that the format cannot hold.
 */
export const renderKeptResult =
  ({ admission, limitDefaults, resolveFileEngine }: RenderKeptResultDependencies, kept: FileOfResult): RenderFile =>
  async (append, signal) => {
    const { tenant, id: accountId } = kept.caller.principal;
    const engine = resolveFileEngine(tenant);
    const { queriesPerUser, queriesPerTenant, queryTimeLimitMs } = effectiveLimits(tenant.settings, limitDefaults);
    const requester = { tenantId: tenant.id, accountId, engineKey: engine.key, queriesPerUser, queriesPerTenant };
    using lease = await admission.acquire(requester, signal);
    await using opened = await kept.open();
    using limited = withTimeLimit(signal, queryTimeLimitMs);
    const { queryId } = opened.spec;
    const { timeZone } = opened.reader.header;
    const job: QueryJob = {
      engine,
      format: kept.format,
      statement: { sql: '', queryId, user: '', timeZone },
      stored: opened.spec,
    };
    const format = kept.bundle?.format ?? createFormat(kept.format);
    const run: WorkerLease['run'] = kept.bundle?.runner(lease) ?? ((...options) => lease.run(...options));
    const write = withBytesMax(append, resultLimits(tenant.settings).bytesMax);
    let rows = 0;
    try {
      for await (const event of run(job, limited.signal, undefined, undefined, opened.readStored)) {
        if (event.kind === 'columns') await write(encoded(format.head(event.columns)));
        if (event.kind === 'end') {
          const { limited: isLimited } = event;
          await write(encoded(format.complete({ queryId, rows, limited: isLimited, elapsedMs: 0 })));
          return;
        }
        if (event.kind !== 'rows') continue;
        rows += event.rows;
        await write(event.bytes);
        event.release?.();
      }
    } catch (thrown) {
      throw thrown instanceof ResultStoreError ? storeUnavailable(thrown) : thrown;
    }
    throw new ProblemError('internal', 'The rows of a kept result ended without their end mark.');
  };

const encoded = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? encoder.encode(text) : text);

/** Rejects the bytes that exceed the limit of the tenant. */
function withBytesMax(
  append: Parameters<RenderFile>[0],
  bytesMax: number | undefined,
): (bytes: Uint8Array) => Promise<void> {
  let written = 0;
  return async (bytes) => {
    written += bytes.byteLength;
    if (bytesMax !== undefined && written > bytesMax)
      throw new ProblemError('resource_limit', `The file exceeds the limit of ${bytesMax} bytes of this tenant.`);
    await append(bytes);
  };
}

interface LimitedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** Returns a signal that aborts with the given one, or with `time_limit` after this time. */
function withTimeLimit(signal: AbortSignal, queryTimeLimitMs: number): LimitedSignal {
  const limitMs = Math.min(queryTimeLimitMs, TIMER_MS_MAX);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const message = `Making the file exceeded the time limit of ${Math.round(limitMs / 1000)} s.`;
  const timer = setTimeout(() => stop.abort(new ProblemError('time_limit', message)), limitMs).unref();
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
