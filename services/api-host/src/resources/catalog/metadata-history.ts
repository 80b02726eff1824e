import {
  apiOperations,
  type Caller,
  callerOf,
  type MetadataChangesQuery,
  PAGE_DEFAULT,
  ProblemError,
  parseTableName,
} from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { changeableDatamap } from '../../use-cases/datamaps/datamap-access.ts';

/** Finds the object whose changes are read. Throws `not_found` and `access_denied` as its change does. */
async function findChangeable(
  tx: TenantTransaction,
  { principal }: Caller,
  { type, id }: Pick<MetadataChangesQuery, 'type' | 'id'>,
): Promise<string> {
  if (type === 'DATAMAP') {
    return changeableDatamap(await tx.datamaps.find(principal, id), principal, undefined).record.id;
  }
  if (!principal.permissions.has('metadata:write')) {
    throw new ProblemError('access_denied', `Reading the changes of a ${type} requires the permission metadata:write.`);
  }
  const name = parseTableName(id);
  const factId = name && (await tx.factChanges.findTable({ type, ...name }));
  if (factId === undefined) throw new ProblemError('not_found', `There is no ${type} ${id}.`);
  return factId;
}

/** GET /metadata/changes */
export const metadataHistoryRoute = ({ database }: { readonly database: ResourceDatabase }): Route =>
  route(apiOperations.listMetadataChanges, async (request) => {
    const caller = callerOf(request);
    const { type, id, from = 0, size = PAGE_DEFAULT } = request.query;
    const { total, changes } = await database.read(caller, async (tx) => {
      const factId = await findChangeable(tx, caller, { type, id });
      const page = { from, size };
      if (type === 'DATAMAP') await tx.recordMetadataRead('READ_DATAMAP', id, { datamap_id: factId, ...page });
      else await tx.recordMetadataRead('READ_CATALOG', id, { type, ...page });
      return await tx.factChanges.list(factId, page);
    });
    return json(200, { total, data: changes });
  });
