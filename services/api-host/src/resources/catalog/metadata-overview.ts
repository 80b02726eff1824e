import { apiOperations, callerOf, PAGE_DEFAULT } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ResourceDatabase } from '@sluice/store/resources';
import { seesAllDatamaps } from '../../use-cases/datamaps/datamap-access.ts';

/** Returns the members that have a value, for an audit record. */
const withoutUndefined = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** GET /tags, GET /metadata/coverage and GET /metadata/undescribed */
export const metadataOverviewRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listTags, async (request) => {
    const { contains, size = PAGE_DEFAULT } = request.query;
    const data = await database.read(callerOf(request), async (tx) => {
      const tags = await tx.overview.tags({ contains, size, seesAllDatamaps: seesAllDatamaps(request.principal) });
      await tx.recordMetadataRead('READ_CATALOG', 'tags', withoutUndefined({ prefix: contains, size }));
      return tags;
    });
    return json(200, { data });
  }),
  route(apiOperations.getMetadataCoverage, async (request) => {
    const { from = 0, size = PAGE_DEFAULT } = request.query;
    const coverage = await database.read(callerOf(request), async (tx) => {
      const counted = await tx.overview.coverage({ from, size });
      await tx.recordMetadataRead('READ_CATALOG', 'coverage', { from, size });
      return counted;
    });
    return json(200, coverage);
  }),
  route(apiOperations.listUndescribedTables, async (request) => {
    const { catalog, schema, from = 0, size = PAGE_DEFAULT } = request.query;
    const { total, tables } = await database.read(callerOf(request), async (tx) => {
      const listed = await tx.overview.undescribed({ catalog, schema, from, size });
      await tx.recordMetadataRead('READ_CATALOG', 'undescribed', withoutUndefined({ catalog, schema, from, size }));
      return listed;
    });
    return json(200, { total, data: tables });
  }),
];
