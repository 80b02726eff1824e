import {
  type AuditAction,
  auditOf,
  type Caller,
  type CreateDatamapRequest,
  type DatamapState,
  invalidRequest,
  ProblemError,
  type UpdateDatamapRequest,
} from '@sluice/contract';
import type { DatamapContent, DatamapStore, DescribedSql, RecordDatamap, StoredDatamap } from '@sluice/store/datamaps';
import { changeableDatamap, datamapActor } from './datamap-access.ts';
import {
  changedContent,
  contentOf,
  findSteward,
  isSameStatement,
  newContent,
  presentDatamap,
} from './datamap-content.ts';
import type { DescribeSql, DescribeSqlInput } from './describe-sql.ts';

export interface DatamapTarget {
  readonly id: string;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

export interface CreateDatamapInput {
  readonly request: CreateDatamapRequest;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface UpdateDatamapInput {
  readonly target: DatamapTarget;
  readonly request: UpdateDatamapRequest;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface DatamapStepInput {
  readonly target: DatamapTarget;
  readonly step: DatamapStep;
}

/** Creates a datamap. The engine describes its SQL before anything is written. Throws `invalid_request`, and the errors of `DescribeSql`. */
type CreateDatamap = (caller: Caller, input: CreateDatamapInput) => Promise<StoredDatamap>;

/**
 * Changes a datamap. The engine describes new SQL before anything is written. Throws `not_found`, `access_denied`,
 * `precondition_failed`, `invalid_request`, and the errors of `DescribeSql`.
 */
type UpdateDatamap = (caller: Caller, input: UpdateDatamapInput) => Promise<StoredDatamap>;

/** Publishes, unpublishes or archives a datamap. Throws `not_found`, `access_denied`, `precondition_failed` and `conflict`. */
type ChangeDatamapState = (caller: Caller, input: DatamapStepInput) => Promise<StoredDatamap>;

/** Removes a datamap. Throws `not_found`, `access_denied`, `precondition_failed` and `conflict`. */
type RemoveDatamap = (caller: Caller, target: DatamapTarget) => Promise<void>;

interface ChangeDatamapsDependencies {
  readonly datamaps: Pick<DatamapStore, 'find' | 'create' | 'change' | 'remove' | 'findUser'>;
}

interface DescribedDatamapsDependencies extends ChangeDatamapsDependencies {
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

export const createCreateDatamap =
  ({ datamaps, describeSql }: DescribedDatamapsDependencies): CreateDatamap =>
  async (caller, { request, signal }) => {
    const steward = await findSteward(datamaps, caller.principal.tenant.id, request);
    const content = newContent(request, steward);
    const { sql, parameters, name } = content;
    const described = await describe(describeSql, caller, { sql, parameters, target: name, signal });
    return datamaps.create(datamapActor(caller.principal), { content, described }, recordOf(caller, 'CREATE_DATAMAP'));
  };

export const createUpdateDatamap =
  ({ datamaps, describeSql }: DescribedDatamapsDependencies): UpdateDatamap =>
  async (caller, { target, request, signal }) => {
    const { principal } = caller;
    const actor = datamapActor(principal);
    // Checked before the engine is asked: a caller must not make it work for a datamap of another owner.
    const seen = changeableDatamap(await datamaps.find(actor, target.id), principal, target.version);
    const steward = await findSteward(datamaps, actor.tenantId, request);
    const contentBefore = contentOf(seen);
    const wanted = changedContent(contentBefore, request, steward);
    const { sql, parameters } = wanted;
    const input = { sql, parameters, target: contentBefore.name, datamapId: target.id, signal };
    const isSame = isSameStatement(wanted, contentBefore);
    const described = isSame ? undefined : await describe(describeSql, caller, input);
    const decide = (found: StoredDatamap | undefined) => {
      const before = contentOf(changeableDatamap(found, principal, target.version));
      const content = changedContent(before, request, steward);
      if (isSameStatement(content, before)) return { content };
      // Another request changed the statement after our first read, so the engine did not describe ours.
      if (described === undefined || !isSameStatement(content, wanted)) {
        throw new ProblemError('precondition_failed', 'The SQL was changed meanwhile. Read it again.');
      }
      return { content, described };
    };
    return datamaps.change(actor, { id: target.id, decide }, recordOf(caller, 'UPDATE_DATAMAP'));
  };

export const createChangeDatamapState =
  ({ datamaps }: ChangeDatamapsDependencies): ChangeDatamapState =>
  (caller, { target, step }) => {
    const decide = (found: StoredDatamap | undefined) => {
      const before = contentOf(changeableDatamap(found, caller.principal, target.version));
      requireStep(step, before);
      return { content: { ...before, state: STEPS[step].to }, isPublished: step === 'publish' };
    };
    const actor = datamapActor(caller.principal);
    return datamaps.change(actor, { id: target.id, decide }, recordOf(caller, STEPS[step].action));
  };

export const createRemoveDatamap =
  ({ datamaps }: ChangeDatamapsDependencies): RemoveDatamap =>
  (caller, target) => {
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
  };
