import { type CreateDatamapRequest, ProblemError, tagKey, type UpdateDatamapRequest } from '@sluice/contract';
import type { DatamapContent, DatamapStore, StoredDatamap } from '@sluice/store/datamaps';
import { changeList } from '../change-list.ts';

export type NamedSteward = DatamapContent['steward'];

const LIMIT_DEFAULT = 1000;

const NOTHING: DatamapContent = {
  name: '',
  displayName: '',
  description: null,
  tags: [],
  state: 'DRAFT',
  priority: 'MEDIUM',
  steward: null,
  sql: null,
  explanation: '',
  sourceId: '',
  limit: LIMIT_DEFAULT,
};

/** What a stored datamap says, in the words in which it is written. */
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
    explanation: datamap.explanation,
    sourceId,
    limit: datamap.config.limit,
  };
}

/** For the audit log and whoever asks what changes: what is long or private to nobody stands as it is, SQL included. */
export const presentDatamap = (stored: StoredDatamap | null) => {
  if (stored === null) return null;
  const { steward, sourceId, displayName, ...content } = contentOf(stored);
  return { ...content, display_name: displayName, sme: steward?.name ?? null, source_id: sourceId };
};

/** What a request makes of a datamap: what it does not name stays. New SQL is work in progress until it is published. */
export function changedContent(
  before: DatamapContent,
  wish: UpdateDatamapRequest,
  steward: NamedSteward | undefined,
): DatamapContent {
  const sql = wish.sql === undefined ? before.sql : wish.sql;
  return {
    name: wish.name ?? before.name,
    displayName: wish.display_name ?? before.displayName,
    description: wish.description === undefined ? before.description : wish.description || null,
    tags: changeList(before.tags, { all: wish.tags, add: undefined, remove: undefined }, tagKey),
    state: sql === before.sql ? before.state : 'IN_PROGRESS',
    priority: wish.priority ?? before.priority,
    steward: steward === undefined ? before.steward : steward,
    sql,
    explanation: wish.explanation ?? before.explanation,
    sourceId: wish.source_id ?? before.sourceId,
    limit: wish.limit ?? before.limit,
  };
}

export function newContent(wish: CreateDatamapRequest, steward: NamedSteward | undefined): DatamapContent {
  const content = changedContent(NOTHING, wish, steward);
  return { ...content, displayName: wish.display_name ?? wish.name, state: 'DRAFT' };
}

/** The steward that a request names; undefined where it names none. Throws `invalid_request` for who is no user. */
export async function stewardOf(
  datamaps: Pick<DatamapStore, 'findUser'>,
  tenantId: string,
  { sme }: UpdateDatamapRequest,
): Promise<NamedSteward | undefined> {
  if (sme === undefined || sme === null) return sme;
  const found = await datamaps.findUser(tenantId, sme);
  if (found !== undefined) return found;
  const message = 'is the e-mail of no user of this tenant';
  throw new ProblemError('invalid_request', `The request is not valid: body.sme: ${message}.`, {
    details: [{ path: 'body.sme', message }],
  });
}
