import { isDeepStrictEqual } from 'node:util';
import {
  type CreateDatamapRequest,
  invalidRequest,
  type RecordedChange,
  tagKey,
  type UpdateDatamapRequest,
} from '@sluice/contract';
import type { DatamapContent, DatamapRepository, StoredDatamap } from '@sluice/store/datamaps';
import { changeList } from '../../use-cases/catalog/change-list.ts';

type NamedSteward = DatamapContent['steward'];

const LIMIT_DEFAULT = 1000;

const EMPTY: DatamapContent = {
  name: '',
  displayName: '',
  description: null,
  tags: [],
  state: 'DRAFT',
  priority: 'MEDIUM',
  steward: null,
  sql: null,
  parameters: [],
  explanation: '',
  sourceId: '',
  limit: LIMIT_DEFAULT,
};

/** Returns the content of a stored datamap in the form in which it is written. */
export function contentOf({ record, stewardId, sourceId }: StoredDatamap): DatamapContent {
  const { datamap, description, tags } = record;
  return {
    name: datamap.name,
    displayName: datamap.display_name,
    description,
    tags,
    state: datamap.state,
    priority: datamap.priority,
    steward: stewardId === null ? null : { id: stewardId, name: datamap.assigned.sme ?? '' },
    sql: datamap.advanced_mode.sql,
    parameters: datamap.parameters,
    explanation: datamap.explanation,
    sourceId,
    limit: datamap.config.limit,
  };
}

/** Returns the content as in audit records and dry runs. Nothing is shortened or left out, not even SQL. */
export const presentDatamap = (stored: StoredDatamap | null) => {
  if (stored === null) return null;
  const { steward, sourceId, displayName, ...content } = contentOf(stored);
  return { ...content, display_name: displayName, sme: steward?.name ?? null, source_id: sourceId };
};

type PresentedDatamap = NonNullable<ReturnType<typeof presentDatamap>>;

/** Returns the changed properties of a datamap, for its history. Null: it is new, and all that is set is a change. */
export function diffDatamaps(before: StoredDatamap | null, after: StoredDatamap): RecordedChange['changes'] {
  const was = presentDatamap(before);
  const is = presentDatamap(after);
  const properties = Object.keys(is ?? {}) as (keyof PresentedDatamap)[];
  return properties.flatMap((property) => {
    const change = { field: null, property, before: was?.[property] ?? null, after: is?.[property] ?? null };
    const isSet = change.after !== null && change.after !== '' && !isDeepStrictEqual(change.after, []);
    if (was === null ? !isSet : isDeepStrictEqual(change.before, change.after)) return [];
    return [change];
  });
}

type DatamapStatement = Pick<DatamapContent, 'sql' | 'parameters'>;

/** Whether two contents have the same SQL with the same parameters. */
export const isSameStatement = (one: DatamapStatement, other: DatamapStatement): boolean =>
  one.sql === other.sql && isDeepStrictEqual(one.parameters, other.parameters);

/**
 * Applies a request to the content of a datamap. Missing fields are kept, but a datamap whose SQL is removed keeps no parameters. New SQL or
 * new parameters set the state to `IN_PROGRESS`.
 */
export function changedContent(
  before: DatamapContent,
  request: UpdateDatamapRequest,
  steward: NamedSteward | undefined,
): DatamapContent {
  const sql = request.sql === undefined ? before.sql : request.sql;
  const statement = { sql, parameters: request.parameters ?? (sql === null ? [] : before.parameters) };
  return {
    name: request.name ?? before.name,
    displayName: request.display_name ?? before.displayName,
    description: request.description === undefined ? before.description : request.description || null,
    tags: changeList(before.tags, { all: request.tags, add: undefined, remove: undefined }, tagKey),
    state: isSameStatement(statement, before) ? before.state : 'IN_PROGRESS',
    priority: request.priority ?? before.priority,
    steward: steward === undefined ? before.steward : steward,
    ...statement,
    explanation: request.explanation ?? before.explanation,
    sourceId: request.source_id ?? before.sourceId,
    limit: request.limit ?? before.limit,
  };
}

export function newContent(request: CreateDatamapRequest, steward: NamedSteward | undefined): DatamapContent {
  const content = changedContent(EMPTY, request, steward);
  return { ...content, displayName: request.display_name ?? request.name, state: 'DRAFT' };
}

/** Finds the steward of a request; undefined if the request has none. Throws `invalid_request` if no user has the e-mail. */
export async function findSteward(
  datamaps: Pick<DatamapRepository, 'findUser'>,
  { sme }: UpdateDatamapRequest,
): Promise<NamedSteward | undefined> {
  if (sme === undefined || sme === null) return sme;
  const found = await datamaps.findUser(sme);
  if (found !== undefined) return found;
  throw invalidRequest({ path: 'body.sme', message: 'is not the e-mail of a user of this tenant' });
}
