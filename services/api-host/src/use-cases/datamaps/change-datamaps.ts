import {
  type AuditAction,
  auditOf,
  type Caller,
  type Column,
  type CreateDatamapRequest,
  type DatamapState,
  ProblemError,
  type UpdateDatamapRequest,
} from '@sluice/contract';
import type { DatamapContent, DatamapStore, RecordDatamap, StoredDatamap } from '@sluice/store/datamaps';
import { changeableDatamap, datamapActor } from './datamap-access.ts';
import { changedContent, contentOf, newContent, presentDatamap, stewardOf } from './datamap-content.ts';
import type { DescribeSql, DescribeSqlInput, DescribingCaller } from './describe-sql.ts';

export interface ChangeDatamapsDependencies {
  readonly datamaps: Pick<DatamapStore, 'find' | 'create' | 'change' | 'remove' | 'findUser'>;
  readonly describeSql: DescribeSql;
}

/** A change of one datamap as somebody asks for it. */
export interface DatamapTarget {
  readonly id: string;
  /** What the caller has read; undefined: whatever it is now. */
  readonly version: number | undefined;
}

/** States from which each step may be taken, and where it leads. */
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

const recordOf =
  (caller: Caller, action: AuditAction): RecordDatamap =>
  (before, after) => {
    const { record } = after ?? before ?? {};
    const sql = record?.datamap.advanced_mode.sql;
    return auditOf(caller, {
      action,
      target: record?.datamap.name ?? '',
      metadata: {
        datamap_id: record?.id,
        ...(sql == null ? {} : { sql }),
        before: presentDatamap(before),
        after: presentDatamap(after),
      },
    });
  };

const inState = (state: DatamapState): string => `The datamap is in the state ${state}`;

const requireStep = (step: DatamapStep, { state, sql }: DatamapContent): void => {
  const allowed: readonly DatamapState[] = STEPS[step].from;
  if (!allowed.includes(state)) {
    throw new ProblemError('conflict', `${inState(state)}; ${step} needs ${allowed.join(' or ')}.`);
  }
  if (step === 'publish' && sql === null) throw new ProblemError('conflict', 'Give the datamap its SQL first.');
};

/**
 * What becomes of datamaps. New SQL is described by the engine before anything is written, so what the engine refuses is refused
 * with its words. Throws `not_found`, `access_denied`, `conflict`, `precondition_failed`, `invalid_request`, and what
 * `DescribeSql` throws.
 */
export function createChangeDatamaps({ datamaps, describeSql }: ChangeDatamapsDependencies) {
  const describe = async (
    caller: DescribingCaller,
    { sql, ...about }: Omit<DescribeSqlInput, 'sql'> & { readonly sql: string | null },
  ): Promise<readonly Column[]> => {
    if (sql === null) return [];
    const columns = await describeSql(caller, { sql, ...about });
    const long = columns.find(({ name }) => Buffer.byteLength(name) > COLUMN_NAME_BYTES_MAX);
    if (long === undefined) return columns;
    throw new ProblemError('not_supported', `A column has a name of more than ${COLUMN_NAME_BYTES_MAX} bytes.`);
  };

  return {
    async create(caller: DescribingCaller, wish: CreateDatamapRequest): Promise<StoredDatamap> {
      const steward = await stewardOf(datamaps, caller.principal.tenant.id, wish);
      const content = newContent(wish, steward);
      const columns = await describe(caller, { sql: content.sql, target: content.name });
      return datamaps.create(datamapActor(caller.principal), { content, columns }, recordOf(caller, 'CREATE_DATAMAP'));
    },
    async update(caller: DescribingCaller, target: DatamapTarget, wish: UpdateDatamapRequest): Promise<StoredDatamap> {
      const { principal } = caller;
      const actor = datamapActor(principal);
      // Before the engine is asked: nobody shall make it work for a datamap that is not his.
      const seen = changeableDatamap(await datamaps.find(actor, target.id), principal, target.version);
      const steward = await stewardOf(datamaps, actor.tenantId, wish);
      const hasNewSql = wish.sql !== undefined && wish.sql !== contentOf(seen).sql;
      const about = { target: contentOf(seen).name, datamapId: target.id };
      const columns = hasNewSql ? await describe(caller, { sql: wish.sql ?? null, ...about }) : undefined;
      const decide = (found: StoredDatamap | undefined) => {
        const before = contentOf(changeableDatamap(found, principal, target.version));
        const content = changedContent(before, wish, steward);
        if (content.sql === before.sql) return { content };
        // Somebody gave it other SQL since we looked, so ours, which was the old one then, was never described.
        if (columns === undefined)
          throw new ProblemError('precondition_failed', 'The SQL was changed meanwhile. Read it again.');
        return { content, columns };
      };
      return datamaps.change(actor, { id: target.id, decide }, recordOf(caller, 'UPDATE_DATAMAP'));
    },
    step(caller: Caller, target: DatamapTarget, step: DatamapStep): Promise<StoredDatamap> {
      const decide = (found: StoredDatamap | undefined) => {
        const before = contentOf(changeableDatamap(found, caller.principal, target.version));
        requireStep(step, before);
        return { content: { ...before, state: STEPS[step].to }, isPublished: step === 'publish' };
      };
      const actor = datamapActor(caller.principal);
      return datamaps.change(actor, { id: target.id, decide }, recordOf(caller, STEPS[step].action));
    },
    remove(caller: Caller, target: DatamapTarget): Promise<void> {
      const decide = (found: StoredDatamap | undefined): void => {
        const { state } = contentOf(changeableDatamap(found, caller.principal, target.version));
        if (REMOVABLE.includes(state)) return;
        throw new ProblemError(
          'conflict',
          `${inState(state)}; only ${REMOVABLE.join(' and ')} can be removed. Archive it first.`,
        );
      };
      const actor = datamapActor(caller.principal);
      return datamaps.remove(actor, { id: target.id, decide }, recordOf(caller, 'DELETE_DATAMAP'));
    },
  };
}
