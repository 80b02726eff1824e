import { type AuditRecord, auditOf, type Caller, type MetadataObject, type MetadataResult } from '@sluice/contract';
import type { FactReference, FactWrite, FoundMetadata, MetadataWriteOptions } from '@sluice/store/catalog';
import { type DecidedObject, decideImport, presentResult, type ReferredObject } from './decide-import.ts';
import { parseTableName } from './parse-table-name.ts';

/** Objects that are applied in one transaction, as a request or as a batch of a file. */
interface ReferredRequest {
  readonly objects: readonly ReferredObject[];
  readonly dry_run?: boolean | undefined;
}

export interface DecidedRequest {
  readonly decided: readonly DecidedObject[];
  /** Results in the order of the objects. */
  readonly results: readonly MetadataResult[];
  readonly succeeded: number;
  readonly writes: readonly FactWrite[];
  readonly audit: AuditRecord;
}

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

export const referObjects = (objects: readonly MetadataObject[]): ReferredObject[] =>
  objects.map((object) => ({ object, reference: referenceOf(object) }));

export const writeOptionsOf = (
  { principal }: Pick<Caller, 'principal'>,
  { objects, dry_run: isDryRun = false }: ReferredRequest,
): MetadataWriteOptions => ({
  tenantId: principal.tenant.id,
  user: principal.name,
  inputs: objects.flatMap(({ object, reference }) =>
    reference === undefined ? [] : [{ reference, fieldNames: (object.fields ?? []).map(({ name }) => name) }],
  ),
  domainIds: domainIdsOf(objects.map(({ object }) => object)),
  isDryRun,
});

const FAILURES = {
  'not found': { status: 404, error: 'not_found', message: 'None of these objects exists.' },
  forbidden: { status: 403, error: 'access_denied', message: 'You may change none of these objects.' },
} as const;

/** Returns the error if all objects failed for the same one of these reasons. Any other result is 200. */
export const failureOf = (objects: readonly DecidedObject[]) => {
  const reasons = new Set(objects.map(({ rejection }) => rejection?.reason));
  const [reason] = reasons;
  return reasons.size === 1 && (reason === 'not found' || reason === 'forbidden') ? FAILURES[reason] : undefined;
};

/** Returns the target of the audit record: the id of a single object, else the number of objects. */
export const targetOf = ({ objects: [first, ...more] }: ReferredRequest): string =>
  more.length === 0 ? (first?.object.id ?? '') : `${more.length + 1} objects`;

/** Decides the outcome of each object, with the audit record of all. `origin` adds members to the metadata of the record. */
export function decideRequest(
  caller: Caller,
  request: ReferredRequest,
  found: FoundMetadata,
  origin: Readonly<Record<string, unknown>> = {},
): DecidedRequest {
  const { objects, writes } = decideImport(caller.principal, request.objects, found);
  const isDryRun = request.dry_run === true;
  const results = objects.map((each) => presentResult(each, { dry_run: isDryRun }));
  const audit = auditOf(caller, {
    action: failureOf(objects)?.status === 403 ? 'ACCESS_DENIED' : 'IMPORT_METADATA',
    target: targetOf(request),
    metadata: {
      ...origin,
      dry_run: isDryRun,
      objects: objects.map(({ object, factId, rejection, changes }) => ({
        type: object.type,
        id: object.id,
        fact_id: factId,
        success: rejection === undefined,
        error_message: rejection?.message ?? null,
        changes,
      })),
    },
  });
  return { decided: objects, results, succeeded: results.filter(({ success }) => success).length, writes, audit };
}
