import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Configuration, MarketplaceGrants } from '@sluice/contract';
import { createChangeMarketplace, pastExpiries } from '@sluice/marketplace';
import type { StoredGrant } from '@sluice/store/marketplace';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';

/** Grants that a file gives one of its items. */
export interface ItemGrants {
  readonly id: string;
  readonly grants?: MarketplaceGrants['grants'] | undefined;
  readonly path: string;
  /** Undefined: a mistake keeps it from being there. */
  readonly item: AppliedChange | undefined;
}

const asStored = ({ kind, name, expires_ts = null }: MarketplaceGrants['grants'][number]): StoredGrant => ({
  kind,
  name: kind === 'user' ? name.toLowerCase() : name,
  expires_ts,
});

const keyOf = ({ kind, name }: Pick<StoredGrant, 'kind' | 'name'>): string => `${kind} ${name}`;

const sorted = (grants: readonly StoredGrant[]): StoredGrant[] =>
  grants
    .map(({ kind, name, expires_ts }) => ({ kind, name, expires_ts }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** Who is in the file is there as soon as its own mistakes are mended. */
const namedBy = ({ roles = [], users = [], service_accounts = [] }: Configuration): ReadonlySet<string> =>
  new Set([
    ...roles.map(({ name }) => keyOf({ kind: 'role', name })),
    ...users.map(({ email }) => keyOf({ kind: 'user', name: email })),
    ...service_accounts.map(({ client_id }) => keyOf({ kind: 'client', name: client_id })),
  ]);

async function areAllInTime(
  { content, caller, mistakes }: ContentStep,
  wish: readonly StoredGrant[],
  { id, path }: Pick<ItemGrants, 'id' | 'path'>,
): Promise<boolean> {
  const stored = await content.marketplaceAccess.grants(caller.principal.tenant.id, id);
  const past = pastExpiries(wish, stored);
  for (const { path: place, message } of past) mistakes.add(`${path}.${place}`, message);
  return past.length === 0;
}

async function areAllKnown(
  { content, caller, mistakes }: ContentStep,
  wish: readonly StoredGrant[],
  { file, path }: { readonly file: Configuration; readonly path: string },
): Promise<boolean> {
  const found = await content.marketplaceAccess.unknownGrantees(caller.principal.tenant.id, wish);
  const unknown = new Set(found.map(keyOf));
  const named = namedBy(file);
  for (const [place, grant] of wish.entries()) {
    if (!unknown.has(keyOf(grant)) || named.has(keyOf(grant))) continue;
    mistakes.add(`${path}.grants[${place}]`, `there is no ${grant.kind} ${grant.name}`);
  }
  return unknown.size === 0;
}

/** Puts the grants of an item in the place of all that were, where they differ. Undefined where the file says none, or wrong ones. */
export async function applyItemGrants(
  step: ContentStep,
  { id, grants, path, item }: ItemGrants,
  file: Configuration,
): Promise<AppliedChange | undefined> {
  if (grants === undefined) return undefined;
  const wish = grants.map(asStored);
  const isKnown = await areAllKnown(step, wish, { file, path });
  const isInTime = await areAllInTime(step, wish, { id, path });
  if (!isKnown || !isInTime || item === undefined) return undefined;
  const change = createChangeMarketplace(step.content);
  const before = sorted(await change.grants(step.caller, id));
  const after = sorted(wish);
  const told = { kind: 'marketplace_grants', name: id, before, after } as const;
  if (isDeepStrictEqual(before, after)) return appliedChange({ ...told, action: 'none' });
  await change.putGrants(step.caller, id, { grants });
  return item.action === 'create'
    ? appliedChange({ ...told, before: null, action: 'create' })
    : appliedChange({ ...told, action: 'update' });
}
