import { type Principal, ProblemError } from '@sluice/contract';
import type { DatamapActor, StoredDatamap } from '@sluice/store/datamaps';

/** Sees every datamap of the tenant, whatever its state, and may change each. */
export const seesAllDatamaps = ({ permissions }: Principal): boolean =>
  permissions.has('metadata:write') || permissions.has('admin');

const hasPart = ({ ownerId, stewardId }: StoredDatamap, { id }: Principal): boolean =>
  ownerId === id || stewardId === id;

/** The datamap, where the caller may see it. Throws `not_found` alike for what is not there and what is hidden. */
export function visibleDatamap(found: StoredDatamap | undefined, principal: Principal): StoredDatamap {
  const isVisible =
    found !== undefined &&
    (found.record.datamap.state === 'PUBLISHED' || hasPart(found, principal) || seesAllDatamaps(principal));
  if (!isVisible) throw new ProblemError('not_found', 'There is no such datamap.');
  return found;
}

/** The datamap, where the caller may change it as it is. Throws `not_found`, `access_denied` and `precondition_failed`. */
export function changeableDatamap(
  found: StoredDatamap | undefined,
  principal: Principal,
  version: number | undefined,
): StoredDatamap {
  const datamap = visibleDatamap(found, principal);
  if (!hasPart(datamap, principal) && !seesAllDatamaps(principal)) {
    throw new ProblemError('access_denied', 'Only its owner, its steward and who has metadata:write may change it.');
  }
  if (version !== undefined && version !== datamap.version) {
    throw new ProblemError('precondition_failed', 'The datamap was changed meanwhile. Read it again.');
  }
  return datamap;
}

export const datamapActor = ({ tenant, kind, id, name }: Principal): DatamapActor => ({
  tenantId: tenant.id,
  accountKind: kind,
  accountId: id,
  user: name,
});
