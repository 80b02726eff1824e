import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Configuration, DatamapState } from '@sluice/contract';
import type { TenantContent } from '@sluice/store/administration';
import type { StoredDatamap } from '@sluice/store/datamaps';
import { createChangeDatamaps, type DatamapStep } from '../datamaps/change-datamaps.ts';
import { datamapActor } from '../datamaps/datamap-access.ts';
import { changedContent, contentOf, presentDatamap, stewardOf } from '../datamaps/datamap-content.ts';
import type { DescribeSql, DescribingCaller } from '../datamaps/describe-sql.ts';
import { appliedChange } from './applied-change.ts';
import type { ConfigurationMistakes } from './configuration-mistakes.ts';
import { type ConfiguredDatamap, findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

/** What a part of a file is applied with, within its transaction. */
export interface ContentStep {
  readonly content: TenantContent;
  readonly caller: DescribingCaller;
  readonly describeSql: DescribeSql;
  readonly mistakes: ConfigurationMistakes;
}

export interface AppliedDatamaps {
  readonly changes: readonly AppliedChange[];
  /** Ids by the names that the file gives; null for one with a mistake, of which nothing more is to be said. */
  readonly ids: ReadonlyMap<string, string | null>;
}

const stepTo = (wanted: ConfiguredDatamap['state'], state: DatamapState): DatamapStep | undefined => {
  if (wanted === 'PUBLISHED' && state !== 'PUBLISHED') return 'publish';
  return wanted === 'DRAFT' && state === 'PUBLISHED' ? 'unpublish' : undefined;
};

interface Settled {
  readonly before: StoredDatamap | undefined;
  readonly after: StoredDatamap;
}

async function settle(
  { content: { datamaps }, caller, describeSql }: ContentStep,
  { id: _id, state, ...wish }: ConfiguredDatamap,
  before: StoredDatamap | undefined,
): Promise<Settled> {
  const change = createChangeDatamaps({ datamaps, describeSql });
  let after: StoredDatamap;
  if (before === undefined) after = await change.create(caller, wish);
  else {
    const was = contentOf(before);
    const steward = await stewardOf(datamaps, caller.principal.tenant.id, wish);
    const isSame = isDeepStrictEqual(changedContent(was, wish, steward), was);
    after = isSame ? before : await change.update(caller, { id: before.record.id, version: before.version }, wish);
  }
  const step = stepTo(state, contentOf(after).state);
  if (step !== undefined) after = await change.step(caller, { id: after.record.id, version: undefined }, step);
  return { before, after };
}

/** What keeps one entry from being applied, with its key. */
const objectionTo = (
  { sql, state }: ConfiguredDatamap,
  before: StoredDatamap | undefined,
): readonly [string, string] | undefined => {
  const sqlAfter = sql === undefined ? before && contentOf(before).sql : sql;
  if (state !== 'PUBLISHED' || typeof sqlAfter === 'string') return undefined;
  return ['state', 'a datamap without SQL cannot be published'];
};

const changeOf = (name: string, { before, after }: Settled): AppliedChange => {
  const told = { kind: 'datamap', name, before: presentDatamap(before ?? null), after: presentDatamap(after) } as const;
  if (before === undefined) return appliedChange({ ...told, action: 'create' });
  return appliedChange({ ...told, action: before.version === after.version ? 'none' : 'update' });
};

/** Brings datamaps to what a file says, each by its id, or else by its name. */
export async function applyDatamaps(step: ContentStep, wanted: Configuration): Promise<AppliedDatamaps> {
  const { content, caller, mistakes } = step;
  const find = await findConfiguredDatamaps(content.datamaps, datamapActor(caller.principal), wanted);
  const ids = new Map<string, string | null>();
  const changes: AppliedChange[] = [];
  /** Ids of datamaps, with the place of the entry that is about each. */
  const taken = new Map<string, number>();

  const found = async (
    { id, name }: ConfiguredDatamap,
    index: number,
  ): Promise<StoredDatamap | undefined | [string, string]> => {
    const before = id === undefined ? await find.byName(name) : await find.byId(id);
    if (isAmbiguous(before)) return ['name', `there are ${before.candidateCount} datamaps ${name}: give the id of one`];
    if (before === undefined) return id === undefined ? undefined : ['id', `there is no datamap ${id}`];
    const other = taken.get(before.record.id);
    if (other !== undefined) return ['name', `datamaps[${other}] is the same datamap`];
    taken.set(before.record.id, index);
    return before;
  };

  for (const [index, wish] of (wanted.datamaps ?? []).entries()) {
    const path = `datamaps[${index}]`;
    ids.set(wish.name, null);
    const before = await found(wish, index);
    const objection = Array.isArray(before) ? before : objectionTo(wish, before);
    if (objection !== undefined) mistakes.add(`${path}.${objection[0]}`, objection[1]);
    if (objection !== undefined || Array.isArray(before)) continue;
    const settled = await mistakes.noting(path, () => settle(step, wish, before));
    if (settled === undefined) continue;
    ids.set(wish.name, settled.after.record.id);
    changes.push(changeOf(wish.name, settled));
  }
  return { changes, ids };
}
