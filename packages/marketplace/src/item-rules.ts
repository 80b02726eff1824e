import { type MarketplaceItem, type Principal, ProblemError } from '@sluice/contract';
import type { Grantee, StoredItem } from '@sluice/store/marketplace';

export const granteeOf = ({ kind, name, roles }: Principal): Grantee => ({ kind, name, roles });

export const noSuchItem = (): ProblemError => new ProblemError('not_found', 'The marketplace has no such item.');

const isOwner = ({ owner }: StoredItem, { kind, id }: Principal): boolean => owner.kind === kind && owner.id === id;

/** Returns the item. Throws `not_found` if there is none, and `access_denied` unless the caller is its owner or an admin. */
export function requireManager(item: StoredItem | undefined, principal: Principal): StoredItem {
  if (item === undefined) throw noSuchItem();
  if (isOwner(item, principal) || principal.permissions.has('admin')) return item;
  throw new ProblemError('access_denied', 'Only the owner of this item and admins may do this.');
}

/** Owners need no grant. Admins do, and can create one for themselves. */
const mayDownload = (item: StoredItem, principal: Principal): boolean => item.isGranted || isOwner(item, principal);

/** Returns why a caller cannot download an item now, or undefined if the caller can. */
export function whyNotDownload(item: StoredItem, principal: Principal): ProblemError | undefined {
  if (!mayDownload(item, principal)) {
    return new ProblemError(
      'access_denied',
      `You have no grant for this item. Request one with POST /marketplace/${item.id}/access-requests.`,
    );
  }
  const [withdrawn] = item.queries.filter(({ isPublished, sql }) => !isPublished || sql === null);
  if (withdrawn === undefined) return undefined;
  return new ProblemError(
    'conflict',
    `The datamap of the query ${withdrawn.name} is no longer published, so the item cannot be downloaded. Contact its owner, ${item.owner.name}.`,
  );
}

/** Returns the public shape of an item, without the SQL of its datamaps. */
export const presentItem = (item: StoredItem, principal: Principal): MarketplaceItem => ({
  id: item.id,
  title: item.title,
  description: item.description,
  owner: item.owner.name,
  version: item.version,
  queries: item.queries.map(({ name, datamapId, isPublished, columns, parameters }) => ({
    name,
    datamap_id: datamapId,
    is_published: isPublished,
    columns: [...columns],
    parameters: isPublished ? [...parameters] : [],
  })),
  tags: [...item.tags],
  domains: [...item.domains],
  domain_names: [...item.domainNames],
  license: item.license,
  terms_of_use: item.termsOfUse,
  rating: item.rating,
  download_count: item.downloads,
  last_downloaded_ts: item.lastDownloadedTs,
  last_complete_download: item.lastComplete && {
    ended_ts: item.lastComplete.endedTs,
    rows: item.lastComplete.rows,
    bytes: item.lastComplete.bytes,
    format: item.lastComplete.format,
  },
  is_granted: mayDownload(item, principal),
  access_expires_ts: isOwner(item, principal) ? null : item.accessExpiresTs,
  created_ts: item.createdTs,
  updated_ts: item.updatedTs,
  updated_by: item.updatedBy,
});
