import { apiOperations, callerOf } from '@sluice/contract';
import { json, notModified, type Route, route, versionedContentTag } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';

type BrowseUseCases = Pick<UseCases, 'listCatalogs' | 'listFiles' | 'listSchemas' | 'listTables' | 'findTable'>;

/** GET /catalog and everything below */
export const browseRoutes = (useCases: BrowseUseCases): Route[] => [
  route(apiOperations.listCatalogs, async (request) =>
    json(200, await useCases.listCatalogs(callerOf(request), request.query)),
  ),
  // Before the schemas of any catalog, whose path matches too.
  route(apiOperations.listCatalogFiles, async (request) =>
    json(200, await useCases.listFiles(callerOf(request), request.query)),
  ),
  route(apiOperations.listCatalogSchemas, async (request) =>
    json(200, await useCases.listSchemas(callerOf(request), { ...request.query, ...request.params })),
  ),
  route(apiOperations.listCatalogTables, async (request) =>
    json(200, await useCases.listTables(callerOf(request), { ...request.query, ...request.params })),
  ),
  route(apiOperations.getCatalogTable, async (request) => {
    const { table, version } = await useCases.findTable(callerOf(request), request.params);
    // Columns change without a new version of the metadata.
    const etag = versionedContentTag(version, table);
    return notModified(request.headers, etag) ?? json(200, table, { etag });
  }),
];
