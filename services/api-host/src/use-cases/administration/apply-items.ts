import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Configuration, MarketplaceItemRequest } from '@sluice/contract';
import { createChangeMarketplace, granteeOf } from '@sluice/marketplace';
import type { StoredItem } from '@sluice/store/marketplace';
import { datamapActor } from '../datamaps/datamap-access.ts';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';
import { applyItemGrants } from './apply-item-grants.ts';
import { type FindConfiguredDatamaps, findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

export type ConfiguredItem = NonNullable<Configuration['marketplace_items']>[number];

/** What an item refers to, by ids; undefined where a mistake was noted. */
interface ItemReferences {
  readonly queries: MarketplaceItemRequest['queries'];
  readonly domains: readonly string[] | undefined;
}

interface ItemsStep extends ContentStep {
  readonly find: FindConfiguredDatamaps;
  readonly datamapIds: ReadonlyMap<string, string | null>;
}

const tenantOf = ({ caller }: ContentStep): string => caller.principal.tenant.id;

/** Null where there is none, with the mistake noted unless it is the datamap's own. */
async function datamapIdOf(
  { find, datamapIds, mistakes }: ItemsStep,
  name: string,
  path: string,
): Promise<string | null> {
  const ofFile = datamapIds.get(name);
  if (ofFile !== undefined) return ofFile;
  const found = (await find.byName(name)) ?? (await find.byId(name));
  if (found === undefined) mistakes.add(path, `there is no datamap ${name}`);
  else if (!isAmbiguous(found)) return found.record.id;
  else mistakes.add(path, `there are ${found.candidateCount} datamaps ${name}: give the id of one`);
  return null;
}

async function referencesOf(step: ItemsStep, wish: ConfiguredItem, path: string): Promise<ItemReferences | undefined> {
  const { content, mistakes } = step;
  const queries: { name: string; datamap_id: string }[] = [];
  for (const [place, { name, datamap }] of wish.queries.entries()) {
    const id = await datamapIdOf(step, datamap, `${path}.queries[${place}].datamap`);
    if (id !== null) queries.push({ name, datamap_id: id });
  }
  const domains: string[] = [];
  for (const [place, name] of (wish.domains ?? []).entries()) {
    const found = await content.domains.findByName(tenantOf(step), name);
    if (found === undefined) mistakes.add(`${path}.domains[${place}]`, `there is no domain ${name}`);
    else domains.push(found.id);
  }
  const isWhole = queries.length === wish.queries.length && domains.length === (wish.domains?.length ?? 0);
  return isWhole ? { queries, domains: wish.domains && domains } : undefined;
}

/** What an item says, in the words in which it is written. */
const contentOf = ({ title, description, tags, domains, owner, queries }: StoredItem) => ({
  title,
  description,
  tags: [...tags],
  domains: [...domains],
  owner: owner.name,
  queries: queries.map(({ name, datamapId }) => ({ name, datamap_id: datamapId })),
});

type ItemWords = ReturnType<typeof contentOf>;

const wantedContent = (
  { title, description, tags, owner }: ConfiguredItem,
  { queries, domains }: ItemReferences,
  was: ItemWords | undefined,
): Omit<ItemWords, 'owner'> & { owner: string | undefined } => ({
  title,
  description: description === undefined ? (was?.description ?? null) : description || null,
  tags: tags ?? was?.tags ?? [],
  domains: [...(domains ?? was?.domains ?? [])],
  owner: owner ?? was?.owner,
  queries: [...queries],
});

/** The owner as the item would name it: an e-mail has no case. */
async function ownerNameOf(step: ContentStep, { owner }: ConfiguredItem, path: string): Promise<string | undefined> {
  if (owner === undefined) return undefined;
  const found = await step.content.marketplace.findAccount(tenantOf(step), owner);
  if (found === undefined) step.mistakes.add(`${path}.owner`, `there is no user or client ${owner}`);
  return found?.name;
}

async function areAllPublished(
  step: ItemsStep,
  wish: ConfiguredItem,
  { queries, path }: ItemReferences & { path: string },
) {
  const ids = queries.map(({ datamap_id }) => datamap_id);
  const missing = new Set(await step.content.marketplace.notPublished(tenantOf(step), ids));
  for (const [place, { datamap }] of wish.queries.entries()) {
    if (!missing.has(ids[place] ?? '')) continue;
    step.mistakes.add(`${path}.queries[${place}].datamap`, `the datamap ${datamap} is not published`);
  }
  return missing.size === 0;
}

async function applyItem(step: ItemsStep, wish: ConfiguredItem, path: string): Promise<AppliedChange | undefined> {
  const { caller, content } = step;
  const { id } = wish;
  const references = await referencesOf(step, wish, path);
  const owner = await ownerNameOf(step, wish, path);
  if (references === undefined || (wish.owner !== undefined && owner === undefined)) return undefined;
  const before = await content.marketplace.find(tenantOf(step), granteeOf(caller.principal), id);
  const was = before && contentOf(before);
  const after = wantedContent({ ...wish, owner }, references, was);
  const told = { kind: 'marketplace_item', name: id, before: was ?? null } as const;
  if (was !== undefined && isDeepStrictEqual(was, after)) return appliedChange({ ...told, action: 'none', after: was });
  if (!(await areAllPublished(step, wish, { ...references, path }))) return undefined;
  const change = createChangeMarketplace(content);
  // Who is no longer there stays the owner of what nobody gives to another.
  const request = { ...after, owner };
  const saved =
    before === undefined
      ? await change.create(caller, { id, ...request })
      : await change.update(caller, { id, version: undefined }, request);
  return appliedChange({ ...told, action: before === undefined ? 'create' : 'update', after: contentOf(saved) });
}

/** Brings items to what a file says, each by its id, with their grants where the file says some. */
export async function applyItems(
  step: ContentStep,
  wanted: Configuration,
  datamapIds: ReadonlyMap<string, string | null>,
): Promise<readonly AppliedChange[]> {
  const find = await findConfiguredDatamaps(step.content.datamaps, datamapActor(step.caller.principal), wanted);
  const changes: AppliedChange[] = [];
  for (const [index, wish] of (wanted.marketplace_items ?? []).entries()) {
    const path = `marketplace_items[${index}]`;
    const item = await step.mistakes.noting(path, () => applyItem({ ...step, find, datamapIds }, wish, path));
    const grants = await applyItemGrants(step, { ...wish, path, item }, wanted);
    if (item !== undefined) changes.push(item);
    if (grants !== undefined) changes.push(grants);
  }
  return changes;
}
