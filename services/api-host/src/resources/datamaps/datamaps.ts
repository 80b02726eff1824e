import {
  type AuditAction,
  apiOperations,
  type Caller,
  type CreateDatamapRequest,
  callerOf,
  type DatamapActivityRequest,
  type DatamapRecord,
  type DatamapState,
  invalidRequest,
  ProblemError,
  type UpdateDatamapRequest,
} from '@sluice/contract';
import { entityTag, json, noContent, type Route, type RouteResponse, route } from '@sluice/http';
import type { DatamapContent, DatamapCounters, DescribedSql, StoredDatamap } from '@sluice/store/datamaps';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import {
  changeableDatamap,
  readableDatamap,
  visibleDatamap,
  writableDatamap,
  writesDraftsOnly,
} from '../../use-cases/datamaps/datamap-access.ts';
import type { DescribeSql, DescribeSqlInput } from '../../use-cases/datamaps/describe-sql.ts';
import type { SearchDatamaps } from '../../use-cases/datamaps/search-datamaps.ts';
import { type Target, targetOf } from '../target.ts';
import {
  changedContent,
  contentOf,
  diffDatamaps,
  findSteward,
  isSameStatement,
  newContent,
  presentDatamap,
} from './datamap-content.ts';

interface DescribingContext {
  readonly database: Pick<ResourceDatabase, 'change' | 'read'>;
  readonly describeSql: DescribeSql;
}

/** States in which each step is allowed, and the state after it. */
const STEPS = {
  publish: { from: ['DRAFT', 'IN_PROGRESS', 'ARCHIVED'], to: 'PUBLISHED', action: 'PUBLISH_DATAMAP' },
  unpublish: { from: ['PUBLISHED'], to: 'IN_PROGRESS', action: 'UNPUBLISH_DATAMAP' },
  archive: { from: ['DRAFT', 'IN_PROGRESS', 'PUBLISHED'], to: 'ARCHIVED', action: 'ARCHIVE_DATAMAP' },
} as const satisfies Record<
  string,
  { readonly from: readonly DatamapState[]; readonly to: DatamapState; readonly action: AuditAction }
>;
export type DatamapStep = keyof typeof STEPS;
const REMOVABLE: readonly DatamapState[] = ['DRAFT', 'ARCHIVED'];
const COLUMN_NAME_BYTES_MAX = 2000;

interface RecordedChange {
  readonly before: StoredDatamap | null;
  readonly after: StoredDatamap | null;
}

/** Writes the audit record of a change, and adds the change to the history of the datamap. */
const recordChange = async (
  tx: TenantTransaction,
  action: AuditAction,
  { before, after }: RecordedChange,
): Promise<void> => {
  const { record } = after ?? before ?? {};
  const sql = record?.datamap.advanced_mode.sql;
  if (after !== null) {
    const changes = diffDatamaps(before, after);
    await tx.factChanges.add([{ factId: after.record.id, version: after.version, changes }], tx.by);
  }
  await tx.record(action, record?.datamap.name ?? '', {
    datamap_id: record?.id,
    ...(sql == null ? {} : { sql }),
    before: presentDatamap(before),
    after: presentDatamap(after),
  });
};

const inState = (state: DatamapState): string => `The datamap is in the state ${state}`;

const requireStep = (step: DatamapStep, { state, sql }: DatamapContent): void => {
  const allowed: readonly DatamapState[] = STEPS[step].from;
  if (!allowed.includes(state)) {
    throw new ProblemError('conflict', `${inState(state)}; ${step} requires ${allowed.join(' or ')}.`);
  }
  if (step === 'publish' && sql === null)
    throw new ProblemError('conflict', 'A datamap without SQL cannot be published. Set its SQL first.');
};

const parametersWithoutSql = (): ProblemError =>
  invalidRequest({ path: 'body.parameters', message: 'must be empty for a datamap without SQL' });

async function describe(
  describeSql: DescribeSql,
  caller: Caller,
  { sql, ...input }: Omit<DescribeSqlInput, 'sql'> & { readonly sql: string | null },
): Promise<DescribedSql> {
  if (sql === null && input.parameters.length > 0) throw parametersWithoutSql();
  if (sql === null) return { columns: [], reads: [] };
  const described = await describeSql(caller, { sql, ...input });
  const long = described.columns.find(({ name }) => Buffer.byteLength(name) > COLUMN_NAME_BYTES_MAX);
  if (long === undefined) return described;
  throw new ProblemError('not_supported', `A column has a name of more than ${COLUMN_NAME_BYTES_MAX} bytes.`);
}

interface DatamapInput<Request> {
  readonly request: Request;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Creates a datamap. The engine describes its SQL before anything is written. Throws `invalid_request`, and the errors of `DescribeSql`. */
export async function createDatamap(
  { database, describeSql }: DescribingContext,
  caller: Caller,
  { request, signal }: DatamapInput<CreateDatamapRequest>,
): Promise<StoredDatamap> {
  const steward = await database.read(caller, ({ datamaps }) => findSteward(datamaps, request));
  const content = newContent(request, steward);
  const { sql, parameters, name } = content;
  const described = await describe(describeSql, caller, { sql, parameters, target: name, signal });
  return database.change(caller, async (tx) => {
    const after = await tx.datamaps.insert(caller.principal, { content, described });
    await recordChange(tx, 'CREATE_DATAMAP', { before: null, after });
    return after;
  });
}

/**
 * Changes a datamap. The engine describes new SQL before anything is written. Throws `not_found`, `access_denied`,
 * `precondition_failed`, `invalid_request`, and the errors of `DescribeSql`.
 */
export async function updateDatamap(
  { database, describeSql }: DescribingContext,
  caller: Caller,
  { target: { id, version }, request, signal }: DatamapInput<UpdateDatamapRequest> & { readonly target: Target },
): Promise<StoredDatamap> {
  const { principal } = caller;
  const { seen, steward } = await database.read(caller, async ({ datamaps }) => ({
    // Checked before the engine is asked: a caller must not make it work for a datamap of another owner.
    seen: contentOf(writableDatamap(await datamaps.find(principal, id), principal, version)),
    steward: await findSteward(datamaps, request),
  }));
  // A draft with new SQL is in progress only for a caller who can publish it afterwards.
  const change = (before: DatamapContent): DatamapContent => {
    const content = changedContent(before, request, steward);
    return writesDraftsOnly(principal) ? { ...content, state: before.state } : content;
  };
  const wanted = change(seen);
  const { sql, parameters } = wanted;
  const input = { sql, parameters, target: seen.name, datamapId: id, signal };
  const described = isSameStatement(wanted, seen) ? undefined : await describe(describeSql, caller, input);
  return database.change(caller, async (tx) => {
    const before = writableDatamap(await tx.datamaps.lock(principal, id), principal, version);
    const content = change(contentOf(before));
    const isSame = isSameStatement(content, contentOf(before));
    if (!isSame && (described === undefined || !isSameStatement(content, wanted))) {
      // Another request changed the statement after our first read, so the engine did not describe ours.
      throw new ProblemError('precondition_failed', 'The SQL was changed meanwhile. Read it again.');
    }
    const after = await tx.datamaps.update(principal, id, isSame ? { content } : { content, described });
    await recordChange(tx, 'UPDATE_DATAMAP', { before, after });
    return after;
  });
}

/** Publishes, unpublishes or archives a datamap. Throws `not_found`, `access_denied`, `precondition_failed` and `conflict`. */
export async function changeDatamapState(
  tx: TenantTransaction,
  { principal }: Caller,
  { target: { id, version }, step }: { readonly target: Target; readonly step: DatamapStep },
): Promise<StoredDatamap> {
  const before = changeableDatamap(await tx.datamaps.lock(principal, id), principal, version);
  const content = contentOf(before);
  requireStep(step, content);
  const write = { content: { ...content, state: STEPS[step].to }, isPublished: step === 'publish' };
  const after = await tx.datamaps.update(principal, id, write);
  await recordChange(tx, STEPS[step].action, { before, after });
  return after;
}

/** Removes a datamap. Throws `not_found`, `access_denied`, `precondition_failed` and `conflict`. */
export async function removeDatamap(
  tx: TenantTransaction,
  { principal }: Caller,
  { id, version }: Target,
): Promise<void> {
  const before = writableDatamap(await tx.datamaps.lockToRemove(principal, id), principal, version);
  const { state } = contentOf(before);
  if (!REMOVABLE.includes(state)) {
    throw new ProblemError(
      'conflict',
      `${inState(state)}; only ${REMOVABLE.join(' and ')} can be removed. Archive it first.`,
    );
  }
  await tx.datamaps.remove(id);
  await recordChange(tx, 'DELETE_DATAMAP', { before, after: null });
}

type Activity = Pick<DatamapRecord['user_activity'], 'is_favourite' | 'rating' | 'vote'>;

const activityOf = (record: DatamapRecord | undefined): Activity | null => {
  if (record === undefined) return null;
  const { is_favourite, rating, vote } = record.user_activity;
  return { is_favourite, rating, vote };
};

/** Removes keys without a value: the store keeps missing keys. */
const withoutUndefined = ({ is_favourite, rating, vote }: DatamapActivityRequest): Partial<Activity> => ({
  ...(is_favourite === undefined ? {} : { is_favourite }),
  ...(rating === undefined ? {} : { rating }),
  ...(vote === undefined ? {} : { vote }),
});

/** Sets the caller's own favourite, rating and vote of a datamap. Throws `not_found` for a missing and a hidden one. */
async function setDatamapActivity(
  tx: TenantTransaction,
  { principal }: Caller,
  { id, activity }: { readonly id: string; readonly activity: DatamapActivityRequest },
): Promise<StoredDatamap> {
  const before = visibleDatamap(await tx.datamaps.find(principal, id), principal);
  const after = await tx.datamaps.setActivity(principal, id, withoutUndefined(activity));
  const change = { before: activityOf(before.record), after: activityOf(after.record) };
  await tx.record('SET_DATAMAP_ACTIVITY', after.record.datamap.name, { datamap_id: id, ...change });
  return after;
}

/** Adds this view and those that this host has not written yet to the counts of the store. */
const viewed = ({ record, ...stored }: StoredDatamap, noted: { own: number; all: number }): StoredDatamap => ({
  ...stored,
  record: {
    ...record,
    view_count: record.view_count + noted.all,
    user_activity: {
      ...record.user_activity,
      viewed: record.user_activity.viewed + noted.own,
      last_viewed_timestamp: Date.now(),
    },
  },
});

const datamapJson = (status: 200 | 201, { record, version }: StoredDatamap): RouteResponse =>
  json(status, record, {
    etag: entityTag(version),
    ...(status === 201 ? { location: `/datamap/${record.id}` } : {}),
  });

interface DatamapsContext extends DescribingContext {
  readonly counters: Pick<DatamapCounters, 'countView'>;
  readonly searchDatamaps: SearchDatamaps;
}

/** POST /datamap/search and everything below /datamap */
export function datamapRoutes(context: DatamapsContext): Route[] {
  const { database, counters, searchDatamaps } = context;
  const changeState = async (caller: Caller, target: Target, step: DatamapStep): Promise<RouteResponse> =>
    datamapJson(200, await database.change(caller, (tx) => changeDatamapState(tx, caller, { target, step })));

  return [
    route(apiOperations.searchDatamaps, async (request) =>
      json(200, await searchDatamaps(callerOf(request), request.body)),
    ),
    // A read is a view of the datamap.
    route(apiOperations.getDatamap, async (request) => {
      const { principal } = request;
      const found = await database.read(callerOf(request), async (tx) => {
        const datamap = readableDatamap(await tx.datamaps.find(principal, request.params.id), principal);
        await tx.recordMetadataRead('READ_DATAMAP', datamap.record.datamap.name, { datamap_id: datamap.record.id });
        return datamap;
      });
      const view = { tenantId: principal.tenant.id, factId: found.record.id, accountId: principal.id };
      return datamapJson(200, viewed(found, counters.countView(view)));
    }),
    route(apiOperations.createDatamap, async (request) => {
      const { body, signal } = request;
      return datamapJson(201, await createDatamap(context, callerOf(request), { request: body, signal }));
    }),
    route(apiOperations.updateDatamap, async (request) => {
      const input = { target: targetOf(request), request: request.body, signal: request.signal };
      return datamapJson(200, await updateDatamap(context, callerOf(request), input));
    }),
    route(apiOperations.deleteDatamap, async (request) => {
      const caller = callerOf(request);
      await database.change(caller, (tx) => removeDatamap(tx, caller, targetOf(request)));
      return noContent();
    }),
    route(apiOperations.publishDatamap, (request) => changeState(callerOf(request), targetOf(request), 'publish')),
    route(apiOperations.unpublishDatamap, (request) => changeState(callerOf(request), targetOf(request), 'unpublish')),
    route(apiOperations.archiveDatamap, (request) => changeState(callerOf(request), targetOf(request), 'archive')),
    route(apiOperations.setDatamapActivity, async (request) => {
      const caller = callerOf(request);
      const input = { id: request.params.id, activity: request.body };
      return datamapJson(200, await database.change(caller, (tx) => setDatamapActivity(tx, caller, input)));
    }),
  ];
}
