import { callerOf, ProblemError, streamOperations } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import type { ResumeEvents } from '../../use-cases/queries/resume-events.ts';

const ROWS = /^\d{1,15}$/;

/** Returns the rows that a reader has received, from the last `id` that it has read (HTML standard, section 9.2.4). */
function rowsOf(lastEventId: string | undefined): number {
  if (lastEventId === undefined) return 0;
  if (!ROWS.test(lastEventId)) {
    throw new ProblemError(
      'invalid_request',
      'Last-Event-ID must be the id of an event: the number of rows that were received.',
    );
  }
  return Number(lastEventId);
}

/** GET /query/{id}/events: the rest of a stream, also of a query that still runs. */
export const queryEventsRoute = (resumeEvents: ResumeEvents): Route =>
  route(streamOperations.resumeEvents, async (request) => {
    const { after, big_numbers, progress } = request.query;
    const queryId = request.params.id.toLowerCase();
    const body = await resumeEvents(callerOf(request), queryId, {
      after: after ?? rowsOf(request.headers.get('last-event-id')),
      bigNumbers: big_numbers ?? 'number',
      showsProgress: progress === true,
      signal: request.signal,
    });
    return stream({
      status: 200,
      mediaType: 'text/event-stream',
      headers: { 'x-query-id': queryId, 'x-accel-buffering': 'no' },
      body,
      flushHeaders: true,
    });
  });
