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
import { type DecidedObject, decideImport, presentResult, type ReferredObject } from './decide-import.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { parseTableName } from './parse-table-name.ts';

export interface ImportInput {
  readonly request: MetadataImportRequest;
  /** Idempotency-Key. Ignored for a dry run, which changes nothing. */
  readonly key: string | undefined;
}

export interface ImportResponse extends StoredResponse {
  readonly isReplay: boolean;
}

/** Rejects a caller who could not change any object, before the body is read. Throws `access_denied`. */
type AuthorizeImport = (principal: Principal) => Promise<void>;

/**
 * Applies a metadata import and returns its response. The response reports the errors of single objects. Throws
 * `idempotency_key_reused` and `too_many_requests`.
 */
type ImportMetadata = (caller: Caller, input: ImportInput) => Promise<ImportResponse>;

const OPERATION = 'importMetadata';
/** Per tenant. Imports of a tenant mostly change the same rows; with two, the database works while one of them computes. */
const CONCURRENCY = { runningMax: 2, waitingMax: 200 };

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

const idempotencyOf = (caller: Caller, { request, key }: ImportInput): IdempotentRequest | undefined =>
  key === undefined || request.dry_run === true
    ? undefined
    : {
        accountId: caller.principal.id,
        operation: OPERATION,
        key,
        digest: createHash('sha256').update(JSON.stringify(request)).digest(),
      };

const writeOptionsOf = (
  caller: Caller,
  input: ImportInput,
  objects: readonly ReferredObject[],
): MetadataWriteOptions => {
  const { request } = input;
  const idempotency = idempotencyOf(caller, input);
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

/** Returns the error if all objects failed for the same one of these reasons. Any other result is 200. */
const failureOf = (objects: readonly DecidedObject[]) => {
  const reasons = new Set(objects.map(({ rejection }) => rejection?.reason));
  const [reason] = reasons;
  return reasons.size === 1 && (reason === 'not found' || reason === 'forbidden') ? FAILURES[reason] : undefined;
};

const responseOf = (
  { requestId }: Caller,
  request: MetadataImportRequest,
  objects: readonly DecidedObject[],
): StoredResponse => {
  const results = objects.map((each) => presentResult(each, request));
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
  return { status, body: JSON.stringify({ error, message, request_id: requestId, ...body }) };
};

const targetOf = ({ metadata_objects: [first, ...more] }: MetadataImportRequest): string =>
  more.length === 0 ? (first?.id ?? '') : `${more.length + 1} objects`;

const decide = (
  caller: Caller,
  { request, objects }: { readonly request: MetadataImportRequest; readonly objects: readonly ReferredObject[] },
  found: FoundMetadata,
): MetadataDecision => {
  const decided = decideImport(caller.principal, objects, found);
  const response = responseOf(caller, request, decided.objects);
  const audit = auditOf(caller, {
    action: response.status === 403 ? 'ACCESS_DENIED' : 'IMPORT_METADATA',
    target: targetOf(request),
    metadata: {
      dry_run: request.dry_run === true,
      objects: decided.objects.map(({ object, factId, rejection, changes }) => ({
        type: object.type,
        id: object.id,
        fact_id: factId,
        success: rejection === undefined,
        error_message: rejection?.message ?? null,
        changes,
      })),
    },
  });
  return { writes: decided.writes, audit, response };
};

interface AuthorizeImportDependencies {
  readonly metadata: Pick<MetadataStore, 'ownsDatamap'>;
}

export const createAuthorizeImport =
  ({ metadata }: AuthorizeImportDependencies): AuthorizeImport =>
  async ({ tenant, id, permissions }) => {
    if (permissions.has('metadata:write') || (await metadata.ownsDatamap(tenant.id, id))) return;
    throw new ProblemError(
      'access_denied',
      'This requires the permission metadata:write, or the ownership of a datamap.',
    );
  };

interface ImportMetadataDependencies {
  readonly metadata: Pick<MetadataStore, 'change'>;
}

export function createImportMetadata({ metadata }: ImportMetadataDependencies): ImportMetadata {
  const limited = limitConcurrency(CONCURRENCY);
  return async (caller, input) => {
    const { request } = input;
    const objects = request.metadata_objects.map((object) => ({ object, reference: referenceOf(object) }));
    const recordReplay = () =>
      auditOf(caller, { action: 'IMPORT_METADATA', target: targetOf(request), metadata: { replayed: true } });
    const outcome = await limited(caller.principal.tenant.id, () =>
      metadata.change(
        writeOptionsOf(caller, input, objects),
        (found) => decide(caller, { request, objects }, found),
        recordReplay,
      ),
    );
    if (outcome.kind !== 'other request') return { ...outcome.response, isReplay: outcome.kind === 'replayed' };
    throw new ProblemError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another body within 24 hours. Send a new key with a new request.',
    );
  };
}
