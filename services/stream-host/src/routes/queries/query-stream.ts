import { callerOf, streamOperations } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import { requireKeepTime } from '../../queries/kept-results.ts';
import type { StartQuery } from '../../use-cases/queries/start-query.ts';

/** POST /query: Server-Sent Events. The headers are sent as soon as the record is durable, so that heartbeats can follow. */
export const queryStreamRoute = (
  startQuery: StartQuery,
  keepDefaults: { readonly keepTimeMaxMs: number | undefined },
): Route =>
  route(streamOperations.streamQuery, async (request) => {
    const { sql, parameters, size, progress, big_numbers, time_zone, keep } = request.body;
    const caller = callerOf(request);
    const { settings } = caller.principal.tenant;
    const run = await startQuery(caller, {
      action: 'RUN_QUERY',
      sql,
      parameters,
      format: {
        name: 'sse',
        bigNumbers: big_numbers ?? 'number',
        formulas: 'keep',
        progress: progress === true ? 'shown' : 'hidden',
      },
      timeZone: time_zone ?? 'UTC',
      rowsMax: size,
      keepMs: keep === undefined ? undefined : requireKeepTime(keep, settings, keepDefaults),
      metadata: {
        format: 'sse',
        ...(size === undefined ? {} : { size }),
        ...(keep === undefined ? {} : { keep }),
      },
      signal: request.signal,
      reader: request.reader,
    });
    return stream({
      status: 200,
      mediaType: 'text/event-stream',
      headers: { 'x-query-id': run.queryId, 'x-accel-buffering': 'no' },
      body: run.eventBody(),
      onWritten: (chunk) => run.releaseChunk(chunk),
      flushHeaders: true,
      logsFailures: true,
    });
  });
