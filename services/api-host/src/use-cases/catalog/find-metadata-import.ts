import {
  auditOf,
  type Caller,
  type MetadataObject,
  type MetadataReportQuery,
  type MetadataResult,
  ProblemError,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { NumberedObject } from './start-metadata-import.ts';

/** Returns an import of the caller, or any of the tenant with `metadata:write`. Throws `not_found`. */
export type FindMetadataImport = (caller: Caller, importId: string) => Promise<MetadataImport>;

/** Cancels an import unless it has ended. Throws `not_found` and `audit_unavailable`. */
export type CancelMetadataImport = (
  caller: Caller,
  importId: string,
) => Promise<{ readonly found: MetadataImport; readonly wasOpen: boolean }>;

/** Object of the file with its result. */
export interface ReportedObject {
  readonly object: MetadataObject;
  readonly line: number;
  readonly result: MetadataResult;
}

/**
 * Returns the objects of an import that has ended, in the order of the file, in pages that may be empty. An object that was not reached
 * has failed. Throws `not_found`, `conflict` before the end, and `invalid_request` if the format cannot express the objects.
 */
export type ReportMetadataImport = (
  caller: Caller,
  input: MetadataReportQuery & { readonly importId: string },
) => Promise<AsyncIterable<readonly ReportedObject[]>>;

interface FindMetadataImportDependencies {
  readonly metadataImports: MetadataImportStore;
  readonly audit: Pick<AuditStore, 'append'>;
}

export const createFindMetadataImport =
  ({ metadataImports }: Pick<FindMetadataImportDependencies, 'metadataImports'>): FindMetadataImport =>
  async ({ principal }, importId) => {
    const found = await metadataImports.find({ tenantId: principal.tenant.id, importId });
    const isVisible = found?.sender.id === principal.id || principal.permissions.has('metadata:write');
    if (found !== undefined && isVisible) return found;
    throw new ProblemError('not_found', 'There is no import with this id. Reports are kept for 7 days.');
  };

export function createCancelMetadataImport(dependencies: FindMetadataImportDependencies): CancelMetadataImport {
  const find = createFindMetadataImport(dependencies);
  return async (caller, importId) => {
    const before = await find(caller, importId);
    const cancelled = await dependencies.metadataImports.cancel(before, ({ processed, objects }) =>
      auditOf(caller, {
        action: 'CANCEL_METADATA_IMPORT',
        target: importId,
        metadata: { processed_count: processed, total_count: objects },
      }),
    );
    return cancelled === undefined
      ? { found: await find(caller, importId), wasOpen: false }
      : { found: cancelled, wasOpen: true };
  };
}

const notApplied = ({ state }: MetadataImport): string =>
  state === 'CANCELLED'
    ? 'Not applied: the import was cancelled.'
    : 'Not applied: the import failed before this object.';

export function createReportMetadataImport(dependencies: FindMetadataImportDependencies): ReportMetadataImport {
  const { metadataImports, audit } = dependencies;
  const find = createFindMetadataImport(dependencies);

  async function* pages(found: MetadataImport, onlyFailed: boolean): AsyncGenerator<readonly ReportedObject[]> {
    for (let number = 0; number < found.batches; number += 1) {
      const batch = await metadataImports.reportedBatch(found, number);
      if (batch === undefined) throw new Error('a batch of the import is missing');
      const objects = JSON.parse(batch.objects) as NumberedObject[];
      const results = batch.results === null ? [] : (JSON.parse(batch.results) as MetadataResult[]);
      const reported = objects.map(({ line, object }, index): ReportedObject => {
        const missing = { success: false, fields_processed: false, error_message: notApplied(found) };
        return {
          line,
          object,
          result: results[index] ?? { id: object.id, type: object.type, fact_id: '', ...missing },
        };
      });
      yield onlyFailed ? reported.filter(({ result }) => !result.success) : reported;
    }
  }

  return async (caller, { importId, format = 'json', failed = false }) => {
    const found = await find(caller, importId);
    if (found.ended === null) {
      throw new ProblemError('conflict', 'The import has not ended. Read its state until it has, then get the report.');
    }
    if (format === 'csv' && !found.isTabular) {
      throw new ProblemError(
        'invalid_request',
        'CSV has no columns for the additions and removals of this file. Get the report with format=json.',
      );
    }
    const metadata = { format, failed };
    await audit.append(auditOf(caller, { action: 'READ_METADATA_IMPORT', target: importId, metadata }));
    return pages(found, failed);
  };
}
