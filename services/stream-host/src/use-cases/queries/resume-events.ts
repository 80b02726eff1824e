import type { RevalidateCaller } from '@sluice/auth';
import { auditOf, type Caller } from '@sluice/contract';
import { sseStoredError } from '@sluice/encoders';
import type { AuditStore } from '@sluice/store/audit';
import type { EventReaders } from '../../queries/event-readers.ts';
import { watchRights } from '../../queries/watch-rights.ts';
import { type FoundResult, findResult } from './find-result.ts';
import { disposing } from './open-kept-result.ts';
import { StreamResources } from './stream-resources.ts';
import { streamStoredRows } from './stream-stored-rows.ts';
import { type WaitForResultDependencies, waitForResult } from './wait-for-result.ts';

interface ResumeEventsDependencies extends WaitForResultDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  readonly eventReaders: EventReaders;
  readonly revalidateCaller: RevalidateCaller;
}

interface ResumeInput {
  /** Rows that the client has received. */
  readonly after: number;
  readonly bigNumbers: 'number' | 'string';
  readonly showsProgress: boolean;
  readonly signal: AbortSignal;
}

/**
 * Continues the stream of a query whose result is or will be kept, when the read is recorded. Throws `not_found` for a query that is unknown,
 * of another account, or whose result is not kept; `too_many_requests`, `storage_unavailable` and `audit_unavailable`.
 */
export type ResumeEvents = (caller: Caller, queryId: string, input: ResumeInput) => Promise<AsyncIterable<Uint8Array>>;

export function createResumeEvents(dependencies: ResumeEventsDependencies): ResumeEvents {
  const { audit, eventReaders } = dependencies;
  return async (caller, queryId, input) => {
    const resources = new StreamResources(eventReaders.acquire(caller.principal));
    try {
      const found = await findResult(dependencies, caller, queryId);
      if (found.kind === 'kept') resources.opened = found.opened;
      const { after } = input;
      // The record of a query that still runs is the caller's own, and names the tables.
      const tablesRead = found.kind === 'kept' ? found.opened.kept.tablesRead : {};
      await audit.append({
        ...auditOf(caller, { action: 'READ_RESULT', target: queryId, metadata: { after, ...tablesRead } }),
        queryId,
      });
      return disposing(resumedEvents(dependencies, { caller, queryId, input, found, resources }), resources);
    } catch (thrown) {
      await resources[Symbol.asyncDispose]();
      throw thrown;
    }
  };
}

interface ResumedStream {
  readonly caller: Caller;
  readonly queryId: string;
  readonly input: ResumeInput;
  readonly found: FoundResult;
  readonly resources: StreamResources;
}

const encoder = new TextEncoder();

async function* resumedEvents(
  dependencies: ResumeEventsDependencies,
  { caller, queryId, input, found: foundFirst, resources }: ResumedStream,
): AsyncGenerator<Uint8Array> {
  const mayRead = watchRights(dependencies.revalidateCaller, caller);
  const found =
    foundFirst.kind === 'running'
      ? yield* waitForResult(dependencies, { caller, queryId, ...input, mayRead })
      : foundFirst;
  if (found.kind === 'failed') {
    yield encoder.encode(sseStoredError(found.error, queryId));
    return;
  }
  resources.opened = found.opened;
  const { after, bigNumbers, signal } = input;
  const heartbeatMs = dependencies.sseHeartbeatMs;
  yield* streamStoredRows(found.opened, {
    ...{ queryId, after, bigNumbers, signal, heartbeatMs, mayRead },
    numbersRows: true,
  });
}
