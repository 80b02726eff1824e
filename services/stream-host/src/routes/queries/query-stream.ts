import { callerOf, streamOperations } from '@sluice/contract';
import { type Route, type RouteResponse, route, stream } from '@sluice/http';
import { requireKeepTime } from '../../queries/kept-results.ts';
import type { ReuseResult } from '../../use-cases/queries/reuse-result.ts';
import type { StartQuery } from '../../use-cases/queries/start-query.ts';

interface QueryStreamDependencies {
  readonly startQuery: StartQuery;
  readonly reuseResult: ReuseResult;
}

/**
 * POST /query: Server-Sent Events of a run, or of a kept result if the caller accepts one. The headers are sent as soon as the record is durable,
 * so that heartbeats can follow.
 */
export const queryStreamRoute = (
  { startQuery, reuseResult }: QueryStreamDependencies,
  keepDefaults: { readonly keepTimeMaxMs: number | undefined },
): Route =>
  route(streamOperations.streamQuery, async (request) => {
    const { sql, parameters, size, progress, big_numbers, time_zone, catalog, schema, keep, reuse } = request.body;
    const caller = callerOf(request);
    const { settings } = caller.principal.tenant;
    const keepMs = keep === undefined ? undefined : requireKeepTime(keep, settings, keepDefaults);
    const { signal, reader } = request;
    const bigNumbers = big_numbers ?? 'number';
    const statement = { sql, parameters, catalog, schema, timeZone: time_zone ?? 'UTC', rowsMax: size };
    if (reuse !== undefined) {
      const reused = await reuseResult(caller, { ...statement, reuse, bigNumbers, signal });
      if (reused !== undefined) return eventStream(reused);
    }
    const run = await startQuery(caller, {
      action: 'RUN_QUERY',
      ...statement,
      format: { name: 'sse', bigNumbers, formulas: 'keep', progress: progress === true ? 'shown' : 'hidden' },
      keepMs,
      metadata: {
        format: 'sse',
        ...(size === undefined ? {} : { size }),
        ...(keep === undefined ? {} : { keep }),
      },
      signal,
      reader,
    });
    const { queryId } = run;
    return eventStream({
      queryId,
      body: run.eventBody(),
      onWritten: (chunk) => run.releaseChunk(chunk),
      logsFailures: true,
    });
  });

interface EventStream {
  readonly queryId: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly onWritten?: (chunk: Uint8Array) => void;
  readonly logsFailures?: boolean;
}

const eventStream = ({ queryId, ...options }: EventStream): RouteResponse =>
  stream({
    status: 200,
    mediaType: 'text/event-stream',
    headers: { 'x-query-id': queryId, 'x-accel-buffering': 'no' },
    flushHeaders: true,
    ...options,
  });
