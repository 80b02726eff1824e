import { isDeepStrictEqual } from 'node:util';
import type { AppliedChange, Caller, Configuration, DatamapState } from '@sluice/contract';
import type { StoredDatamap } from '@sluice/store/datamaps';
import { joinTransaction, type TenantTransaction } from '@sluice/store/resources';
import type { DescribeSql } from '../../../use-cases/datamaps/describe-sql.ts';
import { changedContent, contentOf, findSteward, presentDatamap } from '../../datamaps/datamap-content.ts';
import { changeDatamapState, createDatamap, type DatamapStep, updateDatamap } from '../../datamaps/datamaps.ts';
import { appliedChange } from './applied-change.ts';
import type { ConfigurationViolations } from './configuration-violations.ts';
import { type ConfiguredDatamap, findConfiguredDatamaps, isAmbiguous } from './find-configured-datamaps.ts';

/** Parts that the sections of a file are applied with, in one transaction. */
export interface ContentStep {
  readonly tx: TenantTransaction;
  readonly caller: Caller;
  readonly describeSql: DescribeSql;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly violations: ConfigurationViolations;
}

interface AppliedDatamaps {
  readonly changes: readonly AppliedChange[];
  /** Ids by the names in the file; null for an entry with a violation, which is reported already. */
  readonly ids: ReadonlyMap<string, string | null>;
}

const stepTo = (wanted: ConfiguredDatamap['state'], state: DatamapState): DatamapStep | undefined => {
  if (wanted === 'PUBLISHED' && state !== 'PUBLISHED') return 'publish';
  return wanted === 'DRAFT' && state === 'PUBLISHED' ? 'unpublish' : undefined;
};

interface SavedDatamap {
  readonly before: StoredDatamap | undefined;
  readonly after: StoredDatamap;
}

async function save(
  { tx, caller, describeSql, signal }: ContentStep,
  { id: _id, state, ...request }: ConfiguredDatamap,
  before: StoredDatamap | undefined,
): Promise<SavedDatamap> {
  const context = { database: joinTransaction(tx), describeSql };
  let after: StoredDatamap;
  if (before === undefined) after = await createDatamap(context, caller, { request, signal });
  else {
    const contentBefore = contentOf(before);
    const steward = await findSteward(tx.datamaps, request);
    const isSame = isDeepStrictEqual(changedContent(contentBefore, request, steward), contentBefore);
    const target = { id: before.record.id, version: before.version };
    after = isSame ? before : await updateDatamap(context, caller, { target, request, signal });
  }
  const step = stepTo(state, contentOf(after).state);
  if (step === undefined) return { before, after };
  const target = { id: after.record.id, version: undefined };
  return { before, after: await changeDatamapState(tx, caller, { target, step }) };
}

/** Returns the violation of an entry, with its key; undefined if it can be applied. */
const violationOf = (
  { sql, state }: ConfiguredDatamap,
  before: StoredDatamap | undefined,
): readonly [string, string] | undefined => {
  const sqlAfter = sql === undefined ? before && contentOf(before).sql : sql;
  if (state !== 'PUBLISHED' || typeof sqlAfter === 'string') return undefined;
  return ['state', 'a datamap without SQL cannot be published'];
};

const changeOf = (name: string, { before, after }: SavedDatamap): AppliedChange => {
  const change = {
    kind: 'datamap',
    name,
    before: presentDatamap(before ?? null),
    after: presentDatamap(after),
  } as const;
  if (before === undefined) return appliedChange({ ...change, action: 'create' });
  return appliedChange({ ...change, action: before.version === after.version ? 'none' : 'update' });
};

/** Creates or updates the datamaps of a file. A datamap is found by its id, or by its name if the entry has no id. */
export async function applyDatamaps(step: ContentStep, wanted: Configuration): Promise<AppliedDatamaps> {
  const { tx, caller, violations } = step;
  const find = await findConfiguredDatamaps(tx.datamaps, caller.principal, wanted);
  const ids = new Map<string, string | null>();
  const changes: AppliedChange[] = [];
  /** Indexes of the entries by the id of their datamap. */
  const indexes = new Map<string, number>();

  const found = async (
    { id, name }: ConfiguredDatamap,
    index: number,
  ): Promise<StoredDatamap | undefined | [string, string]> => {
    const before = id === undefined ? await find.byName(name) : await find.byId(id);
    if (isAmbiguous(before)) return ['name', `there are ${before.candidateCount} datamaps ${name}: give the id of one`];
    if (before === undefined) return id === undefined ? undefined : ['id', `there is no datamap ${id}`];
    const other = indexes.get(before.record.id);
    if (other !== undefined) return ['name', `datamaps[${other}] is the same datamap`];
    indexes.set(before.record.id, index);
    return before;
  };

  for (const [index, entry] of (wanted.datamaps ?? []).entries()) {
    const path = `datamaps[${index}]`;
    ids.set(entry.name, null);
    const before = await found(entry, index);
    const violation = Array.isArray(before) ? before : violationOf(entry, before);
    if (violation !== undefined) violations.add(`${path}.${violation[0]}`, violation[1]);
    if (violation !== undefined || Array.isArray(before)) continue;
    const saved = await violations.collect(path, () => save(step, entry, before));
    if (saved === undefined) continue;
    ids.set(entry.name, saved.after.record.id);
    changes.push(changeOf(entry.name, saved));
  }
  return { changes, ids };
}
