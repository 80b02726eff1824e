import { callerOf, streamOperations } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import type { ReadKeptRows } from '../../use-cases/queries/read-kept-rows.ts';

/** GET /query/{id}/rows: rows of a kept result. */
export const queryRowsRoute = (readKeptRows: ReadKeptRows): Route =>
  route(streamOperations.readRows, async (request) => {
    const { from, size, big_numbers } = request.query;
    const page = { from, size, bigNumbers: big_numbers ?? 'number' } as const;
    const body = await readKeptRows(callerOf(request), request.params.id, page);
    return stream({ status: 200, mediaType: 'application/json', body });
  });
