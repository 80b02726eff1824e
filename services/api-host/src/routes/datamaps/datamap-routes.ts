import { apiOperations } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredDatamap } from '@sluice/store/datamaps';
import type { ApiContext } from '../../context/context.ts';
import { createChangeDatamaps } from '../../use-cases/datamaps/change-datamaps.ts';
import { createDescribeSql } from '../../use-cases/datamaps/describe-sql.ts';
import { createFindDatamaps } from '../../use-cases/datamaps/find-datamaps.ts';

const answer = (status: 200 | 201, { record, version }: StoredDatamap) =>
  json(status, record, {
    etag: entityTag(version),
    ...(status === 201 ? { location: `/datamap/${record.id}` } : {}),
  });

/** POST /datamap/search and everything below /datamap */
export function datamapRoutes({ stores, engines }: Pick<ApiContext, 'stores' | 'engines'>): Route[] {
  const find = createFindDatamaps({ datamaps: stores.datamaps, counters: stores.counters, audit: stores.audit });
  const describeSql = createDescribeSql({ engines, audit: stores.audit });
  const change = createChangeDatamaps({ datamaps: stores.datamaps, describeSql });
  return [
    route(apiOperations.searchDatamaps, async ({ body, ...caller }) => json(200, await find.search(caller, body))),
    route(apiOperations.getDatamap, async ({ params, ...caller }) => answer(200, await find.one(caller, params.id))),
    route(apiOperations.createDatamap, async ({ body, ...caller }) => answer(201, await change.create(caller, body))),
    route(apiOperations.updateDatamap, async ({ params, body, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, await change.update(caller, target, body));
    }),
    route(apiOperations.deleteDatamap, async ({ params, headers, ...caller }) => {
      await change.remove(caller, { id: params.id, version: matchedVersion(headers) });
      return noContent();
    }),
    route(apiOperations.publishDatamap, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, await change.step(caller, target, 'publish'));
    }),
    route(apiOperations.unpublishDatamap, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, await change.step(caller, target, 'unpublish'));
    }),
    route(apiOperations.archiveDatamap, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      return answer(200, await change.step(caller, target, 'archive'));
    }),
    route(apiOperations.setDatamapActivity, async ({ params, body, ...caller }) =>
      answer(200, await find.setActivity(caller, params.id, body)),
    ),
  ];
}
