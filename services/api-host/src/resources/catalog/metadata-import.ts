import { createHash } from 'node:crypto';
import {
  apiOperations,
  type Caller,
  callerOf,
  invalidRequest,
  type MetadataImportRequest,
  type MetadataImportResponse,
  type MetadataObject,
  type Principal,
  ProblemError,
} from '@sluice/contract';
import { bytes, matchedVersion, type Route, type RouteRequest, route } from '@sluice/http';
import type { Events } from '@sluice/observability';
import type { FoundFact, IdempotentRequest, StoredResponse } from '@sluice/store/catalog';
import type { DatamapStore } from '@sluice/store/datamaps';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { limitConcurrency } from '../../use-cases/catalog/limit-concurrency.ts';
import { seesAllDatamaps } from '../../use-cases/datamaps/datamap-access.ts';
import { commonRejection, type ImportedObject, importObjects, importTarget, presentResult } from './import-objects.ts';

interface ImportInput {
  readonly request: MetadataImportRequest;
  /** Idempotency-Key. Ignored for a dry run, which changes nothing. */
  readonly key: string | undefined;
  /** Version of the one object that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
}

interface ImportResponse extends StoredResponse {
  readonly isReplay: boolean;
}

const OPERATION = 'importMetadata';
/** Limits of one tenant. Imports of a tenant mostly change the same rows; with two, the database works while one of them computes. */
const CONCURRENCY = { runningMax: 2, waitingMax: 200 };
/** Visible ASCII without spaces. Most keys are UUIDs. */
const KEY = /^[\x21-\x7e]{1,255}$/;

const FAILURES = {
  'not found': { status: 404, error: 'not_found', message: 'None of these objects exists.' },
  forbidden: { status: 403, error: 'access_denied', message: 'You may change none of these objects.' },
} as const;

const idempotencyOf = ({ principal }: Caller, { request, key }: ImportInput): IdempotentRequest | undefined =>
  key === undefined || request.dry_run === true
    ? undefined
    : {
        accountId: principal.id,
        operation: OPERATION,
        key,
        digest: createHash('sha256').update(JSON.stringify(request)).digest(),
      };

/** Returns the response: an error if all objects failed for the same reason, else the result of each object. */
function responseOf(imported: readonly ImportedObject[], isDryRun: boolean, requestId: string): StoredResponse {
  const results = imported.map((each) => presentResult(each, isDryRun));
  const succeeded = results.filter(({ success }) => success).length;
  const body: MetadataImportResponse = {
    metadata_results: results,
    success_count: succeeded,
    failure_count: results.length - succeeded,
    total_count: results.length,
  };
  const reason = commonRejection(imported);
  if (reason === undefined) return { status: 200, body: JSON.stringify(body) };
  const { status, error, message } = FAILURES[reason];
  return { status, body: JSON.stringify({ error, message, request_id: requestId, ...body }) };
}

/** Rejects a change of the object that was changed since the caller has read it. An object that cannot be changed has its own result. */
const requireVersion =
  (version: number | undefined) =>
  (imported: readonly ImportedObject[], facts: ReadonlyMap<string, FoundFact>): void => {
    const changed = imported.find(({ rejection }) => rejection === undefined);
    if (version === undefined || changed === undefined) return;
    const fact = [...facts.values()].find(({ factId }) => factId === changed.factId);
    if (fact?.version === version) return;
    throw new ProblemError(
      'precondition_failed',
      'The object has changed since the version in If-Match. Read it again, then repeat the change.',
    );
  };

/**
 * Applies a metadata import and returns its response, which reports the errors of single objects. A repeated request gets the response of
 * the first one. Throws `idempotency_key_reused` and `precondition_failed`.
 */
async function importMetadata(tx: TenantTransaction, caller: Caller, input: ImportInput): Promise<ImportResponse> {
  const { metadata_objects: objects, dry_run: isDryRun = false } = input.request;
  const idempotency = idempotencyOf(caller, input);
  const claim = idempotency && (await tx.idempotencyKeys.claim(idempotency));
  if (claim?.kind === 'other request') {
    throw new ProblemError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another body within 24 hours. Send a new key with a new request.',
    );
  }
  if (claim?.kind === 'repeated') {
    await tx.record('IMPORT_METADATA', importTarget(objects), { replayed: true });
    return { ...claim.response, isReplay: true };
  }
  const imported = await importObjects(tx, caller, { objects, isDryRun, check: requireVersion(input.version) });
  const response = responseOf(imported, isDryRun, caller.requestId);
  if (idempotency !== undefined) await tx.idempotencyKeys.save(idempotency, response);
  return { ...response, isReplay: false };
}

/** Rejects a caller who could not change any object, before the body is read. Throws `access_denied`. */
export const authorizeImport =
  ({ datamaps }: { readonly datamaps: Pick<DatamapStore, 'ownsAny'> }) =>
  async (principal: Principal): Promise<void> => {
    const account = { tenantId: principal.tenant.id, accountId: principal.id };
    if (seesAllDatamaps(principal) || (await datamaps.ownsAny(account))) return;
    throw new ProblemError(
      'access_denied',
      'This requires the permission metadata:write or admin, or the ownership of a datamap.',
    );
  };

const keyOf = (text: string | undefined): string | undefined => {
  if (text === undefined || KEY.test(text)) return text;
  throw invalidRequest({ path: 'header.idempotency-key', message: 'must be 1 to 255 visible ASCII characters' });
};

/** An entity tag is that of one object. Its fields may be in several entries of one id, because an entry has a limit of fields. */
const versionOf = (headers: RouteRequest['headers'], objects: readonly MetadataObject[]): number | undefined => {
  const version = matchedVersion(headers);
  const ids = new Set(objects.map(({ type, id }) => `${type} ${id}`));
  if (version === undefined || ids.size === 1) return version;
  throw invalidRequest({ path: 'header.if-match', message: 'needs a request about one object' });
};

interface MetadataImportContext {
  readonly database: ResourceDatabase;
  readonly datamaps: Pick<DatamapStore, 'ownsAny'>;
  readonly events: Pick<Events, 'accessDenied'>;
}

/** POST /metadata/import */
export function metadataImportRoute(context: MetadataImportContext): Route {
  const { database, events } = context;
  const limited = limitConcurrency(CONCURRENCY);
  return route(
    apiOperations.importMetadata,
    async (request) => {
      const { principal, requestId, operation, headers, body } = request;
      const caller = callerOf(request);
      const key = keyOf(headers.get('idempotency-key'));
      const input = { request: body, key, version: versionOf(headers, body.metadata_objects) };
      const response = await limited(principal.tenant.id, () =>
        database.change(caller, (tx) => importMetadata(tx, caller, input)),
      );
      if (response.status === 403) {
        events.accessDenied({
          tenant: principal.tenant.name,
          user: principal.name,
          requestId,
          permission: 'metadata:write',
          operation: operation.id,
        });
      }
      return bytes(
        response.status,
        'application/json',
        new TextEncoder().encode(response.body),
        response.isReplay ? { 'idempotency-replayed': 'true' } : {},
      );
    },
    authorizeImport(context),
  );
}
