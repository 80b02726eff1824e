import type { RevalidateCaller } from '@sluice/auth';
import { auditOf, type Caller, keepMsOf, type QueryParameter } from '@sluice/contract';
import type { Logger } from '@sluice/observability';
import type { AuditStore } from '@sluice/store/audit';
import type { EngineResolver } from '@sluice/tenant-engines';
import type { EventReaders } from '../../queries/event-readers.ts';
import type { KeptResults } from '../../queries/kept-results.ts';
import { watchRights } from '../../queries/watch-rights.ts';
import { disposing, openKeptResult } from './open-kept-result.ts';
import { StreamResources } from './stream-resources.ts';
import { streamStoredRows } from './stream-stored-rows.ts';

interface ReuseResultDependencies {
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly eventReaders: EventReaders;
  readonly revalidateCaller: RevalidateCaller;
  readonly resolveEngine: EngineResolver;
  readonly sseHeartbeatMs: number;
  readonly log: Pick<Logger, 'warn'>;
}

interface ReuseInput {
  /** Greatest age of the result, such as `15m`. */
  readonly reuse: string;
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  readonly timeZone: string;
  readonly rowsMax: number | undefined;
  readonly bigNumbers: 'number' | 'string';
  readonly signal: AbortSignal;
}

interface ReusedResult {
  /** The query that ran. */
  readonly queryId: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Returns the stream of a kept result of the caller for the same request, when the read is recorded; undefined if the statement must run.
 * Throws `too_many_requests` and `audit_unavailable`.
 */
export type ReuseResult = (caller: Caller, input: ReuseInput) => Promise<ReusedResult | undefined>;

export function createReuseResult(dependencies: ReuseResultDependencies): ReuseResult {
  const { keptResults, audit, eventReaders, revalidateCaller, resolveEngine, sseHeartbeatMs, log } = dependencies;
  return async (caller, input) => {
    const { sql, parameters = [], catalog, schema, timeZone, rowsMax, reuse, bigNumbers, signal } = input;
    const { kind: engine } = resolveEngine(caller.principal.tenant);
    const request = { engine, sql, parameters, catalog, schema, timeZone, rowsMax };
    const queryId = await keptResults?.findReusable(caller, { request, ageMaxMs: keepMsOf(reuse) });
    if (queryId === undefined) return undefined;
    const resources = new StreamResources(eventReaders.acquire(caller.principal));
    try {
      const opened = await openKeptResult(keptResults, caller, queryId).catch((err: unknown) => {
        log.warn({ err, query: queryId }, 'a kept result cannot be read, so its statement runs again');
        return undefined;
      });
      if (opened === undefined) {
        await resources[Symbol.asyncDispose]();
        return undefined;
      }
      resources.opened = opened;
      await audit.append({
        ...auditOf(caller, { action: 'READ_RESULT', target: queryId, metadata: { reuse, ...opened.kept.tablesRead } }),
        queryId,
      });
      const mayRead = watchRights(revalidateCaller, caller);
      const events = streamStoredRows(opened, {
        ...{ queryId, after: 0, bigNumbers, numbersRows: false },
        ...{ heartbeatMs: sseHeartbeatMs, signal, mayRead },
      });
      return { queryId, body: disposing(events, resources) };
    } catch (thrown) {
      await resources[Symbol.asyncDispose]();
      throw thrown;
    }
  };
}
