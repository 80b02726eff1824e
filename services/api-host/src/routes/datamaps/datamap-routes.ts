import { apiOperations, callerOf } from '@sluice/contract';
import {
  entityTag,
  json,
  matchedVersion,
  noContent,
  type Route,
  type RouteRequest,
  type RouteResponse,
  route,
} from '@sluice/http';
import type { StoredDatamap } from '@sluice/store/datamaps';
import type { DatamapUseCases } from '../../context/datamap-use-cases.ts';
import type { DatamapTarget } from '../../use-cases/datamaps/change-datamaps.ts';

const datamapJson = (status: 200 | 201, { record, version }: StoredDatamap): RouteResponse =>
  json(status, record, {
    etag: entityTag(version),
    ...(status === 201 ? { location: `/datamap/${record.id}` } : {}),
  });

const targetOf = (request: {
  readonly params: { readonly id: string };
  readonly headers: RouteRequest['headers'];
}): DatamapTarget => ({ id: request.params.id, version: matchedVersion(request.headers) });

/** POST /datamap/search and everything below /datamap */
export const datamapRoutes = (useCases: DatamapUseCases): Route[] => [
  route(apiOperations.searchDatamaps, async (request) =>
    json(200, await useCases.searchDatamaps(callerOf(request), request.body)),
  ),
  route(apiOperations.getDatamap, async (request) =>
    datamapJson(200, await useCases.findDatamap(callerOf(request), request.params.id)),
  ),
  route(apiOperations.createDatamap, async (request) => {
    const { body, signal } = request;
    return datamapJson(201, await useCases.createDatamap(callerOf(request), { request: body, signal }));
  }),
  route(apiOperations.updateDatamap, async (request) => {
    const input = { target: targetOf(request), request: request.body, signal: request.signal };
    return datamapJson(200, await useCases.updateDatamap(callerOf(request), input));
  }),
  route(apiOperations.deleteDatamap, async (request) => {
    await useCases.removeDatamap(callerOf(request), targetOf(request));
    return noContent();
  }),
  route(apiOperations.publishDatamap, async (request) => {
    const input = { target: targetOf(request), step: 'publish' } as const;
    return datamapJson(200, await useCases.changeDatamapState(callerOf(request), input));
  }),
  route(apiOperations.unpublishDatamap, async (request) => {
    const input = { target: targetOf(request), step: 'unpublish' } as const;
    return datamapJson(200, await useCases.changeDatamapState(callerOf(request), input));
  }),
  route(apiOperations.archiveDatamap, async (request) => {
    const input = { target: targetOf(request), step: 'archive' } as const;
    return datamapJson(200, await useCases.changeDatamapState(callerOf(request), input));
  }),
  route(apiOperations.setDatamapActivity, async (request) => {
    const input = { id: request.params.id, activity: request.body };
    return datamapJson(200, await useCases.setDatamapActivity(callerOf(request), input));
  }),
];
