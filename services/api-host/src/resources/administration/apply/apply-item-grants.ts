import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Configuration, MarketplaceGrants } from '@sluice/contract';
import { pastExpiries, putItemGrants, readItemGrants } from '@sluice/marketplace';
import type { StoredGrant } from '@sluice/store/marketplace';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';

/** Grants of an item in a file. */
interface ItemGrants {
  readonly id: string;
  readonly grants?: MarketplaceGrants['grants'] | undefined;
  readonly path: string;
  /** Undefined if the item has a violation. */
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

/** Returns the grantees that the file itself creates: they exist once the file has no violations. */
const granteesIn = ({ roles = [], users = [], service_accounts = [] }: Configuration): ReadonlySet<string> =>
  new Set([
    ...roles.map(({ name }) => keyOf({ kind: 'role', name })),
    ...users.map(({ email }) => keyOf({ kind: 'user', name: email })),
    ...service_accounts.map(({ client_id }) => keyOf({ kind: 'client', name: client_id })),
  ]);

async function areAllInTime(
  { tx, violations }: ContentStep,
  grants: readonly StoredGrant[],
  { id, path }: Pick<ItemGrants, 'id' | 'path'>,
): Promise<boolean> {
  const past = pastExpiries(grants, await tx.grants.ofItem(id));
  for (const { path: key, message } of past) violations.add(`${path}.${key}`, message);
  return past.length === 0;
}

async function areAllKnown(
  { tx, violations }: ContentStep,
  grants: readonly StoredGrant[],
  { file, path }: { readonly file: Configuration; readonly path: string },
): Promise<boolean> {
  const unknown = new Set((await tx.grants.unknownGrantees(grants)).map(keyOf));
  const inFile = granteesIn(file);
  for (const [index, grant] of grants.entries()) {
    if (!unknown.has(keyOf(grant)) || inFile.has(keyOf(grant))) continue;
    violations.add(`${path}.grants[${index}]`, `there is no ${grant.kind} ${grant.name}`);
  }
  return unknown.size === 0;
}

/** Replaces the grants of an item if they differ. Returns undefined if the file has no grants for it, or invalid ones. */
export async function applyItemGrants(
  step: ContentStep,
  { id, grants, path, item }: ItemGrants,
  file: Configuration,
): Promise<AppliedChange | undefined> {
  if (grants === undefined) return undefined;
  const wanted = grants.map(asStored);
  const isKnown = await areAllKnown(step, wanted, { file, path });
  const isInTime = await areAllInTime(step, wanted, { id, path });
  if (!isKnown || !isInTime || item === undefined) return undefined;
  const { tx, caller } = step;
  const before = sorted(await readItemGrants(tx, caller, id));
  const after = sorted(wanted);
  const applied = { kind: 'marketplace_grants', name: id, before, after } as const;
  if (isDeepStrictEqual(before, after)) return appliedChange({ ...applied, action: 'none' });
  await putItemGrants(tx, caller, { id, wanted: { grants } });
  return item.action === 'create'
    ? appliedChange({ ...applied, before: null, action: 'create' })
    : appliedChange({ ...applied, action: 'update' });
}
