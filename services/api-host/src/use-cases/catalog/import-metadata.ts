import { createHash } from 'node:crypto';
import {
  auditOf,
  type Caller,
  type MetadataImportRequest,
  type MetadataImportResponse,
  ProblemError,
} from '@sluice/contract';
import type {
  FoundMetadata,
  IdempotentRequest,
  MetadataDecision,
  MetadataStore,
  StoredResponse,
} from '@sluice/store/catalog';
import { seesAllDatamaps } from '../datamaps/datamap-access.ts';
import {
  type DecidedRequest,
  decideRequest,
  failureOf,
  referObjects,
  targetOf,
  writeOptionsOf,
} from './import-request.ts';
import { limitConcurrency } from './limit-concurrency.ts';

export interface ImportInput {
  readonly request: MetadataImportRequest;
  /** Idempotency-Key. Ignored for a dry run, which changes nothing. */
  readonly key: string | undefined;
  /** Version of the one object that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

export interface ImportResponse extends StoredResponse {
  readonly isReplay: boolean;
}

/** Rejects a caller who could not change any object, before the body is read. Throws `access_denied`. */
type AuthorizeImport = (caller: Pick<Caller, 'principal'>) => Promise<void>;

/**
 * Applies a metadata import and returns its response. The response reports the errors of single objects. Throws
 * `idempotency_key_reused`, `precondition_failed` and `too_many_requests`.
 */
type ImportMetadata = (caller: Caller, input: ImportInput) => Promise<ImportResponse>;

const OPERATION = 'importMetadata';
/** Limits of one tenant. Imports of a tenant mostly change the same rows; with two, the database works while one of them computes. */
const CONCURRENCY = { runningMax: 2, waitingMax: 200 };

const idempotencyOf = (caller: Caller, { request, key }: ImportInput): IdempotentRequest | undefined =>
  key === undefined || request.dry_run === true
    ? undefined
    : {
        accountId: caller.principal.id,
        operation: OPERATION,
        key,
        digest: createHash('sha256').update(JSON.stringify(request)).digest(),
      };

const responseOf = (
  { requestId }: Caller,
  { decided, results, succeeded }: Pick<DecidedRequest, 'decided' | 'results' | 'succeeded'>,
): StoredResponse => {
  const body: MetadataImportResponse = {
    metadata_results: [...results],
    success_count: succeeded,
    failure_count: results.length - succeeded,
    total_count: results.length,
  };
  const failure = failureOf(decided);
  if (failure === undefined) return { status: 200, body: JSON.stringify(body) };
  const { status, error, message } = failure;
  return { status, body: JSON.stringify({ error, message, request_id: requestId, ...body }) };
};

/** Rejects a change of an object that was changed since the caller has read it. An object that cannot be changed has its own result. */
function requireVersion(version: number | undefined, { decided: [only] }: DecidedRequest, found: FoundMetadata): void {
  if (version === undefined || only === undefined || only.rejection !== undefined) return;
  const fact = [...found.facts.values()].find(({ factId }) => factId === only.factId);
  if (fact?.version === version) return;
  throw new ProblemError(
    'precondition_failed',
    'The object has changed since the version in If-Match. Read it again, then repeat the change.',
  );
}

interface AuthorizeImportDependencies {
  readonly metadata: Pick<MetadataStore, 'ownsDatamap'>;
}

export const createAuthorizeImport =
  ({ metadata }: AuthorizeImportDependencies): AuthorizeImport =>
  async ({ principal }) => {
    if (seesAllDatamaps(principal) || (await metadata.ownsDatamap(principal.tenant.id, principal.id))) return;
    throw new ProblemError(
      'access_denied',
      'This requires the permission metadata:write or admin, or the ownership of a datamap.',
    );
  };

interface ImportMetadataDependencies {
  readonly metadata: Pick<MetadataStore, 'change'>;
}

export function createImportMetadata({ metadata }: ImportMetadataDependencies): ImportMetadata {
  const limited = limitConcurrency(CONCURRENCY);
  return async (caller, input) => {
    const request = { ...input.request, objects: referObjects(input.request.metadata_objects) };
    const idempotency = idempotencyOf(caller, input);
    const options = { ...writeOptionsOf(caller, request), ...(idempotency === undefined ? {} : { idempotency }) };
    const decide = (found: FoundMetadata): MetadataDecision => {
      const decided = decideRequest(caller, request, found);
      requireVersion(input.version, decided, found);
      return { writes: decided.writes, audit: decided.audit, response: responseOf(caller, decided) };
    };
    const recordReplay = () =>
      auditOf(caller, { action: 'IMPORT_METADATA', target: targetOf(request), metadata: { replayed: true } });
    const outcome = await limited(caller.principal.tenant.id, () => metadata.change(options, decide, recordReplay));
    if (outcome.kind !== 'other request') return { ...outcome.response, isReplay: outcome.kind === 'replayed' };
    throw new ProblemError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another body within 24 hours. Send a new key with a new request.',
    );
  };
}
