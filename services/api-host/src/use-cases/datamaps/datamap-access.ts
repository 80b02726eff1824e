import { type DatamapState, type Principal, ProblemError } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';

/** Facts about a datamap that decide who may see and change it. */
interface DatamapStatus {
  readonly state: DatamapState;
  readonly ownerId: string;
  readonly stewardId: string | null;
}

/** True for a caller who may see and change every datamap of the tenant, in any state. */
export const seesAllDatamaps = ({ permissions }: Principal): boolean =>
  permissions.has('metadata:write') || permissions.has('admin');

/** The rule of docs/administration.md for every change of a datamap, by whichever operation. */
export const mayChangeDatamap = ({ ownerId }: Pick<DatamapStatus, 'ownerId'>, principal: Principal): boolean =>
  ownerId === principal.id || seesAllDatamaps(principal);

/** True for a published datamap, for the steward of a datamap, and for a caller who may change it. */
export const maySeeDatamap = (status: DatamapStatus, principal: Principal): boolean =>
  status.state === 'PUBLISHED' || status.stewardId === principal.id || mayChangeDatamap(status, principal);

/** True for a caller whose datamaps are all saved queries: drafts that it owns. */
export const writesDraftsOnly = ({ permissions }: Principal): boolean =>
  !permissions.has('datamap:write') && !permissions.has('admin');

const isOwnDraft = ({ record, ownerId }: StoredDatamap, principal: Principal): boolean =>
  ownerId === principal.id && record.datamap.state === 'DRAFT';

const statusOf = ({ record, ownerId, stewardId }: StoredDatamap): DatamapStatus => ({
  state: record.datamap.state,
  ownerId,
  stewardId,
});

/** Returns a datamap that the caller may see. Throws `not_found` for a missing and a hidden one alike. */
export function visibleDatamap(found: StoredDatamap | undefined, principal: Principal): StoredDatamap {
  if (found !== undefined && maySeeDatamap(statusOf(found), principal)) return found;
  throw new ProblemError('not_found', 'There is no such datamap.');
}

/**
 * Returns a datamap that the caller may read by its id. Throws `not_found`, and `access_denied` without `datamap:read` for all but its own
 * drafts, whether they exist or not.
 */
export function readableDatamap(found: StoredDatamap | undefined, principal: Principal): StoredDatamap {
  if (!principal.permissions.has('datamap:read') && (found === undefined || !isOwnDraft(found, principal))) {
    throw new ProblemError('access_denied', 'Without the permission datamap:read, you can read only your own drafts.');
  }
  return visibleDatamap(found, principal);
}

/** Returns a datamap that the caller may change, in the version read before. Throws `not_found`, `access_denied` and `precondition_failed`. */
export function changeableDatamap(
  found: StoredDatamap | undefined,
  principal: Principal,
  version: number | undefined,
): StoredDatamap {
  const datamap = visibleDatamap(found, principal);
  if (!mayChangeDatamap(datamap, principal)) {
    throw new ProblemError(
      'access_denied',
      'Changing this datamap requires its ownership, or the permission metadata:write or admin.',
    );
  }
  if (version !== undefined && version !== datamap.version) {
    throw new ProblemError('precondition_failed', 'The datamap was changed meanwhile. Read it again.');
  }
  return datamap;
}

/**
 * Returns a datamap whose SQL the caller may change or that it may remove. Throws the errors of `changeableDatamap`, and
 * `access_denied` without `datamap:write` for all but the caller's drafts.
 */
export function writableDatamap(
  found: StoredDatamap | undefined,
  principal: Principal,
  version: number | undefined,
): StoredDatamap {
  const datamap = changeableDatamap(found, principal, version);
  if (!writesDraftsOnly(principal) || isOwnDraft(datamap, principal)) return datamap;
  throw new ProblemError(
    'access_denied',
    'Without the permission datamap:write, you can change and remove only your own drafts.',
  );
}
