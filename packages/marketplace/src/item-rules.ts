import { type MarketplaceItem, type Principal, ProblemError } from '@sluice/contract';
import type { Grantee, StoredItem } from '@sluice/store/marketplace';

export const granteeOf = ({ kind, name, roles }: Principal): Grantee => ({ kind, name, roles });

export const noSuchItem = (): ProblemError =>
  new ProblemError('not_found', 'There is no such item in the marketplace.');

const isOwner = ({ owner }: StoredItem, { kind, id }: Principal): boolean => owner.kind === kind && owner.id === id;

/** @throws ProblemError `access_denied` unless the caller is the item's owner or an admin. */
export function requireManager(item: StoredItem, principal: Principal): void {
  if (isOwner(item, principal) || principal.permissions.has('admin')) return;
  throw new ProblemError('access_denied', 'Only the owner of this item and admins may do this.');
}

/** Owners need no grant; admins do, and can make themselves one. */
const mayDownload = (item: StoredItem, principal: Principal): boolean => item.isGranted || isOwner(item, principal);

/** Why a caller cannot download an item now; undefined: they can. */
export function whyNotDownload(item: StoredItem, principal: Principal): ProblemError | undefined {
  if (!mayDownload(item, principal)) {
    return new ProblemError(
      'access_denied',
      `You have no grant for this item. Ask for one by POST /marketplace/${item.id}/access-requests.`,
    );
  }
  const [withdrawn] = item.queries.filter(({ isPublished, sql }) => !isPublished || sql === null);
  if (withdrawn === undefined) return undefined;
  return new ProblemError(
    'conflict',
    `The datamap of the query ${withdrawn.name} is not published any more, so the item cannot be downloaded. Tell its owner, ${item.owner.name}.`,
  );
}

/** An item as the wire has it, without the SQL of its datamaps. */
export const presentItem = (item: StoredItem, principal: Principal): MarketplaceItem => ({
  id: item.id,
  title: item.title,
  description: item.description,
  owner: item.owner.name,
  version: item.version,
  queries: item.queries.map(({ name, datamapId, isPublished, columns }) => ({
    name,
    datamap_id: datamapId,
    is_published: isPublished,
    columns: [...columns],
  })),
  tags: [...item.tags],
  domains: [...item.domains],
  rating: item.rating,
  download_count: item.downloads,
  last_downloaded_ts: item.lastDownloadedTs,
  is_granted: mayDownload(item, principal),
  created_ts: item.createdTs,
  updated_ts: item.updatedTs,
  updated_by: item.updatedBy,
});
