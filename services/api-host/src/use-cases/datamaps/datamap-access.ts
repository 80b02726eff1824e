import { type Principal, ProblemError } from '@sluice/contract';
import type { DatamapActor, StoredDatamap } from '@sluice/store/datamaps';

/** True for a caller who may see and change every datamap of the tenant, in any state. */
export const seesAllDatamaps = ({ permissions }: Principal): boolean =>
  permissions.has('metadata:write') || permissions.has('admin');

const isOwnerOrSteward = ({ ownerId, stewardId }: StoredDatamap, { id }: Principal): boolean =>
  ownerId === id || stewardId === id;

/** Returns a datamap that the caller may see. Throws `not_found` for a missing and a hidden one alike. */
export function visibleDatamap(found: StoredDatamap | undefined, principal: Principal): StoredDatamap {
  const isVisible =
    found !== undefined &&
    (found.record.datamap.state === 'PUBLISHED' || isOwnerOrSteward(found, principal) || seesAllDatamaps(principal));
  if (!isVisible) throw new ProblemError('not_found', 'There is no such datamap.');
  return found;
}

/** Returns a datamap that the caller may change, in the version read before. Throws `not_found`, `access_denied` and `precondition_failed`. */
export function changeableDatamap(
  found: StoredDatamap | undefined,
  principal: Principal,
  version: number | undefined,
): StoredDatamap {
  const datamap = visibleDatamap(found, principal);
  if (!isOwnerOrSteward(datamap, principal) && !seesAllDatamaps(principal)) {
    throw new ProblemError(
      'access_denied',
      'Only its owner, its steward and users with the permission metadata:write may change a datamap.',
    );
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
