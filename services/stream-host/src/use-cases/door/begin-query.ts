import { type Caller, keepTimeMax, presentKeep } from '@sluice/contract';
import type { ClientSession } from '@sluice/trino-protocol';
import { engineNamespace } from '../../door/engine-namespace.ts';
import { OpenResult } from '../../door/open-result.ts';
import type { OpenResults } from '../../door/open-results.ts';
import { PageReader } from '../../door/page-reader.ts';
import type { KeepDefaults } from '../../queries/kept-results.ts';
import type { StartQuery } from '../queries/start-query.ts';
import { clientMetadata } from './client-metadata.ts';
import { sourceOfRun } from './run-source.ts';

export interface BeginQueryDependencies {
  readonly startQuery: StartQuery;
  readonly openResults: OpenResults;
  readonly keepsResults: boolean;
  readonly keepDefaults: Pick<KeepDefaults, 'keepTimeMaxMs'>;
}

interface QueryStatement {
  readonly sql: string;
  readonly session: ClientSession;
  readonly timeLimitMs: number | undefined;
  readonly signal: AbortSignal;
}

/** Longest time for which the rows of a Trino client are kept, whatever the tenant allows: that of a page that is asked for again. */
const KEEP_MS_MAX = 600_000;

/** Starts a query of a Trino client, whose rows are taken from then on. Returns its id. Throws what `startQuery` throws. */
export async function beginQuery(
  { startQuery, openResults, keepsResults, keepDefaults }: BeginQueryDependencies,
  caller: Caller,
  { sql, session, timeLimitMs, signal }: QueryStatement,
): Promise<string> {
  const { principal } = caller;
  const keepMs = keepsResults ? Math.min(KEEP_MS_MAX, keepTimeMax(principal.tenant.settings, keepDefaults)) : 0;
  const reader = new PageReader();
  const beginning = untilBegun(signal);
  try {
    const run = await startQuery(caller, {
      action: 'RUN_QUERY',
      sql,
      ...engineNamespace(session),
      format: { name: 'trino', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      timeZone: session.timeZone ?? 'UTC',
      rowsMax: undefined,
      timeLimitMs,
      keepMs: keepMs === 0 ? undefined : keepMs,
      metadata: { format: 'trino', ...(keepMs === 0 ? {} : { keep: presentKeep(keepMs) }), ...clientMetadata(session) },
      signal: beginning.signal,
      reader,
    });
    openResults.add(new OpenResult({ id: run.queryId, account: principal, source: sourceOfRun(run), reader }));
    return run.queryId;
  } finally {
    beginning.end();
  }
}

/** Follows a signal until the statement has begun. */
function untilBegun(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { signal: controller.signal, end: () => signal.removeEventListener('abort', onAbort) };
}
