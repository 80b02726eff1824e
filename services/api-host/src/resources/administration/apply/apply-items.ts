import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Configuration, MarketplaceItemRequest } from '@sluice/contract';
import { createItem, granteeOf, updateItem } from '@sluice/marketplace';
import type { StoredItem } from '@sluice/store/marketplace';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';
import { applyItemGrants } from './apply-item-grants.ts';
import { type FindConfiguredDatamaps, findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

type ConfiguredItem = NonNullable<Configuration['marketplace_items']>[number];

/** Ids of the datamaps and domains of an item. */
interface ItemReferences {
  readonly queries: MarketplaceItemRequest['queries'];
  readonly domains: readonly string[] | undefined;
}

interface ItemsStep extends ContentStep {
  readonly find: FindConfiguredDatamaps;
  readonly datamapIds: ReadonlyMap<string, string | null>;
}

/** Returns null if there is no such datamap, and adds the violation unless the datamap's own entry has one. */
async function datamapIdOf(
  { find, datamapIds, violations }: ItemsStep,
  name: string,
  path: string,
): Promise<string | null> {
  const idInFile = datamapIds.get(name);
  if (idInFile !== undefined) return idInFile;
  const found = (await find.byName(name)) ?? (await find.byId(name));
  if (found === undefined) violations.add(path, `there is no datamap ${name}`);
  else if (!isAmbiguous(found)) return found.record.id;
  else violations.add(path, `there are ${found.candidateCount} datamaps ${name}: give the id of one`);
  return null;
}

async function referencesOf(step: ItemsStep, entry: ConfiguredItem, path: string): Promise<ItemReferences | undefined> {
  const { violations } = step;
  const queries: { name: string; datamap_id: string }[] = [];
  for (const [index, { name, datamap }] of entry.queries.entries()) {
    const id = await datamapIdOf(step, datamap, `${path}.queries[${index}].datamap`);
    if (id !== null) queries.push({ name, datamap_id: id });
  }
  const domains: string[] = [];
  for (const [index, name] of (entry.domains ?? []).entries()) {
    const found = await step.tx.domains.findByName(name);
    if (found === undefined) violations.add(`${path}.domains[${index}]`, `there is no domain ${name}`);
    else domains.push(found.id);
  }
  const isComplete = queries.length === entry.queries.length && domains.length === (entry.domains?.length ?? 0);
  return isComplete ? { queries, domains: entry.domains && domains } : undefined;
}

/** Returns the content of an item in the form in which it is written. */
const contentOf = ({ title, description, tags, domains, license, termsOfUse, owner, queries }: StoredItem) => ({
  title,
  description,
  tags: [...tags],
  domains: [...domains],
  license,
  terms_of_use: termsOfUse,
  owner: owner.name,
  queries: queries.map(({ name, datamapId }) => ({ name, datamap_id: datamapId })),
});

type ItemContent = ReturnType<typeof contentOf>;

const wantedContent = (
  { title, description, tags, license, terms_of_use: termsOfUse, owner }: ConfiguredItem,
  { queries, domains }: ItemReferences,
  before: ItemContent | undefined,
): Omit<ItemContent, 'owner'> & { owner: string | undefined } => ({
  title,
  description: description === undefined ? (before?.description ?? null) : description || null,
  tags: tags ?? before?.tags ?? [],
  domains: [...(domains ?? before?.domains ?? [])],
  license: license === undefined ? (before?.license ?? null) : license || null,
  terms_of_use: termsOfUse === undefined ? (before?.terms_of_use ?? null) : termsOfUse?.trim() ? termsOfUse : null,
  owner: owner ?? before?.owner,
  queries: [...queries],
});

/** Returns the owner as it is stored: e-mails are compared without regard to case. */
async function ownerNameOf(step: ContentStep, { owner }: ConfiguredItem, path: string): Promise<string | undefined> {
  if (owner === undefined) return undefined;
  const found = await step.tx.items.findAccount(owner);
  if (found === undefined) step.violations.add(`${path}.owner`, `there is no user or client ${owner}`);
  return found?.name;
}

async function areAllPublished(
  step: ItemsStep,
  entry: ConfiguredItem,
  { queries, path }: ItemReferences & { path: string },
) {
  const ids = queries.map(({ datamap_id }) => datamap_id);
  const missing = new Set(await step.tx.items.notPublished(ids));
  for (const [index, { datamap }] of entry.queries.entries()) {
    if (!missing.has(ids[index] ?? '')) continue;
    step.violations.add(`${path}.queries[${index}].datamap`, `the datamap ${datamap} is not published`);
  }
  return missing.size === 0;
}

async function applyItem(step: ItemsStep, entry: ConfiguredItem, path: string): Promise<AppliedChange | undefined> {
  const { caller, tx } = step;
  const { id } = entry;
  const references = await referencesOf(step, entry, path);
  const owner = await ownerNameOf(step, entry, path);
  if (references === undefined || (entry.owner !== undefined && owner === undefined)) return undefined;
  const stored = await tx.items.find(id, granteeOf(caller.principal));
  const before = stored && contentOf(stored);
  const after = wantedContent({ ...entry, owner }, references, before);
  const applied = { kind: 'marketplace_item', name: id, before: before ?? null } as const;
  if (before !== undefined && isDeepStrictEqual(before, after)) {
    return appliedChange({ ...applied, action: 'none', after: before });
  }
  if (!(await areAllPublished(step, entry, { ...references, path }))) return undefined;
  // Without `owner` in the file the stored owner is kept, even if the account no longer exists.
  const request = { ...after, owner };
  const saved =
    stored === undefined
      ? await createItem(tx, caller, { id, ...request })
      : await updateItem(tx, caller, { target: { id, version: undefined }, change: request });
  return appliedChange({ ...applied, action: stored === undefined ? 'create' : 'update', after: contentOf(saved) });
}

/** Creates or updates the items of a file, found by their ids, and replaces their grants if the file has some. */
export async function applyItems(
  step: ContentStep,
  wanted: Configuration,
  datamapIds: ReadonlyMap<string, string | null>,
): Promise<readonly AppliedChange[]> {
  const find = await findConfiguredDatamaps(step.tx.datamaps, step.caller.principal, wanted);
  const changes: AppliedChange[] = [];
  for (const [index, entry] of (wanted.marketplace_items ?? []).entries()) {
    const path = `marketplace_items[${index}]`;
    const item = await step.violations.collect(path, () => applyItem({ ...step, find, datamapIds }, entry, path));
    const grants = await applyItemGrants(step, { ...entry, path, item }, wanted);
    if (item !== undefined) changes.push(item);
    if (grants !== undefined) changes.push(grants);
  }
  return changes;
}
