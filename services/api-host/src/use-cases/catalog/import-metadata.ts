import { createHash } from 'node:crypto';
import {
  auditOf,
  type Caller,
  type MetadataImportRequest,
  type MetadataImportResponse,
  type MetadataObject,
  type Principal,
  ProblemError,
} from '@sluice/contract';
import type {
  FactReference,
  FoundMetadata,
  IdempotentRequest,
  MetadataDecision,
  MetadataStore,
  MetadataWriteOptions,
  StoredResponse,
} from '@sluice/store/catalog';
import { type DecidedObject, decideImport, type ReferredObject, resultOf } from './decide-import.ts';
import { parseTableName } from './parse-table-name.ts';
import { takeTurns } from './take-turns.ts';

export interface ImportOptions {
  readonly caller: Caller;
  readonly request: MetadataImportRequest;
  /** The Idempotency-Key. A trial changes nothing, so its key means nothing. */
  readonly key: string | undefined;
}

export interface ImportAnswer extends StoredResponse {
  readonly isReplay: boolean;
}

export interface ImportMetadata {
  /** Throws `access_denied` for a caller who could change nothing, whatever is asked. */
  admit(caller: Principal): Promise<void>;
  /** Throws `idempotency_key_reused`, `too_many_requests`; what is wrong with single objects is in the answer. */
  run(order: ImportOptions): Promise<ImportAnswer>;
}

const OPERATION = 'importMetadata';
/** Imports of a tenant mostly want the same rows; two keep the database busy while one of them computes. */
const TURNS = { runningMax: 2, waitingMax: 200 };

const referenceOf = ({ type, id }: MetadataObject): FactReference | undefined => {
  if (type === 'DATAMAP') return { type, id };
  const name = parseTableName(id);
  return name && { type, ...name };
};

const domainIdsOf = (objects: readonly MetadataObject[]): string[] => {
  const ids = objects.flatMap(({ domains = [], add_domains = [], remove_domains = [] }) => [
    ...domains,
    ...add_domains,
    ...remove_domains,
  ]);
  return [...new Set(ids.map((id) => id.toLowerCase()))];
};

const idempotencyOf = ({ caller, request, key }: ImportOptions): IdempotentRequest | undefined =>
  key === undefined || request.dry_run === true
    ? undefined
    : {
        accountId: caller.principal.id,
        operation: OPERATION,
        key,
        digest: createHash('sha256').update(JSON.stringify(request)).digest(),
      };

const storeOrderOf = (order: ImportOptions, objects: readonly ReferredObject[]): MetadataWriteOptions => {
  const { caller, request } = order;
  const idempotency = idempotencyOf(order);
  return {
    tenantId: caller.principal.tenant.id,
    user: caller.principal.name,
    inputs: objects.flatMap(({ object, reference }) =>
      reference === undefined ? [] : [{ reference, fieldNames: (object.fields ?? []).map(({ name }) => name) }],
    ),
    domainIds: domainIdsOf(request.metadata_objects),
    isDryRun: request.dry_run === true,
    ...(idempotency === undefined ? {} : { idempotency }),
  };
};

const FAILURES = {
  'not found': { status: 404, error: 'not_found', message: 'None of these objects exists.' },
  forbidden: { status: 403, error: 'access_denied', message: 'You may change none of these objects.' },
} as const;

/** All failed for one and the same of these reasons; anything else is 200. */
const failureOf = (objects: readonly DecidedObject[]) => {
  const reasons = new Set(objects.map(({ refusal }) => refusal?.reason));
  const [reason] = reasons;
  return reasons.size === 1 && (reason === 'not found' || reason === 'forbidden') ? FAILURES[reason] : undefined;
};

const answerOf = ({ caller, request }: ImportOptions, objects: readonly DecidedObject[]): StoredResponse => {
  const results = objects.map((each) => resultOf(each, request));
  const successes = results.filter(({ success }) => success).length;
  const body: MetadataImportResponse = {
    metadata_results: results,
    success_count: successes,
    failure_count: results.length - successes,
    total_count: results.length,
  };
  const failure = failureOf(objects);
  if (failure === undefined) return { status: 200, body: JSON.stringify(body) };
  const { status, error, message } = failure;
  return { status, body: JSON.stringify({ error, message, request_id: caller.requestId, ...body }) };
};

const targetOf = ({ metadata_objects: [first, ...more] }: MetadataImportRequest): string =>
  more.length === 0 ? (first?.id ?? '') : `${more.length + 1} objects`;

const decide = (order: ImportOptions, objects: readonly ReferredObject[], found: FoundMetadata): MetadataDecision => {
  const { caller, request } = order;
  const decided = decideImport(caller.principal, objects, found);
  const answer = answerOf(order, decided.objects);
  const audit = auditOf(caller, {
    action: answer.status === 403 ? 'ACCESS_DENIED' : 'IMPORT_METADATA',
    target: targetOf(request),
    metadata: {
      dry_run: request.dry_run === true,
      objects: decided.objects.map(({ object, factId, refusal, changes }) => ({
        type: object.type,
        id: object.id,
        fact_id: factId,
        success: refusal === undefined,
        error_message: refusal?.message ?? null,
        changes,
      })),
    },
  });
  return { writes: decided.writes, audit, response: answer };
};

export function createImportMetadata(metadata: Pick<MetadataStore, 'change' | 'ownsDatamap'>): ImportMetadata {
  const inTurn = takeTurns(TURNS);
  return {
    async admit({ tenant, id, permissions }) {
      if (permissions.has('metadata:write') || (await metadata.ownsDatamap(tenant.id, id))) return;
      throw new ProblemError('access_denied', 'This needs the permission metadata:write, or a datamap of your own.');
    },
    async run(order) {
      const { caller, request } = order;
      const objects = request.metadata_objects.map((object) => ({ object, reference: referenceOf(object) }));
      const recordReplay = () =>
        auditOf(caller, { action: 'IMPORT_METADATA', target: targetOf(request), metadata: { replayed: true } });
      const outcome = await inTurn(caller.principal.tenant.id, () =>
        metadata.change(storeOrderOf(order, objects), (found) => decide(order, objects, found), recordReplay),
      );
      if (outcome.kind !== 'other request') return { ...outcome.response, isReplay: outcome.kind === 'replayed' };
      throw new ProblemError(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with another body within 24 hours. Send a new key with a new request.',
      );
    },
  };
}
